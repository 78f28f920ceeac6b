import { Migration } from '@mikro-orm/migrations';

/** How long organizations keep their audit trails, and the only way to remove entries (docs/adr/0024). */
export class AuditRetention extends Migration {
  override name = 'AuditRetention';

  override up(): void {
    for (const statement of STATEMENTS) this.addSql(statement);
  }
}

const STATEMENTS: readonly string[] = [
  `alter table "organization" add "audit_retention_days" int null;`,
  `alter table "organization" add constraint "organization_audit_retention_check" check (audit_retention_days >= 365);`,
  // The newest checkpoint that is a day older than the retention, so that clocks may differ. Once an organization was
  // purged the retention is a year, and the tombstone stays. Trails of users are kept.
  `
    create function prunable_audit_position(log bigint) returns bigint
      language sql stable set search_path = pg_catalog, public, pg_temp as $$
      select max(c.position)
        from audit_log l
        left join organization o on o.id = l.organization_id
        join audit_checkpoint c on c.log_id = l.id
       where l.id = log
         and l.organization_id is not null
         and (o.id is null or o.audit_retention_days is not null)
         and c.created_at < now() - make_interval(days => coalesce(o.audit_retention_days, 365) + 1)
         and not exists (select from audit_entry e where e.log_id = l.id and e.action = 'ORGANIZATION_PURGED'
                            and e.position <= c.position)
    $$;
  `,
  // It runs as the owner of the tables: the gateway's role may not delete, and the rule is checked here.
  `
    create function prune_audit_entries(log bigint, up_to bigint) returns int
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
    declare
      removed int;
      newest text;
    begin
      if (up_to <= prunable_audit_position(log)) is not true
         or up_to >= (select l.position from audit_log l where l.id = log) then
        raise exception 'Entry % of the audit trail % is to be kept', up_to, log using errcode = 'insufficient_privilege';
      end if;
      perform set_config('audit.pruning', 'on', true);
      with gone as (
        delete from audit_entry e where e.log_id = log and e.position <= up_to returning e.at)
      select count(*), max(gone.at) into removed, newest from gone;
      perform set_config('audit.pruning', 'off', true);
      if newest::timestamptz >= now() - (
        select make_interval(days => coalesce(max(o.audit_retention_days), 365))
          from audit_log l join organization o on o.id = l.organization_id where l.id = log) then
        raise exception 'An entry of the audit trail % is younger than its retention', log
          using errcode = 'insufficient_privilege';
      end if;
      return removed;
    end $$;
  `,
  `revoke execute on function prune_audit_entries(bigint, bigint) from public;`,
  `drop trigger audit_entry_append_only on "audit_entry";`,
  `
    create trigger audit_entry_append_only before update on "audit_entry"
      for each row execute function refuse_audit_change();
  `,
  `
    create trigger audit_entry_kept before delete on "audit_entry"
      for each row when (current_setting('audit.pruning', true) is distinct from 'on')
      execute function refuse_audit_change();
  `,
];
