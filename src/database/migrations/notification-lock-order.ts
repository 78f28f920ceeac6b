import { Migration } from '@mikro-orm/migrations';

/** The trigger of `NotificationOrganizations` was made under a name by which it ran behind the one that locks revisions. */
export class NotificationLockOrder extends Migration {
  override name = 'NotificationLockOrder';

  override up(): void {
    this.addSql(`
      do $$ begin
        if exists (select from pg_trigger where tgrelid = 'notification'::regclass and tgname = 'notification_organization') then
          alter trigger notification_organization on "notification" rename to notification_allowed;
        end if;
      end $$;
    `);
  }
}
