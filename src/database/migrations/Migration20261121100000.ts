import { Migration } from '@mikro-orm/migrations';

/** The settings of an organization, and an index for finding those whose time to be restored is over. */
export class Migration20261121100000 extends Migration {
  override name = 'Migration20261121100000';

  override up(): void {
    this.addSql(
      `alter table "organization" add "time_zone" text not null default 'UTC', add "report_weekday" smallint not null default 1, add "query_token_allowed" boolean not null default true;`,
    );
    this.addSql(
      `create index "organization_deleted_at_index" on "organization" ("deleted_at") where deleted_at is not null;`,
    );
    this.addSql(
      `alter table "organization" add constraint "organization_report_weekday_check" check (report_weekday >= 1 and report_weekday <= 7);`,
    );
  }

  override down(): void {
    this.addSql(`drop index "organization_deleted_at_index";`);
    this.addSql(
      `alter table "organization" drop column "time_zone", drop column "report_weekday", drop column "query_token_allowed";`,
    );
  }
}
