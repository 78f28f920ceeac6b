import { Migration } from '@mikro-orm/migrations';

export class NextDeadlines extends Migration {
  override name = 'NextDeadlines';

  override up(): void {
    this.addSql(`
      alter table "incident" add "next_deadline_at" timestamptz(3) null;
      create index "incident_deadline_index" on "incident" ("organization_id", "next_deadline_at", "id") where status <> 'CLOSED';
    `);
  }
}
