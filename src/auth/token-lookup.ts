import type { Membership } from './access-cache.js';
import type { TokenScope, TokenOrigin } from '../values/enums.js';

/** A stored token, valid or not. */
export interface TokenRecord {
  id: number;
  userId: string;
  username: string;
  scopes: TokenScope[];
  /** ISO 8601. */
  expiresAt: string;
  revokedAt: string | null;
  deactivatedAt: string | null;
  /** Networks from which it may be used; empty for everywhere. */
  allowedIps: string[];
  /** Organizations that have blocked it. */
  blockedIn: number[];
  personalKey: Buffer | null;
  origin: TokenOrigin;
  /** The identity provider that has created it, and its organization. */
  providerId: number | null;
  providerOrganizationId: number | null;
  /** The organization that a service account belongs to; null for a person. */
  serviceOf: number | null;
  /** Some memberships of its user; others are read on demand. */
  memberships: readonly ({ organizationId: number } & Membership)[];
}

/** Reads tokens from the database. */
export interface TokenRecords {
  /** Existing tokens, by digest. */
  tokens(digests: readonly string[]): Promise<ReadonlyMap<string, TokenRecord>>;
}

/** The most tokens of one statement. */
const MAX_TOKENS = 500;

interface LookupPace {
  /** Concurrent statements. */
  statements: number;
  /** Milliseconds between the end of a statement and the next one. */
  pause: number;
}

type Found = ReadonlyMap<string, TokenRecord>;

/** Tokens that wait for one statement. */
interface Batch {
  digests: string[];
  found: Promise<Found>;
  start: () => void;
}

/**
 * Reads tokens that are not cached. Few statements run at the same time, and tokens that arrive meanwhile share the
 * next one: a flood of invented tokens makes statements larger, not more frequent, and no valid token is refused for
 * it.
 */
export class TokenLookup {
  private readonly waiting: Batch[] = [];
  private statements = 0;

  constructor(
    private readonly records: TokenRecords,
    private readonly pace: LookupPace,
  ) {}

  async find(digest: string): Promise<TokenRecord | undefined> {
    let batch = this.waiting.at(-1);
    if (batch === undefined || batch.digests.length >= MAX_TOKENS) this.waiting.push((batch = this.newBatch()));
    batch.digests.push(digest);
    this.next();
    return (await batch.found).get(digest);
  }

  private newBatch(): Batch {
    const digests: string[] = [];
    let start: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (start = resolve));
    const found = turn.then(() => this.records.tokens(digests));
    return { digests, found, start };
  }

  private next(): void {
    if (this.statements >= this.pace.statements) return;
    const batch = this.waiting.shift();
    if (batch === undefined) return;
    this.statements += 1;
    const done = () => {
      this.statements -= 1;
      this.next();
    };
    const wait = () => void (this.pace.pause > 0 ? setTimeout(done, this.pace.pause).unref() : done());
    batch.found.then(wait, wait);
    batch.start();
  }
}
