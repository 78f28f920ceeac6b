import { Migration } from '@mikro-orm/migrations';

/**
 * That the user of a notification exists is known from the user's revision, which each statement that makes notifications writes
 * and which has the foreign key: one for each notification locked a row of `app_user`, as a write of its own.
 */
export class NotificationUsers extends Migration {
  override name = 'NotificationUsers';

  override up(): void {
    this.addSql(`
      alter table "notification" drop constraint "notification_user_id_foreign";
      create function delete_notifications() returns trigger language plpgsql as $$
      begin
        delete from notification where user_id = old.user_id;
        return null;
      end $$;
      create trigger notification_revision_deleted after delete on "notification_revision"
        for each row execute function delete_notifications();
    `);
  }
}
