import { Migration } from '@mikro-orm/migrations';

/** What is due of an endpoint in the order in which it is sent, and what is being sent. */
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
