import { Migration } from '@mikro-orm/migrations';

/** Audit trails: a chain of entries for each organization and user (docs/adr/0024). */
export class AuditTrail extends Migration {
  override name = 'AuditTrail';

  override up(): void {
    for (const statement of [...TABLES, ...APPEND_ONLY]) this.addSql(statement);
  }
}

const TABLES: readonly string[] = [
  `create table "audit_log" ("id" bigserial primary key, "organization_id" int null, "user_id" uuid null, "position" bigint not null, "hash" bytea not null);`,
  `alter table "audit_log" add constraint "audit_log_organization_id_unique" unique ("organization_id");`,
  `alter table "audit_log" add constraint "audit_log_user_id_unique" unique ("user_id");`,
  `alter table "audit_log" add constraint "audit_log_owner_check" check (num_nonnulls(organization_id, user_id) = 1);`,
  `
    create table "audit_entry" ("log_id" bigint not null, "position" bigint not null, "entry" text not null, "hash" bytea not null,
      "at" text collate "C" generated always as ((entry::jsonb ->> 'at')) stored not null,
      "action" text generated always as ((entry::jsonb ->> 'action')) stored not null,
      "actor" text generated always as ((entry::jsonb #>> '{actor,id}')) stored not null,
      "subject" text generated always as (((entry::jsonb #>> '{subject,type}') || '/' || (entry::jsonb #>> '{subject,id}'))) stored not null,
      "parent" text generated always as (((entry::jsonb #>> '{subject,parent,type}') || '/' || (entry::jsonb #>> '{subject,parent,id}'))) stored null,
      primary key ("log_id", "position"));
  `,
  `create index "audit_entry_log_id_at_position_index" on "audit_entry" ("log_id", "at", "position");`,
  `create index "audit_entry_log_id_parent_position_index" on "audit_entry" ("log_id", "parent", "position");`,
  `create index "audit_entry_log_id_subject_position_index" on "audit_entry" ("log_id", "subject", "position");`,
  `create index "audit_entry_log_id_action_position_index" on "audit_entry" ("log_id", "action", "position");`,
  `create index "audit_entry_log_id_actor_position_index" on "audit_entry" ("log_id", "actor", "position");`,
  `create table "audit_checkpoint" ("log_id" bigint not null, "position" bigint not null, "hash" bytea not null, "created_at" timestamptz(3) not null, "key_id" text not null, "signature" bytea not null, primary key ("log_id", "position"));`,
  `alter table "app_user" add "personal_key" bytea null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex');`,
];

/** Entries and checkpoints are never changed or deleted, and a head only moves on by one: for the tables' owner as well. */
const APPEND_ONLY: readonly string[] = [
  `
    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'The audit trail is append-only: % of % is refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege';
    end $$;
  `,
  ...['audit_entry', 'audit_checkpoint'].flatMap((table) => [
    `
      create trigger ${table}_append_only before update or delete on "${table}"
        for each row execute function refuse_audit_change();
    `,
    `
      create trigger ${table}_not_truncated before truncate on "${table}"
        for each statement execute function refuse_audit_change();
    `,
  ]),
  `
    create trigger audit_log_moves_on before update on "audit_log"
      for each row when (new.position <> old.position + 1 or new.id <> old.id
        or new.organization_id is distinct from old.organization_id or new.user_id is distinct from old.user_id)
      execute function refuse_audit_change();
  `,
  `
    create trigger audit_log_kept before delete on "audit_log"
      for each row execute function refuse_audit_change();
  `,
  `
    create trigger audit_log_not_truncated before truncate on "audit_log"
      for each statement execute function refuse_audit_change();
  `,
];
