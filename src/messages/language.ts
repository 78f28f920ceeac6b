import { DateTime } from 'luxon';
import { fileURLToPath } from 'node:url';
import { ErrorSentences } from './error-sentences.js';
import { ENGLISH, readMessages, type MessageFolder } from './catalogue.js';
import type { MessageKey } from './message-key.js';

type Values = Readonly<Record<string, string | number>>;

/** The words of the gateway for people, in one language. */
export class Language {
  readonly tag: string;
  /** The locale for days, times and numbers. */
  readonly locale: string;
  /** In the language itself. */
  readonly name: string;
  private readonly dates: Intl.DateTimeFormat;
  private readonly numbers: Intl.NumberFormat;
  private readonly alternatives: Intl.ListFormat;
  private readonly sentences: ErrorSentences;

  constructor(private readonly folder: MessageFolder) {
    this.tag = folder.tag;
    this.name = folder.name;
    this.locale = folder.locale;
    this.dates = new Intl.DateTimeFormat(folder.locale, { dateStyle: 'long', timeZone: 'UTC' });
    this.sentences = new ErrorSentences(folder.sentences, (text) => this.partOfSentence(text));
    this.numbers = new Intl.NumberFormat(folder.locale);
    this.alternatives = new Intl.ListFormat(folder.locale, { type: 'disjunction' });
  }

  /** A message of `catalog/messages`. Values are inserted unchanged: for HTML, the whole message is escaped. */
  text(key: MessageKey, values?: Values): string {
    const message = this.folder.messages.get(key);
    if (message === undefined) throw new RangeError(`${key} is no message`);
    return message.format(values) as string;
  }

  /** Messages of files as they are written, by their names: for a program that formats them itself. */
  sourcesOf(...files: readonly string[]): Record<string, string> {
    const sources = [...this.folder.sources];
    return Object.fromEntries(sources.filter(([name]) => files.some((file) => name.startsWith(`${file}.`))));
  }

  /** The labels of values of enumerations. */
  valueLabels(): { enumeration: string; value: string; label: string }[] {
    const keys = [...this.folder.messages.keys()].filter((key) => key.startsWith(`${VALUES}.`));
    return keys.map((key) => {
      const [enumeration = '', value = ''] = key.split('.').slice(1);
      return { enumeration, value, label: this.text(key as MessageKey) };
    });
  }

  /** The same in parts: values that are no texts are separate parts. */
  parts(key: MessageKey, values: Readonly<Record<string, unknown>>): readonly unknown[] {
    const message = this.folder.messages.get(key);
    if (message === undefined) throw new RangeError(`${key} is no message`);
    const made: unknown = message.format(values as Values);
    return Array.isArray(made) ? made : [made];
  }

  /** A text of a file of ours that is written in English, such as a name of a reporting regime; unknown ones as they are. */
  translated(text: string): string {
    return this.folder.translations.get(text) ?? text;
  }

  /** A value of such files with all its texts. */
  translatedTexts<Value>(value: Value): Value {
    if (typeof value === 'string') return this.translated(value) as Value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.translatedTexts(item)) as Value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.translatedTexts(part)])) as Value;
  }

  /** `21 November 2026` */
  day(day: string): string {
    return this.dates.format(new Date(`${day}T00:00:00Z`));
  }

  /** `21 November 2026, 14:00 (Europe/Rome, UTC+1)`: to the second where it is no full minute. */
  instant(instant: string | Date, zone: string): string {
    const local = DateTime.fromJSDate(new Date(instant), { zone });
    const time = local.toFormat(local.second === 0 ? 'HH:mm' : 'HH:mm:ss', { locale: 'en-GB' });
    const offset = `UTC${local.offset === 0 ? '' : local.toFormat('Z', { locale: 'en-GB' })}`;
    return `${this.day(local.toISODate()!)}, ${time} (${zone === offset ? zone : `${zone}, ${offset}`})`;
  }

  /** A sentence of an error as a client gets it, which was written in English. */
  sentence(message: string): string {
    return this.sentences.of(message);
  }

  number(value: number): string {
    return this.numbers.format(value);
  }

  /** The variable part of a sentence: a text of a file of ours, names, a day, or a sentence that is a reason. */
  private partOfSentence(text: string): string {
    const translated = this.translated(text);
    if (translated !== text) return translated;
    if (SUGGESTIONS.test(text)) return this.alternatives.format(text.match(/"\w+"/g)!);
    const day = DateTime.fromFormat(text, 'd MMMM yyyy', { locale: 'en-GB' });
    return day.isValid ? this.day(day.toISODate()) : this.sentences.whole(text);
  }
}

/** Names that graphql-js suggests: `"node" or "nodes"`, `"a", "b", or "c"`. */
const SUGGESTIONS = /^"\w+"(?:(?:, or |, | or )"\w+")+$/;

/** The beginning of names of messages that are labels of values. */
const VALUES = 'enums';

const FOLDER = fileURLToPath(new URL('../../catalog/messages', import.meta.url));
const BY_TAG = new Map(readMessages(FOLDER).map((folder) => [folder.tag, new Language(folder)]));

/** Tags of all languages, in their order. */
export const LANGUAGES: readonly string[] = [...BY_TAG.keys()];

/** The language where none is known. */
export const english = BY_TAG.get(ENGLISH)!;

/** English for a tag that is none, such as that of a language whose folder is gone. */
export function languageOf(tag: string | null | undefined): Language {
  return BY_TAG.get(tag ?? ENGLISH) ?? english;
}
