import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { Listing } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { badUserInput, notFound } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Scope } from '../vocabulary/scopes.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { visibleText } from '../vocabulary/visible-text.js';
import { mintToken } from './token-minting.js';
import { expiryFaults, nameFaults, networkFaults } from './token-rules.js';

export interface NewApiToken {
  name: string;
  /** Only reading when absent. */
  scopes?: readonly Scope[] | null;
  /** In 90 days when absent, in 365 at most (decisions §1). */
  expiresAt?: Date | null;
  /** Addresses and networks that it may be used from; those of the token that makes it when absent. */
  allowedIps?: readonly string[] | null;
}

const DAY = 24 * 60 * 60 * 1000;

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
  replacedAt: 't.replaced_at',
  allowedIps: 't.allowed_ips',
  blockedIn: 'array(select b.organization_id from token_block b where b.token_id = t.id order by 1)',
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
    const name = visibleText(input.name).trim();
    const now = this.now();
    const expiresAt = input.expiresAt?.getTime() ?? now + LIMITS.token.defaultDays * DAY;
    const allowedIps = input.allowedIps == null ? null : [...new Set(input.allowedIps)];
    const faults = [
      ...nameFaults(name),
      ...(scopes.length === 0 ? ['scopes must name at least one scope'] : []),
      ...expiryFaults(expiresAt, now),
      ...networkFaults(input.allowedIps ?? []),
    ];
    if (faults.length > 0) throw badUserInput(faults);
    const createdAt = new Date(now);
    return this.database.transaction((tx) =>
      mintToken(tx, user, { name, scopes, createdAt, expiresAt: new Date(expiresAt), allowedIps }),
    );
  }

  /**
   * Tokens of the caller, newest first, ended ones as well. Throws UNAUTHENTICATED, or FORBIDDEN without the scope
   * `read`.
   */
  async list(caller: Caller, page: PageRequest, { items, total }: ListSelection): Promise<Page<object>> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    const shape = projection.of(items);
    return listing.of(this.database, userId, { page, sort: 'CREATED', descending: true, shape, total });
  }

  /** One token of the caller; throws NOT_FOUND for anybody else's. */
  async read(caller: Caller, id: number, asked: Selection): Promise<object> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    return this.own(userId, id, asked);
  }

  /** Ends a token of the caller at once, on every instance. Ending it again changes nothing. */
  async revoke(caller: Caller, id: number): Promise<void> {
    const { userId } = this.access.authorizeSelf(caller, 'write');
    const [token] = await this.database.rows<{ digest: string }>(
      `update api_token set revoked_at = coalesce(revoked_at, $3) where id = $1 and user_id = $2 returning digest`,
      [id, userId, new Date(this.now())],
    );
    if (token === undefined) throw notFound();
    // This instance need not wait for the database to announce it.
    this.access.cache.announced(`t:${token.digest}`);
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
}
