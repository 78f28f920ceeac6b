import { Migration } from '@mikro-orm/migrations';

/**
 * Search without regard to case and accents (docs/adr/0015). The functions are immutable and need no extension; the
 * indexes need pg_trgm, which the owner of a database may create from PostgreSQL 13 on. Where that is refused, search reads
 * the rows of the caller's organizations instead. Both functions are PL/pgSQL, so that they keep the cost that is set
 * here: a plan that calls them for each row of a large table has to look as dear as it is.
 */
export class Migration20261121152000 extends Migration {
  override name = 'Migration20261121152000';

  override up(): void {
    this.addSql(`
      create function search_text(value text) returns text
        language plpgsql immutable strict parallel safe cost 500 as $$
      begin
        return lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g'));
      end $$;
    `);
    this.addSql(`
      create function search_pattern(value text) returns text
        language plpgsql immutable strict parallel safe as $$
      begin
        return regexp_replace(search_text(value), '([\\\\%_])', '\\\\\\1', 'g');
      end $$;
    `);
    this.addSql(`
      do $$
      begin
        create extension if not exists pg_trgm;
      exception when insufficient_privilege or undefined_file or feature_not_supported then
        raise warning 'pg_trgm cannot be created: search works without its indexes, and slowly in large organizations';
      end $$;
    `);
    for (const [table, text] of Object.entries(SEARCHED)) {
      this.addSql(`
        do $do$
        declare
          place text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                          where e.extname = 'pg_trgm');
        begin
          if place is not null then
            execute format($$create index "${table}_search_index" on "${table}"
              using gin (search_text(${text}) %I.gin_trgm_ops)$$, place);
          end if;
        end $do$;
      `);
    }
  }

  override down(): void {
    for (const table of Object.keys(SEARCHED)) this.addSql(`drop index if exists "${table}_search_index";`);
    this.addSql(`drop function search_pattern(text);`);
    this.addSql(`drop function search_text(text);`);
  }
}

/** The same texts as in services/search-sources.ts, to the letter: an index answers to its own expression alone. */
const SEARCHED = {
  app_user: `first_name || ' ' || last_name || e'\\n' || username || e'\\n' || email`,
  control_state: `justification || e'\\n' || note`,
  document_version: `original_name || e'\\n' || artifact_id || e'\\n' || coalesce(note, '')`,
  incident: `title || e'\\n' || description`,
};
