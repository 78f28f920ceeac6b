import { Migration } from '@mikro-orm/migrations';

export class Migration20261121161000 extends Migration {

  override name = 'Migration20261121161000';

  override up(): void | Promise<void> {
    this.addSql(`create index "organization_report_index" on "organization" ("time_zone", "report_weekday", "id") where deleted_at is null and contacts @> '[{"emailReport": true}]';`);

    this.addSql(`create table "weekly_report" ("id" serial primary key, "organization_id" int not null, "week" text not null, "email" text not null, "mail_id" uuid not null);`);
    this.addSql(`create index "weekly_report_mail_id_index" on "weekly_report" ("mail_id");`);
    this.addSql(`create index "weekly_report_organization_id_id_index" on "weekly_report" ("organization_id", "id");`);
    this.addSql(`alter table "weekly_report" add constraint "weekly_report_organization_id_week_email_unique" unique ("organization_id", "week", "email");`);

    this.addSql(`create table "weekly_report_run" ("id" serial primary key, "organization_id" int not null, "week" text not null, "posted_at" timestamptz(3) not null);`);
    this.addSql(`alter table "weekly_report_run" add constraint "weekly_report_run_organization_id_week_unique" unique ("organization_id", "week");`);

    this.addSql(`alter table "weekly_report" add constraint "weekly_report_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
    this.addSql(`alter table "weekly_report" add constraint "weekly_report_mail_id_foreign" foreign key ("mail_id") references "outgoing_mail" ("id") on delete cascade;`);

    this.addSql(`alter table "weekly_report_run" add constraint "weekly_report_run_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "organization_report_index";`);
    this.addSql(`drop table if exists "weekly_report" cascade;`);
    this.addSql(`drop table if exists "weekly_report_run" cascade;`);
  }

}
