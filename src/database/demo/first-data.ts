import type { EntityManager } from '@mikro-orm/postgresql';
import { digestToken, generateToken, tokenPrefix } from '../../access/token.js';
import { ApiToken } from '../../entities/api-token.js';
import { Organization } from '../../entities/organization.js';
import { User } from '../../entities/user.js';
import type { Scope } from '../../vocabulary/scopes.js';

/** Any number other than the migrations', the same in every instance. */
const FIRST_DATA_LOCK = 7_214_002;

/**
 * Lets one process at a time look at an empty database and put the first rows into it, whether that is the demo or
 * the bootstrap command. Held until the transaction ends; whoever waited then sees what the other committed.
 */
export async function takeFirstDataTurn(em: EntityManager): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(${FIRST_DATA_LOCK})`);
}

export async function hasUsers(em: EntityManager): Promise<boolean> {
  return (await em.count(User)) > 0;
}

/** Neither users nor organizations, deleted ones included. */
export async function isEmptyDatabase(em: EntityManager): Promise<boolean> {
  return !(await hasUsers(em)) && (await em.count(Organization)) === 0;
}

export interface FirstToken {
  name: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date;
}

/** Adds a token to the unit of work and returns it: from here on only its digest is known to the database. */
export function addToken(em: EntityManager, user: User, facts: FirstToken): string {
  const token = generateToken();
  em.persist(
    em.create(ApiToken, { ...facts, allowedIps: [], user, digest: digestToken(token), prefix: tokenPrefix(token) }),
  );
  return token;
}
