import { Migration } from '@mikro-orm/migrations';

/** The last day of document versions, and review intervals of controls. */
export class EvidenceFreshness extends Migration {
  override name = 'EvidenceFreshness';

  override up(): void {
    this.addSql(`alter table "document_version" add "valid_until" date null;`);
    this.addSql(`alter table "control_state" add "review_interval_months" int null;`);
  }
}
