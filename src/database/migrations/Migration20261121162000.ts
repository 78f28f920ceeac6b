import { Migration } from '@mikro-orm/migrations';

export class Migration20261121162000 extends Migration {

  override name = 'Migration20261121162000';

  override up(): void | Promise<void> {
    this.addSql(`create index "outgoing_mail_unsent_index" on "outgoing_mail" ("created_at") where state <> 'SENT';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "outgoing_mail_unsent_index";`);
  }

}
