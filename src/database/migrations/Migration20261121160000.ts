import { Migration } from '@mikro-orm/migrations';

export class Migration20261121160000 extends Migration {

  override name = 'Migration20261121160000';

  override up(): void | Promise<void> {
    this.addSql(`create table "outgoing_mail" ("id" uuid not null, "recipient" text not null, "content" jsonb null, "state" text not null default 'QUEUED', "attempts" int not null default 0, "last_error" text null, "created_at" timestamptz(3) not null default now(), "sent_at" timestamptz(3) null, primary key ("id"));`);
    this.addSql(`create index "outgoing_mail_created_at_index" on "outgoing_mail" ("created_at");`);

    this.addSql(`alter table "outgoing_mail" add constraint "outgoing_mail_state_check" check (state in ('QUEUED', 'SENT', 'FAILED'));`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "outgoing_mail" cascade;`);
  }

}
