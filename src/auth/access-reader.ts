import { AccessCache, type Freshness, type KnownToken, type Membership } from './access-cache.js';
import { IpAllowList } from './ip-allow-list.js';
import { TokenLookup, type TokenRecord, type TokenRecords } from './token-lookup.js';
import { type AuditedEngagement, callerOf } from './token-reach.js';

/** Milliseconds between two statements for tokens from suspect addresses. */
const SUSPECT_PAUSE = 100;

/** Reads and writes of access in the database. */
export interface AccessRecords extends TokenRecords {
  /** In an existing organization; undefined for non-members, deactivated members and deleted organizations alike. */
  membership(userId: string, organizationId: number): Promise<Membership | undefined>;
  /**
   * An engagement of an existing organization that has not ended at `at`; undefined for members and users who are not
   * its auditor.
   */
  engagement(userId: string, engagementId: number, at: Date): Promise<AuditedEngagement | undefined>;
  /** Whether reads may see uncommitted changes of this request. */
  seesUncommitted(): boolean;
  /** Runs `work` after the changes of this request are committed or rolled back; at once without changes. */
  afterwards(work: () => void): void;
}

/** Reads tokens and memberships, and caches them. */
export class AccessReader {
  readonly cache: AccessCache;
  private readonly lookup: TokenLookup;
  /** For addresses that have sent many wrong tokens: a valid token from there waits once. */
  private readonly suspectLookup: TokenLookup;
  /** Reads of tokens and memberships under way. */
  private readonly reading = new Map<string, Promise<unknown>>();

  constructor(
    private readonly records: AccessRecords,
    freshness: Freshness,
  ) {
    this.cache = new AccessCache(freshness, performance, (work) => records.afterwards(work));
    this.lookup = new TokenLookup(records, { statements: 4, pause: 0 });
    this.suspectLookup = new TokenLookup(records, { statements: 1, pause: SUSPECT_PAUSE });
  }

  /** A token that is not cached; undefined for an invalid one. */
  async token(digest: string, isSuspect: boolean): Promise<KnownToken | undefined> {
    if (this.cache.isRejected(digest)) return undefined;
    const lookup = isSuspect ? this.suspectLookup : this.lookup;
    return this.shared(digest, () => this.readToken(digest, lookup));
  }

  /** The valid tokens among these. One statement reads those that are not cached. */
  async tokens(digests: readonly string[]): Promise<ReadonlyMap<string, KnownToken>> {
    const known = new Map<string, KnownToken>();
    const add = (digest: string, token: KnownToken | undefined) => token && known.set(digest, token);
    for (const digest of digests) add(digest, this.cache.token(digest));
    const forgotten = [...new Set(digests)].filter((digest) => !known.has(digest));
    if (forgotten.length === 0) return known;
    const readAt = this.cache.currentGeneration();
    const records = await this.records.tokens(forgotten);
    // Uncommitted changes of a request are visible to itself only.
    const isPrivate = this.records.seesUncommitted();
    for (const digest of forgotten) {
      const record = records.get(digest);
      add(digest, isPrivate ? knownBy(record) : this.remembered(digest, record, readAt));
    }
    return known;
  }

  /** Undefined for non-members, deactivated members and deleted organizations. Usually cached. */
  async membership(userId: string, organizationId: number): Promise<Membership | undefined> {
    if (this.records.seesUncommitted()) return this.records.membership(userId, organizationId);
    const remembered = this.cache.membership(userId, organizationId);
    if (remembered !== undefined) return remembered;
    return this.shared(`${userId} ${organizationId}`, () => this.readMembership(userId, organizationId));
  }

  /** Concurrent reads of the same subject share their result. */
  private shared<Value>(subject: string, read: () => Promise<Value>): Promise<Value> {
    const key = `${this.cache.currentGeneration()} ${subject}`;
    let reading = this.reading.get(key) as Promise<Value> | undefined;
    if (reading === undefined) {
      reading = read().finally(() => this.reading.delete(key));
      this.reading.set(key, reading);
    }
    return reading;
  }

  private async readToken(digest: string, lookup: TokenLookup): Promise<KnownToken | undefined> {
    const readAt = this.cache.currentGeneration();
    const known = this.remembered(digest, await lookup.find(digest), readAt);
    if (known === undefined) this.cache.rejectToken(digest, readAt);
    return known;
  }

  private async readMembership(userId: string, organizationId: number): Promise<Membership | undefined> {
    const readAt = this.cache.currentGeneration();
    const membership = await this.records.membership(userId, organizationId);
    if (membership !== undefined) this.cache.rememberMembership(userId, organizationId, membership, readAt);
    return membership;
  }

  private remembered(digest: string, record: TokenRecord | undefined, readAt: number): KnownToken | undefined {
    const known = knownBy(record);
    if (record === undefined || known === undefined) return undefined;
    this.cache.rememberToken(digest, known, readAt);
    for (const { organizationId, ...membership } of record.memberships)
      this.cache.rememberMembership(record.userId, organizationId, membership, readAt);
    return known;
  }
}

/** Undefined for an invalid token. */
function knownBy(record: TokenRecord | undefined): KnownToken | undefined {
  if (record === undefined || record.revokedAt !== null || record.deactivatedAt !== null) return undefined;
  return {
    callers: { header: callerOf(record, 'header'), query: callerOf(record, 'query') },
    allowed: new IpAllowList(record.allowedIps),
    expiresAt: Date.parse(record.expiresAt),
  };
}
