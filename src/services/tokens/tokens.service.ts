import { DAY, HOUR } from '../../common/time.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { visibleText } from '../../common/visible-text.js';
import { allColumns, selectAll, type RowOf } from '../../database/columns.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import type { Queryable } from '../../database/database.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { conflict, found, inputError, refuseErrors, requireVersion } from '../../errors.js';
import type { Foundation } from '../foundation.js';
import type { TokenScope } from '../../values/enums.js';
import { PersonalValue } from '../audit/personal-values.js';
import { recordToken, type TokenOwner } from '../audit/subjects.js';
import { LIMITS } from '../../values/limits.js';
import { passToToken } from '../webhooks/endpoint-statements.js';
import { defaultExpiry, makerOf, mintRefusal, mintToken } from './token-minting.js';

export interface NewApiToken {
  name: string;
  /** Only reading when absent. */
  scopes?: readonly TokenScope[] | null;
  /** In 90 days when absent, in 365 at most. */
  expiresAt?: Date | null;
  /** Allowed addresses and networks; those of the creating token when absent. */
  allowedIps?: readonly string[] | null;
}

/** A token, and the expected version; any version when null or absent. */
export interface ChangedToken {
  id: number;
  version?: number | null;
}

export interface RotateApiToken extends ChangedToken {
  /** Hours that the old token stays valid: 24 when absent, 168 at most, 0 for none. */
  graceHours?: number | null;
  /** Expiry of the new token; when absent, it has the lifetime of the old one. */
  expiresAt?: Date | null;
}

/** The secret, which is shown only here, and its id. */
export interface MadeToken {
  token: string;
  id: number;
}

/** The facts that decide whether a token may be replaced. */
export type ReplaceableToken = Pick<
  RowOf<'api_token'>,
  'id' | 'scopes' | 'expiresAt' | 'revokedAt' | 'replacedAt' | 'allowedIps'
>;

const t = table('api_token', 't');
const b = table('token_block', 'b');

const listing = new Listing<ListQuery<'CREATED'>>({
  from: t.table,
  ...orderedByKey(t.id, 'CREATED', 'DESC'),
  parent: { column: t.user_id, type: 'uuid' },
});

const BLOCKED_IN = sql`array(select ${b.organization_id} from ${b.table} where ${b.token_id} = ${t.id} order by 1)`;

const projection = new Projection('ApiToken', {
  ...allColumns('api_token', 't'),
  cursor: listing.place,
  viewerCan: { needs: properties(t, 'id', 'scopes', 'expires_at', 'revoked_at', 'replaced_at', 'allowed_ips') },
  blockedIn: BLOCKED_IN,
  blockedInOrganizations: { needs: { blockedIn: BLOCKED_IN } },
});

const one = projected<{ id: number; userId: string }>()((p, { select }) =>
  db.selectFrom('api_token as t').select(select).where('t.id', '=', p('id')).where('t.user_id', '=', p('userId')),
);

const revoke = statement<{ id: number; userId: string; now: Date }>()((p) =>
  db
    .updateTable('api_token')
    .set({ revoked_at: p('now') })
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId')),
);

const lock = statement<{ id: number; userId: string }>()((p) =>
  db
    .selectFrom('api_token')
    .select(selectAll('api_token'))
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .forUpdate(),
);

const replace = statement<{ id: number; now: Date; end: Date }>()((p) =>
  db
    .updateTable('api_token')
    .set({ replaced_at: p('now'), expires_at: p('end') })
    .where('id', '=', p('id')),
);

/** Owner of a token, read in the transaction of the change. */
type OwnerIn = (tx: Queryable) => TokenOwner | Promise<TokenOwner>;

export class TokenService {
  constructor(private readonly deps: Pick<Foundation, 'database' | 'access' | 'now'>) {}

  /** Creates a token, shown in this answer only. Its rights are at most those of the creating token. */
  create(caller: Caller, input: NewApiToken): Promise<MadeToken> {
    const user = this.deps.access.authorizeOwn(caller, 'write');
    return this.createFor(user, () => user, input);
  }

  /** The same for a service account that the caller manages. */
  async createFor(user: UserCaller, ownerIn: OwnerIn, input: NewApiToken): Promise<MadeToken> {
    const scopes = [...new Set(input.scopes ?? (['read'] as const))];
    const name = visibleText(input.name).trim();
    const createdAt = this.deps.now();
    const expiresAt = input.expiresAt ?? defaultExpiry(createdAt);
    const allowedIps = input.allowedIps == null ? null : [...new Set(input.allowedIps)];
    const isBeside = scopes.includes('documents') && scopes.length > 1;
    refuseErrors([...(isBeside ? [inputError('scopes', NOT_ALONE)] : []), ...expiryErrors(expiresAt, createdAt)]);
    return this.deps.database.transaction(async (tx) => {
      const owner = await ownerIn(tx);
      const wanted = { userId: owner.userId, name, scopes, createdAt, expiresAt, allowedIps };
      const made = await mintToken(tx, this.deps.access, user, wanted);
      const changes = {
        scopes: { after: scopes },
        expiresAt: { after: expiresAt },
        allowedIps: { after: allowedIps?.map((network) => new PersonalValue(owner.userId, network)) ?? null },
      };
      await recordToken(tx, user, owner, { id: made.id, name }, { action: 'TOKEN_CREATED', at: createdAt, changes });
      return made;
    });
  }

  /** Tokens of the caller, newest first, ended ones as well. Throws UNAUTHENTICATED, or FORBIDDEN without `read`. */
  async list(caller: Caller, page: PageRequest, selection: ListSelection): Promise<Page<object>> {
    const { userId } = this.deps.access.authorizeTokens(caller, 'read');
    return listing.of(this.deps.database, userId, { page, ...projection.list(selection) });
  }

  /** One token of the caller; throws NOT_FOUND for tokens of others. */
  async read(caller: Caller, id: number, selection: Selection): Promise<object> {
    const { userId } = this.deps.access.authorizeTokens(caller, 'read');
    return this.own(userId, id, selection);
  }

  /**
   * Revokes a token of the caller immediately, on every instance; idempotent. A token of a sign-in revokes itself
   * only. Throws PRECONDITION_FAILED for another version.
   */
  revoke(caller: Caller, token: ChangedToken): Promise<void> {
    const { access } = this.deps;
    const isItself = caller.kind === 'user' && caller.tokenId === token.id;
    const user = isItself ? access.authorizeToken(caller, 'write') : access.authorizeTokens(caller, 'write');
    return this.revokeFor(user, () => user, token);
  }

  /** The same for a service account that the caller manages. */
  async revokeFor(user: UserCaller, ownerIn: OwnerIn, { id, version }: ChangedToken): Promise<void> {
    const now = this.deps.now();
    const token = await this.deps.database.transaction(async (tx) => {
      const owner = await ownerIn(tx);
      const key = { id, userId: owner.userId };
      const locked = found(await lock.first(tx, key));
      if (version != null) requireVersion(locked, version);
      if (locked.revokedAt !== null) return locked;
      await revoke.all(tx, { ...key, now });
      await recordToken(tx, user, owner, locked, { action: 'TOKEN_REVOKED', at: now });
      return locked;
    });
    // Invalidates this instance's cache without waiting for the database's notification.
    this.deps.access.cache.announced(`t:${token.digest}`);
  }

  /**
   * Replaces a token by a new one with its name, scopes, addresses and blocks; the old one stays valid for a while, for
   * switching. Throws NOT_FOUND for tokens of others, CONFLICT for one that has ended or was replaced
   * already, so that only one of two concurrent rotations succeeds, and PRECONDITION_FAILED for another version.
   */
  rotate(caller: Caller, request: RotateApiToken): Promise<MadeToken> {
    const user = this.deps.access.authorizeTokens(caller, 'write');
    return this.rotateFor(user, () => user, request);
  }

  /** The same for a service account that the caller manages. */
  async rotateFor(user: UserCaller, ownerIn: OwnerIn, request: RotateApiToken): Promise<MadeToken> {
    const now = this.deps.now();
    const grace = request.graceHours ?? DEFAULT_GRACE;
    if (request.expiresAt != null) refuseErrors(expiryErrors(request.expiresAt, now));
    const { digest, ...made } = await this.deps.database.transaction(async (tx) => {
      const owner = await ownerIn(tx);
      const { userId } = owner;
      const old = found(await lock.first(tx, { id: request.id, userId }));
      requireVersion(old, request.version);
      if (!isReplaceable(old, now)) throw conflict('TOKEN_NOT_ROTATABLE');
      const { name, scopes, allowedIps } = old;
      const expiresAt = request.expiresAt ?? sameLifetime(old, now);
      const wanted = { userId, name, scopes, allowedIps, createdAt: now, expiresAt, replaces: request.id };
      const minted = await mintToken(tx, this.deps.access, user, wanted);
      const end = new Date(Math.min(Date.parse(old.expiresAt), now.getTime() + grace * HOUR));
      await replace.all(tx, { id: request.id, now, end });
      await passToToken.all(tx, { tokenId: request.id, replacedBy: minted.id });
      const changes = {
        token: { before: old.id, after: minted.id },
        expiresAt: { before: old.expiresAt, after: expiresAt },
        previousTokenUntil: { after: end },
      };
      await recordToken(tx, user, owner, old, { action: 'TOKEN_ROTATED', at: now, changes });
      return { ...minted, digest: old.digest };
    });
    // Invalidates this instance's cache without waiting for the database's notification.
    this.deps.access.cache.announced(`t:${digest}`);
    return made;
  }

  /** The caller's own tokens that `rotate` would accept, in one statement. */
  async rotatable(caller: Caller, tokens: readonly ReplaceableToken[]) {
    const none = new Map(tokens.map((token) => [token, false] as const));
    if (caller.kind !== 'user' || caller.signIn !== undefined || !caller.scopes.has('write')) return none;
    const now = this.deps.now();
    const maker = await makerOf(this.deps.database, caller, now);
    return new Map(
      tokens.map((token) => [token, isReplaceable(token, now) && mintRefusal(maker, token) === undefined] as const),
    );
  }

  /** Whether `revoke` would accept the caller's own token and have an effect. */
  mayRevoke(caller: Caller, { id, revokedAt }: { id: number; revokedAt: string | null }): boolean {
    if (caller.kind !== 'user' || !caller.scopes.has('write')) return false;
    return revokedAt === null && (caller.signIn === undefined || caller.tokenId === id);
  }

  /** Reads without the scope `read`: for the answer to a write. */
  async own(userId: string, id: number, selection: Selection): Promise<object> {
    return found(await one(projection.of(selection)).first(this.deps.database, { id, userId }));
  }
}

const NOT_ALONE = 'must not name DOCUMENTS beside another scope';

const { graceHours: DEFAULT_GRACE, maxDays } = LIMITS.token;

function expiryErrors(expiresAt: Date, now: Date) {
  const sentences = [
    ...(expiresAt <= now ? ['must be in the future'] : []),
    ...(expiresAt.getTime() > now.getTime() + maxDays * DAY ? [`must not be more than ${maxDays} days away`] : []),
  ];
  return sentences.map((sentence) => inputError('expiresAt', sentence));
}

function isReplaceable({ revokedAt, replacedAt, expiresAt }: ReplaceableToken, now: Date): boolean {
  return revokedAt === null && replacedAt === null && Date.parse(expiresAt) > now.getTime();
}

function sameLifetime({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }, now: Date): Date {
  return new Date(now.getTime() + Date.parse(expiresAt) - Date.parse(createdAt));
}
