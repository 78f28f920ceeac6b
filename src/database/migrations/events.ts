import { Migration } from '@mikro-orm/migrations';

/**
 * The order in which entries of all audit trails of organizations are read. It begins with what is recorded from now on: of
 * earlier entries only the order within each trail is known.
 */
export class Events extends Migration {
  override name = 'Events';

  override up(): void {
    this.addSql(`
      create table "event" ("seq" bigint not null, "organization_id" bigint not null, "log_id" bigint not null, "position" bigint not null, "action" text not null, "created_at" timestamptz(3) not null default now(), primary key ("seq"));
      create index "event_organization_id_seq_index" on "event" ("organization_id", "seq") include ("action");
      alter table "event" add constraint "event_log_id_position_unique" unique ("log_id", "position");

      insert into "event_consumer" ("consumer", "log_id", "position")
        select 'events', id, position from "audit_log" where organization_id is not null;
    `);
  }
}
