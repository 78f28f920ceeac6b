import { AllowList } from '../access/allow-list.js';
import type { UserCaller } from '../access/caller.js';
import { PRIVILEGES } from '../access/roles.js';
import { digestToken, generateToken, tokenPrefix } from '../access/token.js';
import type { Queryable } from '../database/database.js';
import { conflict, forbidden } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import { ROLE_RANKS, ROLES } from '../vocabulary/roles.js';
import type { Scope } from '../vocabulary/scopes.js';
import { ACTIVE_MEMBER, reachable, reachValues } from './reach.js';

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
  /** A token whose place it takes. */
  replaces?: number;
}

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
  await tx.rows(
    `insert into token_block (token_id, organization_id, created_at)
     select distinct $1::int, organization_id, $3::timestamptz from token_block where token_id = any($2::int[])`,
    [made.id, [maker.tokenId, replaces ?? maker.tokenId], wanted.createdAt],
  );
  return made;
}

/** Stores a new token's digest and returns the token itself. Decides nothing: whoever calls has decided. */
export async function issueToken(
  database: Queryable,
  { userId, name, scopes, expiresAt, createdAt = new Date(), allowedIps = [] }: TokenFacts,
): Promise<{ token: string; id: number }> {
  const token = generateToken();
  const [row] = await database.rows<{ id: number }>(
    `insert into api_token (user_id, name, digest, prefix, scopes, created_at, expires_at, allowed_ips)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [userId, name, digestToken(token), tokenPrefix(token), scopes, createdAt, expiresAt, allowedIps],
  );
  return { token, id: (row as { id: number }).id };
}

/** Makers of one user wait for each other, so that the count is one. */
async function refuseTooMany(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx.rows('select 1 from app_user where id = $1 for no key update', [userId]);
  const [row] = await tx.rows<{ live: number }>(
    'select count(*) as live from api_token where user_id = $1 and revoked_at is null and expires_at > $2',
    [userId, now],
  );
  if ((row?.live ?? 0) >= LIMITS.token.livePerUser) throw conflict();
}

/**
 * A token grants the scopes that it has. Nobody would ever have the first one that reports checks: whoever may change
 * devices, and so could make them say anything, may also make a token that reports them and can do nothing else.
 */
async function mayGrant(tx: Queryable, maker: UserCaller, scopes: readonly Scope[]): Promise<boolean> {
  if (scopes.every((scope) => maker.scopes.has(scope))) return true;
  const reportsOnly = scopes.every((scope) => scope === PRIVILEGES.REPORT_CHECKS.scope);
  return reportsOnly && maker.scopes.has(PRIVILEGES.MANAGE_DEVICES.scope) && managesDevices(tx, maker);
}

const DEVICE_MANAGERS = ROLES.filter((role) => ROLE_RANKS[role] >= ROLE_RANKS[PRIVILEGES.MANAGE_DEVICES.role]);

async function managesDevices(tx: Queryable, maker: UserCaller): Promise<boolean> {
  const rows = await tx.rows(
    `select 1 from membership m join organization o on o.id = m.organization_id and o.deleted_at is null
      where m.user_id = $1 and ${ACTIVE_MEMBER} and m.role = any($2) and ${reachable('$3', '$4')} limit 1`,
    [maker.userId, DEVICE_MANAGERS, ...reachValues(maker)],
  );
  return rows.length > 0;
}

async function addressesFrom(
  tx: Queryable,
  { tokenId }: UserCaller,
  wanted: readonly string[] | null | undefined,
): Promise<readonly string[]> {
  const [row] = await tx.rows<{ own: string[] }>('select allowed_ips as own from api_token where id = $1', [tokenId]);
  const own = row?.own ?? [];
  if (wanted == null) return own;
  if (!new AllowList(own).covers(wanted)) throw forbidden();
  return wanted;
}
