import { forbidden, notFound, unauthenticated } from '../errors.js';
import type { Role } from '../vocabulary/roles.js';
import type { Scope } from '../vocabulary/scopes.js';
import { CallerCache, type Freshness } from './caller-cache.js';
import { ANONYMOUS, type Caller, type UserCaller } from './caller.js';
import { PRIVILEGES, roleHas, type Privilege } from './roles.js';
import { digestToken, isWellFormedToken } from './token.js';

/** A token as the database has it, valid or not. */
export interface TokenRecord {
  id: number;
  userId: string;
  username: string;
  scopes: Scope[];
  /** ISO 8601. */
  expiresAt: string;
  revokedAt: string | null;
  deactivatedAt: string | null;
}

/** What access asks of the database. */
export interface AccessRecords {
  token(digest: string): Promise<TokenRecord | undefined>;
  /** The role in an organization that exists; undefined for strangers and for deleted organizations alike. */
  role(userId: string, organizationId: number): Promise<Role | undefined>;
}

/**
 * The one place where access is decided. "Missing" and "not yours" are one outcome here: a stranger is told NOT_FOUND,
 * the same as for an id that never existed (decisions §2).
 */
export class Access {
  readonly cache: CallerCache;
  /** Roles being read at this moment: fields of one request that ask at once share the answer. */
  private readonly reading = new Map<string, Promise<Role | undefined>>();

  constructor(
    private readonly records: AccessRecords,
    freshness: Freshness,
    private readonly used: (tokenId: number) => void,
    private readonly now: () => number = Date.now,
  ) {
    this.cache = new CallerCache(freshness);
  }

  /** Who holds this token. Missing, malformed, unknown, expired and revoked tokens are alike: anonymous. */
  async authenticate(token: string | undefined): Promise<Caller> {
    if (token === undefined || !isWellFormedToken(token)) return ANONYMOUS;
    const digest = digestToken(token);
    const known = this.cache.token(digest) ?? (await this.lookUp(digest));
    if (known === undefined || known.expiresAt <= this.now()) return ANONYMOUS;
    this.used(known.caller.tokenId);
    return known.caller;
  }

  /** Throws UNAUTHENTICATED, NOT_FOUND (no member) or FORBIDDEN (role or scope too low); otherwise says nothing. */
  async authorize(caller: Caller, privilege: Privilege, organizationId: number): Promise<void> {
    if (caller.kind === 'system') return;
    if (caller.kind === 'anonymous') throw unauthenticated();
    const role = await this.roleIn(caller, organizationId);
    if (role === undefined) throw notFound();
    if (!roleHas(role, privilege) || !caller.scopes.has(PRIVILEGES[privilege].scope)) throw forbidden();
  }

  /** For what is the caller's own, in no organization. Throws UNAUTHENTICATED, or FORBIDDEN without the scope. */
  authorizeSelf(caller: Caller, scope: Scope): UserCaller {
    if (caller.kind !== 'user') throw unauthenticated();
    if (!caller.scopes.has(scope)) throw forbidden();
    return caller;
  }

  async roleIn(caller: UserCaller, organizationId: number): Promise<Role | undefined> {
    const remembered = this.cache.role(caller.userId, organizationId);
    if (remembered !== undefined) return remembered === 'NONE' ? undefined : remembered;
    const key = `${this.cache.currentGeneration()} ${caller.userId} ${organizationId}`;
    let reading = this.reading.get(key);
    if (reading === undefined) {
      reading = this.readRole(caller.userId, organizationId).finally(() => this.reading.delete(key));
      this.reading.set(key, reading);
    }
    return reading;
  }

  private async readRole(userId: string, organizationId: number): Promise<Role | undefined> {
    const readAt = this.cache.currentGeneration();
    const role = await this.records.role(userId, organizationId);
    this.cache.rememberRole(userId, organizationId, role ?? 'NONE', readAt);
    return role;
  }

  private async lookUp(digest: string) {
    const readAt = this.cache.currentGeneration();
    const record = await this.records.token(digest);
    if (record === undefined || record.revokedAt !== null || record.deactivatedAt !== null) return undefined;
    const { id: tokenId, userId, username } = record;
    const caller: UserCaller = Object.freeze({
      kind: 'user',
      userId,
      username,
      tokenId,
      scopes: new Set(record.scopes),
    });
    const known = { caller, expiresAt: Date.parse(record.expiresAt) };
    this.cache.rememberToken(digest, known, readAt);
    return known;
  }
}
