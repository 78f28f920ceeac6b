import { Migration } from '@mikro-orm/migrations';

/** Indexes of deliveries: those due of an endpoint in the order in which they are sent, and those being sent. */
export class WebhookIndexes extends Migration {
  override name = 'WebhookIndexes';

  override up(): void {
    this.addSql(`
      drop index "webhook_delivery_due";
      create index "webhook_delivery_due" on "webhook_delivery" ("endpoint_id", "next_attempt_at", "seq") where status = 'PENDING';
      create index "webhook_delivery_leased" on "webhook_delivery" ("endpoint_id") where lease is not null;
    `);
  }
}
