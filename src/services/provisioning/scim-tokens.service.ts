import type { Caller, Origin, ScimCaller } from '../../auth/caller.js';
import { digestToken, generateToken, isWellFormedToken, tokenPrefix } from '../../auth/token.js';
import { visibleText } from '../../common/visible-text.js';
import { Semaphore } from '../../common/concurrency.js';
import { DAY } from '../../common/time.js';
import { assign } from '../../database/columns.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, inputError, invalidInput, requireVersion } from '../../errors.js';
import { ROLE_RANKS } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { record } from '../audit/record.js';
import type { Foundation } from '../foundation.js';
import { lockMembers, requireManaged, roleNow } from '../members/members.service.js';
import { OrganizationLists } from '../shared/organization-records.js';
import { reachOf, settingsOf } from './settings-statements.js';

export interface ScimTokenKey {
  organizationId: number;
  id: number;
}

const t = table('scim_token', 't');
const o = table('organization', 'o');

const listing = new Listing<ListQuery<'CREATED'>>({
  from: t.table,
  ...orderedByKey(t.id, 'CREATED', 'DESC'),
  parent: { column: t.organization_id, type: 'bigint' },
});

const projection = new Projection(
  'ScimToken',
  {
    ...properties(t, 'id', 'name', 'prefix', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'),
    ...properties(t, 'organization_id', 'version'),
    cursor: listing.place,
  },
  ['id', 'organizationId'],
);

const countValid = statement<{ organizationId: number; now: Date }>()((p) =>
  db
    .selectFrom('scim_token')
    .select((eb) => eb.fn.countAll<number>().as('tokens'))
    .where('organization_id', '=', p('organizationId'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now')),
);

const NEW = ['organizationId', 'name', 'digest', 'prefix', 'createdAt', 'expiresAt'] as const;

const insert = statement<{
  organizationId: number;
  name: string;
  digest: string;
  prefix: string;
  createdAt: Date;
  expiresAt: Date;
}>()((p) =>
  db
    .insertInto('scim_token')
    .values(assign('scim_token', p, NEW))
    .returning('id'),
);

const lock = statement<ScimTokenKey>()((p) =>
  db
    .selectFrom('scim_token')
    .select(['id', 'name', 'revoked_at as revokedAt', 'version'])
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organizationId'))
    .forUpdate(),
);

const endToken = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('scim_token')
    .set({ revoked_at: p('now') })
    .where('id', '=', p('id')),
);

/** A valid token, where SCIM is enabled. */
const valid = statement<{ digest: string; now: Date }>()((p) =>
  db
    .selectFrom('scim_token as t')
    .innerJoin('scim_settings as s', 's.organization_id', 't.organization_id')
    .innerJoin('organization as o', 'o.id', 't.organization_id')
    .select(['t.id as tokenId', 't.organization_id as organizationId', 't.name', 't.last_used_at as lastUsedAt'])
    .where('t.digest', '=', p('digest'))
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', p('now'))
    .where('s.enabled', '=', true)
    .where(sql<boolean>`${o.deleted_at} is null`),
);

const touch = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('scim_token')
    .set({ last_used_at: p('now') })
    .where('id', '=', p('id')),
);

/** Tokens of directories: they have access to SCIM of their organization only. */
export class ScimTokenService extends OrganizationLists<{ id: number }, ListQuery<'CREATED'>> {
  private readonly suspects = new Semaphore(1);

  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>) {
    const parents = { organizationId: t.organization_id };
    const spec = { from: t.table, id: t.id, parents, projection, privilege: 'READ_SCIM' } as const;
    super(deps.database, deps.access, spec, listing);
  }

  /** The calling directory; undefined for an invalid token. Callers with suspect addresses are serialized. */
  async authenticate(token: string, origin: Origin, isSuspect: boolean): Promise<ScimCaller | undefined> {
    if (!isWellFormedToken(token, 'scim')) return undefined;
    const { database } = this.deps;
    const now = this.deps.now();
    const find = () => valid.first(database, { digest: digestToken(token), now });
    const row = await (isSuspect ? this.suspects.run(find) : find());
    if (row === undefined) return undefined;
    const { lastUsedAt, ...caller } = row;
    const sinceUsed = lastUsedAt === null ? Infinity : now.getTime() - Date.parse(lastUsedAt);
    if (sinceUsed >= LIMITS.token.lastUsedSeconds * 1000) await touch.all(database, { id: row.tokenId, now });
    return { kind: 'scim', ...caller, origin };
  }

  /**
   * The token is shown in this answer only. Throws CONFLICT for a third valid one, BAD_USER_INPUT, and FORBIDDEN for
   * a manager if the directory assigns managers, and for a token of registered documents.
   */
  async create(
    caller: Caller,
    {
      organizationId,
      name: given,
      expiresAt: wanted,
    }: { organizationId: number; name: string; expiresAt?: Date | null },
  ) {
    const { access, database } = this.deps;
    const createdAt = this.deps.now();
    await access.authorize(caller, 'MANAGE_SCIM', organizationId);
    // Such a token creates only tokens of its own kind, and this one would have access beyond documents.
    if (caller.kind === 'user' && caller.documentsOnly) access.refuse(caller, 'MANAGE_SCIM', organizationId, 'TOKEN');
    const name = visibleText(given).trim();
    const { tokenDays, maxTokenDays, tokens: most } = LIMITS.scim;
    const expiresAt = wanted ?? new Date(createdAt.getTime() + tokenDays * DAY);
    if (expiresAt <= createdAt || expiresAt.getTime() > createdAt.getTime() + maxTokenDays * DAY)
      throw invalidInput([inputError('expiresAt', `must be in the future, ${maxTokenDays} days from now at most`)]);
    return database.transaction(async (tx) => {
      await lockMembers(tx, organizationId);
      const role = found(await roleNow(tx, caller, organizationId));
      const reach = reachOf(await settingsOf(tx, organizationId));
      // Its holder can assign the roles that the directory assigns.
      if (reach >= ROLE_RANKS.ORGANIZATION_MANAGER)
        requireManaged(access, caller, { actor: role, role: 'ORGANIZATION_MANAGER', organizationId });
      const { tokens } = await countValid.one(tx, { organizationId, now: createdAt });
      if (tokens >= most) throw conflict('SCIM_TOKEN_LIMIT');
      const token = generateToken('scim');
      const row = {
        organizationId,
        name,
        digest: digestToken(token),
        prefix: tokenPrefix(token),
        createdAt,
        expiresAt,
      };
      const { id } = await insert.one(tx, row);
      const subject = { type: 'SCIM_TOKEN', id, name } as const;
      const changes = { name: { after: name }, expiresAt: { after: expiresAt } };
      await record(tx, caller, { organizationId, action: 'SCIM_TOKEN_CREATED', at: createdAt, subject, changes });
      return { token, id };
    });
  }

  /** Idempotent. Throws PRECONDITION_FAILED for another version. */
  async revoke(
    caller: Caller,
    { organizationId, id, version }: ScimTokenKey & { version?: number | null | undefined },
  ): Promise<void> {
    const { access, database } = this.deps;
    const at = this.deps.now();
    await access.authorize(caller, 'MANAGE_SCIM', organizationId);
    await database.transaction(async (tx) => {
      const locked = found(await lock.first(tx, { organizationId, id }));
      requireVersion(locked, version);
      const { name, revokedAt } = locked;
      if (revokedAt !== null) return;
      await endToken.all(tx, { id, now: at });
      const subject = { type: 'SCIM_TOKEN', id, name } as const;
      await record(tx, caller, { organizationId, action: 'SCIM_TOKEN_REVOKED', at, subject });
    });
  }
}
