-- Distributes the tables of an empty, migrated database over the nodes of Citus, by organization. It stops before the
-- first table if anything has to be changed first: see "Sharding" in docs/scaling.md. It was never run on Citus.
--
--   psql -v ON_ERROR_STOP=1 -f distribute.sql "$DATABASE_URL"
--
-- test/contract/sharding.test.ts compares it with the entities, and the obstacles that it rejects with constraints.yaml.

-- Reference tables: users, their tokens and sign-ins, and mails. Tables of organizations reference them or are joined to them.
create temporary table copied as select name, place from unnest(array[
  'app_user', 'user_identity', 'api_token', 'token_recovery', 'notification_revision', 'outgoing_mail'])
  with ordinality as listed (name, place);

-- Local tables of the coordinator, as is the schema of the job queue.
create temporary table local_only as select unnest(array[
  'token_address', 'idempotent_answer', 'idempotency_volume', 'installation', 'unreferenced_content', 'trusted_document',
  'application_version', 'application_document', 'schema_migration']) as name;

-- All others are distributed by the column of their organization.
create temporary table spread as
  select name, null as organization from copied
  union all
  select relname::text, case relname when 'organization' then 'id' else 'organization_id' end from pg_class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     and relname not in (select name from copied union all select name from local_only);

do $check$
declare open text;
begin
  with item as (
    select 'column of ' || s.name as what from spread s
     where s.organization is not null and not exists (select from pg_attribute a
       where a.attrelid = s.name::regclass and a.attname = s.organization and a.attnotnull)
    union all
    select 'key ' || i.relname from spread s join pg_index x on x.indrelid = s.name::regclass
      join pg_class i on i.oid = x.indexrelid
     where s.organization is not null and x.indisunique and not exists (select from pg_attribute a
       where a.attrelid = x.indrelid and a.attname = s.organization and a.attnum = any(x.indkey::int2[]))
    union all
    select 'reference ' || c.conname from spread target join pg_constraint c on c.confrelid = target.name::regclass
      left join spread s on s.name::regclass = c.conrelid
     where target.organization is not null and c.contype = 'f' and c.conparentid = 0 and not exists (
       select from pg_attribute a
        where a.attrelid = c.conrelid and a.attname = s.organization and a.attnum = any(c.conkey))
    union all
    select distinct 'trigger function ' || p.proname from spread s join pg_trigger t on t.tgrelid = s.name::regclass
      join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and current_setting('citus.enable_unsafe_triggers', true) is distinct from 'on')
  select string_agg(what, chr(10) order by what collate "C") into open from item;
  if open is not null then
    raise exception 'The tables cannot be distributed yet' using detail = open;
  end if;
end $check$;

select format('select create_reference_table(%L)', name) from copied order by place \gexec

-- All are colocated with the organizations, referenced tables first.
with recursive placed (name, depth) as (
    select name::regclass, 0 from spread where organization is not null
    union
    select c.conrelid::regclass, depth + 1 from placed
      join pg_constraint c on c.confrelid = placed.name and c.contype = 'f' and c.conrelid <> c.confrelid)
select format('select create_distributed_table(%L, %L, colocate_with => %L)', s.name, s.organization,
         case s.name when 'organization' then 'none' else 'organization' end)
  from spread s where s.organization is not null
 order by s.name <> 'organization', (select max(depth) from placed p where p.name = s.name::regclass), s.name \gexec
