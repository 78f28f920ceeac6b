import { Kind, OperationTypeNode, visit, type DocumentNode, type OperationDefinitionNode } from 'graphql';

/**
 * Variables of a mutation that may be absent and stand as fields of an object that the document spells out:
 * `input: { id: 7, website: $website }`. Compiled code takes an absent one for null, and to a change null means "empty
 * it". To filters of queries both mean the same, therefore queries have none.
 */
export function absentableVariables(document: DocumentNode, operation: OperationDefinitionNode): string[] {
  if (operation.operation !== OperationTypeNode.MUTATION) return [];
  const fields = new Set<string>();
  visit(document, {
    ObjectField({ value }) {
      if (value.kind === Kind.VARIABLE) fields.add(value.name.value);
    },
  });
  return (operation.variableDefinitions ?? [])
    .filter(({ type, defaultValue }) => type.kind !== Kind.NON_NULL_TYPE && defaultValue === undefined)
    .map(({ variable }) => variable.name.value)
    .filter((name) => fields.has(name));
}
