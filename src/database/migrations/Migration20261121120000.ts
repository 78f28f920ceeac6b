import { Migration } from '@mikro-orm/migrations';

/** Notes and reminders of controls, progress day by day, and what organizations import. */
export class Migration20261121120000 extends Migration {

  override name = 'Migration20261121120000';

  override up(): void {
    this.addSql(`create table "workflow_import" ("id" serial primary key, "organization_id" int not null, "workflow_id" text not null, "mode" text not null, "content" jsonb not null, "imported_by" text not null, "imported_at" timestamptz(3) not null default now());`);
    this.addSql(`alter table "workflow_import" add constraint "workflow_import_organization_id_workflow_id_unique" unique ("organization_id", "workflow_id");`);

    this.addSql(`create table "workflow_progress" ("id" serial primary key, "organization_id" int not null, "workflow_id" text not null, "day" date not null, "total" int not null, "to_do" int not null, "in_progress" int not null, "done" int not null, "not_applicable" int not null);`);
    this.addSql(`alter table "workflow_progress" add constraint "workflow_progress_organization_id_workflow_id_day_unique" unique ("organization_id", "workflow_id", "day");`);

    this.addSql(
      `create index "control_state_due_index" on "control_state" ("due_date", "id") where owner_id is not null and status in ('TO_DO', 'IN_PROGRESS');`,
    );
    this.addSql(`alter table "control_state" add "note" text not null default '', add "reminded_due_date" date null;`);

    this.addSql(`alter table "workflow_import" add constraint "workflow_import_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
    this.addSql(`alter table "workflow_import" add constraint "workflow_import_check" check (mode in ('WORKFLOW','TITLES'));`);

    this.addSql(`alter table "workflow_progress" add constraint "workflow_progress_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;`);
  }

  override down(): void {
    this.addSql(`drop table if exists "workflow_import" cascade;`);
    this.addSql(`drop table if exists "workflow_progress" cascade;`);

    this.addSql(`drop index "control_state_due_index";`);
    this.addSql(`alter table "control_state" drop column "note", drop column "reminded_due_date";`);
  }

}
