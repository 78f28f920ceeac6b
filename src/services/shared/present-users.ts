import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';

const lock = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', p('userId'))
    .where('deactivated_at', 'is', null)
    .forNoKeyUpdate(),
);

/**
 * Whether a user is neither erased nor deactivated, until the transaction ends. Serializes changes of a user's own
 * records. Call it after the lock of an organization's members, and before anything is recorded.
 */
export async function lockUser(tx: Queryable, userId: string): Promise<boolean> {
  return (await lock.first(tx, { userId })) !== undefined;
}
