import { Kind, visit, type DocumentNode, type SelectionSetNode, type ValueNode } from 'graphql';
import { INEXACT, isExact } from '../common/exact-numbers.js';
import { nameOf, type Path } from '../errors.js';

const UNSTORABLE = 'Texts must not contain NUL characters';

/** Errors of literal values in a document, whatever their types. */
export function literalErrors(document: DocumentNode): string[] {
  const errors = new Set<string>();
  const check = (value: ValueNode, path: Path): void => {
    if (value.kind === Kind.STRING && value.value.includes('\0')) errors.add(UNSTORABLE);
    if ((value.kind === Kind.INT || value.kind === Kind.FLOAT) && !isExact(value.value))
      errors.add(`${nameOf(path)} ${INEXACT}`);
    if (value.kind === Kind.OBJECT) for (const field of value.fields) check(field.value, [...path, field.name.value]);
    if (value.kind === Kind.LIST) for (const [index, item] of value.values.entries()) check(item, [...path, index]);
  };
  visit(document, {
    Argument({ name, value }) {
      check(value, [name.value]);
    },
    VariableDefinition({ variable, defaultValue }) {
      if (defaultValue !== undefined) check(defaultValue, [variable.name.value]);
    },
  });
  return [...errors];
}

/** Fields whose response name occurs in the same selection already, inline fragments included. */
export function repeatedFields(set: SelectionSetNode, names = new Set<string>()): number {
  return set.selections.reduce((sum, node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return sum;
    if (node.kind === Kind.INLINE_FRAGMENT) return sum + repeatedFields(node.selectionSet, names);
    const name = (node.alias ?? node.name).value;
    const again = names.has(name) ? 1 : 0;
    names.add(name);
    return sum + again + (node.selectionSet ? repeatedFields(node.selectionSet) : 0);
  }, 0);
}
