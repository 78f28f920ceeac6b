const MAX_CHARACTERS = 255;
/** Control and format characters (among them all marks of direction and of no width), lone surrogates, separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const EXTENSION = /\.[^.\s]{1,16}$/u;

/**
 * A file's name as it is shown (decisions, section 6): as sent, without what cannot be seen and without path parts,
 * at most 255 characters of which the extension stays. Never empty; never part of a storage path.
 */
export function displayName(filename: string): string {
  // Separators go first by the visible text: a control character must not hide one from the split.
  const parts = filename.replace(UNSEEN, '').split(/[/\\]/);
  const last = parts.map((part) => part.trim()).findLast((part) => part !== '') ?? '';
  if (last === '' || last === '.' || last === '..') return 'file';
  return shortened(last.normalize('NFC'));
}

/** The lower-case extension without its dot; empty when there is none. A number after a dot (`v1.2`) is none. */
export function extensionOf(filename: string): string {
  const found = EXTENSION.exec(displayName(filename).replace(/[. ]+$/, ''))?.[0].slice(1) ?? '';
  return /^\d+$/.test(found) ? '' : found.toLowerCase();
}

function shortened(name: string): string {
  // One code unit more than one character never needs: a name of a megabyte is not taken apart whole.
  const characters = Array.from(name.length > 4 * MAX_CHARACTERS ? name.slice(0, 4 * MAX_CHARACTERS) : name);
  if (characters.length <= MAX_CHARACTERS && name.length <= 4 * MAX_CHARACTERS) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const room = MAX_CHARACTERS - Array.from(extension).length;
  return characters.slice(0, room).join('').trimEnd() + extension;
}
