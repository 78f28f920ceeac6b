import { Migration } from '@mikro-orm/migrations';

/** Positions of the consumers of audit trails (docs/adr/0024). */
export class EventConsumers extends Migration {
  override name = 'EventConsumers';

  override up(): void {
    this.addSql(
      `create table "event_consumer" ("consumer" text not null, "log_id" bigint not null, "position" bigint not null, primary key ("consumer", "log_id"));`,
    );
    // Members were notified of what is recorded already.
    this.addSql(
      `insert into "event_consumer" ("consumer", "log_id", "position") select 'notifications', "id", "position" from "audit_log" where "organization_id" is not null;`,
    );
  }
}
