import { Migration } from '@mikro-orm/migrations';

/** Orders and a condition that entities cannot say; and what was recorded of reports before there was a history. */
export class Migration20261121131000 extends Migration {
  override name = 'Migration20261121131000';

  override up(): void {
    // "When it was true" is when it was uploaded, where nobody said otherwise.
    this.addSql(
      `create index "document_version_effective_index" on "document_version" (organization_id, coalesce(effective_at, created_at), id);`,
    );
    this.addSql(
      `create index "incident_severity_rank_index" on "incident" (organization_id, array_position('{LOW,MEDIUM,HIGH,CRITICAL}'::text[], severity), id);`,
    );
    // Incidents that still owe a report: what reminders are looked for among.
    this.addSql(
      `create index "incident_owing_index" on "incident" (id) where significant and status <> 'CLOSED' and final_report_sent_at is null;`,
    );
    for (const [stage, column] of Object.entries(STAGES)) {
      this.addSql(
        `insert into "incident_report" (incident_id, stage, sent_at, recorded_by, recorded_at)
         select id, '${stage}', ${column}_sent_at, coalesce(${column}_sent_by, ''), ${column}_sent_at
           from "incident" where ${column}_sent_at is not null order by id;`,
      );
    }
  }

  override down(): void {
    this.addSql(`drop index "incident_owing_index";`);
    this.addSql(`drop index "incident_severity_rank_index";`);
    this.addSql(`drop index "document_version_effective_index";`);
  }
}

const STAGES = { EARLY_WARNING: 'early_warning', NOTIFICATION: 'notification', FINAL_REPORT: 'final_report' };
