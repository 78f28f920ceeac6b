import { LRUCache } from 'lru-cache';
import { entries } from '../common/cache-bounds.js';
import type { Role } from '../values/enums.js';
import type { IpAllowList } from './ip-allow-list.js';
import type { TokenForm, UserCaller } from './caller.js';

/** A valid token, and its expiry. */
export interface KnownToken {
  /** One for each form of transport: an organization may accept one and refuse the other. */
  callers: Readonly<Record<TokenForm, UserCaller>>;
  /** The networks from which it may be used. */
  allowed: IpAllowList;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Role of a user in an organization, as it is cached. */
export interface Membership {
  role: Role;
  /** Whether the organization accepts tokens in addresses. */
  queryTokens: boolean;
  /** The identity provider whose tokens the organization requires. */
  requiredProviderId: number | null;
}

/** Milliseconds for which a wrong token is cached. */
const REJECTED_MILLISECONDS = 2_000;

/** Whether all announcements up to a moment ago have arrived here, so that cached access may be used. */
export interface Freshness {
  isFresh(): boolean;
}

/** The most milliseconds for which an entry is cached. */
const MAX_AGE = 60_000;

/**
 * Caches tokens and memberships of this instance, so that most requests need no statement for access. Announcements
 * of the database remove entries, and the cache is not used while they may be late: a revoked token is refused within
 * a second.
 */
export class AccessCache {
  private readonly tokens: LRUCache<string, KnownToken>;
  /**
   * Digests of invalid tokens: unknown, revoked, or of deactivated users. Their checksum is public, so anyone can
   * generate them; a new token is not announced, but no client can have sent it before.
   */
  private readonly rejected = new LRUCache<string, true>({ ...entries(10_000), ttl: REJECTED_MILLISECONDS });
  /** Only of members: a new membership is not announced, and applies at once. */
  private readonly memberships: LRUCache<string, Membership>;
  /** Increases with each announcement: data read before one must not be cached after it. */
  private generation = 0;

  constructor(
    private readonly freshness: Freshness,
    /** Milliseconds of a monotonic clock. */
    clock: { now(): number } = performance,
    /** Runs work after the changes of the request are committed. */
    private readonly afterwards: (work: () => void) => void = (work) => work(),
  ) {
    const ageLimit = { ttl: MAX_AGE, ttlResolution: 0, perf: clock };
    this.tokens = new LRUCache({
      // Networks of a token and organizations that have blocked it, about 100 bytes each.
      maxSize: 100_000,
      sizeCalculation: ({ allowed, callers }) => 1 + allowed.size + callers.header.blockedIn.size,
      ...ageLimit,
    });
    this.memberships = new LRUCache({ ...entries(100_000), ...ageLimit });
  }

  /** Taken before reading, and passed with the result: data that an announcement has overtaken is not cached. */
  currentGeneration(): number {
    return this.generation;
  }

  /** Undefined when it is not cached, or the cache may not be used: then the database is read. */
  token(digest: string): KnownToken | undefined {
    return this.freshness.isFresh() ? this.tokens.get(digest) : undefined;
  }

  /** Whether it was found to be invalid recently. */
  isRejected(digest: string): boolean {
    return this.freshness.isFresh() && this.rejected.has(digest);
  }

  /** Undefined as for `token`, and for non-members. */
  membership(userId: string, organizationId: number): Membership | undefined {
    return this.freshness.isFresh() ? this.memberships.get(`${userId}:${organizationId}`) : undefined;
  }

  /** `readAt` is the generation before the token was read. */
  rememberToken(digest: string, known: KnownToken, readAt: number): void {
    if (readAt === this.generation) this.tokens.set(digest, known);
  }

  /** As `rememberToken`. */
  rejectToken(digest: string, readAt: number): void {
    if (readAt === this.generation) this.rejected.set(digest, true);
  }

  /** As `rememberToken`. */
  rememberMembership(userId: string, organizationId: number, membership: Membership, readAt: number): void {
    if (readAt === this.generation) this.memberships.set(`${userId}:${organizationId}`, membership);
  }

  /** Receives an announcement of the channel "access" (see the migration with its triggers). */
  announced(payload: string): void {
    // A change of an organization's catalogue does not change access.
    if (!payload.startsWith('c:')) this.afterwards(() => this.changed(payload));
  }

  /** Announcements may have been missed: clears the cache. */
  missed(): void {
    this.generation += 1;
    this.tokens.clear();
    this.rejected.clear();
    this.memberships.clear();
  }

  private changed(payload: string): void {
    this.generation += 1;
    const subject = payload.slice(2);
    if (payload.startsWith('t:')) {
      this.rejected.delete(subject);
      this.tokens.delete(subject);
    } else if (payload.startsWith('m:')) {
      this.memberships.delete(subject);
    } else if (payload.startsWith('u:')) {
      this.rejected.clear();
      for (const [digest, { callers }] of this.tokens.entries())
        if (callers.header.userId === subject) this.tokens.delete(digest);
    } else if (payload.startsWith('o:')) {
      for (const key of this.memberships.keys()) if (key.endsWith(`:${subject}`)) this.memberships.delete(key);
    } else this.missed();
  }
}
