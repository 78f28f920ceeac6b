import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { digestToken, generateToken, tokenPrefix } from '../access/token.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { ApiToken } from '../entities/api-token.js';
import { badUserInput, forbidden, notFound } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Scope } from '../vocabulary/scopes.js';
import type { Selection } from '../vocabulary/selection.js';

export interface NewApiToken {
  name: string;
  /** Only reading when absent. */
  scopes?: readonly Scope[] | null;
  /** In 90 days when absent, in 365 at most (decisions §1). */
  expiresAt?: Date | null;
}

const DAY = 24 * 60 * 60 * 1000;
const NAME_CHARACTERS = 100;

const listing = new Listing<'CREATED'>({
  from: 'api_token t',
  id: { sql: 't.id', type: 'int' },
  parent: { sql: 't.user_id', type: 'uuid' },
  sorts: { CREATED: { sql: 't.id', type: 'int' } },
});

const projection = new Projection({
  id: 't.id',
  name: 't.name',
  prefix: 't.prefix',
  scopes: 't.scopes',
  createdAt: 't.created_at',
  expiresAt: 't.expires_at',
  lastUsedAt: 't.last_used_at',
  revokedAt: 't.revoked_at',
});

/** Tokens of the caller (decisions §1). */
export class ApiTokenService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => number = Date.now,
  ) {}

  /** Makes a token; the answer is the only time it is shown. A token cannot make one that may do more than itself. */
  async create(caller: Caller, input: NewApiToken): Promise<{ token: string; id: number }> {
    const user = this.access.authorizeSelf(caller, 'write');
    const scopes = [...new Set(input.scopes ?? (['read'] as const))];
    const name = input.name.trim();
    const expiresAt = input.expiresAt?.getTime() ?? this.now() + LIMITS.token.defaultDays * DAY;
    const faults = this.faultsOf(name, scopes, expiresAt);
    if (faults.length > 0) throw badUserInput(faults);
    if (!scopes.every((scope) => user.scopes.has(scope))) throw forbidden();
    return issueToken(this.database, {
      userId: user.userId,
      name,
      scopes,
      expiresAt: new Date(expiresAt),
      createdAt: new Date(this.now()),
    });
  }

  async list(caller: Caller, page: PageRequest, asked: Selection, total: boolean): Promise<Page<object>> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    const { select } = projection.of(asked);
    return listing.of(this.database, userId, { page, sort: 'CREATED', descending: true, select, total });
  }

  /** One token of the caller; throws NOT_FOUND for anybody else's. */
  async read(caller: Caller, id: number, asked: Selection): Promise<object> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    return this.own(userId, id, asked);
  }

  /** Ends a token of the caller at once, on every instance. Ending it again changes nothing. */
  async revoke(caller: Caller, id: number): Promise<void> {
    const { userId } = this.access.authorizeSelf(caller, 'write');
    const digest = await this.database.work(async (em) => {
      const token = await em.findOne(ApiToken, { id, user: userId });
      if (token === null) throw notFound();
      token.revokedAt ??= new Date(this.now());
      return token.digest;
    });
    // This instance need not wait for the database to announce it.
    this.access.cache.announced(`t:${digest}`);
  }

  /** Reads without the scope `read`: for the answer to a write. */
  async own(userId: string, id: number, asked: Selection): Promise<object> {
    const rows = await this.database.rows(
      `select ${projection.of(asked).select} from api_token t where t.id = $1 and t.user_id = $2`,
      [id, userId],
    );
    if (rows.length === 0) throw notFound();
    return rows[0] as object;
  }

  private faultsOf(name: string, scopes: readonly Scope[], expiresAt: number): string[] {
    const faults: string[] = [];
    if (name === '') faults.push('name is required');
    if ([...name].length > NAME_CHARACTERS) faults.push(`name must not be longer than ${NAME_CHARACTERS} characters`);
    if (/[\0-\x1f\x7f]/.test(name) || !name.isWellFormed()) faults.push('name must not contain control characters');
    if (scopes.length === 0) faults.push('scopes must name at least one scope');
    if (expiresAt <= this.now()) faults.push('expires_at must be in the future');
    if (expiresAt > this.now() + LIMITS.token.maxDays * DAY) {
      faults.push(`expires_at must not be more than ${LIMITS.token.maxDays} days away`);
    }
    return faults;
  }
}

export interface TokenFacts {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date;
  createdAt?: Date;
}

/** Stores a new token's digest and returns the token itself. Decides nothing: whoever calls has decided. */
export async function issueToken(
  database: Queryable,
  { userId, name, scopes, expiresAt, createdAt = new Date() }: TokenFacts,
): Promise<{ token: string; id: number }> {
  const token = generateToken();
  const [row] = await database.rows<{ id: number }>(
    `insert into api_token (user_id, name, digest, prefix, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [userId, name, digestToken(token), tokenPrefix(token), scopes, createdAt, expiresAt],
  );
  return { token, id: (row as { id: number }).id };
}
