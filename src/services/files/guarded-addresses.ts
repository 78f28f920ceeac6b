import type { Access } from '../../auth/access.js';
import type { Privilege } from '../../auth/roles.js';
import type { PreparedFile } from '../../common/prepared-file.js';
import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { found, notFound } from '../../errors.js';

/** A file that is generated when its address is opened: `guard` throws NOT_FOUND once sending it is not allowed any more. */
export interface GuardedFile extends PreparedFile {
  guard: () => Promise<void>;
}

const byName = statement<{ username: string }>()((p) =>
  db.selectFrom('app_user').select('id').where('username', '=', p('username')),
);

/**
 * Checks whether the member that an address was issued to has these privileges now, mostly from the cache. Throws
 * NOT_FOUND; the returned function repeats the check.
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
