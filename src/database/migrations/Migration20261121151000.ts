import { Migration } from '@mikro-orm/migrations';

/**
 * Ids of notifications in the order in which their transactions commit, so that "everything after the last id that I
 * have seen" misses nothing (docs/adr/0013): a transaction that inserts waits until the one before it is done, and only
 * then draws its ids, because a trigger for each statement runs before the first default is computed. The channel
 * "notification" carries the highest id of each statement.
 *
 * A revision for each user grows with every change of its notifications. Each statement locks revisions in the order of
 * their users, and statements that touch those of many users take the lock above first, so that they cannot wait for
 * each other in a circle.
 */
export class Migration20261121151000 extends Migration {
  override name = 'Migration20261121151000';

  override up(): void {
    this.addSql(`
      create function await_notification_turn() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(7214003);
        return null;
      end $$;
    `);
    this.addSql(`
      create trigger notification_turn before insert on "notification"
        for each statement execute function await_notification_turn();
    `);
    this.addSql(`
      create function announce_notifications() returns trigger language plpgsql as $$
      begin
        insert into notification_revision as r (user_id, revision)
        select user_id, 1 from (select distinct user_id from fresh order by user_id) users
            on conflict (user_id) do update set revision = r.revision + 1;
        perform pg_notify('notification', newest::text) from (select max(id) as newest from fresh) f
          where newest is not null;
        return null;
      end $$;
    `);
    this.addSql(`
      create trigger notification_announced after insert on "notification" referencing new table as fresh
        for each statement execute function announce_notifications();
    `);
    // A user that is deleted takes its notifications and its revision along, in either order: nothing is made here.
    this.addSql(`
      create function revise_notifications() returns trigger language plpgsql as $$
      begin
        update notification_revision r set revision = r.revision + 1
          from (select user_id from notification_revision
                 where user_id in (select user_id from changed) order by user_id for update) locked
         where r.user_id = locked.user_id;
        return null;
      end $$;
    `);
    this.addSql(`
      create trigger notification_updated after update on "notification" referencing new table as changed
        for each statement execute function revise_notifications();
    `);
    this.addSql(`
      create trigger notification_deleted after delete on "notification" referencing old table as changed
        for each statement execute function revise_notifications();
    `);
    this.addSql(`insert into notification_revision (user_id, revision) select distinct user_id, 1 from notification;`);
  }

  override down(): void {
    for (const name of ['turn', 'announced', 'updated', 'deleted'])
      this.addSql(`drop trigger notification_${name} on "notification";`);
    for (const name of ['await_notification_turn', 'announce_notifications', 'revise_notifications'])
      this.addSql(`drop function ${name}();`);
  }
}
