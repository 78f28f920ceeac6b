import { Migration } from '@mikro-orm/migrations';

export class Migration20261121110200 extends Migration {

  override name = 'Migration20261121110200';

  override up(): void | Promise<void> {
    this.addSql(`drop index "invitation_organization_id_email_created_at_index";`);
    this.addSql(`create index "invitation_email_created_at_index" on "invitation" ("email", "created_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "invitation_email_created_at_index";`);
    this.addSql(`create index "invitation_organization_id_email_created_at_index" on "invitation" ("organization_id", "email", "created_at");`);
  }

}
