import { Migration } from '@mikro-orm/migrations';

/** Which last day of its evidence the owner of a control was reminded of. */
export class EvidenceReminders extends Migration {
  override name = 'EvidenceReminders';

  override up(): void {
    this.addSql(
      `create index "document_version_valid_until_index" on "document_version" (valid_until) where valid_until is not null;`,
    );
    this.addSql(`alter table "control_state" add "reminded_last_day" date null;`);
    this.addSql(
      `create index "control_state_review_index" on "control_state" ("id") where owner_id is not null and review_interval_months is not null;`,
    );
  }
}
