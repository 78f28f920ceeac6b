/** Sentences of errors, which are written in English where an error is made, in another language. */
export class ErrorSentences {
  private readonly exact = new Map<string, string>();
  private readonly patterns: Sentence[] = [];
  /** Sentences whose only placeholder is at the end: long texts are compared with these only, to save time. */
  private readonly beginnings: Sentence[] = [];

  /** By the English sentence, with placeholders in braces. `translated` maps their values. */
  constructor(
    sentences: ReadonlyMap<string, string>,
    private readonly translated: (text: string) => string,
  ) {
    // More specific ones first: "must be one of the languages" before "must be one of".
    for (const [english, translation] of [...sentences].toSorted(([one], [other]) => other.length - one.length)) {
      const names = placeholdersOf(english);
      if (names.length === 0) {
        this.exact.set(english, translation);
        continue;
      }
      const sentence = { pattern: patternOf(english), names, translation };
      this.patterns.push(sentence);
      if (/^[^{]+\{\w+\}$/.test(english)) this.beginnings.push(sentence);
    }
  }

  /** A message as a client gets it: a sentence, alone or after its place. One that is not known stays as it is. */
  of(message: string): string {
    return this.sentence(message) ?? this.afterPlace(message) ?? this.afterName(message) ?? message;
  }

  /** `contacts[0].email is required`: the name of a field that a client has made up may have spaces. */
  private afterName(message: string): string | undefined {
    let space = message.indexOf(' ');
    for (let words = 0; space >= 0 && words < MOST_WORDS; words += 1, space = message.indexOf(' ', space + 1)) {
      const rest = this.sentence(message.slice(space + 1));
      const name = message.slice(0, space);
      if (rest !== undefined) return `${name.includes(' ') ? (this.exact.get(name) ?? name) : name} ${rest}`;
    }
    return undefined;
  }

  /** `controls[3].label (line 27): is required`, of a file. */
  private afterPlace(message: string): string | undefined {
    const [, place, line, said = ''] = PLACED.exec(message) ?? [];
    const rest = this.sentence(said) ?? this.afterName(said);
    if (rest === undefined) return undefined;
    return `${place}${line === undefined ? '' : ` ${this.whole(line)}`}: ${rest}`;
  }

  /** A sentence inside of another one. */
  whole(text: string): string {
    return this.sentence(text) ?? text;
  }

  private sentence(text: string): string | undefined {
    const exact = this.exact.get(text);
    if (exact !== undefined) return exact;
    for (const { pattern, names, translation } of text.length > LONG ? this.beginnings : this.patterns) {
      const found = pattern.exec(text);
      if (found === null) continue;
      const values = new Map(names.map((name, index) => [name, this.translated(found[index + 1] ?? '')]));
      return translation.replaceAll(PLACEHOLDER, (_braces, name: string) => values.get(name) ?? '');
    }
    return undefined;
  }
}

interface Sentence {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
}

/** Characters of a sentence, which may have the values of a long list. */
const LONG = 1_000;
/** Of the name of a field. */
const MOST_WORDS = 20;
const PLACED = /^(\S+)(?: (\(line \d+\)))?: (.+)$/s;
const PLACEHOLDER = /\{(\w+)\}/g;

/** Names of the placeholders, in order. */
export function placeholdersOf(sentence: string): string[] {
  return [...sentence.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}
