import { Migration } from '@mikro-orm/migrations';

export class Migration20261122004811 extends Migration {

  override name = 'Migration20261122004811';

  override up(): void | Promise<void> {
    this.addSql(`create table "token_recovery" ("id" serial primary key, "email" text null, "network" text not null, "created_at" timestamptz(3) not null, "user_id" uuid null, "digest" text null, "expires_at" timestamptz(3) null, "used_at" timestamptz(3) null);`);
    this.addSql(`alter table "token_recovery" add constraint "token_recovery_digest_unique" unique ("digest");`);
    this.addSql(`create index "token_recovery_network_created_at_index" on "token_recovery" ("network", "created_at");`);
    this.addSql(`create index "token_recovery_email_created_at_index" on "token_recovery" ("email", "created_at");`);

    this.addSql(`alter table "app_user" add "email_verified_at" timestamptz(3) null;`);

    this.addSql(`alter table "token_recovery" add constraint "token_recovery_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;`);
    // Who has accepted an invitation that was sent to this address has read its mailbox.
    this.addSql(
      `update "app_user" u set "email_verified_at" = i.accepted_at from (select email, min(accepted_at) as accepted_at from "invitation" where accepted_at is not null group by email) i where i.email = u.email;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "token_recovery" cascade;`);

    this.addSql(`alter table "app_user" drop column "email_verified_at";`);
  }

}
