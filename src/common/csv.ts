/** A table in the form of RFC 4180. An apostrophe precedes a cell that a spreadsheet would run as a formula. */
export function csv(rows: Iterable<readonly (string | number | null)[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(cell).join(',')}\r\n`;
  return text;
}

/**
 * What a spreadsheet would take for a formula: at the beginning of a cell, and after what some spreadsheets take for
 * the end of one (a semicolon where the comma is the decimal sign; a tab or a line break where quotes are not known).
 */
const FORMULA = /(^|[;\t\r\n])([\p{Cf}\p{Zs}]*[=+\-@＝＋－＠])/gu;
const LEADING_TAB = /^[\t\r]/;
const QUOTED = /[",\r\n]/;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = value.replace(FORMULA, "$1'$2").replace(LEADING_TAB, (sign) => `'${sign}`);
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
