import { createCipheriv, createDecipheriv, randomBytes, type CipherKey } from 'node:crypto';

export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;

const ALGORITHM = 'aes-256-gcm';
const NO_CONTEXT = Buffer.alloc(0);

/** Nonce, tag and ciphertext. `context` is authenticated only, and must be the same for decryption. */
export function encrypt(
  key: CipherKey,
  text: string,
  context: Buffer = NO_CONTEXT,
  nonce: Buffer = randomBytes(NONCE_BYTES),
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(context);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

/** Throws when key or context differ, or a bit was changed. */
export function decrypt(key: CipherKey, bytes: Buffer, context: Buffer = NO_CONTEXT): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(context)
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(text, undefined, 'utf8') + decipher.final('utf8');
}
