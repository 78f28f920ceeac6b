import { visibleText } from '../common/visible-text.js';

const MAX_CHARACTERS = 255;
/** Control characters and lone surrogates; what else cannot be seen goes as it does from every name. */
const UNSEEN = /[\p{Cc}\p{Cs}]/gu;
const EXTENSION = /\.[^.\s]{1,16}$/u;

/**
 * A file's name as it is shown: as sent, without what cannot be seen and without path parts,
 * at most 255 characters of which the extension stays. Never empty; never part of a storage path.
 */
export function displayName(filename: string): string {
  const parts = visibleText(filename.replace(UNSEEN, '')).split(/[/\\]/);
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
  // Of a name of a megabyte only the part that can be shown is taken apart; a character is at most two code units.
  const characters = Array.from(name.slice(0, 2 * MAX_CHARACTERS + 2));
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  const most = MAX_CHARACTERS - Array.from(extension).length;
  return characters.slice(0, most).join('').trimEnd() + extension;
}
