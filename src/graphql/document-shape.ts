import { Kind, type SelectionSetNode } from 'graphql';

/** Fields whose name in the answer stands in the same selection already, inline fragments included. */
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
