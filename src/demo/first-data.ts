import type { EntityManager } from '@mikro-orm/postgresql';
import { Organization } from '../entities/organizations.js';
import { User } from '../entities/members.js';

/** Any number other than the migrations', the same in every instance. */
const FIRST_DATA_LOCK = 7_214_002;

/**
 * One process at a time looks at an empty database and inserts the first rows, be it the demo or the bootstrap command.
 * Held until the transaction ends; a process that waited then sees what the other committed.
 */
export async function lockFirstData(em: EntityManager): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(${FIRST_DATA_LOCK})`);
}

/** Whether there is a person who may invite others: not one who was erased. */
export async function hasPersons(em: EntityManager): Promise<boolean> {
  return (await em.count(User, { kind: 'PERSON', personalKey: { $ne: null } })) > 0;
}

/** Neither users nor organizations, erased and deleted ones included. */
export async function isEmptyDatabase(em: EntityManager): Promise<boolean> {
  return (await em.count(User)) === 0 && (await em.count(Organization)) === 0;
}
