import type { EntityManager } from '@mikro-orm/postgresql';
import { Organization } from '../entities/organizations.js';
import { User } from '../entities/members.js';

/** Any number other than the migrations', the same in every instance. */
const FIRST_DATA_LOCK = 7_214_002;

/**
 * Serializes the insertion of the first rows, by the demo or the bootstrap command. The advisory lock lasts until the end of
 * the transaction; a process that waited sees the rows of the other.
 */
export async function lockFirstData(em: EntityManager): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(${FIRST_DATA_LOCK})`);
}

/** Whether a person exists who may invite others; erased ones do not count. */
export async function hasPersons(em: EntityManager): Promise<boolean> {
  return (await em.count(User, { kind: 'PERSON', personalKey: { $ne: null } })) > 0;
}

/** Neither users nor organizations, including erased and deleted ones. */
export async function isEmptyDatabase(em: EntityManager): Promise<boolean> {
  return (await em.count(User)) === 0 && (await em.count(Organization)) === 0;
}
