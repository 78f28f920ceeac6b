import { Migration } from '@mikro-orm/migrations';

/** States of organizations after entries of their trails. The schema `history` is made after each migration. */
export class RecordedStates extends Migration {
  override name = 'RecordedStates';

  override up(): void {
    this.addSql(`
      create table "recorded_state" ("organization_id" bigint not null, "position" bigint not null, "rows" text not null, "mac" bytea not null, "created_at" timestamptz(3) not null default now(), primary key ("organization_id", "position"));
      alter table "recorded_state" add constraint "recorded_state_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
    `);
  }
}
