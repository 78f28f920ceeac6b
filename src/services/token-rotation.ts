import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { badUserInput, conflict, notFound } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Scope } from '../vocabulary/scopes.js';
import { mintToken } from './token-minting.js';
import { expiryFaults } from './token-rules.js';

export interface RotateApiToken {
  id: number;
  /** How long the old token goes on: 24 hours when absent, 168 at most, 0 for not at all. */
  graceHours?: number | null;
  /** Of the new token: as long as the old one was made for when absent. */
  expiresAt?: Date | null;
}

interface OldToken {
  digest: string;
  name: string;
  scopes: Scope[];
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  replacedAt: string | null;
  allowedIps: string[];
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const { graceHours: DEFAULT_GRACE, maxGraceHours, maxDays } = LIMITS.token;

/** Puts a new token in the place of an old one, which goes on for a while, so that nothing that uses it stands still. */
export class TokenRotationService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * The new token has the name, scopes, addresses and blocks of the old one. Throws NOT_FOUND for anybody else's token,
   * CONFLICT for one that has ended or was replaced already, so that of two who rotate at once one has the new token.
   */
  async rotate(caller: Caller, request: RotateApiToken): Promise<{ token: string; id: number }> {
    const user = this.access.authorizeSelf(caller, 'write');
    const now = this.now();
    const grace = request.graceHours ?? DEFAULT_GRACE;
    const faults = grace < 0 || grace > maxGraceHours ? [`grace_hours must be from 0 to ${maxGraceHours}`] : [];
    if (request.expiresAt != null) faults.push(...expiryFaults(request.expiresAt.getTime(), now.getTime()));
    if (faults.length > 0) throw badUserInput(faults);
    const { digest, ...made } = await this.database.transaction(async (tx) => {
      const [old] = await tx.rows<OldToken>(
        `select digest, name, scopes, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
                replaced_at as "replacedAt", allowed_ips as "allowedIps"
           from api_token where id = $1 and user_id = $2 for update`,
        [request.id, user.userId],
      );
      if (old === undefined) throw notFound();
      if (old.revokedAt !== null || old.replacedAt !== null || Date.parse(old.expiresAt) <= now.getTime()) {
        throw conflict();
      }
      const { name, scopes, allowedIps } = old;
      const expiresAt = request.expiresAt ?? sameLifetime(old, now);
      const minted = await mintToken(tx, user, {
        name,
        scopes,
        allowedIps,
        createdAt: now,
        expiresAt,
        replaces: request.id,
      });
      await tx.rows('update api_token set replaced_at = $2, expires_at = least(expires_at, $3) where id = $1', [
        request.id,
        now,
        new Date(now.getTime() + grace * HOUR),
      ]);
      return { ...minted, digest: old.digest };
    });
    // This instance need not wait for the database to announce it.
    this.access.cache.announced(`t:${digest}`);
    return made;
  }
}

function sameLifetime({ createdAt, expiresAt }: OldToken, now: Date): Date {
  const lifetime = Math.min(Date.parse(expiresAt) - Date.parse(createdAt), maxDays * DAY);
  return new Date(now.getTime() + lifetime);
}
