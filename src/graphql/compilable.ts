import {
  BREAK,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  Kind,
  typeFromAST,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import { CONDITIONS } from './validation-rules.js';

type Variables = Record<string, unknown>;

/** The variables that compiled code of an operation is to be given; undefined where it would take these wrongly. */
export type VariablesForCompiled = (variables: Variables) => Variables | undefined;

/**
 * How graphql-jit may execute an operation so that the answers are those of graphql-js; undefined when it may not. What it
 * does otherwise: `@skip` and `@include` act on other spreads of a fragment, and null passes for `if`; a variable within
 * a JSON literal is lost.
 */
export function compilable(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): VariablesForCompiled | undefined {
  const places = placesIn(schema, document);
  if (places === undefined) return undefined;
  const { variableDefinitions: definitions = [] } = operation;
  const nullable = definitions
    .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
    .map(({ variable }) => variable.name.value);
  const inLiterals = nullable.filter((name) => places.has(name));
  const defaults = Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
  const hasDefaults = Object.keys(defaults).length > 0;
  // Only these may be where null may not.
  const withDefaults = nullable.filter((name) => Object.hasOwn(defaults, name));
  const objects = definitions.flatMap(({ variable, type: node }): [string, GraphQLInputType][] => {
    const type = typeFromAST(schema, node as TypeNode as never) as GraphQLInputType | undefined;
    return isInputType(type) && isInputObjectType(getNamedType(type)) ? [[variable.name.value, type]] : [];
  });
  return (sent) => {
    // It does not know the default of a variable that must not be null, and makes text of that of a date.
    const variables = hasDefaults ? { ...defaults, ...sent } : sent;
    // It takes an absent variable within a literal for null, and null where null must not be.
    if (inLiterals.some((name) => variables[name] === undefined)) return undefined;
    if (withDefaults.some((name) => variables[name] === null)) return undefined;
    // It takes a list for an empty object.
    if (objects.some(([name, type]) => hasListForObject(type, variables[name]))) return undefined;
    return variables;
  };
}

/** Names of the variables within literals; undefined for a document that cannot be compiled. */
function placesIn(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<string> | undefined {
  const typeInfo = new TypeInfo(schema);
  const names = new Set<string>();
  let isCompilable = true;
  const refuse = (): typeof BREAK => {
    isCompilable = false;
    return BREAK;
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Directive: ({ name }) => (CONDITIONS.has(name.value) ? refuse() : undefined),
      ObjectValue(node) {
        const variables = variablesIn(node);
        if (variables.length === 0 || isInputObjectType(getNamedType(typeInfo.getInputType()))) return undefined;
        return refuse();
      },
      Argument({ value }) {
        if (value.kind !== Kind.VARIABLE) for (const name of variablesIn(value)) names.add(name);
      },
    }),
  );
  return isCompilable ? names : undefined;
}

function variablesIn(value: ASTNode): string[] {
  const names: string[] = [];
  visit(value, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}

function hasListForObject(type: GraphQLInputType, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const itemType = bare.ofType as GraphQLInputType;
    return Array.isArray(value)
      ? value.some((item) => hasListForObject(itemType, item))
      : hasListForObject(itemType, value);
  }
  if (!isInputObjectType(bare)) return false;
  if (Array.isArray(value)) return true;
  const fields = bare.getFields();
  return Object.entries(value).some(
    ([name, item]) => Object.hasOwn(fields, name) && hasListForObject(fields[name]!.type, item),
  );
}
