import { LRUCache } from 'lru-cache';
import type { Readable } from 'node:stream';
import { entries } from '../common/cache-bounds.js';
import { HOUR } from '../common/time.js';
import type { BlobStore, ByteRange } from './blob-store.js';
import { openWhole } from './whole-content.js';

const REMEMBERED = 10_000;

/**
 * Opens content, or a part of it, after comparing all of its bytes with its name: at most once an hour for each content,
 * and again when its file or object was written since.
 */
export class VerifiedContent {
  private readonly verified = new LRUCache<string, { stamp: string; whole: Promise<void> }>({
    ...entries(REMEMBERED),
    ttl: HOUR,
  });

  constructor(readonly store: BlobStore) {}

  /** Throws as `BlobStore.open`, and as readers of `openWhole` where the bytes differ. */
  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    await this.verify(sha256, await this.store.stamp(sha256));
    return this.store.open(sha256, range);
  }

  private async verify(sha256: string, stamp: string | undefined): Promise<void> {
    if (stamp === undefined) return this.readWhole(sha256);
    const known = this.verified.get(sha256);
    if (known?.stamp === stamp) return known.whole;
    const entry = { stamp, whole: this.readWhole(sha256) };
    this.verified.set(sha256, entry);
    try {
      await entry.whole;
    } catch (error) {
      if (this.verified.get(sha256) === entry) this.verified.delete(sha256);
      throw error;
    }
  }

  private async readWhole(sha256: string): Promise<void> {
    for await (const piece of await openWhole(this.store, sha256)) void piece;
  }
}
