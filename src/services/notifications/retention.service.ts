import type { Database } from '../../database/database.js';
import { sql, statement, db } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';

const DAY = 24 * 60 * 60 * 1000;
/** Rows of one transaction, so that the lock below is short. */
const BATCH = 1_000;

/** Taken by writers of many users' notifications: see the triggers of the migration. */
export const takeTurn = statement()(() => sql`select pg_advisory_xact_lock(7214003)`);

const deleteRead = deleteOldest(true);
const deleteUnread = deleteOldest(false);

function deleteOldest(read: boolean) {
  return statement<{ before: Date }>()((p) =>
    db
      .deleteFrom('notification')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('notification')
          .select('id')
          .where('read', '=', read)
          .where('created_at', '<', p('before'))
          .orderBy('created_at')
          .limit(BATCH)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id'),
  );
}

/** Deletes old notifications. Safe with several instances at once: each row is deleted by one of them. */
export class NotificationRetention {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** Deletes read notifications after 90 days and any after 365; says how many there were. */
  async purgeOld(): Promise<number> {
    const { readDays, anyDays } = LIMITS.notification;
    return (await this.purge(deleteRead, readDays)) + (await this.purge(deleteUnread, anyDays));
  }

  private async purge(deleteSome: typeof deleteRead, days: number): Promise<number> {
    const before = new Date(this.now().getTime() - days * DAY);
    let purged = 0;
    for (let size = BATCH; size === BATCH; purged += size) {
      size = await this.database.transaction(async (tx) => {
        await takeTurn.all(tx);
        return (await deleteSome.all(tx, { before })).length;
      });
    }
    return purged;
  }
}
