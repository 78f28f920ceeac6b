import { Migration } from '@mikro-orm/migrations';

/** Controls whose evidence has to be reviewed are found by organization. */
export class DueReviews extends Migration {
  override name = 'DueReviews';

  override up(): void {
    this.addSql(
      `create index "document_version_review_index" on "document_version" (organization_id, workflow_id, valid_until) where valid_until is not null;`,
    );
    this.addSql(
      `create index "control_state_interval_index" on "control_state" (organization_id, workflow_id, control_id) where review_interval_months is not null;`,
    );
  }
}
