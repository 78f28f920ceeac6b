/** Sentences of errors, which are written in English where an error is made, in another language. */
export class ErrorSentences {
  private readonly exact = new Map<string, string>();
  private readonly patterns: { pattern: RegExp; names: readonly string[]; translation: string }[] = [];

  /** By the English sentence, with names in braces for what differs. `translated` is for what stands there. */
  constructor(
    sentences: ReadonlyMap<string, string>,
    private readonly translated: (text: string) => string,
  ) {
    // What says more goes first: "must be one of the languages" before "must be one of".
    for (const [english, translation] of [...sentences].toSorted(([one], [other]) => other.length - one.length)) {
      const names = placeholdersOf(english);
      if (names.length === 0) this.exact.set(english, translation);
      else this.patterns.push({ pattern: patternOf(english), names, translation });
    }
  }

  /** A message as a client gets it: a sentence, or one after the name of a field. One that is not known or long stays as it is. */
  of(message: string): string {
    if (message.length > LONGEST) return message;
    const whole = this.sentence(message);
    if (whole !== undefined) return whole;
    const space = message.indexOf(' ');
    const rest = space < 0 ? undefined : this.sentence(message.slice(space + 1));
    return rest === undefined ? message : `${message.slice(0, space)} ${rest}`;
  }

  /** A sentence that stands in another one. */
  whole(text: string): string {
    return this.sentence(text) ?? text;
  }

  private sentence(text: string): string | undefined {
    const exact = this.exact.get(text);
    if (exact !== undefined) return exact;
    for (const { pattern, names, translation } of this.patterns) {
      const found = pattern.exec(text);
      if (found === null) continue;
      const values = new Map(names.map((name, index) => [name, this.translated(found[index + 1] ?? '')]));
      return translation.replaceAll(PLACEHOLDER, (_braces, name: string) => values.get(name) ?? '');
    }
    return undefined;
  }
}

/** A sentence with a longer quotation would take the patterns long. */
const LONGEST = 1_000;
const PLACEHOLDER = /\{(\w+)\}/g;

/** Names of what differs, in their order. */
export function placeholdersOf(sentence: string): string[] {
  return [...sentence.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

function patternOf(sentence: string): RegExp {
  const parts = sentence.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}
