import type { Database } from '../database/database.js';
import { LIMITS } from '../vocabulary/limits.js';

const DAY = 24 * 60 * 60 * 1000;
/** Rows of one transaction: the lock below is held for no longer than they take. */
const BATCH = 1_000;

/** Taken by whoever touches the notifications of many users: see the migration that makes its triggers. */
export const TAKE_TURN = 'select pg_advisory_xact_lock(7214003)';

const oldest = (state: string) => `
  delete from notification where id in (
    select id from notification where ${state} and created_at < $1 order by created_at limit ${BATCH} for update skip locked)
  returning 1`;
const DELETE_READ = oldest('read');
const DELETE_UNREAD = oldest('not read');

/** Lets old notifications go. Safe with several instances at once: each row is deleted by one of them. */
export class NotificationRetention {
  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {}

  /** Deletes read notifications after 90 days and any after 365; says how many there were. */
  async purgeOld(): Promise<number> {
    const { readDays, anyDays } = LIMITS.notification;
    return (await this.purge(DELETE_READ, readDays)) + (await this.purge(DELETE_UNREAD, anyDays));
  }

  private async purge(text: string, days: number): Promise<number> {
    const before = new Date(this.now().getTime() - days * DAY).toISOString();
    let purged = 0;
    for (let size = BATCH; size === BATCH; purged += size) {
      size = await this.database.transaction(async (tx) => {
        await tx.rows(TAKE_TURN);
        return (await tx.rows(text, [before])).length;
      });
    }
    return purged;
  }
}
