import { Migration } from '@mikro-orm/migrations';

/** Notifications by mail: what each member wants, and the daily mails (docs/adr/0014). */
export class MailPreferences extends Migration {
  override name = 'MailPreferences';

  override up(): void {
    // What is recorded already is not mailed.
    this.addSql(
      `insert into "event_consumer" ("consumer", "log_id", "position") select 'mails', "id", "position" from "audit_log" where "organization_id" is not null;`,
    );
    this.addSql(`alter table "membership" add column "mail_preferences" jsonb null;`);
    this.addSql(
      `create index "membership_daily_mail_index" on "membership" ("organization_id") where mail_preferences @@ '$.* == "DAILY"';`,
    );
    this.addSql(
      `create table "mail_digest" ("organization_id" int not null, "day" text not null, "notification_id" int not null, primary key ("organization_id"));`,
    );
    this.addSql(
      `alter table "mail_digest" add constraint "mail_digest_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`,
    );
  }
}
