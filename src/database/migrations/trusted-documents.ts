import { Migration } from '@mikro-orm/migrations';

/** A publication or withdrawal is announced when it commits: every instance then reads the registered documents anew. */
const ANNOUNCEMENT = `
  create function announce_documents() returns trigger language plpgsql as $$
  begin
    perform pg_notify('document', '');
    return null;
  end $$;
  create trigger application_version_announcement after insert or update or delete or truncate
    on "application_version" for each statement execute function announce_documents();
`;

/** GraphQL documents that applications have registered. */
export class TrustedDocuments extends Migration {
  override name = 'TrustedDocuments';

  override up(): void {
    this.addSql(`
      create table "application_version" ("id" bigserial primary key, "application" text not null, "label" text not null, "documents" int not null, "published_at" timestamptz(3) not null default now(), "withdrawn_at" timestamptz(3) null);
      create unique index "application_version_published_unique" on "application_version" ("application", "label") where withdrawn_at is null;
      create table "trusted_document" ("id" bigserial primary key, "sha256" text not null, "text" text not null, "tokens" int not null);
      alter table "trusted_document" add constraint "trusted_document_sha256_unique" unique ("sha256");
      create table "application_document" ("application_version_id" bigint not null, "document_id" bigint not null, primary key ("application_version_id", "document_id"));
      create index "application_document_document_id_index" on "application_document" ("document_id");
      alter table "application_document" add constraint "application_document_application_version_id_foreign" foreign key ("application_version_id") references "application_version" ("id") on update cascade on delete cascade;
      alter table "application_document" add constraint "application_document_document_id_foreign" foreign key ("document_id") references "trusted_document" ("id") on update cascade on delete cascade;
    `);
    this.addSql(ANNOUNCEMENT);
  }
}
