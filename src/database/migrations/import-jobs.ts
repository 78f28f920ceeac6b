import { Migration } from '@mikro-orm/migrations';

/** Imports of many rows that go on without their requests. */
export class ImportJobs extends Migration {
  override name = 'ImportJobs';

  override up(): void {
    this.addSql(`
      create table "import_job" ("id" bigserial primary key, "organization_id" bigint not null, "kind" text not null, "workflow_id" text null, "status" text not null default 'WAITING', "failure" text null, "user_id" uuid not null, "token_id" bigint null, "origin" jsonb null, "archive" text null, "rows" int not null, "changed" int not null default 0, "unchanged" int not null default 0, "refused" int not null default 0, "attempts" int not null default 0, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null);
      create index "import_job_due_index" on "import_job" ("due_at") where ended_at is null;
      create index "import_job_token_id_index" on "import_job" ("token_id");
      create index "import_job_archive_index" on "import_job" ("archive");
      create index "import_job_organization_id_id_index" on "import_job" ("organization_id", "id");
      create table "import_row" ("id" bigserial primary key, "organization_id" bigint not null, "import_job_id" bigint not null, "number" int not null, "row" int null, "key" text null, "input" text null, "outcome" text not null default 'WAITING', "changes" jsonb null, "error" jsonb null, "record_id" bigint null);
      create index "import_row_organization_id_id_index" on "import_row" ("organization_id", "id");
      create index "import_row_import_job_id_number_index" on "import_row" ("import_job_id", "number");
      alter table "import_job" add constraint "import_job_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "import_job" add constraint "import_job_user_id_foreign" foreign key ("user_id") references "app_user" ("id") on delete cascade;
      alter table "import_job" add constraint "import_job_token_id_foreign" foreign key ("token_id") references "api_token" ("id") on delete set null;
      alter table "import_row" add constraint "import_row_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete cascade;
      alter table "import_row" add constraint "import_row_import_job_id_foreign" foreign key ("import_job_id") references "import_job" ("id") on delete cascade;
    `);
  }
}
