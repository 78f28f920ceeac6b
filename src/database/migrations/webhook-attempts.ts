import { Migration } from '@mikro-orm/migrations';

/** Each attempt to deliver, and hosts that are not reached. Of deliveries before, the last attempt is known. */
export class WebhookAttempts extends Migration {
  override name = 'WebhookAttempts';

  override up(): void {
    this.addSql(`
      create table "webhook_attempt" ("id" bigserial primary key, "delivery_id" bigint not null, "number" int not null, "attempted_at" timestamptz(3) not null, "milliseconds" int not null, "status_code" int null, "error" text not null default '', "answer" text not null default '');
      insert into "webhook_attempt" ("delivery_id", "number", "attempted_at", "milliseconds", "status_code", "error", "answer")
        select "id", greatest("attempts", 1), "attempted_at", "milliseconds", "status_code", "error", "answer" from "webhook_delivery"
         where "attempted_at" is not null and "milliseconds" is not null;
      create index "webhook_attempt_delivery_id_id_index" on "webhook_attempt" ("delivery_id", "id");
      alter table "webhook_attempt" add constraint "webhook_attempt_delivery_id_foreign" foreign key ("delivery_id") references "webhook_delivery" ("id") on delete cascade;
      alter table "webhook_endpoint" add column "host" text generated always as (coalesce(lower(substring(url from '^[^:]+://([^/?#]+)')), '')) stored not null, add column "host_paused_until" timestamptz(3) null;
      create index "webhook_endpoint_host_index" on "webhook_endpoint" ("host");
    `);
  }
}
