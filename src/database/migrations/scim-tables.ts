import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table "scim_group" ("id" uuid not null, "organization_id" bigint not null, "display_name" text not null, "display_name_key" text not null, "external_id" text null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "version" int not null default 1, primary key ("id"));
  create index "scim_group_organization_id_created_at_id_index" on "scim_group" ("organization_id", "created_at", "id");
  alter table "scim_group" add constraint "scim_group_organization_id_display_name_key_unique" unique ("organization_id", "display_name_key");
  create table "scim_settings" ("organization_id" bigint not null, "enabled" boolean not null, "default_role" text not null, "group_roles" jsonb not null, "link_members" boolean not null, "updated_at" timestamptz(3) not null default now(), "version" int not null default 1, primary key ("organization_id"));
  create table "scim_token" ("id" bigserial primary key, "organization_id" bigint not null, "name" text not null, "digest" text not null, "prefix" text not null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "version" int not null default 1);
  alter table "scim_token" add constraint "scim_token_digest_unique" unique ("digest");
  create index "scim_token_organization_id_id_index" on "scim_token" ("organization_id", "id");
  create table "scim_user" ("id" uuid not null, "organization_id" bigint not null, "membership_id" bigint not null, "user_name" text not null, "user_name_key" text not null, "external_id" text null, "given_name" text null, "family_name" text null, "display_name" text null, "emails" jsonb not null, "email" text not null, "active" boolean not null, "made_user" boolean not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, "version" int not null default 1, primary key ("id"));
  alter table "scim_user" add constraint "scim_user_membership_id_unique" unique ("membership_id");
  create index "scim_user_organization_id_created_at_id_index" on "scim_user" ("organization_id", "created_at", "id");
  create unique index "scim_user_name_unique" on "scim_user" ("organization_id", "user_name_key") where deleted_at is null;
  create unique index "scim_user_external_unique" on "scim_user" ("organization_id", "external_id") where deleted_at is null and external_id is not null;
  create table "scim_group_member" ("group_id" uuid not null, "user_id" uuid not null, primary key ("group_id", "user_id"));
  create index "scim_group_member_user_id_index" on "scim_group_member" ("user_id");
  alter table "scim_group" add constraint "scim_group_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
  alter table "scim_settings" add constraint "scim_settings_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on update no action on delete cascade;
  alter table "scim_token" add constraint "scim_token_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
  alter table "scim_user" add constraint "scim_user_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
  alter table "scim_user" add constraint "scim_user_membership_id_foreign" foreign key ("membership_id") references "membership" ("id") on delete cascade;
  alter table "scim_group_member" add constraint "scim_group_member_group_id_foreign" foreign key ("group_id") references "scim_group" ("id") on update cascade on delete cascade;
  alter table "scim_group_member" add constraint "scim_group_member_user_id_foreign" foreign key ("user_id") references "scim_user" ("id") on update cascade on delete cascade;
`;

const VERSIONS = `
  create trigger scim_settings_version before update on "scim_settings" for each row execute function raise_version();
  create trigger scim_token_version before update on "scim_token" for each row
    when (old.revoked_at is distinct from new.revoked_at) execute function raise_version();
  create trigger scim_user_version before update on "scim_user" for each row execute function raise_version();
  create trigger scim_group_version before update on "scim_group" for each row execute function raise_version();

  -- A group shows its members.
  create function raise_scim_group_version() returns trigger language plpgsql as $$
  begin
    update scim_group set updated_at = now() where id in (select group_id from changed);
    return null;
  end $$;
  create trigger scim_group_member_added after insert on "scim_group_member" referencing new table as changed
    for each statement execute function raise_scim_group_version();
  create trigger scim_group_member_removed after delete on "scim_group_member" referencing old table as changed
    for each statement execute function raise_scim_group_version();
`;

/** Provisioning by SCIM: what a directory says of the members of an organization. */
export class Scim extends Migration {
  override name = 'Scim';

  override up(): void {
    for (const statements of [TABLES, VERSIONS]) this.addSql(statements);
  }
}
