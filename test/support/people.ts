import type { Database } from '../../src/database/database.js';
import type { Role } from '../../src/vocabulary/roles.js';
import { buildPerson, join, type Person } from './world.js';

/** A new person with this role in the organization. */
export async function newMember(database: Database, organizationId: number, role: Role): Promise<Person> {
  const person = await buildPerson(database, role.toLowerCase().slice(0, 20));
  await join(database, person, organizationId, role);
  return person;
}

/** What a member is in the database; undefined when it is none. */
export async function standing(
  database: Database,
  organizationId: number,
  { id }: Pick<Person, 'id'>,
): Promise<{ role: Role; active: boolean } | undefined> {
  const [row] = await database.rows<{ role: Role; active: boolean }>(
    'select role, deactivated_at is null as active from membership where organization_id = $1 and user_id = $2',
    [organizationId, id],
  );
  return row;
}

/** Titles of the notifications that somebody got, oldest first. */
export async function titlesOf(database: Database, { id }: Pick<Person, 'id'>): Promise<string[]> {
  const rows = await database.rows<{ title: string }>('select title from notification where user_id = $1 order by id', [
    id,
  ]);
  return rows.map(({ title }) => title);
}
