import { HISTORY_TABLES, REFUSED_TABLES } from './recorded-tables.js';

/**
 * The schema of reads about the past (docs/adr/0037). Its tables have the names and columns of those in `public`,
 * without rows: a transaction inserts those of one organization on one day, reads them with the statements for the
 * present, and is rolled back. Each migration creates it again from the other tables.
 */
export const HISTORY_SCHEMA = 'history';

/** SQLSTATE of a statement that reads data that is not recorded. */
export const NOT_RECORDED = 'AS001';

/** Order of the names in `search_path`: its `now()` precedes that of PostgreSQL. */
export const HISTORY_PATH = `${HISTORY_SCHEMA}, pg_catalog, public`;

export const DROP_HISTORY = `drop schema if exists ${HISTORY_SCHEMA} cascade`;

const FUNCTIONS = `
  create schema ${HISTORY_SCHEMA};

  create function history.now() returns timestamptz language sql stable as $$
    select current_setting('history.now')::timestamptz
  $$;

  create function history.is_member(person uuid) returns boolean language sql stable as $$
    select exists (select from public.membership m join public.audit_log l on l.organization_id = m.organization_id
                    where l.id = current_setting('history.log')::bigint and m.user_id = person)
  $$;

  create function history.refuse(name text) returns setof text language plpgsql volatile as $$
  begin
    raise exception using errcode = '${NOT_RECORDED}', message = name || ' is not recorded';
  end $$;`;

/** Columns that are not recorded are nullable here. */
const twin = (table: string) => `
  create unlogged table history."${table}" (like public."${table}" including generated);
  do $$
  declare
    name text;
  begin
    for name in select attname from pg_attribute where attrelid = 'history."${table}"'::regclass and attnum > 0 and attnotnull
    loop
      execute format('alter table history."${table}" alter %I drop not null', name);
    end loop;
  end $$;`;

/** As in `public`; names come from the users of this schema. */
const TRIGGERS = `
  create trigger membership_person before insert on history.membership for each row execute function public.name_member();`;

/** Indexes by which statements find rows among thousands. */
const INDEXES = `
  create index on history.control_state (organization_id, workflow_id, control_id);
  create index on history.document_version (organization_id, workflow_id, artifact_id);
  create index on history.incident_report (organization_id, incident_id);
  create index on history.incident_note (incident_id);
  create index on history.incident_attachment (incident_id);`;

/** Settings of the request about the past. */
const [LOG, POSITION] = ['log', 'position'].map((name) => `current_setting('history.${name}')::bigint`);

/** The trail up to an entry, which is its head. */
const TRAIL = `
  create view history.audit_log as
    select id, organization_id, user_id, ${POSITION} as position,
           (select e.hash from public.audit_entry e where e.log_id = l.id and e.position = ${POSITION}) as hash,
           latest_at, lateness
      from public.audit_log l where id = ${LOG};
  create view history.audit_entry as
    select * from public.audit_entry where log_id = ${LOG} and position <= ${POSITION};`;

/** Current users. Of former members only the user name: the organization may not read later changes. */
const USERS = `
  do $$
  begin
    execute (
      select 'create view history.app_user as select '
             || string_agg(case when attname = any('{email,first_name,last_name,searchable}')
                                then format('case when history.is_member(id) then %1$I else %2$s end as %1$I', attname,
                                            case attname when 'email' then '''former@member.invalid'''
                                                         when 'searchable' then 'public.search_text(chr(10) || username)'
                                                         else '''''' end)
                                else format('%I', attname) end, ', ' order by attnum)
             || ' from public.app_user'
        from pg_attribute where attrelid = 'public.app_user'::regclass and attnum > 0 and not attisdropped);
  end $$;`;

/**
 * Views with the columns only: a dependency on the table would block changes of it. Each column calls the function,
 * so that no condition can be false without calling it.
 */
const refused = (table: string) => `
  do $$
  begin
    execute (
      select 'create view history."${table}" as select '
             || string_agg(format('refused.value::%s as %I', format_type(atttypid, atttypmod), attname), ', ' order by attnum)
             || ' from history.refuse(''${table}'') as refused(value)'
        from pg_attribute where attrelid = 'public."${table}"'::regclass and attnum > 0 and not attisdropped);
  end $$;`;

export const CREATE_HISTORY = [
  FUNCTIONS,
  ...HISTORY_TABLES.map(twin),
  TRIGGERS,
  INDEXES,
  TRAIL,
  USERS,
  ...REFUSED_TABLES.map(refused),
].join('\n');
