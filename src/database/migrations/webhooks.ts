import { Migration } from '@mikro-orm/migrations';

/** Columns that count as a change of an endpoint: none that follows from its deliveries. */
const CHANGED = ['url', 'description', 'actions', 'format', 'status', 'secret', 'deleted_at'];
const of = (row: string) => CHANGED.map((column) => `${row}."${column}"`).join(', ');

/** Endpoints that organizations have their events sent to, and the deliveries to them. */
export class Webhooks extends Migration {
  override name = 'Webhooks';

  override up(): void {
    this.addSql(`
      create table "webhook_endpoint" ("id" bigserial primary key, "organization_id" bigint not null, "url" text not null, "description" text not null default '', "actions" text[] not null, "format" text not null, "status" text not null default 'ENABLED', "disabled_reason" text null, "secret" bytea null, "previous_secret" bytea null, "previous_secret_until" timestamptz(3) null, "enabled_by_id" uuid null, "failures" int not null default 0, "failing_since" timestamptz(3) null, "paused_until" timestamptz(3) null, "version" int not null default 1, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null);
      create index "webhook_endpoint_organization_id_id_index" on "webhook_endpoint" ("organization_id", "id");
      create index "webhook_endpoint_enabled_by_id_index" on "webhook_endpoint" ("enabled_by_id");
      create table "webhook_delivery" ("id" bigserial primary key, "endpoint_id" bigint not null, "organization_id" bigint not null, "seq" bigint not null, "log_id" bigint not null, "position" bigint not null, "action" text not null, "subject" text not null, "status" text not null default 'PENDING', "attempts" int not null default 0, "next_attempt_at" timestamptz(3) null default now(), "lease" uuid null, "attempted_at" timestamptz(3) null, "milliseconds" int null, "status_code" int null, "error" text not null default '', "answer" text not null default '', "created_at" timestamptz(3) not null default now());
      create index "webhook_delivery_due" on "webhook_delivery" ("endpoint_id", "next_attempt_at") where status = 'PENDING';
      create index "webhook_delivery_order" on "webhook_delivery" ("endpoint_id", "subject", "seq") where status = 'PENDING';
      create index "webhook_delivery_created_at_index" on "webhook_delivery" ("created_at");
      alter table "webhook_delivery" add constraint "webhook_delivery_endpoint_id_seq_unique" unique ("endpoint_id", "seq");
      alter table "webhook_endpoint" add constraint "webhook_endpoint_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "webhook_endpoint" add constraint "webhook_endpoint_enabled_by_id_foreign" foreign key ("enabled_by_id") references "app_user" ("id") on delete set null;
      alter table "webhook_delivery" add constraint "webhook_delivery_endpoint_id_foreign" foreign key ("endpoint_id") references "webhook_endpoint" ("id") on delete cascade;

      create trigger webhook_endpoint_version before update on "webhook_endpoint" for each row
        when ((${of('old')}) is distinct from (${of('new')})) execute function raise_version();
    `);
  }
}
