import type { Caller, UserCaller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { PageRequest } from '../../database/cursor.js';
import type { Queryable } from '../../database/database.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { sql, table } from '../../database/sql.js';
import { found } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { TokenService, ChangedToken, MadeToken, NewApiToken, RotateApiToken } from '../tokens/tokens.service.js';
import type { ServiceAccountKey, ServiceAccountService } from './service-accounts.service.js';

const t = table('api_token', 't');

const listing = new Listing<ListQuery<'CREATED'>>({
  from: t.table,
  ...orderedByKey(t.id, 'CREATED', 'DESC'),
  parent: { column: t.user_id, type: 'uuid' },
});

const projection = new Projection('ServiceAccountToken', {
  id: sql`${t.user_id} || '/' || ${t.id}`,
  tokenId: t.id,
  cursor: listing.place,
  ...properties(t, 'name', 'prefix', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'),
  ...properties(t, 'replaced_at', 'allowed_ips', 'version'),
});

const one = projected<{ id: number; userId: string }>()(
  (p, { select }) =>
    sql<object>`select ${sql.join(select)} from ${t.table} where ${t.id} = ${p('id')} and ${t.user_id} = ${p('userId')}`,
);

/** Tokens of service accounts, for their managers, by the rules of all tokens. */
export class ServiceAccountTokenService {
  constructor(
    private readonly deps: Pick<Foundation, 'database'>,
    private readonly accounts: ServiceAccountService,
    private readonly tokens: TokenService,
  ) {}

  /** Those of each service account, newest first, ended ones as well, in one statement. */
  async ofAccounts(ids: readonly string[], page: PageRequest, selection: ListSelection) {
    return listing.ofMany<object, string>(this.deps.database, ids, { page, ...projection.list(selection) });
  }

  /** Throws NOT_FOUND, or FORBIDDEN for a caller who may not list the service accounts. */
  async read(
    caller: Caller,
    { tokenId, ...key }: { organizationId?: number; serviceAccountId: string; tokenId: number },
    selection: Selection,
  ): Promise<object> {
    const { userId } = await this.accounts.authorizeRead(caller, key);
    return this.one(userId, tokenId, selection);
  }

  /** Not authorized here: for the answer to a write. */
  async one(userId: string, id: number, selection: Selection): Promise<object> {
    return found(await one(projection.of(selection)).first(this.deps.database, { id, userId: userId.toLowerCase() }));
  }

  /** The token is shown in this answer only. Throws as `create` of the caller's own tokens. */
  async create(caller: Caller, key: ServiceAccountKey, input: NewApiToken): Promise<MadeToken> {
    const user = await this.accounts.authorizeTokens(caller, key);
    return this.tokens.createFor(user, this.owner(user, key), input);
  }

  async rotate(caller: Caller, key: ServiceAccountKey, request: RotateApiToken): Promise<MadeToken> {
    const user = await this.accounts.authorizeTokens(caller, key);
    return this.tokens.rotateFor(user, this.owner(user, key), request);
  }

  async revoke(caller: Caller, key: ServiceAccountKey, token: ChangedToken): Promise<void> {
    const user = await this.accounts.authorizeTokens(caller, key);
    await this.tokens.revokeFor(user, this.owner(user, key), token);
  }

  private owner(user: UserCaller, key: ServiceAccountKey) {
    return (tx: Queryable) => this.accounts.tokenOwner(tx, user, key);
  }
}
