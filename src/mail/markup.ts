/** HTML that may stand as it is. Only `markup` makes it, and that escapes whatever else is put in. */
class Markup {
  constructor(private readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

export type { Markup };

type Value = Markup | string | number | readonly Markup[];

/** A template of HTML: text between its parts is escaped, for between tags and inside quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(parts.reduce((text, part, index) => `${text}${shown(values[index - 1] ?? '')}${part}`));
}

function shown(value: Value): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'object') return value.join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
