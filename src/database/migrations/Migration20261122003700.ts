import { Migration } from '@mikro-orm/migrations';

export class Migration20261122003700 extends Migration {

  override name = 'Migration20261122003700';

  override up(): void | Promise<void> {
    this.addSql(`create table "idempotent_answer" ("token_id" int not null, "key_digest" varchar(64) not null, "sealed" bytea not null, "created_at" timestamptz(3) not null, primary key ("token_id", "key_digest"));`);
    this.addSql(`create index "idempotent_answer_created_at_index" on "idempotent_answer" ("created_at");`);

    this.addSql(`alter table "idempotent_answer" add constraint "idempotent_answer_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "idempotent_answer" cascade;`);
  }

}
