import { sql, type Expression } from '../../database/sql.js';

/**
 * Whether a folded text contains what is searched, in any case and with or without accents. `folded` is a `searchable`
 * column or made by `search_text`. Nothing contains what is folded to nothing, such as an accent alone.
 */
export function containsText(folded: Expression, text: Expression): Expression {
  return sql`${folded} like (select '%' || search_pattern(${text}::text) || '%' where search_text(${text}::text) <> '')`;
}

/** For PostgreSQL: finds a name or address as a whole, and not as a part of a longer one. */
export function namePattern(text: string): string {
  const literal = text.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
  return String.raw`(?<![[:alnum:]._+@-])${literal}(?![[:alnum:]_+@-]|\.[[:alnum:]])`;
}
