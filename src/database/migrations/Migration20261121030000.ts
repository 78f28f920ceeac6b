import { Migration } from '@mikro-orm/migrations';

/** Finds the organization that shows a stored logo by the logo's content: asked whenever stored bytes may go. */
export class Migration20261121030000 extends Migration {
  override name = 'Migration20261121030000';

  override up(): void {
    this.addSql(
      `create index "organization_logo_content_index" on "organization" (substring(logo from '^/logos/([0-9a-f]{64})[.]'));`,
    );
  }

  override down(): void {
    this.addSql(`drop index "organization_logo_content_index";`);
  }
}
