/** Where something is wrong: names of fields and indices of lists. */
export type Path = readonly (string | number)[];

export interface InputError {
  readonly path: Path;
  /** What is wrong, to follow the name of the place; `{field}` is the name of another one. Never what was sent. */
  readonly sentence: string;
  /** The sentence stands alone: no place in particular is wrong. */
  readonly whole?: true;
}

/** An error as people read it; `spell` names the fields of its sentence. A path without a name has the subject's. */
export function messageOf({ path, sentence, whole }: InputError, spell = unchanged, subject = 'input'): string {
  const words = sentence.replaceAll(/\{(\w+)\}/g, (_braces, field: string) => spell(field));
  const name = nameOf(path);
  // A field that cannot be named is reported by the object that it is in.
  if (sentence === UNNAMED_FIELD) return name === '' ? 'a field is not known' : `a field of ${name} is not known`;
  return whole ? words : `${name || subject} ${words}`;
}

/** The sentence of a field whose own name is not shown. */
export const UNNAMED_FIELD = 'has a field that is not known';

/** `contacts[0].email`. */
export function nameOf(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : `${name}.${part}`;
  }, '');
}

function unchanged(name: string): string {
  return name;
}
