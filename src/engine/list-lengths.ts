import {
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

/** The longest list that any input takes is the controls of a workflow; refusing one may wait for its rule. */
export const MAX_ITEMS = 2_500;

/** Whether a list of the variables is so long that telling what is wrong with each item would take seconds. */
export function hasLongList(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return variableDefinitions.some(({ variable, type: node }) => {
    const type = typeFromAST(schema, node as never) as GraphQLInputType | undefined;
    return type !== undefined && isInputType(type) && isLong(type, variables?.[variable.name.value]);
  });
}

function isLong(type: GraphQLInputType, value: unknown): boolean {
  const bare = getNullableType(type);
  if (typeof value !== 'object' || value === null) return false;
  if (isListType(bare)) {
    if (!Array.isArray(value)) return isLong(bare.ofType as GraphQLInputType, value);
    return value.length > MAX_ITEMS || value.some((item) => isLong(bare.ofType as GraphQLInputType, item));
  }
  if (!isInputObjectType(bare)) return false;
  return Object.values(bare.getFields()).some(
    ({ name, type: inner }) => Object.hasOwn(value, name) && isLong(inner, (value as Record<string, unknown>)[name]),
  );
}
