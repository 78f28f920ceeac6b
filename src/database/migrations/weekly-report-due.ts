import { Migration } from '@mikro-orm/migrations';

/** When the next weekly report of each organization is due, at the earliest. */
export class WeeklyReportDue extends Migration {
  override name = 'WeeklyReportDue';

  override up(): void {
    this.addSql(`drop index "organization_report_index";`);
    this.addSql(`alter table "organization" add "report_due_at" timestamptz(3) null;`);
    this.addSql(
      `create index "organization_report_due_index" on "organization" ("report_due_at") where deleted_at is null and contacts @> '[{"emailReport": true}]';`,
    );
  }
}
