import { Migration } from '@mikro-orm/migrations';

/** What search compares, as its entity's `searchable` has it. */
const SEARCHABLE = {
  organization: `name || chr(10) || description`,
  app_user: `btrim(first_name || ' ' || last_name) || chr(10) || username || chr(10) || email`,
  control_state: `justification || chr(10) || note`,
  document_version: `original_name || chr(10) || artifact_id || chr(10) || coalesce(note, '')`,
  incident: `title || chr(10) || description`,
  notification: `title || chr(10) || message`,
};

/** Folded texts are stored: folding each row that a search reads took most of its time (docs/adr/0015). */
export class SearchableColumns extends Migration {
  override name = 'SearchableColumns';

  override up(): void {
    for (const [table, text] of Object.entries(SEARCHABLE)) {
      this.addSql(`drop index if exists "${table}_search_index";`);
      this.addSql(
        `alter table "${table}" add column "searchable" text generated always as (search_text(${text})) stored not null;`,
      );
    }
    for (const table of ['document_version', 'incident']) this.addSql(trigramIndex(table));
  }
}

/** As in Initial: without pg_trgm, search reads the rows. */
export function trigramIndex(table: string): string {
  return `
        do $do$
        declare
          place text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                          where e.extname = 'pg_trgm');
        begin
          if place is not null then
            execute format('create index "${table}_search_index" on "${table}" using gin (searchable %I.gin_trgm_ops)', place);
          end if;
        end $do$;
      `;
}
