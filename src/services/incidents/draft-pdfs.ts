import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { KeyedSemaphores, Semaphore } from '../../common/concurrency.js';
import { rateLimited } from '../../errors.js';
import { MINUTE } from '../../common/time.js';
import { draftPdf, printedDraft, type IncidentReportDraft } from './report-print.js';

/** Milliseconds for which a document is cached, and bytes of all cached ones. */
const REMEMBERED = 10 * MINUTE;
const MAX_BYTES = 32 * 1024 * 1024;
/** Milliseconds that a request waits for other documents of its user. */
const PLACE_WAIT = 30_000;

/** Points of a document, and characters of one more: each of them is 10 ms of a processor (docs/limits.md). */
const POINTS = 10;
const CHARACTERS_PER_POINT = 1_500;

/** Drafts as PDF. The same draft within ten minutes is the same document, dated by the first. */
export class DraftPdfs {
  private readonly made = new LRUCache<string, Buffer>({
    ttl: REMEMBERED,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  private readonly making = new Map<string, Promise<Buffer>>();
  /** One at a time for each user, so that a user cannot occupy all places of an instance. */
  private readonly perUser = new KeyedSemaphores(() => new Semaphore(1, PLACE_WAIT, () => rateLimited(5)));

  /** The points of creating it, or of sending it again. */
  points(draft: IncidentReportDraft): number {
    const digest = digestOf(draft);
    if (this.made.has(digest) || this.making.has(digest)) return 1;
    const characters = draft.fields.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    return POINTS + Math.ceil(characters / CHARACTERS_PER_POINT);
  }

  /** Throws RATE_LIMITED and UNAVAILABLE when no place comes free, and BAD_USER_INPUT when it is too long. */
  async of(draft: IncidentReportDraft, userId: string): Promise<Buffer> {
    const digest = digestOf(draft);
    const known = this.made.get(digest) ?? this.making.get(digest);
    if (known !== undefined) return known;
    const making = this.make(draft, userId).finally(() => this.making.delete(digest));
    this.making.set(digest, making);
    const document = await making;
    this.made.set(digest, document);
    return document;
  }

  private async make(draft: IncidentReportDraft, userId: string): Promise<Buffer> {
    const leave = await this.perUser.acquire(userId);
    try {
      return await draftPdf(printedDraft(draft));
    } finally {
      leave();
    }
  }
}

/** Digest of its content without the time. */
function digestOf({ draftedAt: _, ...said }: IncidentReportDraft): string {
  return hash('sha256', JSON.stringify(said), 'base64url');
}
