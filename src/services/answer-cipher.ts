import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'idempotent answer';

/**
 * Encrypts a text under a key that is derived from a token (HKDF-SHA-256, AES-256-GCM): the database alone cannot read
 * it. `place` names where it is stored, and has to be the same on opening. Salt, nonce and tag stand before the text.
 */
export function sealText(token: string, place: string, text: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(token, salt), nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]);
}

/** Throws when the token or the place is another one, or a bit was changed. */
export function openText(token: string, place: string, sealed: Buffer): string {
  const nonceAt = SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const textAt = tagAt + TAG_BYTES;
  const key = keyOf(token, sealed.subarray(0, nonceAt));
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(tagAt, textAt));
  return decipher.update(sealed.subarray(textAt), undefined, 'utf8') + decipher.final('utf8');
}

function keyOf(token: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', token, salt, PURPOSE, KEY_BYTES));
}
