import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { StartupError } from '../errors.js';
import { placeholdersOf } from './error-sentences.js';

/** Whose messages the others translate. */
export const ENGLISH = 'en';

/** Translations of texts that are written in English elsewhere in `catalog/`, by the English text. */
const TEXTS = 'texts.json';
/** The same of one workflow, `texts.<its id>.json`: a language may have it or not. */
const WORKFLOW_TEXTS = /^texts\..+\.json$/;

/** Translations of sentences of errors, which are in English where an error is made. */
const ERRORS = 'errors.json';

/** The file in which a folder of messages describes its language. */
const ABOUT = 'language.json';

/** One language as its folder has it. */
export interface MessageFolder {
  /** The folder's name, a language tag (BCP 47) such as `it`. */
  readonly tag: string;
  /** In the language itself. */
  readonly name: string;
  /** The locale for days, times and numbers. */
  readonly locale: string;
  /** By the name of the file and the key in it: `mail.invitation.subject`. */
  readonly messages: ReadonlyMap<string, IntlMessageFormat>;
  /** The same as they are written. */
  readonly sources: ReadonlyMap<string, string>;
  /** Of texts of other files in `catalog/`, by the English text. */
  readonly translations: ReadonlyMap<string, string>;
  /** Sentences of errors, by the English sentence with placeholders in braces. */
  readonly sentences: ReadonlyMap<string, string>;
}

/** Reads every language; throws StartupError naming each file with the place of its error. */
export function readMessages(directory: string): MessageFolder[] {
  const errors: string[] = [];
  const tags = readdirSync(directory).toSorted();
  if (!tags.includes(ENGLISH)) throw new StartupError(`${directory} has no folder ${ENGLISH}.`);
  const folders = tags.map((tag) => readFolder(directory, tag, errors));
  const english = folders.find(({ tag }) => tag === ENGLISH)!;
  for (const folder of folders) compare(english, folder, errors);
  const others = folders.filter((folder) => folder !== english);
  compareTexts(others, TEXTS, ({ texts }) => texts, errors);
  compareTexts(others, ERRORS, ({ sentences }) => sentences, errors);
  if (errors.length > 0) throw new StartupError(['Messages cannot be used:', ...errors].join('\n'));
  return folders;
}

/** Whether the keys of a file are English texts. */
const isByText = (file: string) => file === TEXTS || file === ERRORS || WORKFLOW_TEXTS.test(file);

interface ReadFolder extends MessageFolder {
  name: string;
  locale: string;
  messages: Map<string, IntlMessageFormat>;
  sources: Map<string, string>;
  /** Of `texts.json`. */
  texts: ReadonlyMap<string, string>;
  translations: ReadonlyMap<string, string>;
  sentences: ReadonlyMap<string, string>;
  /** `it/mails.json:12`, by key; of a file by its name. */
  places: Map<string, string>;
}

function readFolder(directory: string, tag: string, errors: string[]): ReadFolder {
  const path = join(directory, tag);
  const read = (file: string) => readFile(join(path, file), `${tag}/${file}`, errors).entries;
  const files = readdirSync(path);
  const [texts, sentences] = [read(TEXTS), read(ERRORS)];
  const ofWorkflows = files.filter((file) => WORKFLOW_TEXTS.test(file)).flatMap((file) => [...read(file)]);
  const folder: ReadFolder = {
    ...{ tag, name: '', locale: '', messages: new Map(), sources: new Map(), places: new Map() },
    ...{ texts, translations: new Map([...ofWorkflows, ...texts]), sentences },
  };
  const about = readFile(join(path, ABOUT), `${tag}/${ABOUT}`, errors);
  for (const field of ['name', 'locale'] as const) folder[field] = about.entries.get(field) ?? '';
  if (folder.name === '' || !isLocale(tag) || !isLocale(folder.locale)) {
    errors.push(`${tag}/${ABOUT}: names a language (the folder's name), with "name" and "locale"`);
    return folder;
  }
  for (const file of files.filter((name) => name !== ABOUT && (!isByText(name) || tag === ENGLISH))) {
    folder.places.set(file, `${tag}/${file}`);
    const { entries, placeOf } = readFile(join(path, file), `${tag}/${file}`, errors);
    for (const [key, text] of entries) {
      const id = `${file.replace(/\.json$/, '')}.${key}`;
      folder.places.set(id, placeOf(key));
      folder.sources.set(id, text);
      try {
        folder.messages.set(id, new IntlMessageFormat(text, folder.locale, undefined, { ignoreTag: true }));
      } catch (error) {
        errors.push(`${placeOf(key)}: ${key} is no ICU message: ${(error as Error).message}`);
      }
    }
  }
  return folder;
}

/** The key that a line of a file begins with, as it is written. */
const KEY = /^\s*"((?:[^"\\]|\\.)+)":/;

function readFile(path: string, file: string, errors: string[]) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}';
  const lines = new Map<string, number>();
  const placeOf = (key: string) => `${file}:${lines.get(JSON.stringify(key).slice(1, -1)) ?? 0}`;
  for (const [index, line] of text.split('\n').entries()) {
    const key = KEY.exec(line)?.[1];
    if (key === undefined) continue;
    if (lines.has(key)) errors.push(`${file}:${lines.get(key)}: ${key} is there twice`);
    else lines.set(key, index + 1);
  }
  const entries = new Map<string, string>();
  try {
    for (const [key, value] of Object.entries(JSON.parse(text) as Record<string, unknown>)) {
      if (typeof value === 'string' && value !== '') entries.set(key, value);
      else errors.push(`${placeOf(key)}: ${key} must be a text`);
    }
  } catch (error) {
    errors.push(`${file}: ${(error as Error).message}`);
  }
  return { entries, placeOf };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([tag]).length === 1;
  } catch {
    return false;
  }
}

/** Compares a translation with the English messages: lacking ones, additional ones, and those that name other values. */
function compare(english: ReadFolder, { tag, messages, places }: ReadFolder, errors: string[]): void {
  if (tag === english.tag) return;
  for (const [id, place] of places)
    if (!english.places.has(id)) errors.push(`${place}: ${id} is not in ${english.tag}`);
  for (const [id, message] of english.messages) {
    const own = messages.get(id);
    if (own === undefined) {
      if (!places.has(id)) errors.push(`${tag}: ${id} is missing (${english.places.get(id)})`);
      continue;
    }
    const [wanted, found] = [message, own].map((each) => [...valuesOf(each.getAst())].toSorted().join(', '));
    if (wanted !== found)
      errors.push(`${places.get(id)}: ${id} has the values (${found}) where English has (${wanted})`);
  }
}

/** A text that one language translates is translated by each, with the same names in braces. */
function compareTexts(
  folders: readonly ReadFolder[],
  file: string,
  textsOf: (folder: ReadFolder) => ReadonlyMap<string, string>,
  errors: string[],
): void {
  const texts = new Set(folders.flatMap((folder) => [...textsOf(folder).keys()]));
  for (const folder of folders)
    for (const text of texts) {
      const own = textsOf(folder).get(text);
      if (own === undefined) errors.push(`${folder.tag}/${file}: "${text}" is missing`);
      else if (namesIn(own) !== namesIn(text))
        errors.push(`${folder.tag}/${file}: "${text}" has other names in braces`);
    }
}

const namesIn = (text: string) => placeholdersOf(text).toSorted().join(' ');

type Elements = ReturnType<IntlMessageFormat['getAst']>;

/** Names of the values of a message, each with the choices that are made by it; those of plurals differ by language. */
function valuesOf(elements: Elements): Set<string> {
  return new Set(
    elements.flatMap((element) => {
      if (!('value' in element) || element.type === LITERAL) return [];
      if (!('options' in element)) return [element.value];
      const parts = Object.entries(element.options);
      const choices =
        element.type === SELECT
          ? ` ${parts
              .map(([choice]) => choice)
              .toSorted()
              .join('|')}`
          : '';
      return [`${element.value}${choices}`, ...parts.flatMap(([, { value }]) => [...valuesOf(value)])];
    }),
  );
}

/** Types of elements in the parser of messages. */
const LITERAL = 0;
const SELECT = 5;
