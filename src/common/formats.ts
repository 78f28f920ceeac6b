import { DateTime, IANAZone } from 'luxon';
import { isIP, isIPv4 } from 'node:net';
import { domainToUnicode } from 'node:url';
// Two of its more than a hundred modules.
import validEmail from 'validator/lib/isEmail.js';
import validCountry from 'validator/lib/isISO31661Alpha2.js';
import { LANGUAGES } from '../messages/language.js';
import { LIMITS } from '../values/limits.js';

export type FormatName = keyof typeof FORMATS;

/** Validators of text formats: each returns an error that follows the name of a field, or undefined. */
export const FORMATS = {
  hostname: sentence(isHostname, 'must be a hostname'),
  ipv4: sentence(isIPv4, 'must be a dotted IPv4 address'),
  ip: sentence((text) => familyOf(text) !== undefined, 'must be an IPv4 or IPv6 address'),
  email: sentence(isEmailAddress, 'must be an e-mail address'),
  uri: sentence(isHttpUrl, 'must be an absolute http or https URL without credentials'),
  uuid: sentence(isUuid, 'must be a UUID'),
  'time-zone': sentence(isTimeZone, 'must be an IANA time zone such as Europe/Rome'),
  language: sentence((text) => LANGUAGES.includes(text), `must be one of the languages ${LANGUAGES.join(', ')}`),
  country: sentence(isCountry, 'must be an ISO 3166-1 alpha-2 code such as IT'),
  network: sentence((text) => networkOf(text) !== undefined, 'must be an IP address or a network such as 192.0.2.0/24'),
  week: sentence(isWeek, 'must be an ISO 8601 week such as 2026-W47'),
  color: colorError,
} as const;

/** RFC 1123: labels of 1 to 63 letters, digits and inner hyphens, the last not all digits; A-labels must decode. */
export function isHostname(value: string): boolean {
  if (value.length > LIMITS.organization.domainCharacters || !HOSTNAME.test(value)) return false;
  // Undecodable labels are returned unchanged, with their prefix.
  return !A_LABEL.test(value) || !A_LABEL.test(domainToUnicode(value));
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/**
 * A mail address of RFC 5321 whose domain has a top level: in ASCII and without a quoted local part, as in the format
 * `email` of OpenAPI. Common addresses skip the general check, which is slow.
 */
export function isEmailAddress(value: string): boolean {
  return EVERYDAY_EMAIL.test(value) || (UNQUOTED_ASCII.test(value) && validEmail.default(value));
}

/** A URL with scheme and host. A name or password in it would be shown to every reader of the record. */
function isHttpUrl(value: string): boolean {
  return HTTP_URL.test(value) && URL.canParse(value);
}

function isCountry(text: string): boolean {
  return /^[A-Z]{2}$/.test(text) && validCountry.default(text);
}

/** An offset such as `+01:00` is not a time zone: it has no daylight saving time. */
function isTimeZone(text: string): boolean {
  return /^[A-Za-z]/.test(text) && IANAZone.isValidZone(text);
}

/** A week of its year: some years have 53. */
function isWeek(text: string): boolean {
  return /^\d{4}-W\d\d$/.test(text) && DateTime.fromISO(text).isValid;
}

/** Buttons have white text, which must be readable on each colour. */
function colorError(text: string): string | undefined {
  if (!HEX_COLOR.test(text)) return 'must be a colour such as #1F6FEB';
  const { leastContrast } = LIMITS.branding;
  const contrast = contrastToWhite(text);
  if (contrast >= leastContrast) return undefined;
  // Truncated, not rounded: 4.498 is not 4.50.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2);
  return `has a contrast of ${shown} to white text; at least ${leastContrast} is needed`;
}

function sentence(isValid: (text: string) => boolean, error: string): (text: string) => string | undefined {
  return (text) => (isValid(text) ? undefined : error);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const HOSTNAME = new RegExp(`^(?:${LABEL}\\.)*(?![0-9]+$)${LABEL}$`);
const A_LABEL = /(?:^|\.)xn--/i;
// Stricter than the general check: a local part of up to 64 characters without misplaced dots, a domain of letters,
// digits and inner hyphens, a top level of letters, 254 characters in total.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const EVERYDAY_EMAIL = new RegExp(
  `^(?=.{1,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[A-Za-z]{2,63}$`,
);
const UNQUOTED_ASCII = /^[\x21\x23-\x7e]+$/;
// The host follows the two slashes and contains no "@"; browsers read a backslash as a slash, so it is not allowed.
const HTTP_URL = /^https?:\/\/[^\s\p{C}\\/?#@]+(?:[/?#][^\s\p{C}\\]*)?$/iu;

export type NetworkFamily = 'ipv4' | 'ipv6';

export interface Network {
  address: string;
  /** Length of the common prefix in bits. */
  prefix: number;
  family: NetworkFamily;
}

/**
 * Parses an address or a network in CIDR form (RFC 4632, RFC 4291): `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`.
 * Undefined otherwise, also for IPv4 addresses written as IPv6, which would never match.
 */
export function networkOf(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = familyOf(address);
  if (family === undefined || more.length > 0 || MAPPED.test(address)) return undefined;
  const width = WIDTHS[family];
  if (bits === undefined) return { address, prefix: width, family };
  const prefix = /^(?:0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= width ? { address, prefix, family } : undefined;
}

const WIDTHS: Record<NetworkFamily, number> = { ipv4: 32, ipv6: 128 };
const MAPPED = /^[0:]*:ffff:/i;

/** IPv4, or IPv6 without a zone, which is only valid on one machine. */
export function familyOf(address: string): NetworkFamily | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** A colour in the form of specification 2.10: `#RRGGBB`. */
const HEX_COLOR = /^#[0-9a-f]{6}$/i;

/** The contrast of white text on a colour, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
function contrastToWhite(color: string): number {
  return 1.05 / (luminance(color) + 0.05);
}

/** The colour with each channel reduced to this share, in upper case: its contrast with white does not decrease. */
export function darkened(color: string, left: number): string {
  const parts = channels(color).map((channel) =>
    Math.floor(channel * left)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${parts.join('')}`.toUpperCase();
}

/** WCAG 2.2, "relative luminance": from 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red, green, blue] = channels(color).map(linear) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel: number): number {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
