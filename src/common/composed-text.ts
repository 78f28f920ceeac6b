import { getNullableType, isInputObjectType, isListType, type GraphQLInputType } from 'graphql';

/** A value with its texts in Unicode's composed form (NFC); the same value if they are already. */
type Compose = (value: unknown) => unknown;

/**
 * Composes the texts of a value of this input type, whose fields `spell` names, so that texts that look the same are
 * equal. JSON is unchanged. Undefined for types without texts.
 */
export function composerOf(
  type: GraphQLInputType,
  spell: (field: string, type: string) => string = (field) => field,
): Compose | undefined {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const item = composerOf(bare.ofType as GraphQLInputType, spell);
    // GraphQL and some fields of REST accept a single item as a list.
    return item && ((value) => (Array.isArray(value) ? composedList(value, item) : item(value)));
  }
  if (!isInputObjectType(bare)) return TEXTS.has(bare.name) ? composedText : undefined;
  const fields = Object.values(bare.getFields()).flatMap((field) => {
    const compose = composerOf(field.type, spell);
    return compose === undefined ? [] : [[spell(field.name, bare.name), compose] as const];
  });
  return fields.length === 0 ? undefined : (value) => composedFields(value, fields);
}

const TEXTS: ReadonlySet<string> = new Set(['String', 'ID']);

/** Characters below it never combine. */
const FIRST_MARK = /[\u0300-\uffff]/;

/** More marks on one character than any script has (UAX #15, 12.1): ordering them takes quadratic time. */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/** A text in Unicode's composed form (NFC); unchanged with too many marks on a character. */
export function composed(text: string): string {
  return FIRST_MARK.test(text) && !TOO_MANY_MARKS.test(text) ? text.normalize('NFC') : text;
}

function composedText(value: unknown): unknown {
  return typeof value === 'string' ? composed(value) : value;
}

function composedList(items: readonly unknown[], item: Compose): unknown {
  const composed = items.map(item);
  return composed.some((each, at) => each !== items[at]) ? composed : items;
}

export function composedFields(
  value: unknown,
  fields: readonly (readonly [name: string, compose: Compose])[],
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [name, compose] of fields) {
    const sent = (value as Record<string, unknown>)[name];
    const composed = compose(sent);
    if (composed !== sent) (changed ??= { ...value })[name] = composed;
  }
  return changed ?? value;
}
