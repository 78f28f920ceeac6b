import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
  visit,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
  type ValueNode,
} from 'graphql';
import { didYouMean } from 'graphql/jsutils/didYouMean.js';
import { suggestionList } from 'graphql/jsutils/suggestionList.js';
import { composedFields, composerOf } from '../common/composed-text.js';
import { constraintsOf } from '../common/input-schema.js';
import { InputValidator } from '../common/input-validator.js';
import { shownName } from '../common/shown-name.js';
import {
  MAX_ERRORS,
  badUserInput,
  invalidInput,
  refuseErrors,
  type DomainError,
  type FieldError,
  type Path,
} from '../errors.js';

const sent = new InputValidator({ spell: (name) => name, near }, 'singles');
const coerced = new InputValidator({ spell: (name) => name, coerced: true });

/** As graphql-js says it of values in documents. */
function near(value: string, values: readonly string[]): string {
  return didYouMean(suggestionList(value, values)).replace(/^ D/, ': d');
}

/**
 * Errors in the variables of an operation, types and constraints together. It runs only after execution has
 * refused them, or where they are large, so it may be slow.
 */
export function variableErrors(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): FieldError[] {
  const places = placesOf(operation);
  const definitions = operation.variableDefinitions ?? [];
  const errors = definitions.flatMap(({ variable: { name }, type: node, defaultValue }): FieldError[] => {
    const type = typeFromAST(schema, node as TypeNode as never) as GraphQLInputType | undefined;
    const value = Object.hasOwn(variables, name.value) ? variables[name.value] : undefined;
    if (type === undefined || !isInputType(type) || (value === undefined && defaultValue !== undefined)) return [];
    const place = places.get(name.value) ?? [name.value];
    if (value !== undefined && value !== null) return placed(place, sent.valueErrors(type, value));
    return isNonNullType(type) ? [{ path: place, sentence: 'is required' }] : [];
  });
  return errors.slice(0, MAX_ERRORS);
}

/**
 * Has every field compose the texts of its arguments (NFC) and check their constraints before it is resolved, whether they
 * came as variables or stand in the document. Done on the schema: a global check of TypeGraphQL would make every resolver
 * with arguments wait.
 */
export function checkArguments(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.subscribe) field.subscribe = checked(field.subscribe, field.args);
      else if (field.resolve) field.resolve = checked(field.resolve, field.args);
    }
  }
}

/** The root value of operations whose arguments were checked before, as REST's are. */
export const CHECKED = Symbol('checked');

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function checked(resolve: Resolver, all: readonly GraphQLArgument[]): Resolver {
  const args = all.filter((arg) => isConstrained(arg.type));
  const composers = all.flatMap(({ name, type }) => {
    const compose = composerOf(type);
    return compose === undefined ? [] : [[name, compose] as const];
  });
  if (composers.length === 0 && args.length === 0) return resolve;
  return (source, sent: Readonly<Record<string, unknown>>, context, info) => {
    const values = composedFields(sent, composers) as typeof sent;
    if (source === CHECKED) return resolve(source, values, context, info);
    // A few texts are longer when they are composed, and two may be the same then.
    for (const checked of values === sent ? [sent] : [sent, values]) {
      const errors = args.flatMap(({ name, type }) => {
        const value = checked[name];
        return value === undefined || value === null ? [] : placed([name], coerced.valueErrors(type, value));
      });
      refuseErrors(errors);
    }
    return resolve(source, values, context, info);
  };
}

function isConstrained(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  if (named.extensions['constraints'] !== undefined) return true;
  return Object.values(named.getFields()).some(
    (field) => Object.keys(constraintsOf(field)).length > 0 || isConstrained(getNullableType(field.type)),
  );
}

function placed(place: Path, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, path: [...place, ...error.path] }));
}

/** The place of each variable: the name of an argument, or a position inside of one that the document spells out. */
function placesOf(operation: OperationDefinitionNode): ReadonlyMap<string, Path> {
  const places = new Map<string, Path>();
  const note = (value: ValueNode, path: Path): void => {
    if (value.kind === Kind.VARIABLE && !places.has(value.name.value)) places.set(value.name.value, path);
    if (value.kind === Kind.OBJECT) for (const field of value.fields) note(field.value, [...path, field.name.value]);
    if (value.kind === Kind.LIST) for (const [index, item] of value.values.entries()) note(item, [...path, index]);
  };
  visit(operation.selectionSet, { Argument: ({ name, value }) => note(value, [name.value]) });
  return places;
}

/** Names of variables by document: a client may send those of all operations with each of them. */
const declared = new WeakMap<DocumentNode, ReadonlySet<string>>();

/** The error of variables that no operation of the document declares: they would be passed over. */
export function undeclaredVariables(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): DomainError | undefined {
  let names = declared.get(document);
  if (names === undefined) declared.set(document, (names = variableNames(document)));
  const unknown = Object.keys(variables).filter((name) => !names.has(name));
  if (unknown.length === 0) return undefined;
  return badUserInput(
    unknown.slice(0, MAX_ERRORS).map((name) => `${shownName(name)} is not a variable of the document`),
  );
}

function variableNames({ definitions }: DocumentNode): ReadonlySet<string> {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return new Set(
    operations.flatMap(({ variableDefinitions = [] }) =>
      variableDefinitions.map(({ variable }) => variable.name.value),
    ),
  );
}

/** The longest list that any input takes is the controls of a workflow; refusing one may wait for its rule. */
const MAX_ITEMS = 2_500;

/**
 * Errors in variables that must not reach graphql-js: it writes a wrong object out whole, in each of up to 50
 * errors, and a list of any length.
 */
export function largeVariableErrors(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): DomainError | undefined {
  // Most are small: then no list is long either.
  if (!isLarge(variables)) return undefined;
  if (hasLongList(schema, operation, variables))
    return badUserInput([`A list of the variables has more than ${MAX_ITEMS} items`]);
  const errors = variableErrors(schema, operation, variables);
  return errors.length > 0 ? invalidInput(errors) : undefined;
}

/** Whether a list of the variables is so long that reporting the errors of each item would take seconds. */
function hasLongList(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): boolean {
  return variableDefinitions.some(({ variable, type: node }) => {
    const type = typeFromAST(schema, node as TypeNode as never) as GraphQLInputType | undefined;
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

/** Values and characters beyond which variables count as large. */
const VALUES = 200;
const CHARACTERS = 10_000;

/** Stops counting as soon as the answer is known; files are not looked into. */
function isLarge(variables: object): boolean {
  const open: unknown[] = [variables];
  let values = 0;
  let characters = 0;
  while (open.length > 0) {
    const value = open.pop();
    values += 1;
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) open.push(...value.slice(0, VALUES));
    else if (typeof value === 'object' && value !== null && isPlainObject(value)) {
      for (const key in value) {
        characters += key.length;
        open.push((value as Record<string, unknown>)[key]);
      }
    }
    if (values + open.length > VALUES || characters > CHARACTERS) return true;
  }
  return false;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
