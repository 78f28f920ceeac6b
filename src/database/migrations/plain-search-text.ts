import { Migration } from '@mikro-orm/migrations';

/** Text of ASCII characters alone, as long in bytes as in characters, has no accents: finding that out takes a quarter of looking for them. */
export class PlainSearchText extends Migration {
  override name = 'PlainSearchText';

  override up(): void {
    this.addSql(`
      create or replace function search_text(value text) returns text
        language plpgsql immutable strict parallel safe cost 500 as $$
      begin
        if octet_length(value) = char_length(value) then
          return lower(value);
        end if;
        return lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g'));
      end $$;
    `);
  }
}
