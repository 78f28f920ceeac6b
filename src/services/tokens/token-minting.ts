import { AllowList } from '../../auth/ip-allow-list.js';
import type { UserCaller } from '../../auth/caller.js';
import { PRIVILEGES } from '../../auth/roles.js';
import { digestToken, generateToken, tokenPrefix } from '../../auth/token.js';
import type { Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement, table } from '../../database/sql.js';
import { conflict, forbidden } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { ROLE_RANKS, ROLES, type Scope } from '../../values/enums.js';

import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';

export interface TokenFacts {
  userId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date;
  createdAt?: Date;
  /** Networks that it may be used from; from anywhere when empty or absent. */
  allowedIps?: readonly string[];
}

export interface WantedToken {
  name: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date;
  /** Those of the token that makes it when absent. */
  allowedIps?: readonly string[] | null;
  /** The token that it replaces. */
  replaces?: number;
}

const b = table('token_block', 'b');
const m = table('membership', 'm');
const o = table('organization', 'o');

const copyBlocks = statement<{ id: number; from: readonly number[]; createdAt: Date }>()((p) => {
  const copied = insertSelect('token_block', {
    token_id: sql`distinct ${p('id')}::int`,
    organization_id: b.organization_id,
    created_at: sql`${p('createdAt')}::timestamptz`,
  });
  return sql`${copied} from ${b.table} where ${b.token_id} = any(${p('from')}::int[])`;
});

const insert = statement<Required<TokenFacts> & { digest: string; prefix: string }>()((p) =>
  db
    .insertInto('api_token')
    .values({
      user_id: p('userId'),
      name: p('name'),
      digest: p('digest'),
      prefix: p('prefix'),
      scopes: p('scopes'),
      created_at: p('createdAt'),
      expires_at: p('expiresAt'),
      allowed_ips: p('allowedIps'),
    })
    .returning('id'),
);

const lockUser = statement<{ userId: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('id', '=', p('userId')).forNoKeyUpdate(),
);

const countLive = statement<{ userId: string; now: Date }>()((p) =>
  db
    .selectFrom('api_token')
    .select((eb) => eb.fn.countAll<number>().as('live'))
    .where('user_id', '=', p('userId'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', p('now')),
);

const addressesOf = statement<{ tokenId: number }>()((p) =>
  db.selectFrom('api_token').select('allowed_ips as own').where('id', '=', p('tokenId')),
);

/**
 * Makes a token for the caller that may do no more than the caller's own: its scopes, its addresses, and the
 * organizations that have blocked it pass on (docs/adr/0009). Throws FORBIDDEN for more, CONFLICT for too many.
 */
export async function mintToken(
  tx: Queryable,
  maker: UserCaller,
  { replaces, ...wanted }: WantedToken,
): Promise<{ token: string; id: number }> {
  await refuseTooMany(tx, maker.userId, wanted.createdAt);
  if (!(await mayGrant(tx, maker, wanted.scopes))) throw forbidden();
  const allowedIps = await addressesFrom(tx, maker, wanted.allowedIps);
  const made = await issueToken(tx, { ...wanted, userId: maker.userId, allowedIps });
  const { id } = made;
  await copyBlocks.all(tx, { id, from: [maker.tokenId, replaces ?? maker.tokenId], createdAt: wanted.createdAt });
  return made;
}

/** Stores a new token's digest and returns the token itself, without authorizing. */
export async function issueToken(
  database: Queryable,
  { userId, name, scopes, expiresAt, createdAt = new Date(), allowedIps = [] }: TokenFacts,
): Promise<{ token: string; id: number }> {
  const token = generateToken();
  const digest = digestToken(token);
  const facts = { userId, name, scopes, expiresAt, createdAt, allowedIps };
  const { id } = await insert.one(database, { ...facts, digest, prefix: tokenPrefix(token) });
  return { token, id };
}

/** Makers of one user wait for each other, so that the count is one. */
async function refuseTooMany(tx: Queryable, userId: string, now: Date): Promise<void> {
  await lockUser.all(tx, { userId });
  const { live } = await countLive.one(tx, { userId, now });
  if (live >= LIMITS.token.livePerUser) throw conflict();
}

/**
 * A token grants the scopes that it has, and `telemetry` to a manager of devices: otherwise no user could make the
 * first token that reports checks.
 */
async function mayGrant(tx: Queryable, maker: UserCaller, scopes: readonly Scope[]): Promise<boolean> {
  if (scopes.every((scope) => maker.scopes.has(scope))) return true;
  const reportsOnly = scopes.every((scope) => scope === PRIVILEGES.REPORT_CHECKS.scope);
  return reportsOnly && maker.scopes.has(PRIVILEGES.MANAGE_DEVICES.scope) && managesDevices(tx, maker);
}

const DEVICE_MANAGERS = ROLES.filter((role) => ROLE_RANKS[role] >= ROLE_RANKS[PRIVILEGES.MANAGE_DEVICES.role]);

const managedOrganization = statement<{ userId: string } & Reach>()(
  (p) => sql<object>`
    select ${m.id} from ${m.table} join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
     where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER}
       and ${m.role} in (${sql.join(DEVICE_MANAGERS)}) and ${reachable(p)} limit 1`,
);

async function managesDevices(tx: Queryable, maker: UserCaller): Promise<boolean> {
  return (await managedOrganization.first(tx, { userId: maker.userId, ...reachOf(maker) })) !== undefined;
}

async function addressesFrom(
  tx: Queryable,
  { tokenId }: UserCaller,
  wanted: readonly string[] | null | undefined,
): Promise<readonly string[]> {
  const own = (await addressesOf.first(tx, { tokenId }))?.own ?? [];
  if (wanted == null) return own;
  if (!new AllowList(own).covers(wanted)) throw forbidden();
  return wanted;
}
