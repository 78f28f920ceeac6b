import { DAY } from '../../common/time.js';
import type { Access } from '../../auth/access.js';
import { IpAllowList } from '../../auth/ip-allow-list.js';
import type { Actor, Caller, UserCaller } from '../../auth/caller.js';
import { PRIVILEGES, rolesWith } from '../../auth/roles.js';
import { digestToken, generateToken, isWellFormedToken, tokenPrefix, type TokenKind } from '../../auth/token.js';
import { assign } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement, table } from '../../database/sql.js';
import { conflict, forbidden, notFound, unauthenticated } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import type { TokenScope, TokenOrigin } from '../../values/enums.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';
import { lockUser } from '../shared/present-users.js';

export interface TokenFacts {
  userId: string;
  name: string;
  scopes: readonly TokenScope[];
  createdAt: Date;
  /** In 90 days when absent. */
  expiresAt?: Date;
  /** Allowed networks; any when empty or absent. */
  allowedIps?: readonly string[];
  origin?: TokenOrigin;
  /** For a sign-in: the identity provider, and its name for the session. */
  providerId?: number | null;
  providerSession?: string | null;
}

/** Addresses default to those of the creating token. */
export interface WantedToken extends Required<
  Pick<TokenFacts, 'userId' | 'name' | 'scopes' | 'createdAt' | 'expiresAt'>
> {
  allowedIps?: readonly string[] | null;
  replaces?: number;
}

const b = table('token_block', 'b');
const m = table('membership', 'm');
const o = table('organization', 'o');
const t = table('api_token', 't');

const copyBlocks = statement<{ id: number; from: readonly number[]; createdAt: Date }>()((p) => {
  const copied = insertSelect('token_block', {
    token_id: sql`distinct ${p('id')}::bigint`,
    organization_id: b.organization_id,
    created_at: sql`${p('createdAt')}::timestamptz`,
  });
  return sql`${copied} from ${b.table} where ${b.token_id} = any(${p('from')}::bigint[])`;
});

const STORED = [
  ...(['userId', 'name', 'digest', 'prefix', 'scopes', 'createdAt', 'expiresAt', 'allowedIps'] as const),
  ...(['origin', 'providerId', 'providerSession'] as const),
];

const insert = statement<Required<TokenFacts> & { digest: string; prefix: string }>()((p) =>
  db
    .insertInto('api_token')
    .values(assign('api_token', p, STORED))
    .returning('id'),
);

const factsOfMaker = statement<{ userId: string; ownerId: string; tokenId: number; now: Date } & Reach>()(
  (p) => sql<Omit<TokenMaker, 'scopes'>>`
    select (select count(*) from ${t.table}
             where ${t.user_id} = ${p('ownerId')} and ${t.revoked_at} is null and ${t.expires_at} > ${p('now')}) as live,
           coalesce((select ${t.allowed_ips} from ${t.table} where ${t.id} = ${p('tokenId')}), '{}') as "allowedIps",
           exists (select from ${m.table} join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
             where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER}
               and ${m.role} in (${sql.join(rolesWith('MANAGE_DEVICES'))}) and ${reachable(p)}) as "managesDevices"`,
);

/**
 * Creates a token for the caller or a service account, with at most the rights of the caller's token: scopes, addresses and
 * blocked organizations are inherited (docs/adr/0009). Throws FORBIDDEN for more, CONFLICT for too many.
 */
export async function mintToken(
  tx: Queryable,
  access: Access,
  caller: UserCaller,
  { replaces, ...wanted }: WantedToken,
): Promise<{ token: string; id: number }> {
  // Serialized for each user, so that the count is right.
  if (!(await lockUser(tx, wanted.userId))) throw unauthenticated();
  const maker = await makerOf(tx, caller, wanted.createdAt, wanted.userId);
  const refusal = mintRefusal(maker, wanted);
  if (refusal === 'CONFLICT') throw conflict('TOKEN_LIMIT');
  const beyond = wanted.scopes.find((scope) => !maker.scopes.has(scope));
  if (refusal !== undefined) throw beyond === undefined ? forbidden() : access.refuseSelf(caller, beyond);
  const allowedIps = wanted.allowedIps ?? maker.allowedIps;
  const made = await issueToken(tx, { ...wanted, allowedIps });
  const { id } = made;
  await copyBlocks.all(tx, { id, from: [caller.tokenId, replaces ?? caller.tokenId], createdAt: wanted.createdAt });
  return made;
}

/** The creator of a token, with the facts that restrict it. */
export interface TokenMaker {
  /** Scopes that it may grant. */
  scopes: ReadonlySet<TokenScope>;
  /** Number of active tokens of the new token's user. */
  live: number;
  allowedIps: readonly string[];
  managesDevices: boolean;
}

export async function makerOf(
  database: Queryable,
  caller: UserCaller,
  now: Date,
  ownerId = caller.userId,
): Promise<TokenMaker> {
  const { userId, tokenId } = caller;
  const scopes = grantableBy(caller);
  return { scopes, ...(await factsOfMaker.one(database, { userId, ownerId, tokenId, now, ...reachOf(caller) })) };
}

/** A token for registered documents creates no other: a document's variables must not give more access. */
function grantableBy({ scopes, documentsOnly }: UserCaller): ReadonlySet<TokenScope> {
  if (documentsOnly) return new Set<TokenScope>(['documents']);
  return scopes.has('read') && scopes.has('write') ? new Set<TokenScope>([...scopes, 'documents']) : scopes;
}

/**
 * Why a token may not be created; undefined if it may. A token grants its own scopes, and `telemetry` to a manager
 * of devices: otherwise no user could make the first token that reports checks.
 */
export function mintRefusal(
  { live, managesDevices, allowedIps, ...maker }: TokenMaker,
  wanted: Pick<WantedToken, 'scopes' | 'allowedIps'>,
): 'CONFLICT' | 'FORBIDDEN' | undefined {
  if (live >= LIMITS.token.livePerUser) return 'CONFLICT';
  const reportsOnly = wanted.scopes.every((scope) => scope === PRIVILEGES.REPORT_CHECKS.scope);
  const mayReport = reportsOnly && managesDevices && maker.scopes.has(PRIVILEGES.MANAGE_DEVICES.scope);
  if (!mayReport && !wanted.scopes.every((scope) => maker.scopes.has(scope))) return 'FORBIDDEN';
  const isCovered = wanted.allowedIps == null || new IpAllowList(allowedIps).covers(wanted.allowedIps);
  return isCovered ? undefined : 'FORBIDDEN';
}

/** Stores a new token's digest and returns the token itself, without authorizing. */
export async function issueToken(
  database: Queryable,
  wanted: TokenFacts,
): Promise<{ token: string; id: number; expiresAt: Date }> {
  const { userId, name, scopes, createdAt, expiresAt = defaultExpiry(createdAt), allowedIps = [] } = wanted;
  const { origin = 'API', providerId = null, providerSession = null } = wanted;
  const token = generateToken();
  const digest = digestToken(token);
  const facts = { userId, name, scopes, expiresAt, createdAt, allowedIps, origin, providerId, providerSession };
  const { id } = await insert.one(database, { ...facts, digest, prefix: tokenPrefix(token) });
  return { token, id, expiresAt };
}

/** Default expiry of a token. */
export function defaultExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIMITS.token.defaultDays * DAY);
}

type SecretKind = Exclude<TokenKind, 'service' | 'scim'>;

/** A secret that is only sent by mail: it can be used once, until it expires. */
export function newSecret(kind: SecretKind, now: Date, lifetime: number) {
  const secret = generateToken(kind);
  return { secret, digest: digestToken(secret), expiresAt: new Date(now.getTime() + lifetime) };
}

/** Digest for finding a secret. Throws NOT_FOUND for a malformed one, without a statement. */
export function digestOfSecret(kind: SecretKind, secret: string): string {
  if (!isWellFormedToken(secret, kind)) throw notFound();
  return digestToken(secret);
}

/** The user identified by the secret alone, with the origin of the request. */
export function holderOfSecret({ origin }: Caller, user: { id: string; personalKey: Buffer | null }): Actor {
  return { kind: 'user', userId: user.id, personalKey: user.personalKey, ...(origin && { origin }) };
}
