import { Migration } from '@mikro-orm/migrations';

/** Answers that are kept for an `Idempotency-Key` are counted for users and organizations. */
export class IdempotencyBudgets extends Migration {
  override name = 'IdempotencyBudgets';

  override up(): void {
    this.addSql(
      'create table "idempotency_volume" ("owner" text not null, "hour" timestamptz(3) not null, "bytes" bigint not null, primary key ("owner", "hour"));',
    );
    this.addSql('create index "idempotency_volume_hour_index" on "idempotency_volume" ("hour");');
    // What is kept already counts for its users from its own hour on.
    this.addSql(`insert into "idempotency_volume" ("owner", "hour", "bytes")
      select 'user ' || t.user_id, date_trunc('hour', a.created_at, 'UTC'), sum(octet_length(a.sealed))
        from "idempotent_answer" as a join "api_token" as t on t.id = a.token_id
       group by 1, 2;`);
  }
}
