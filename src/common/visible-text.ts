/**
 * Invisible characters that change the text: marks and overrides of direction, zero-width characters, tags, fillers,
 * separators of lines and paragraphs, and control characters above ASCII.
 */
const HIDDEN =
  /[\u0080-\u009f\u2028\u2029\ufff9-\ufffb]|(?![\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}/gu;

const SCRIPTS = ['Arab', 'Syrc', 'Mong', 'Nkoo', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym']
  .concat('Sinh', 'Mymr', 'Khmr', 'Tibt', 'Thaa', 'Adlm')
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/**
 * Misplaced invisible characters. Required ones remain: joiners between letters of scripts that join or stack and
 * between parts of an emoji, one variation selector behind its character, and the tags of a flag.
 */
const MISPLACED = new RegExp(
  [
    `(?<![${SCRIPTS}\\p{Mn}\\p{Mc}])\\u200c|\\u200c(?![${SCRIPTS}])`,
    `(?<![${SCRIPTS}\\p{Mn}\\p{Mc}]|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d`,
    `\\u200d(?![${SCRIPTS}\\p{Extended_Pictographic}])`,
    '(?<![^\\s\\p{Default_Ignorable_Code_Point}])[\\u180b-\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
    '(?<!\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{0,6})[\\u{e0020}-\\u{e007f}]',
  ].join('|'),
  'gu',
);

/** A name, title or other line without invisible characters that only deceive; layout is unchanged. */
export function visibleText(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  return text.replace(HIDDEN, '').replace(MISPLACED, '');
}

const BEYOND_ASCII = /[^\0-\x7f]/;
