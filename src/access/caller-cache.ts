import { LRUCache } from 'lru-cache';
import type { Role } from '../vocabulary/roles.js';
import type { UserCaller } from './caller.js';

/** A token that was found valid, and until when it can be. */
export interface KnownToken {
  caller: UserCaller;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Says whether what was announced up to a moment ago has arrived here, so that remembered access may be believed. */
export interface Freshness {
  isFresh(): boolean;
}

/**
 * What this instance remembers of tokens and roles, so that a warm request asks the database nothing. Entries are
 * dropped by the announcements that the database makes when access changes, and none is believed while those
 * announcements may be late: a revoked token is refused within a second on every instance.
 */
export class CallerCache {
  private readonly tokens = new LRUCache<string, KnownToken>({ max: 10_000 });
  private readonly roles = new LRUCache<string, Role | 'NONE'>({ max: 100_000 });
  /** Grows with each announcement. What was read before one must not be remembered after it. */
  private generation = 0;

  constructor(private readonly freshness: Freshness) {}

  currentGeneration(): number {
    return this.generation;
  }

  token(digest: string): KnownToken | undefined {
    return this.freshness.isFresh() ? this.tokens.get(digest) : undefined;
  }

  role(userId: string, organizationId: number): Role | 'NONE' | undefined {
    return this.freshness.isFresh() ? this.roles.get(`${userId}:${organizationId}`) : undefined;
  }

  rememberToken(digest: string, known: KnownToken, readAt: number): void {
    if (readAt === this.generation) this.tokens.set(digest, known);
  }

  rememberRole(userId: string, organizationId: number, role: Role | 'NONE', readAt: number): void {
    if (readAt === this.generation) this.roles.set(`${userId}:${organizationId}`, role);
  }

  /** Takes one announcement of the channel "access" (see the migration that makes them). */
  announced(payload: string): void {
    this.generation += 1;
    const subject = payload.slice(2);
    if (payload.startsWith('t:')) this.tokens.delete(subject);
    else if (payload.startsWith('m:')) this.roles.delete(subject);
    else if (payload.startsWith('u:')) this.forgetTokens((known) => known.caller.userId === subject);
    else if (payload.startsWith('o:')) this.forgetRoles(`:${subject}`);
    else this.clear();
  }

  /** Forgets everything; for when announcements may have been missed. */
  clear(): void {
    this.generation += 1;
    this.tokens.clear();
    this.roles.clear();
  }

  private forgetTokens(concerns: (known: KnownToken) => boolean): void {
    for (const [digest, known] of this.tokens.entries()) if (concerns(known)) this.tokens.delete(digest);
  }

  private forgetRoles(suffix: string): void {
    for (const key of this.roles.keys()) if (key.endsWith(suffix)) this.roles.delete(key);
  }
}
