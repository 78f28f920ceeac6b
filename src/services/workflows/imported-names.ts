import { hash } from 'node:crypto';
import { composed } from '../../common/composed-text.js';

/** Characters of a name, an edition and an id at most, as in catalog/workflow.schema.json. */
export const MAX_NAME = 120;
export const MAX_VERSION = 40;
export const MAX_TEXT = 8_000;
export const MAX_PROSE = 1_000;
const MAX_ID = 64;
/** Reserves characters for the number of an id that is not unique. */
export const MAX_MADE_ID = 58;

/** The text on one line, with a maximum of characters. */
export function lineOf(text: string, max: number): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), max);
}

/** The text with a maximum of characters. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = beginning(text, max + 1);
  return start.length <= max
    ? text
    : `${start
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** The first characters of a text, each of which has at most two units of UTF-16. */
function beginning(text: string, count: number): string[] {
  return Array.from(text.slice(0, 2 * count)).slice(0, count);
}

/** A title without a letter that an id may have is identified by its hash. */
export function idOf(title: string): string {
  return inWords(slug(title, OTHER_THAN_ASCII), MAX_ID) || `catalog-${hash('sha256', title).slice(0, 8)}`;
}

/** The words of a title, in letters of any script. */
export function wordsOf(title: string): string {
  return inWords(slug(title, OTHER_THAN_LETTERS), MAX_MADE_ID);
}

/** Creates unique ids. */
export class FreeIds {
  private readonly taken: Set<unknown>;
  /** How often each was wanted: trying all numbers anew would take the square of that. */
  private readonly counts = new Map<string, number>();

  constructor(taken: Iterable<unknown> = []) {
    this.taken = new Set(taken);
  }

  /** The wanted id, with a number appended if it is taken; it is taken from now on. */
  take(wanted: string): string {
    let [id, count] = [wanted, this.counts.get(wanted) ?? 1];
    while (this.taken.has(id)) id = `${wanted}-${(count += 1)}`;
    this.counts.set(wanted, count);
    this.taken.add(id);
    return id;
  }
}

/** An id without what its makers write differently: `nist-csf-2.0` is `nist-csf-2-0`. */
export function keyOf(id: string): string {
  return id.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** In whole words, up to the maximum length. */
export function inWords(words: string, max: number): string {
  const start = beginning(words, max + 1);
  if (start.length <= max) return words;
  return beginning(start.join('').replace(/-[^-]*$/, ''), max).join('');
}

const OTHER_THAN_ASCII = /[^a-z0-9]+/g;
const OTHER_THAN_LETTERS = /[^\p{L}\p{N}]+/gu;

function slug(text: string, others: RegExp): string {
  return composed(text).toLowerCase().replaceAll(others, '-').replaceAll(/^-|-$/g, '');
}
