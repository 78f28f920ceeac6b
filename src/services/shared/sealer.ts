import { hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from '../../common/aes-gcm.js';

/** Encrypts data for the gateway itself, under a key for one purpose derived from SECRET_KEY. */
export class Sealer {
  private readonly keys: readonly Buffer[];

  /** Texts sealed under earlier keys can still be opened. */
  constructor(purpose: string, secretKey: string, earlierKeys: readonly string[] = []) {
    this.keys = [secretKey, ...earlierKeys].map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  }

  seal(text: string): Buffer {
    return encrypt(this.keys[0] as Buffer, text);
  }

  /** Undefined for a text that was not sealed here, or was changed. */
  open(sealed: Buffer): string | undefined {
    for (const key of this.keys) {
      try {
        return decrypt(key, sealed);
      } catch {
        continue;
      }
    }
    return undefined;
  }
}
