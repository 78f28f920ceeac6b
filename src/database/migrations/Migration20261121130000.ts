import { Migration } from '@mikro-orm/migrations';

export class Migration20261121130000 extends Migration {

  override name = 'Migration20261121130000';

  override up(): void | Promise<void> {
    this.addSql(`create table "incident_report" ("id" serial primary key, "incident_id" int not null, "stage" text not null, "sent_at" timestamptz(3) null, "reason" text not null default '', "recorded_by" text not null, "recorded_at" timestamptz(3) not null default now());`);
    this.addSql(`create index "incident_report_incident_id_id_index" on "incident_report" ("incident_id", "id");`);

    this.addSql(`create table "incident_reminder" ("id" serial primary key, "incident_id" int not null, "stage" text not null, "kind" text not null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now());`);
    this.addSql(`alter table "incident_reminder" add constraint "incident_reminder_incident_id_stage_kind_due_at_unique" unique ("incident_id", "stage", "kind", "due_at");`);

    this.addSql(`alter table "incident" add "opened_by" text not null default '', add "closed_at" timestamptz(3) null, add "closed_by" text null;`);
    this.addSql(`create index "incident_organization_id_significant_aware_at_id_index" on "incident" ("organization_id", "significant", "aware_at", "id");`);
    this.addSql(`create index "incident_organization_id_severity_aware_at_id_index" on "incident" ("organization_id", "severity", "aware_at", "id");`);
    this.addSql(`create index "incident_organization_id_status_aware_at_id_index" on "incident" ("organization_id", "status", "aware_at", "id");`);
    this.addSql(`create index "incident_organization_id_aware_at_id_index" on "incident" ("organization_id", "aware_at", "id");`);
    this.addSql(`create index "incident_organization_id_updated_at_id_index" on "incident" ("organization_id", "updated_at", "id");`);
    this.addSql(`create index "incident_organization_id_created_at_id_index" on "incident" ("organization_id", "created_at", "id");`);

    this.addSql(`alter table "incident_attachment" add "uploader_id" uuid null;`);

    this.addSql(`alter table "document_version" add "uploader_id" uuid null, add "note" text null;`);
    this.addSql(`create index "document_version_organization_id_original_name_id_index" on "document_version" ("organization_id", "original_name", "id");`);
    this.addSql(`create index "document_version_organization_id_created_by_created_at_id_index" on "document_version" ("organization_id", "created_by", "created_at", "id");`);
    this.addSql(`create index "document_version_organization_id_created_at_id_index" on "document_version" ("organization_id", "created_at", "id");`);

    this.addSql(`alter table "incident_report" add constraint "incident_report_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete cascade;`);

    this.addSql(`alter table "incident_reminder" add constraint "incident_reminder_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete cascade;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "incident_report" cascade;`);
    this.addSql(`drop table if exists "incident_reminder" cascade;`);

    this.addSql(`drop index "document_version_organization_id_original_name_id_index";`);
    this.addSql(`drop index "document_version_organization_id_created_by_created_at_id_index";`);
    this.addSql(`drop index "document_version_organization_id_created_at_id_index";`);
    this.addSql(`alter table "document_version" drop column "uploader_id", drop column "note";`);

    this.addSql(`drop index "incident_organization_id_significant_aware_at_id_index";`);
    this.addSql(`drop index "incident_organization_id_severity_aware_at_id_index";`);
    this.addSql(`drop index "incident_organization_id_status_aware_at_id_index";`);
    this.addSql(`drop index "incident_organization_id_aware_at_id_index";`);
    this.addSql(`drop index "incident_organization_id_updated_at_id_index";`);
    this.addSql(`drop index "incident_organization_id_created_at_id_index";`);
    this.addSql(`alter table "incident" drop column "opened_by", drop column "closed_at", drop column "closed_by";`);

    this.addSql(`alter table "incident_attachment" drop column "uploader_id";`);
  }

}
