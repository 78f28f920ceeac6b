import type { Membership } from './access-cache.js';
import type { TokenScope, TokenOrigin } from '../values/enums.js';

/** A token as the database has it, valid or not. */
export interface TokenRecord {
  id: number;
  userId: string;
  username: string;
  scopes: TokenScope[];
  /** ISO 8601. */
  expiresAt: string;
  revokedAt: string | null;
  deactivatedAt: string | null;
  /** Networks that it may be used from; empty is from anywhere. */
  allowedIps: string[];
  /** Organizations that have blocked it. */
  blockedIn: number[];
  personalKey: Buffer | null;
  origin: TokenOrigin;
  /** The identity provider that has made it, and the organization of that. */
  providerId: number | null;
  providerOrganizationId: number | null;
  /** The organization that a service account belongs to; null for a person. */
  serviceOf: number | null;
  /** Some of its user's; what is missing here may be one all the same. */
  memberships: readonly ({ organizationId: number } & Membership)[];
}

/** Reads tokens from the database. */
export interface TokenRecords {
  /** Those that exist, by digest. */
  tokens(digests: readonly string[]): Promise<ReadonlyMap<string, TokenRecord>>;
}

/** Tokens of one statement. */
const MAX_TOKENS = 500;

interface LookupPace {
  /** Statements under way at the same time. */
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
 * Reads tokens that are not remembered. With few statements at the same time, those that come meanwhile share the next
 * one: a flood of invented tokens makes larger statements and not more of them, and no good token is refused for it.
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
