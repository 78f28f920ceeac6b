import { composed } from '../common/composed-text.js';
import { visibleText } from '../common/visible-text.js';

const MAX_CHARACTERS = 255;
/** Control characters and lone surrogates; other invisible characters are removed as from every name. */
const UNSHOWN = /[\p{Cc}\p{Cs}]/gu;
const SHOWN_EXTENSION = /\.[^.\s]{1,16}$/u;

/**
 * A file's name for display: without invisible characters and path parts, at most 255 characters including the
 * extension. Never empty; never part of a storage path.
 */
export function displayName(filename: string): string {
  const parts = visibleText(filename.replace(UNSHOWN, '')).split(/[/\\]/);
  const last = parts.map((part) => part.trim()).findLast((part) => part !== '') ?? '';
  if (last === '' || last === '.' || last === '..') return 'file';
  return withinCharacters(composed(last));
}

/**
 * The lower-case extension without its dot; empty when there is none. A number after a dot (`v1.2`) is not an
 * extension.
 */
export function extensionOf(filename: string): string {
  const found = SHOWN_EXTENSION.exec(displayName(filename).replace(/[. ]+$/, ''))?.[0].slice(1) ?? '';
  return /^\d+$/.test(found) ? '' : found.toLowerCase();
}

function withinCharacters(name: string): string {
  // Only the part of a very long name that can be shown is split; a character has at most two code units.
  const characters = Array.from(name.slice(0, 2 * MAX_CHARACTERS + 2));
  if (characters.length <= MAX_CHARACTERS) return name;
  const extension = SHOWN_EXTENSION.exec(name)?.[0] ?? '';
  const most = MAX_CHARACTERS - Array.from(extension).length;
  return characters.slice(0, most).join('').trimEnd() + extension;
}

/** Bytes of a name in UTF-8: accepted by every file system, with space for a number before or after it. */
const MAX_BYTES = 180;

/**
 * Invisible characters, those that Windows forbids (including the separators of all systems), and white space of any
 * width.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const FORBIDDEN = /[<>:"/\\|?*]/g;
const WHITE = /\s+/gu;
/** Device names of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=$|\.)/i;
const EXTENSION = /\.[^. ]{1,16}$/u;

/**
 * A name for a file or folder that Windows, macOS and Linux accept unchanged: no separators, no reserved names, no
 * dropped characters at its end, at most 180 bytes including the extension. Letters of all scripts remain.
 */
export function portableName(name: string): string {
  const plain = composed(name.replace(WHITE, ' ').replace(UNSEEN, '').replace(FORBIDDEN, '_'));
  const safe = withinBytes(trimmed(plain));
  if (safe === '') return 'file';
  return RESERVED.test(safe) ? `_${safe}` : safe;
}

/** Distinct portable names, also where case is ignored: an id always gets the same name, and no other id does. */
export class PortableNames {
  private readonly names = new Map<string, string>();
  private readonly taken = new Set<string>();

  /** The name for this id; a number is appended where another id has it already. */
  of(id: string): string {
    const known = this.names.get(id);
    if (known !== undefined) return known;
    const wanted = portableName(id);
    let name = wanted;
    for (let count = 2; this.taken.has(folded(name)); count += 1) name = `${wanted}~${count}`;
    this.taken.add(folded(name));
    this.names.set(id, name);
    return name;
  }
}

function folded(name: string): string {
  return name.toLowerCase().normalize('NFKC');
}

/** Windows drops dots and spaces at the end, and `.` and `..` are not names. */
function trimmed(name: string): string {
  return name.trimStart().replace(/[. ]+$/, '');
}

function withinBytes(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  let left = MAX_BYTES - Buffer.byteLength(extension);
  let shortened = '';
  for (const character of name.slice(0, name.length - extension.length)) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    shortened += character;
  }
  return trimmed(shortened) + extension;
}
