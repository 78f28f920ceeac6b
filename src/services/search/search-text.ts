import { LIMITS } from '../../values/limits.js';

const MARKS = /[\u0300-\u036f]/g;

/** As `search_text` in the database folds it: without accents, in lower case, in compatible characters. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
}

/** How well a title answers: 0 is it, 1 begins with it, 2 contains it; undefined does not. All folded. */
export function rankOf(title: string, wanted: string): number | undefined {
  if (title === wanted) return 0;
  if (title.startsWith(wanted)) return 1;
  return title.includes(wanted) ? 2 : undefined;
}

const LENGTH = LIMITS.search.snippetCharacters;
/** Characters shown before what was found. */
const LEAD = 40;

/** A part of the text on one line: around what was found, or its beginning. */
export function snippetOf(text: string, wanted: string): string {
  const characters = [...text.replaceAll(/\s+/gu, ' ').trim()];
  const at = placeOf(characters, wanted);
  const start = at <= LEAD ? 0 : at - LEAD;
  const shown = characters.slice(start, start + LENGTH);
  if (start > 0) shown[0] = '…';
  if (start + LENGTH < characters.length) shown[shown.length - 1] = '…';
  return shown.join('');
}

/** The character at which the folded text begins with what is wanted; 0 where it is not in it. */
function placeOf(characters: readonly string[], wanted: string): number {
  const whole = folded(characters.join(''));
  const found = whole.indexOf(wanted);
  if (found <= 0) return 0;
  // Folding may make one character several, or none.
  let length = 0;
  for (const [index, character] of characters.entries()) {
    length += folded(character).length;
    if (length > found) return index;
  }
  return 0;
}
