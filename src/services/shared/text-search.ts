import { sql, type Expression } from '../../database/sql.js';

/**
 * Whether a folded text contains the query, ignoring case and accents. `folded` is a `searchable`
 * column or the result of `search_text`. A query that folds to the empty text, such as an accent, matches nothing.
 */
export function containsText(folded: Expression, text: Expression): Expression {
  return sql`${folded} like (select '%' || search_pattern(${text}::text) || '%' where search_text(${text}::text) <> '')`;
}

/** For PostgreSQL: matches a name or address as a whole, not as a part of a longer one. */
export function namePattern(text: string): string {
  const literal = text.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
  return String.raw`(?<![[:alnum:]._+@-])${literal}(?![[:alnum:]_+@-]|\.[[:alnum:]])`;
}
