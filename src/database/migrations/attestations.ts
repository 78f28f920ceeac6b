import { Migration } from '@mikro-orm/migrations';

/** Triggers that raise the version, and that keep a statement and what it was made about as they were. */
const TRIGGERS = `
  create trigger control_attestation_version before update on "control_attestation" for each row
    when ((old."countersigned_at", old."withdrawn_at", old."superseded_at", old."stale_at")
      is distinct from (new."countersigned_at", new."withdrawn_at", new."superseded_at", new."stale_at"))
    execute function raise_version();

  create function refuse_attestation_change() returns trigger language plpgsql as $$
  begin
    raise exception 'What was attested is never changed' using errcode = 'insufficient_privilege';
  end $$;
  create trigger control_attestation_append_only before update on "control_attestation" for each row
    when ((new.id, new.organization_id, new.workflow_id, new.control_id, new.statement, new.evidence, new.attested_by_id, new.attested_at)
      is distinct from (old.id, old.organization_id, old.workflow_id, old.control_id, old.statement, old.evidence, old.attested_by_id, old.attested_at))
    execute function refuse_attestation_change();
`;

/** Attestations of controls. */
export class Attestations extends Migration {
  override name = 'Attestations';

  override up(): void {
    this.addSql(`
      create table "control_attestation" ("id" bigserial primary key, "organization_id" bigint not null, "workflow_id" text not null, "control_id" text not null, "statement" text not null, "evidence" jsonb not null, "position" bigint not null, "attested_by" text not null, "attested_by_id" uuid not null, "attested_at" timestamptz(3) not null, "countersigned_by" text null, "countersigned_by_id" uuid null, "countersigned_at" timestamptz(3) null, "withdrawn_by" text null, "withdrawn_at" timestamptz(3) null, "withdrawal_reason" text not null default '', "superseded_at" timestamptz(3) null, "stale_at" timestamptz(3) null, "changes" jsonb null, "compared_up_to" bigint not null, "version" int not null default 1);
      create index "control_attestation_organization_id_workflow_id_co_19c8e_index" on "control_attestation" ("organization_id", "workflow_id", "control_id", "id");
      create index "control_attestation_open_index" on "control_attestation" ("organization_id", "id") where withdrawn_at is null and superseded_at is null and stale_at is null;
      create unique index "control_attestation_current_unique" on "control_attestation" ("organization_id", "workflow_id", "control_id") where withdrawn_at is null and superseded_at is null;
      alter table "control_attestation" add constraint "control_attestation_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
    `);
    this.addSql(TRIGGERS);
  }
}
