import type { Access } from '../../auth/access.js';
import type { Privilege } from '../../auth/roles.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { found, notFound } from '../../errors.js';

/** A file that is made when it is downloaded by an address: `guard` throws NOT_FOUND once it may not be sent any more. */
export interface GuardedFile extends PreparedFile {
  guard: () => Promise<void>;
}

const byName = statement<{ username: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('username', '=', p('username')),
);

/**
 * Judges whether the member whom an address was made out to has these privileges by now, mostly from memory. Throws NOT_FOUND, and what
 * it returns does so from then on.
 */
export async function addressGuard(
  database: Queryable,
  access: Pick<Access, 'isMemberWith'>,
  {
    username,
    privileges,
    organizationId,
  }: { username: string; privileges: readonly Privilege[]; organizationId: number },
): Promise<() => Promise<void>> {
  const { id } = found(await byName.first(database, { username }));
  const guard = async () => {
    if (!(await access.isMemberWith(id, privileges, organizationId))) throw notFound();
  };
  await guard();
  return guard;
}
