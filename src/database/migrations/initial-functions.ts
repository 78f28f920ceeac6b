/**
 * Search without regard to case and accents: folded texts are stored, since folding each row that a search reads took most of
 * its time (docs/adr/0015). PL/pgSQL functions keep the cost given here, so that the planner avoids calling them for each row
 * of a large table.
 */
export const SEARCH_FUNCTIONS = String.raw`
  create function search_text(value text) returns text
    language plpgsql immutable strict parallel safe cost 500 as $$
  begin
    return lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'));
  end $$;

  create function search_pattern(value text) returns text
    language plpgsql immutable strict parallel safe as $$
  begin
    return regexp_replace(search_text(value), '([\\%_])', '\\\1', 'g');
  end $$;
`;

/**
 * Indexes of trigrams: a search may span thousands of organizations. They need pg_trgm, which the owner of a database may
 * create; where that is refused, search reads the rows.
 */
export const SEARCH_INDEXES = `
  do $$
  begin
    create extension if not exists pg_trgm;
  exception when insufficient_privilege or undefined_file or feature_not_supported then
    raise warning 'pg_trgm cannot be created: search works without its indexes, and slowly in large organizations';
  end $$;

  do $$
  declare
    place regnamespace := (select extnamespace from pg_extension where extname = 'pg_trgm');
    searched text;
  begin
    if place is not null then
      foreach searched in array '{app_user,control_state,document_version,incident}'::text[] loop
        execute format('create index %I on %I using gin (searchable %s.gin_trgm_ops)',
                       searched || '_search_index', searched, place);
      end loop;
    end if;
  end $$;
`;

/** A partition for each month of the reports of devices (docs/adr/0026). */
export const REPORT_MONTHS = `
  -- Makes the partitions of the months from "kept_since" to the one after "at", and drops those before. A moment without a
  -- partition is in "<table>_other" until then. It runs as the owner of the tables; the gateway's role may not make any.
  create function keep_report_months(kept_since timestamptz, at timestamptz) returns void
    language plpgsql security definer set search_path = public, pg_temp
    set TimeZone = 'UTC' set lock_timeout = '2s' as $$
  declare
    reports record;
    month timestamptz;
    part text;
    bounds text[];
  begin
    perform pg_advisory_xact_lock(7214007);
    for reports in select * from (values
      ('cloud_defender_check', 'cloud_defender', 'datetime'),
      ('threat_blocker_check', 'threat_blocker', 'datetime'),
      ('threat_blocker_traffic', 'threat_blocker', 'bucket_start')) as r(name, devices, time)
    loop
      for month in select generate_series(date_trunc('month', kept_since), at + interval '1 month', interval '1 month') loop
        part := reports.name || to_char(month, '_YYYY_MM');
        continue when to_regclass(part) is not null;
        bounds := array[month, month + interval '1 month'];
        if reports.time = 'bucket_start' then
          bounds := array[extract(epoch from month)::int, extract(epoch from month + interval '1 month')::int];
        end if;
        -- Devices first, as requests lock them: no two then wait for each other.
        execute format('lock table %I, %I in access exclusive mode', reports.devices, reports.name);
        execute format('create table %I (like %I)', part, reports.name);
        execute format('with moved as (delete from %1$I where %2$I >= %3$L and %2$I < %4$L returning *) insert into %5$I select * from moved',
                       reports.name || '_other', reports.time, bounds[1], bounds[2], part);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)',
                       reports.name, part, bounds[1], bounds[2]);
      end loop;
      for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                   where i.inhparent = reports.name::regclass
                     and c.relname < reports.name || to_char(kept_since, '_YYYY_MM')
      loop
        execute format('lock table %I, %I in access exclusive mode', reports.devices, reports.name);
        execute format('drop table %I', part);
      end loop;
      execute format('delete from %I where %I < %L', reports.name || '_other', reports.time,
        case reports.time when 'datetime' then date_trunc('month', kept_since)::text
                          else extract(epoch from date_trunc('month', kept_since))::int::text end);
    end loop;
  end $$;
  revoke execute on function keep_report_months(timestamptz, timestamptz) from public;
  select keep_report_months(now() - interval '90 days', now());
`;

/**
 * Entries and checkpoints of audit trails are never changed or deleted, and a head only moves on by one, for the tables' owner
 * as well (docs/adr/0024); of notes on incidents only the author may change, to a pseudonym.
 */
export const APPEND_ONLY = `
  create function refuse_audit_change() returns trigger language plpgsql as $$
  begin
    raise exception 'The audit trail is append-only: % of % is refused', tg_op, tg_table_name
      using errcode = 'insufficient_privilege';
  end $$;
  create trigger audit_entry_append_only before update on "audit_entry"
    for each row execute function refuse_audit_change();
  create trigger audit_entry_kept before delete on "audit_entry"
    for each row when (current_setting('audit.pruning', true) is distinct from 'on')
    execute function refuse_audit_change();
  create trigger audit_checkpoint_append_only before update or delete on "audit_checkpoint"
    for each row execute function refuse_audit_change();
  create trigger audit_log_moves_on before update on "audit_log"
    for each row when (new.position <> old.position + 1 or new.id <> old.id
      or new.organization_id is distinct from old.organization_id or new.user_id is distinct from old.user_id)
    execute function refuse_audit_change();
  create trigger audit_log_kept before delete on "audit_log"
    for each row execute function refuse_audit_change();
  create trigger audit_entry_not_truncated before truncate on "audit_entry"
    for each statement execute function refuse_audit_change();
  create trigger audit_checkpoint_not_truncated before truncate on "audit_checkpoint"
    for each statement execute function refuse_audit_change();
  create trigger audit_log_not_truncated before truncate on "audit_log"
    for each statement execute function refuse_audit_change();

  -- The notes of an incident that is deleted for good go with it.
  create function refuse_note_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and not exists (select from incident where id = old.incident_id) then
      return old;
    end if;
    raise exception 'Notes on incidents are append-only: % is refused', tg_op
      using errcode = 'insufficient_privilege';
  end $$;
  create trigger incident_note_append_only before update on "incident_note"
    for each row when ((new.id, new.organization_id, new.incident_id, new.text, new.created_at)
      is distinct from (old.id, old.organization_id, old.incident_id, old.text, old.created_at))
    execute function refuse_note_change();
  create trigger incident_note_kept before delete on "incident_note"
    for each row execute function refuse_note_change();
`;

/** How long audit trails are kept, and the only way to remove entries (docs/adr/0024). */
export const RETENTION = `
  -- The newest checkpoint that is a day older than the retention, so that clocks may differ. Once an organization was
  -- purged the retention is a year, and the tombstone stays. Trails of users are kept.
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

  -- It runs as the owner of the tables: the gateway's role may not delete, and the rule is checked here.
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
  revoke execute on function prune_audit_entries(bigint, bigint) from public;

  -- Totals are counted by an index alone where VACUUM has been: by default it comes after a fifth of a table is new, which is
  -- too late for tables of a million rows that only grow.
  alter table "audit_entry" set (autovacuum_vacuum_insert_scale_factor = 0.02);
  alter table "notification" set (autovacuum_vacuum_insert_scale_factor = 0.02);
`;
