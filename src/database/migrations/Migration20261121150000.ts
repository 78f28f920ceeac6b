import { Migration } from '@mikro-orm/migrations';

export class Migration20261121150000 extends Migration {
  override name = 'Migration20261121150000';

  override up(): void {
    this.addSql(
      `create table "notification_revision" ("user_id" uuid not null, "revision" bigint not null, primary key ("user_id"));`,
    );
    this.addSql(
      `alter table "notification_revision" add constraint "notification_revision_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`,
    );
    this.addSql(
      `create index "notification_unread_index" on "notification" ("user_id", "organization_id") where not read;`,
    );
    this.addSql(`create index "notification_old_read_index" on "notification" ("created_at") where read;`);
    this.addSql(`create index "notification_old_unread_index" on "notification" ("created_at") where not read;`);
    this.addSql(`create index "notification_user_id_id_index" on "notification" ("user_id", "id");`);
  }

  override down(): void {
    for (const name of ['unread', 'old_read', 'old_unread', 'user_id_id'])
      this.addSql(`drop index "notification_${name}_index";`);
    this.addSql(`drop table "notification_revision";`);
  }
}
