import type { Language } from '../../messages/language.js';

/** Characters and scripts that a PDF cannot show as written. */
export interface PrintGaps {
  /** Characters without a glyph in the font, as `U+8CC7`, each once. */
  missing: string[];
  /** The scripts of these characters. */
  missingScripts: string[];
  /** Right-to-left scripts, which are not reordered. */
  unordered: string[];
}

const RIGHT_TO_LEFT = ['Hebrew', 'Arabic', 'Syriac', 'Thaana', 'Nko', 'Samaritan', 'Mandaic'];
const SCRIPTS = [
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Thai', 'Lao', 'Tibetan', 'Myanmar', 'Khmer', 'Mongolian'],
  ...['Ethiopic', 'Cherokee', 'Greek', 'Cyrillic', 'Latin', ...RIGHT_TO_LEFT],
].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** Spaces, line ends, joiners and variation selectors. */
const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}]/u;

/** Gaps of texts in a font; `has` returns whether it has a glyph. */
export function printGaps(texts: readonly string[], has: (codePoint: number) => boolean): PrintGaps {
  const characters = [...new Set(texts.flatMap((text) => [...new Set(text)]))];
  const missing = characters.filter((each) => !INVISIBLE.test(each) && !has(each.codePointAt(0) ?? 0));
  const shown = scriptsIn(characters);
  return {
    missing: missing.map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`),
    missingScripts: scriptsIn(missing),
    unordered: RIGHT_TO_LEFT.filter((name) => shown.includes(name)),
  };
}

function scriptsIn(characters: readonly string[]): string[] {
  const text = characters.join('');
  return SCRIPTS.filter(({ pattern }) => pattern.test(text)).map(({ name }) => name);
}

/** Maximum number of listed characters; a Chinese text has thousands. */
const MAX_NAMED = 50;

/** Remarks on the page for its reader. */
export function gapNotes({ missing, missingScripts, unordered }: PrintGaps, language: Language): string[] {
  const scripts = missingScripts.length > 0 ? ` (${missingScripts.join(', ')})` : '';
  const lacking = { count: missing.length, scripts, named: named(missing, ', ') };
  return [
    ...(missing.length > 0 ? [language.text('drafts.boxes', lacking)] : []),
    ...(unordered.length > 0 ? [language.text('drafts.order', { scripts: unordered.join(', ') })] : []),
  ];
}

/** The same for programs, as headers of the answer. */
export function gapHeaders({ missing, unordered }: PrintGaps): Record<string, string> {
  return {
    ...(missing.length > 0 && { 'Missing-Characters': named(missing, ' ') }),
    ...(unordered.length > 0 && { 'Unordered-Scripts': unordered.join(', ') }),
  };
}

function named(missing: readonly string[], separator: string): string {
  const more = missing.length - MAX_NAMED;
  return missing.slice(0, MAX_NAMED).join(separator) + (more > 0 ? `${separator}and ${more} more` : '');
}
