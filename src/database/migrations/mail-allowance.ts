import { Migration } from '@mikro-orm/migrations';

/** How many mails each member got at once in an hour, and what was held back (docs/adr/0014). */
export class MailAllowance extends Migration {
  override name = 'MailAllowance';

  override up(): void {
    this.addSql(
      `create table "mail_allowance" ("membership_id" bigint not null, "hour" timestamptz(3) not null, "mails" int not null, "held" timestamptz[] not null, primary key ("membership_id"));`,
    );
    this.addSql(`create index "mail_allowance_held_index" on "mail_allowance" ("membership_id") where held <> '{}';`);
    this.addSql(
      `alter table "mail_allowance" add constraint "mail_allowance_membership_id_foreign" foreign key ("membership_id") references "membership" ("id") on update no action on delete cascade;`,
    );
  }
}
