import { createHmac, timingSafeEqual } from 'node:crypto';

/** What can be downloaded by a signed address. */
export type DownloadKind = 'documents' | 'attachments';

/**
 * Download addresses: absolute, signed, good for a while, and in need of no token (decisions §6), so that they can be
 * handed to a browser. The signature covers what is downloaded and until when.
 */
export class DownloadLinks {
  constructor(
    private readonly publicUrl: string,
    private readonly secretKey: string,
    private readonly minutes: number,
    private readonly now: () => number = Date.now,
  ) {}

  address(kind: DownloadKind, id: number): string {
    const expires = Math.floor(this.now() / 1000) + this.minutes * 60;
    return `${this.publicUrl}/api/v1/downloads/${kind}/${id}?expires=${expires}&signature=${this.sign(kind, id, expires)}`;
  }

  /** Whether the address was made here and is still good. */
  isGood(kind: DownloadKind, id: number, expires: number, signature: string): boolean {
    if (!Number.isSafeInteger(expires) || expires * 1000 < this.now()) return false;
    const expected = Buffer.from(this.sign(kind, id, expires));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private sign(kind: DownloadKind, id: number, expires: number): string {
    return createHmac('sha256', this.secretKey).update(`download:${kind}:${id}:${expires}`).digest('base64url');
  }
}
