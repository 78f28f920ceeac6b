import { Migration } from '@mikro-orm/migrations';

export class Migration20261121110000 extends Migration {

  override name = 'Migration20261121110000';

  override up(): void | Promise<void> {
    this.addSql(`create table "invitation" ("id" serial primary key, "organization_id" int not null, "email" text not null, "role" text not null, "invited_by_id" uuid null, "digest" text not null, "mails_sent" int not null default 1, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "accepted_at" timestamptz(3) null, "closed_at" timestamptz(3) null);`);
    this.addSql(`alter table "invitation" add constraint "invitation_digest_unique" unique ("digest");`);
    this.addSql(`create index "invitation_organization_id_email_created_at_index" on "invitation" ("organization_id", "email", "created_at");`);
    this.addSql(`create unique index "invitation_open_unique" on "invitation" ("organization_id", "email") where accepted_at is null and closed_at is null;`);
    this.addSql(`create index "invitation_organization_id_id_index" on "invitation" ("organization_id", "id");`);

    this.addSql(`create table "token_block" ("id" serial primary key, "token_id" int not null, "organization_id" int not null, "created_at" timestamptz(3) not null default now());`);
    this.addSql(`create index "token_block_organization_id_token_id_index" on "token_block" ("organization_id", "token_id");`);
    this.addSql(`alter table "token_block" add constraint "token_block_token_id_organization_id_unique" unique ("token_id", "organization_id");`);

    this.addSql(`alter table "membership" add "deactivated_at" timestamptz(3) null;`);

    this.addSql(`alter table "api_token" add "allowed_ips" text[] not null default '{}', add "replaced_at" timestamptz(3) null, add "warned_at" timestamptz(3) null;`);
    this.addSql(`create index "api_token_unwarned_index" on "api_token" ("expires_at") where warned_at is null and revoked_at is null and replaced_at is null;`);

    this.addSql(`alter table "invitation" add constraint "invitation_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
    this.addSql(`alter table "invitation" add constraint "invitation_invited_by_id_foreign" foreign key ("invited_by_id") references "app_user" ("id") on delete set null;`);
    this.addSql(`alter table "invitation" add constraint "invitation_check" check (role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER'));`);

    this.addSql(`alter table "token_block" add constraint "token_block_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete cascade;`);
    this.addSql(`alter table "token_block" add constraint "token_block_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "invitation" cascade;`);
    this.addSql(`drop table if exists "token_block" cascade;`);

    this.addSql(`drop index "api_token_unwarned_index";`);
    this.addSql(`alter table "api_token" drop column "allowed_ips", drop column "replaced_at", drop column "warned_at";`);

    this.addSql(`alter table "membership" drop column "deactivated_at";`);
  }

}
