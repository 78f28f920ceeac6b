import { sql, type Expression } from '../../database/sql.js';

/**
 * Whether a folded text contains what is searched, in any case and with or without accents. `folded` is a `searchable`
 * column or made by `search_text`. Nothing contains what is folded to nothing, such as an accent alone.
 */
export function containsText(folded: Expression, text: Expression): Expression {
  return sql`${folded} like (select '%' || search_pattern(${text}::text) || '%' where search_text(${text}::text) <> '')`;
}
