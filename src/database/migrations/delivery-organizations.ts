import { Migration } from '@mikro-orm/migrations';

export class DeliveryOrganizations extends Migration {
  override name = 'DeliveryOrganizations';

  override up(): void {
    this.addSql(`
      create index "webhook_delivery_organization_id_index" on "webhook_delivery" ("organization_id");
    `);
  }
}
