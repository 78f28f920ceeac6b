import { Migration } from '@mikro-orm/migrations';

/** Notes on incidents: added, and never changed or deleted before their incident. */
export class IncidentNotes extends Migration {
  override name = 'IncidentNotes';

  override up(): void {
    for (const statement of [...TABLE, ...APPEND_ONLY]) this.addSql(statement);
  }
}

const TABLE: readonly string[] = [
  `create table "incident_note" ("id" bigserial primary key, "organization_id" int not null, "incident_id" int not null, "text" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now());`,
  `create index "incident_note_incident_id_id_index" on "incident_note" ("incident_id", "id");`,
  `create index "incident_note_organization_id_incident_id_id_index" on "incident_note" ("organization_id", "incident_id", "id");`,
  `alter table "incident_note" add constraint "incident_note_organization_id_foreign" foreign key ("organization_id") references "organization" ("id") on delete restrict;`,
  `alter table "incident_note" add constraint "incident_note_incident_id_foreign" foreign key ("incident_id") references "incident" ("id") on delete cascade;`,
];

/** The author may become a pseudonym, and the notes of an incident that is deleted for good go with it. */
const APPEND_ONLY: readonly string[] = [
  `
    create function refuse_note_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and not exists (select from incident where id = old.incident_id) then
        return old;
      end if;
      raise exception 'Notes on incidents are append-only: % is refused', tg_op
        using errcode = 'insufficient_privilege';
    end $$;
  `,
  `
    create trigger incident_note_append_only before update on "incident_note"
      for each row when ((new.id, new.organization_id, new.incident_id, new.text, new.created_at)
        is distinct from (old.id, old.organization_id, old.incident_id, old.text, old.created_at))
      execute function refuse_note_change();
  `,
  `
    create trigger incident_note_kept before delete on "incident_note"
      for each row execute function refuse_note_change();
  `,
];
