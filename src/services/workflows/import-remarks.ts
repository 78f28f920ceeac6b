import { cut, lineOf, MAX_PROSE } from './imported-names.js';

/** A name as it may be repeated in remarks. */
const NAME = /^[\p{L}\p{N}_.:-]{1,64}$/u;
/** Of those together, with commas. */
const MAX_LENGTH = 700;
const MAX_NAMES = 100;

/** Collects what an import of another format leaves out or shortens, for the remarks of the workflow. */
export class ImportRemarks {
  private readonly unread = new Set<string>();
  private shortened = 0;

  /** The text with a maximum of characters. */
  cut(text: string, max: number): string {
    const short = cut(text, max);
    if (short !== text) this.shortened += 1;
    return short;
  }

  /** The text on one line, with a maximum of characters. */
  line(text: string, max: number): string {
    return this.cut(lineOf(text, Infinity), max);
  }

  /** Adds the keys of a part of the source that are not read, except for empty ones. */
  addUnread(part: object, read: ReadonlySet<string>): void {
    for (const [key, value] of Object.entries(part)) if (!read.has(key) && !isEmpty(value)) this.addName(key);
  }

  /** Adds the name of something that is not stored. */
  addName(name: string): void {
    const isNamed = NAME.test(name) && (this.unread.size < MAX_NAMES || this.unread.has(name));
    this.unread.add(isNamed ? name : 'others');
  }

  /** These remarks and those of this import; absent if everything is stored. */
  with(others: readonly string[]): { remarks?: string } {
    const names = [...this.unread].toSorted().join(', ');
    const all = [
      ...others,
      ...(this.shortened > 0 ? [`Titles and texts that are shortened: ${this.shortened}.`] : []),
      ...(names === '' ? [] : [`Not stored: ${cut(names, MAX_LENGTH)}.`]),
    ];
    return all.length > 0 ? { remarks: cut(all.join(' '), MAX_PROSE) } : {};
  }
}

function isEmpty(value: unknown): boolean {
  return value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
