import { LRUCache } from 'lru-cache';
import { entries } from '../common/cache-bounds.js';
import type { Role } from '../values/enums.js';
import type { IpAllowList } from './ip-allow-list.js';
import type { TokenForm, UserCaller } from './caller.js';

/** A token that was found valid, and until when it can be. */
export interface KnownToken {
  /** One for each form that it may be sent in: an organization may take one and refuse the other. */
  callers: Readonly<Record<TokenForm, UserCaller>>;
  /** Where it may be sent from. */
  allowed: IpAllowList;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Role of a user in an organization, as it is cached. */
export interface Membership {
  role: Role;
  /** Whether the organization takes tokens that come in addresses. */
  queryTokens: boolean;
  /** The identity provider whose tokens alone reach the organization. */
  requiredProviderId: number | null;
}

/** How long a wrong token is remembered. */
const REJECTED_MILLISECONDS = 2_000;

/** Says whether what was announced up to a moment ago has arrived here, so that cached access may be used. */
export interface Freshness {
  isFresh(): boolean;
}

/** Milliseconds after which a cached entry is read again in any case. */
const MAX_AGE = 60_000;

/**
 * Caches tokens and memberships of this instance, so that most requests need no statement for access. Announcements of
 * the database drop entries, and no entry counts while they may be late: a revoked token is refused within a second.
 */
export class AccessCache {
  private readonly tokens: LRUCache<string, KnownToken>;
  /**
   * Digests that are no good token's. Their checksum is public, so that anybody can make them; a new token announces
   * nothing, but no client can have sent it before.
   */
  private readonly rejected = new LRUCache<string, true>({ ...entries(10_000), ttl: REJECTED_MILLISECONDS });
  /** Of members only: a new membership is not announced, and counts at once. */
  private readonly memberships: LRUCache<string, Membership>;
  /** Grows with each announcement. What was read before one must not be remembered after it. */
  private generation = 0;

  constructor(
    private readonly freshness: Freshness,
    /** Milliseconds of a clock that only goes forward. */
    clock: { now(): number } = performance,
    /** Runs what must wait until the changes of a request are committed. */
    private readonly afterwards: (work: () => void) => void = (work) => work(),
  ) {
    const ageLimit = { ttl: MAX_AGE, ttlResolution: 0, perf: clock };
    this.tokens = new LRUCache({
      // Networks and organizations that a token is shut out of, 100 bytes or so each.
      maxSize: 100_000,
      sizeCalculation: ({ allowed, callers }) => 1 + allowed.size + callers.header.blockedIn.size,
      ...ageLimit,
    });
    this.memberships = new LRUCache({ ...entries(100_000), ...ageLimit });
  }

  /** Taken before reading, and passed along with what was read: what an announcement overtook is not remembered. */
  currentGeneration(): number {
    return this.generation;
  }

  /** Undefined when it is not cached, or cached entries do not count just now: then the database is read. */
  token(digest: string): KnownToken | undefined {
    return this.freshness.isFresh() ? this.tokens.get(digest) : undefined;
  }

  /** Whether it was found to be no good token a moment ago. */
  isRejected(digest: string): boolean {
    return this.freshness.isFresh() && this.rejected.has(digest);
  }

  /** Undefined as for `token`, and for who is no member. */
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

  /** Takes one announcement of the channel "access" (see the migration that makes them). */
  announced(payload: string): void {
    // A change of an organization's catalogue changes no access.
    if (!payload.startsWith('c:')) this.afterwards(() => this.changed(payload));
  }

  /** Announcements may have been missed: forgets everything. */
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
