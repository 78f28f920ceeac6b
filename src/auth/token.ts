import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LIMITS } from '../values/limits.js';

/** Prefixes of tokens by purpose, for people and for secret scanners. */
const PREFIXES = { service: 'scp_', invitation: 'inv_', recovery: 'rec_', scim: 'scim_' } as const;
export type TokenKind = keyof typeof PREFIXES;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const { randomCharacters, checksumCharacters, shownCharacters } = LIMITS.token;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${randomCharacters + checksumCharacters}}$`);

/** A new token: its prefix, 30 base62 characters of randomness, 6 of their CRC32. Shown once, never stored. */
export function generateToken(kind: TokenKind = 'service'): string {
  let random = '';
  for (let i = 0; i < randomCharacters; i += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return PREFIXES[kind] + random + checksum(random);
}

/** Whether a text can be a token: decided without the database, so that guesses never reach it. */
export function isWellFormedToken(text: string, kind: TokenKind = 'service'): boolean {
  const secret = text.slice(PREFIXES[kind].length);
  const random = secret.slice(0, randomCharacters);
  return text.startsWith(PREFIXES[kind]) && SHAPE.test(secret) && secret.endsWith(checksum(random));
}

const BEGINNING = `(?:${Object.values(PREFIXES).join('|')})`;
const BEGINS = new RegExp(BEGINNING);
const ANY = new RegExp(`${BEGINNING}[0-9A-Za-z]+`, 'g');

/** Whether a text that a caller has sent may contain a token of any kind: such a text is not repeated. */
export function mayContainToken(text: string): boolean {
  return BEGINS.test(text);
}

/** A text for logs without the tokens of any kind in it. */
export function withoutTokens(text: string): string {
  return text.replaceAll(ANY, '[token]');
}

/** Lower-case hexadecimal SHA-256: the only stored form of a token. */
export function digestToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** The beginning of a token, for display. */
export function tokenPrefix(token: string): string {
  return token.slice(0, shownCharacters);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < checksumCharacters; i += 1) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
