import { Migration } from '@mikro-orm/migrations';

/** Triggers that raise a version, and that keep a statement as it was: only its author may be replaced, by an erasure. */
const TRIGGERS = `
  create trigger engagement_version before update on "engagement" for each row
    when ((old."name", old."until") is distinct from (new."name", new."until")) execute function raise_version();
  create trigger evidence_request_version before update on "evidence_request" for each row
    when ((old."answer", old."answered_at", old."closed_at") is distinct from (new."answer", new."answered_at", new."closed_at"))
    execute function raise_version();

  create function refuse_sign_off_change() returns trigger language plpgsql as $$
  begin
    raise exception 'A sign-off is never changed' using errcode = 'insufficient_privilege';
  end $$;
  create trigger sign_off_append_only before update on "sign_off"
    for each row when ((new.id, new.organization_id, new.engagement_id, new.workflow_id, new.control_id, new.statement, new.created_at)
      is distinct from (old.id, old.organization_id, old.engagement_id, old.workflow_id, old.control_id, old.statement, old.created_at))
    execute function refuse_sign_off_change();
`;

/** Engagements of auditors, who are no members. */
export class Engagements extends Migration {
  override name = 'Engagements';

  override up(): void {
    this.addSql(`
      create table "engagement" ("id" bigserial primary key, "organization_id" bigint not null, "name" text not null, "workflows" text[] not null, "period_from" timestamptz(3) not null, "period_to" timestamptz(3) not null, "until" timestamptz(3) not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null default now(), "version" int not null default 1);
      create index "engagement_organization_id_id_index" on "engagement" ("organization_id", "id");
      create table "sign_off" ("id" bigserial primary key, "organization_id" bigint not null, "engagement_id" bigint not null, "workflow_id" text not null, "control_id" text null, "statement" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now());
      create index "sign_off_engagement_id_id_index" on "sign_off" ("engagement_id", "id");
      create index "sign_off_organization_id_id_index" on "sign_off" ("organization_id", "id");
      create table "evidence_request" ("id" bigserial primary key, "organization_id" bigint not null, "engagement_id" bigint not null, "workflow_id" text not null, "control_id" text not null, "text" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "answer" text not null default '', "answered_by" text null, "answered_at" timestamptz(3) null, "closed_at" timestamptz(3) null, "version" int not null default 1);
      create index "evidence_request_engagement_id_id_index" on "evidence_request" ("engagement_id", "id");
      create index "evidence_request_organization_id_id_index" on "evidence_request" ("organization_id", "id");
      create table "engagement_auditor" ("engagement_id" bigint not null, "user_id" uuid not null, "created_at" timestamptz(3) not null default now(), primary key ("engagement_id", "user_id"));
      create index "engagement_auditor_user_id_engagement_id_index" on "engagement_auditor" ("user_id", "engagement_id");
      alter table "invitation" drop constraint "invitation_check";
      alter table "invitation" add "engagement_id" bigint null;
      alter table "invitation" add constraint "invitation_role_check" check (case role when 'AUDITOR' then engagement_id is not null else engagement_id is null and role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER') end);
      alter table "engagement" add constraint "engagement_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "engagement" add constraint "engagement_created_by_id_foreign" foreign key ("created_by_id") references "app_user" ("id") on delete set null;
      alter table "sign_off" add constraint "sign_off_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "sign_off" add constraint "sign_off_engagement_id_foreign" foreign key ("engagement_id") references "engagement" ("id") on delete cascade;
      alter table "evidence_request" add constraint "evidence_request_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "evidence_request" add constraint "evidence_request_engagement_id_foreign" foreign key ("engagement_id") references "engagement" ("id") on delete cascade;
      alter table "engagement_auditor" add constraint "engagement_auditor_engagement_id_foreign" foreign key ("engagement_id") references "engagement" ("id") on update cascade on delete cascade;
      alter table "engagement_auditor" add constraint "engagement_auditor_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on update cascade on delete cascade;
    `);
    this.addSql(TRIGGERS);
  }
}
