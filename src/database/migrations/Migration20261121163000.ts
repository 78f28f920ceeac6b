import { Migration } from '@mikro-orm/migrations';

/**
 * How many mails an address gets is counted by when each of them went, no longer by when its invitation was made. Of
 * those that went already, the first and the last moment are known; what went between them counts as the last.
 */
export class Migration20261121163000 extends Migration {
  override name = 'Migration20261121163000';

  override up(): void {
    this.addSql(`drop index "invitation_email_created_at_index";`);
    this.addSql(`alter table "invitation" add "sent_at" timestamptz[];`);
    this.addSql(`
      update "invitation"
         set sent_at = array[created_at] || array_fill(expires_at - interval '7 days', array[mails_sent - 1]);
    `);
    this.addSql(`alter table "invitation" alter column "sent_at" set not null;`);
    this.addSql(`alter table "invitation" drop column "mails_sent";`);
    this.addSql(`create index "invitation_email_expires_at_index" on "invitation" ("email", "expires_at");`);
  }

  override down(): void {
    this.addSql(`drop index "invitation_email_expires_at_index";`);
    this.addSql(`alter table "invitation" add "mails_sent" int not null default 1;`);
    this.addSql(`update "invitation" set mails_sent = cardinality(sent_at);`);
    this.addSql(`alter table "invitation" drop column "sent_at";`);
    this.addSql(`create index "invitation_email_created_at_index" on "invitation" ("email", "created_at");`);
  }
}
