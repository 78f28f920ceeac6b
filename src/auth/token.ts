import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LIMITS } from '../values/limits.js';

/** What a secret is for is written in front of it, for people and for secret scanners. */
const PREFIXES = { token: 'scp_', invitation: 'inv_', recovery: 'rec_' } as const;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const { randomCharacters, checksumCharacters, shownCharacters } = LIMITS.token;
const SHAPE = new RegExp(`^[0-9A-Za-z]{${randomCharacters + checksumCharacters}}$`);

/** A new token: `scp_`, 30 base62 characters of randomness, 6 of their CRC32. Shown once, never stored. */
export function generateToken(): string {
  return generate(PREFIXES.token);
}

/** The secret of an invitation: like a token, and it begins with `inv_`. */
export function generateInvitationSecret(): string {
  return generate(PREFIXES.invitation);
}

/** The secret of a recovery link: like a token, and it begins with `rec_`. */
export function generateRecoverySecret(): string {
  return generate(PREFIXES.recovery);
}

/** Whether a text can be a token. Decided without the database, so that a flood of guesses never reaches it. */
export function isWellFormedToken(text: string): boolean {
  return isWellFormed(PREFIXES.token, text);
}

/** The same of the secret of an invitation. */
export function isWellFormedInvitationSecret(text: string): boolean {
  return isWellFormed(PREFIXES.invitation, text);
}

/** The same of the secret of a recovery link. */
export function isWellFormedRecoverySecret(text: string): boolean {
  return isWellFormed(PREFIXES.recovery, text);
}

/** Lower-case hexadecimal SHA-256: all that is ever kept of a token. */
export function digestToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** What a person may see of a token later. */
export function tokenPrefix(token: string): string {
  return token.slice(0, shownCharacters);
}

function generate(prefix: string): string {
  let random = '';
  for (let i = 0; i < randomCharacters; i += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return prefix + random + checksum(random);
}

function isWellFormed(prefix: string, text: string): boolean {
  const secret = text.slice(prefix.length);
  return text.startsWith(prefix) && SHAPE.test(secret) && secret.endsWith(checksum(secret.slice(0, randomCharacters)));
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
