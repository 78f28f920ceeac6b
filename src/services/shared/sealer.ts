import { hkdfSync } from 'node:crypto';
import { decrypt, encrypt } from '../../common/aes-gcm.js';

/** Encrypts what only the gateway reads again, under a key for one purpose that is made of SECRET_KEY. */
export class Sealer {
  private readonly keys: readonly Buffer[];

  /** Texts that earlier keys have sealed are still opened. */
  constructor(purpose: string, secretKey: string, earlierKeys: readonly string[] = []) {
    this.keys = [secretKey, ...earlierKeys].map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)));
  }

  seal(text: string): Buffer {
    return encrypt(this.keys[0] as Buffer, text);
  }

  /** Undefined for what was sealed otherwise, or changed. */
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
