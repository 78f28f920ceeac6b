import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what only the gateway reads again, under a key for one purpose that is made of SECRET_KEY. */
export class Sealer {
  private readonly keys: readonly Buffer[];

  /** Texts that earlier keys have sealed are still opened. */
  constructor(purpose: string, secretKey: string, earlierKeys: readonly string[] = []) {
    this.keys = [secretKey, ...earlierKeys].map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  }

  seal(text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keys[0] as Buffer, nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Undefined for what was sealed otherwise, or changed. */
  open(sealed: Buffer): string | undefined {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const text = sealed.subarray(NONCE_BYTES + TAG_BYTES);
    for (const key of this.keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
        decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch {
        continue;
      }
    }
    return undefined;
  }
}
