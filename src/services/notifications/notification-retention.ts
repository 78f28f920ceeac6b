import { DAY } from '../../common/time.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { untilFewer } from '../../database/until-fewer.js';
import { LIMITS } from '../../values/limits.js';

/** Rows of one transaction, which locks the revisions of their users. */
const BATCH = 1_000;

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

/** Deletes old notifications. Safe with several instances: each row is deleted by one of them. */
export class NotificationRetention {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** Deletes read notifications after 90 days and all others after 365; returns their number. */
  async purgeOld(): Promise<number> {
    const { readDays, anyDays } = LIMITS.notification;
    return (await this.purge(deleteRead, readDays)) + (await this.purge(deleteUnread, anyDays));
  }

  private async purge(deleteSome: typeof deleteRead, days: number): Promise<number> {
    const before = new Date(this.now().getTime() - days * DAY);
    return untilFewer(BATCH, async () => (await deleteSome.all(this.database, { before })).length);
  }
}
