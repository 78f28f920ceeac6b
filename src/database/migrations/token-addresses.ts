import { Migration } from '@mikro-orm/migrations';

/** Addresses that tokens were used from. */
export class TokenAddresses extends Migration {
  override name = 'TokenAddresses';

  override up(): void {
    this.addSql(
      `create table "token_address" ("token_id" int not null, "digest" bytea not null, "seen_at" timestamptz(3) not null, primary key ("token_id", "digest"));`,
    );
    this.addSql(
      `alter table "token_address" add constraint "token_address_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete cascade;`,
    );
  }
}
