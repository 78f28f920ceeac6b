import { Migration } from '@mikro-orm/migrations';

/**
 * Columns that count as a change of a row: those that a caller may change and those that say what became of it, none
 * that changes by itself, such as reminders and reports of devices.
 */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  incident: [
    ...['title', 'description', 'severity', 'status', 'aware_at', 'organization_facts', 'facts_as_of', 'significant'],
    ...['handled_at', 'suspected_malicious', 'cross_border', 'affects_trust_service', 'personal_data_concerned'],
    ...['exploited_vulnerability', 'product_concerned', 'fix_available_at', 'intermediate_report_due_at', 'category'],
    ...['indicators', 'impact', 'root_cause', 'mitigation'],
  ],
  document_version: ['effective_at', 'valid_until', 'note'],
  control_state: [
    'status',
    'justification',
    'inclusion_reason',
    'owner_id',
    'due_date',
    'note',
    'review_interval_months',
  ],
  membership: ['role', 'deactivated_at'],
  app_user: ['first_name', 'last_name'],
  // Every update of it is a change of the account, if only of its name or role.
  service_account: [],
  cloud_defender: ['email', 'fqdn', 'endpoint', 'services', 'deleted_at'],
  threat_blocker: [
    ...['email', 'endpoint', 'services', 'atb_key', 'type', 'private_ip', 'device_id', 'plugin_name', 'plugin_config'],
    'deleted_at',
  ],
};

/** A control without a row has version 1. */
const FIRST: Readonly<Record<string, number>> = { control_state: 2 };

const FUNCTIONS = `
  create function raise_version() returns trigger language plpgsql as $$
  begin
    new.version := old.version + 1;
    return new;
  end $$;

  -- An incident shows what was recorded of its reports.
  create function raise_incident_version() returns trigger language plpgsql as $$
  begin
    update incident set version = version + 1 where id = new.incident_id;
    return null;
  end $$;
  create trigger incident_report_version after insert on "incident_report"
    for each row execute function raise_incident_version();
`;

/** A version of each row that can be changed: a change may name the one that it is made to. */
export class Versions extends Migration {
  override name = 'Versions';

  override up(): void {
    for (const table of Object.keys(COLUMNS))
      this.addSql(`alter table "${table}" add "version" int not null default ${FIRST[table] ?? 1};`);
    this.addSql(FUNCTIONS);
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const isAny = columns.length === 0;
      const of = (row: string) => columns.map((column) => `${row}."${column}"`).join(', ');
      this.addSql(`
        create trigger ${table}_version before update on "${table}" for each row
          ${isAny ? '' : `when ((${of('old')}) is distinct from (${of('new')}))`} execute function raise_version();`);
    }
  }
}
