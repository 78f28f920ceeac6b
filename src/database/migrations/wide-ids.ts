import { Migration } from '@mikro-orm/migrations';

/** Columns that were integers of 32 bits and hold ids. Other ids, positions and revisions were wide from the beginning. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  api_token: ['id'],
  audit_log: ['organization_id'],
  audit_stray_entry: ['id'],
  cloud_defender: ['id', 'organization_id'],
  cloud_defender_check: ['organization_id', 'device_id'],
  control_state: ['organization_id'],
  document_version: ['id', 'organization_id'],
  idempotent_answer: ['token_id'],
  incident: ['id', 'organization_id'],
  incident_attachment: ['id', 'organization_id', 'incident_id'],
  incident_note: ['organization_id', 'incident_id'],
  incident_reminder: ['organization_id', 'incident_id'],
  incident_report: ['id', 'organization_id', 'incident_id', 'attachment_id'],
  invitation: ['id', 'organization_id'],
  mail_digest: ['organization_id'],
  membership: ['organization_id'],
  notification: ['organization_id'],
  organization: ['id'],
  organization_facts: ['organization_id'],
  organization_storage: ['organization_id'],
  organization_workflow: ['organization_id'],
  service_account: ['organization_id'],
  threat_blocker: ['id', 'organization_id'],
  threat_blocker_check: ['organization_id', 'device_id'],
  threat_blocker_traffic: ['organization_id', 'device_id'],
  token_address: ['token_id'],
  token_block: ['organization_id', 'token_id'],
  weekly_report: ['id', 'organization_id'],
  weekly_report_run: ['organization_id'],
  workflow_import: ['organization_id'],
  workflow_progress: ['organization_id'],
};

/** Triggers that name such a column: its type cannot change while they are there. */
const DROPPED = `
  drop trigger audit_log_moves_on on "audit_log";
  drop trigger incident_note_append_only on "incident_note";
  drop trigger membership_access on "membership";
  drop trigger membership_of_service_account on "membership";
`;

const MADE_AGAIN = `
  create trigger audit_log_moves_on before update on "audit_log"
    for each row when (new.position <> old.position + 1 or new.id <> old.id
      or new.organization_id is distinct from old.organization_id or new.user_id is distinct from old.user_id)
    execute function refuse_audit_change();
  create trigger incident_note_append_only before update on "incident_note"
    for each row when ((new.id, new.organization_id, new.incident_id, new.text, new.created_at)
      is distinct from (old.id, old.organization_id, old.incident_id, old.text, old.created_at))
    execute function refuse_note_change();
  create trigger membership_access after insert or update of user_id, organization_id, role, deactivated_at or delete
    on "membership" for each row execute function announce_access_change();
  create constraint trigger membership_of_service_account after insert or update of user_id, organization_id
    on "membership" deferrable initially deferred for each row execute function refuse_foreign_service_account();
`;

/** Functions that are given ids. */
const FUNCTIONS = `
  drop function count_stored_bytes(int, bigint);
  create function count_stored_bytes(counted bigint, change bigint) returns void language plpgsql as $$
  begin
    if change > 0 then
      insert into organization_storage as s (organization_id, bytes) values (counted, change)
        on conflict (organization_id) do update set bytes = s.bytes + excluded.bytes;
    elsif change < 0 then
      update organization_storage set bytes = bytes + change where organization_id = counted;
    end if;
  end $$;

  create or replace function count_stored_file() returns trigger language plpgsql as $$
  declare
    changed record := case when tg_op = 'DELETE' then old else new end;
    counted bigint;
  begin
    if tg_table_name = 'document_version' then
      counted := changed.organization_id;
    else
      select i.organization_id into counted from incident i where i.id = changed.incident_id;
    end if;
    perform count_stored_bytes(counted, case when tg_op = 'DELETE' then -changed.size else changed.size end);
    return null;
  end $$;

  drop function organization_facts_at(int, timestamptz);
  create function organization_facts_at(organization bigint, instant timestamptz) returns jsonb language sql stable as $$
    select f.facts from organization_facts f where f.organization_id = organization
     order by f.since <= instant desc, case when f.since <= instant then f.since end desc, f.since
     limit 1
  $$;
`;

/** Ids may be larger than 32 bits hold; the sequences that they come from go on as far. */
export class WideIds extends Migration {
  override name = 'WideIds';

  override up(): void {
    this.addSql(DROPPED);
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const changes = columns.map((column) => `alter column "${column}" type bigint`);
      // One statement for each table, because each writes the table anew.
      this.addSql(`alter table "${table}" ${changes.join(', ')};`);
      if (columns.includes('id')) this.addSql(`alter sequence "${table}_id_seq" as bigint;`);
    }
    this.addSql(MADE_AGAIN);
    this.addSql(FUNCTIONS);
  }
}
