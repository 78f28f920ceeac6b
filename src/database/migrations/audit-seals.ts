import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table "audit_seal" ("log_id" bigint not null, "position" bigint not null, "hash" bytea not null,
    "checkpoints" int not null, "digest" bytea not null, "mac" bytea not null,
    "published" int not null default 0, "mailed" int not null default 0, primary key ("log_id"));
  create table "audit_fault" ("log" text not null, "reason" text not null, "position" bigint not null,
    "message" text not null, "found_at" timestamptz(3) not null, primary key ("log", "reason", "position"));
  create table "audit_stray_entry" ("id" serial primary key, "log_id" bigint not null, "position" bigint not null,
    "entry" text not null, "hash" bytea not null, "removed_at" timestamptz(3) not null default now());
`;

/** Checkpoints that are there are numbered in their order. An instance of an earlier version goes on making some without a number. */
const NUMBERS = `
  alter table "audit_checkpoint" add column "number" int, add column "previous" bytea, add column "chain_signature" bytea;
  alter table "audit_checkpoint" disable trigger user;
  update "audit_checkpoint" c set "number" = counted.number
    from (select log_id, position, row_number() over (partition by log_id order by position) as number
            from "audit_checkpoint") counted
   where counted.log_id = c.log_id and counted.position = c.position;
  alter table "audit_checkpoint" enable trigger user;
  alter table "audit_checkpoint" alter column "number" set not null;
  alter table "audit_checkpoint" add constraint "audit_checkpoint_log_id_number_unique" unique ("log_id", "number");

  create function number_audit_checkpoint() returns trigger language plpgsql as $$
  begin
    new.number := coalesce((select max(c.number) from audit_checkpoint c where c.log_id = new.log_id), 0) + 1;
    return new;
  end $$;
  create trigger audit_checkpoint_numbered before insert on "audit_checkpoint"
    for each row when (new.number is null) execute function number_audit_checkpoint();
`;

const APPEND_ONLY = `
  create trigger audit_seal_moves_on before update on "audit_seal"
    for each row when (new.log_id <> old.log_id or new.position < old.position or new.checkpoints < old.checkpoints)
    execute function refuse_audit_change();
  create trigger audit_seal_kept before delete on "audit_seal"
    for each row execute function refuse_audit_change();
  create trigger audit_seal_not_truncated before truncate on "audit_seal"
    for each statement execute function refuse_audit_change();
  create trigger audit_stray_entry_append_only before update or delete on "audit_stray_entry"
    for each row execute function refuse_audit_change();
  create trigger audit_stray_entry_not_truncated before truncate on "audit_stray_entry"
    for each statement execute function refuse_audit_change();

  -- Entries behind the head, and one in its place that is not the head's: no gateway has written them, and the next entry
  -- could not be. They are moved, never lost. It runs as the owner: the gateway's role may not delete.
  create function set_aside_audit_entries(log bigint) returns table (place bigint, digest text)
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
  begin
    insert into audit_fault (log, reason, position, message, found_at)
    select case when l.user_id is null then 'organization/' || l.organization_id else 'user/' || l.user_id end,
           'HEAD_MISMATCH', l.position, 'An entry that no gateway has written stood in the place of entry ' || l.position || '.', now()
      from audit_log l where l.id = log
    on conflict do nothing;
    perform set_config('audit.pruning', 'on', true);
    return query
      with head as (select l.position, l.hash from audit_log l where l.id = log for update),
           gone as (delete from audit_entry e using head
                     where e.log_id = log
                       and (e.position > head.position or (e.position = head.position and e.hash <> head.hash))
                    returning e.position, e.entry, e.hash),
           kept as (insert into audit_stray_entry (log_id, position, entry, hash)
                    select log, gone.position, gone.entry, gone.hash from gone)
      select gone.position, encode(sha256(convert_to(gone.entry, 'UTF8')), 'hex') from gone order by gone.position;
    perform set_config('audit.pruning', 'off', true);
  end $$;
  revoke execute on function set_aside_audit_entries(bigint) from public;
`;

/** Seals of audit trails under a key that the database does not have, and numbered checkpoints (docs/adr/0024). */
export class AuditSeals extends Migration {
  override name = 'AuditSeals';

  override up(): void {
    for (const statements of [TABLES, NUMBERS, APPEND_ONLY]) this.addSql(statements);
  }
}
