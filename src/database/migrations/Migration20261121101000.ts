import { Migration } from '@mikro-orm/migrations';

/** Finds the notifications of an organization that goes for good. */
export class Migration20261121101000 extends Migration {
  override name = 'Migration20261121101000';

  override up(): void {
    this.addSql(`create index "notification_organization_id_index" on "notification" ("organization_id");`);
  }

  override down(): void {
    this.addSql(`drop index "notification_organization_id_index";`);
  }
}
