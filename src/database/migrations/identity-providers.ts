import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table "identity_provider" ("id" bigserial primary key, "organization_id" bigint not null, "name" text not null, "issuer" text not null, "client_id" text not null, "client_secret" bytea null, "default_role" text null, "groups_claim" text null, "group_roles" jsonb not null, "redirect_uris" text[] not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null);
  create index "identity_provider_organization_id_id_index" on "identity_provider" ("organization_id", "id");
  create index "identity_provider_issuer_client_id_index" on "identity_provider" ("issuer", "client_id");
  create unique index "identity_provider_name_unique" on "identity_provider" ("name") where deleted_at is null;
  create table "identity_domain" ("id" bigserial primary key, "organization_id" bigint not null, "provider_id" bigint not null, "domain" text not null, "challenge" text not null, "verified_at" timestamptz(3) null);
  create index "identity_domain_organization_id_index" on "identity_domain" ("organization_id");
  alter table "identity_domain" add constraint "identity_domain_provider_id_domain_unique" unique ("provider_id", "domain");
  create unique index "identity_domain_verified_unique" on "identity_domain" ("domain") where verified_at is not null;
  create table "sign_in_code" ("digest" text not null, "user_id" uuid not null, "provider_id" bigint not null, "provider_session" text null, "redirect_uri" text not null, "code_challenge" text not null, "expires_at" timestamptz(3) not null, primary key ("digest"));
  create index "sign_in_code_user_id_index" on "sign_in_code" ("user_id");
  create index "sign_in_code_provider_id_index" on "sign_in_code" ("provider_id");
  create index "sign_in_code_expires_at_index" on "sign_in_code" ("expires_at");
  create table "user_identity" ("id" bigserial primary key, "issuer" text not null, "subject" text not null, "user_id" uuid not null, "created_at" timestamptz(3) not null default now());
  create index "user_identity_user_id_index" on "user_identity" ("user_id");
  alter table "user_identity" add constraint "user_identity_issuer_subject_unique" unique ("issuer", "subject");
  alter table "organization" add "required_provider_id" bigint null;
  alter table "api_token" add "origin" text not null default 'API', add "provider_id" bigint null, add "provider_session" text null;
  alter table "api_token" add constraint "api_token_provider_id_foreign" foreign key ("provider_id") references "identity_provider" ("id") on delete cascade;
  create index "api_token_provider_id_provider_session_index" on "api_token" ("provider_id", "provider_session");
  alter table "api_token" add constraint "api_token_provider_check" check ((origin = 'SIGN_IN') = (provider_id is not null));
  alter table "identity_provider" add constraint "identity_provider_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
  alter table "identity_domain" add constraint "identity_domain_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
  alter table "identity_domain" add constraint "identity_domain_provider_id_foreign" foreign key ("provider_id") references "identity_provider" ("id") on delete cascade;
  alter table "sign_in_code" add constraint "sign_in_code_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
  alter table "sign_in_code" add constraint "sign_in_code_provider_id_foreign" foreign key ("provider_id") references "identity_provider" ("id") on delete cascade;
  alter table "user_identity" add constraint "user_identity_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
`;

/** Announces what changes which tokens reach an organization. */
const ANNOUNCEMENTS = `
  drop trigger organization_access on "organization";
  create trigger organization_access after update of deleted_at, query_token_allowed, required_provider_id or delete
    on "organization" for each row execute function announce_access_change();
`;

/** Sign-in through the identity providers of organizations. Tokens of before were made by their users. */
export class IdentityProviders extends Migration {
  override name = 'IdentityProviders';

  override up(): void {
    for (const statements of [TABLES, ANNOUNCEMENTS]) this.addSql(statements);
  }
}
