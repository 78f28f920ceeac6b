import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LIMITS } from '../vocabulary/limits.js';

const PREFIX = 'scp_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const { randomCharacters, checksumCharacters, shownCharacters } = LIMITS.token;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${randomCharacters + checksumCharacters}}$`);

/** A new token (decisions §1): `scp_`, 30 base62 characters of randomness, 6 of their CRC32. Shown once, never stored. */
export function generateToken(): string {
  let random = '';
  for (let i = 0; i < randomCharacters; i += 1) random += ALPHABET[randomInt(ALPHABET.length)];
  return PREFIX + random + checksum(random);
}

/** Whether a text can be a token at all. Told without the database, so that a flood of guesses never reaches it. */
export function isWellFormedToken(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  const random = text.slice(PREFIX.length, PREFIX.length + randomCharacters);
  return text.endsWith(checksum(random));
}

/** Lower-case hexadecimal SHA-256: all that is ever kept of a token. */
export function digestToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** What a person may see of a token later. */
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
