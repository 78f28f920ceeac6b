import { Migration } from '@mikro-orm/migrations';

/**
 * What entries are found by is read with `json`, which parses in less time than `jsonb`, compared byte by byte, and indexed
 * with what else a filter names. Writes the table anew.
 */
export class AuditEntryColumns extends Migration {
  override name = 'AuditEntryColumns';

  override up(): void {
    const columns = Object.keys(COLUMNS);
    this.addSql(`alter table "audit_entry" ${columns.map((name) => `drop column "${name}"`).join(', ')};`);
    const added = Object.entries(COLUMNS).map(
      ([name, [value, nullability]]) =>
        `add column "${name}" text collate "C" generated always as (${value}) stored ${nullability}`,
    );
    this.addSql(`alter table "audit_entry" ${added.join(', ')};`);
    for (const statement of INDEXES) this.addSql(statement);
  }
}

const COLUMNS = {
  at: [`(entry::json ->> 'at')`, 'not null'],
  action: [`(entry::json ->> 'action')`, 'not null'],
  actor: [`(entry::json #>> '{actor,id}')`, 'not null'],
  subject: [`((entry::json #>> '{subject,type}') || '/' || (entry::json #>> '{subject,id}'))`, 'not null'],
  parent: [`((entry::json #>> '{subject,parent,type}') || '/' || (entry::json #>> '{subject,parent,id}'))`, 'null'],
} as const;

const INDEXES = [
  `create index "audit_entry_log_id_at_position_index" on "audit_entry" ("log_id", "at", "position");`,
  `create index "audit_entry_log_id_parent_position_index" on "audit_entry" ("log_id", "parent", "position");`,
  `create index "audit_entry_log_id_subject_position_index" on "audit_entry" ("log_id", "subject", "position") include ("at");`,
  `create index "audit_entry_log_id_action_position_index" on "audit_entry" ("log_id", "action", "position") include ("actor", "subject", "at");`,
  `create index "audit_entry_log_id_actor_position_index" on "audit_entry" ("log_id", "actor", "position") include ("subject", "at");`,
];
