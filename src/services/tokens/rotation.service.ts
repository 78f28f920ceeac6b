import { DAY, HOUR } from '../../common/time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Scope } from '../../values/enums.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { conflict, notFound } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { recordToken } from '../audit/subjects.js';
import { makerOf, mintRefusal, mintToken } from './token-minting.js';
import { checkExpiry } from './tokens.service.js';

export interface RotateApiToken {
  id: number;
  /** Hours that the old token stays valid: 24 when absent, 168 at most, 0 for none. */
  graceHours?: number | null;
  /** Of the new token: as long as the old one was made for when absent. */
  expiresAt?: Date | null;
}

/** A token with the facts that decide whether it may be replaced. */
export interface ReplaceableToken {
  scopes: readonly Scope[];
  expiresAt: string;
  revokedAt: string | null;
  replacedAt: string | null;
  allowedIps: readonly string[];
}

const lock = statement<{ id: number; userId: string }>()((p) =>
  db
    .selectFrom('api_token')
    .select(['digest', 'name', 'scopes', 'created_at as createdAt', 'expires_at as expiresAt'])
    .select(['revoked_at as revokedAt', 'replaced_at as replacedAt', 'allowed_ips as allowedIps'])
    .where('id', '=', p('id'))
    .where('user_id', '=', p('userId'))
    .forUpdate(),
);

const replace = statement<{ id: number; now: Date; end: Date }>()((p) =>
  db
    .updateTable('api_token')
    .set((eb) => ({ replaced_at: p('now'), expires_at: eb.fn<string>('least', ['expires_at', p('end')]) }))
    .where('id', '=', p('id')),
);

const { graceHours: DEFAULT_GRACE, maxDays } = LIMITS.token;

/** Replaces a token by a new one; the old one stays valid for a while, so that its users can switch. */
export class TokenRotationService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date,
  ) {}

  /**
   * The new token has the name, scopes, addresses and blocks of the old one. Throws NOT_FOUND for anybody else's token,
   * CONFLICT for one that has ended or was replaced already, so that of two who rotate at once one has the new token.
   */
  async rotate(caller: Caller, request: RotateApiToken): Promise<{ token: string; id: number }> {
    const user = this.access.authorizeSelf(caller, 'write');
    const now = this.now();
    const grace = request.graceHours ?? DEFAULT_GRACE;
    if (request.expiresAt != null) checkExpiry(request.expiresAt, now);
    const { digest, ...made } = await this.database.transaction(async (tx) => {
      const old = await lock.first(tx, { id: request.id, userId: user.userId });
      if (old === undefined) throw notFound();
      if (!isReplaceable(old, now)) throw conflict();
      const { name, scopes, allowedIps } = old;
      const expiresAt = request.expiresAt ?? sameLifetime(old, now);
      const minted = await mintToken(tx, this.access, user, {
        name,
        scopes,
        allowedIps,
        createdAt: now,
        expiresAt,
        replaces: request.id,
      });
      await replace.all(tx, { id: request.id, now, end: new Date(now.getTime() + grace * HOUR) });
      const changes = {
        token: { before: request.id, after: minted.id },
        expiresAt: { before: old.expiresAt, after: expiresAt },
      };
      await recordToken(tx, user, { id: request.id, name }, { action: 'TOKEN_ROTATED', at: now, changes });
      return { ...minted, digest: old.digest };
    });
    // This instance need not wait for the database to announce it.
    this.access.cache.announced(`t:${digest}`);
    return made;
  }

  /** Which of the caller's own tokens `rotate` would accept, in one statement. */
  async rotatable(caller: Caller, tokens: readonly ReplaceableToken[]): Promise<Map<ReplaceableToken, boolean>> {
    const none = new Map(tokens.map((token) => [token, false] as const));
    if (caller.kind !== 'user' || !caller.scopes.has('write')) return none;
    const now = this.now();
    const maker = await makerOf(this.database, caller, now);
    return new Map(
      tokens.map((token) => [token, isReplaceable(token, now) && mintRefusal(maker, token) === undefined] as const),
    );
  }
}

function isReplaceable(
  { revokedAt, replacedAt, expiresAt }: Omit<ReplaceableToken, 'scopes' | 'allowedIps'>,
  now: Date,
) {
  return revokedAt === null && replacedAt === null && Date.parse(expiresAt) > now.getTime();
}

function sameLifetime({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }, now: Date): Date {
  const lifetime = Math.min(Date.parse(expiresAt) - Date.parse(createdAt), maxDays * DAY);
  return new Date(now.getTime() + lifetime);
}
