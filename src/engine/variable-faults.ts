import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import { DomainError, MAX_FAULTS } from '../errors.js';
import { wireName } from './wire.js';

/**
 * Rules of input objects that their types cannot say, by the type's name. A rule is given the raw value and tells all
 * of its faults, those of the types included.
 */
export type InputRules = ReadonlyMap<string, (value: unknown) => string[]>;

/**
 * What is wrong with the variables of an operation, one sentence a fault, named by the wire path and never repeating
 * the value (decisions §3). Runs only after execution has refused them, so it may be slow.
 */
export function variableFaults(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  rules: InputRules,
): string[] {
  const check = new FaultWalk(rules);
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node as TypeNode as never) as GraphQLInputType | undefined;
    if (type === undefined || !isInputType(type)) continue;
    const value = Object.hasOwn(variables, variable.name.value) ? variables[variable.name.value] : undefined;
    if (value === undefined && defaultValue !== undefined) continue;
    check.variable(type, value, spoken(variable.name.value));
  }
  return check.faults.slice(0, MAX_FAULTS);
}

class FaultWalk {
  readonly faults: string[] = [];

  constructor(private readonly rules: InputRules) {}

  /** The name of a variable that holds an object says nothing to a caller: its fields are named from themselves on. */
  variable(type: GraphQLInputType, value: unknown, name: string): void {
    this.walk(type, value, name, '');
  }

  /** `prefix` is what the names of its fields begin with, should it be an object. */
  private walk(type: GraphQLInputType, value: unknown, path: string, prefix = `${path}.`): void {
    if (this.faults.length >= MAX_FAULTS) return;
    if (value === undefined || value === null) {
      if (isNonNullType(type)) this.faults.push(`${path} is required`);
      return;
    }
    const bare = getNullableType(type);
    if (isListType(bare)) this.list(bare.ofType as GraphQLInputType, value, path);
    else if (isInputObjectType(bare)) this.object(bare, value, path, prefix);
    else this.leaf(bare as GraphQLLeafType, value, path);
  }

  /** GraphQL takes a single value for a list of one. */
  private list(itemType: GraphQLInputType, value: unknown, path: string): void {
    if (!Array.isArray(value)) return this.walk(itemType, value, path);
    for (const [index, item] of value.entries()) {
      if (this.faults.length >= MAX_FAULTS) return;
      this.walk(itemType, item, `${path}[${index}]`);
    }
  }

  private object(type: GraphQLInputObjectType, value: unknown, path: string, prefix: string): void {
    const fields = type.getFields();
    // With so many unknown fields a rule has nothing to add, and would read them all.
    const isFlood = Object.keys(value as object).length > Object.keys(fields).length + MAX_FAULTS;
    const told = isFlood ? [] : (this.rules.get(type.name)?.(value) ?? []);
    // A rule that finds nothing knows less than the types here: of fields that REST does not have, for one.
    if (told.length > 0) return void this.faults.push(...told);
    if (typeof value !== 'object' || Array.isArray(value)) return void this.faults.push(`${path} must be an object`);
    const given = value as Record<string, unknown>;
    for (const key of Object.keys(given)) {
      if (this.faults.length >= MAX_FAULTS) return;
      if (!Object.hasOwn(fields, key)) this.faults.push(`${prefix}${spoken(key)} is not a known field`);
    }
    for (const field of Object.values(fields)) {
      const item = Object.hasOwn(given, field.name) ? given[field.name] : undefined;
      if (item === undefined && field.defaultValue !== undefined) continue;
      this.walk(field.type, item, `${prefix}${spoken(field.name)}`);
    }
  }

  private leaf(type: GraphQLLeafType, value: unknown, path: string): void {
    try {
      if (type.parseValue(value) !== undefined) return;
    } catch (error) {
      // A scalar that refuses with a fault of its own (a file that is too large, say) has said it better.
      if (error instanceof DomainError) throw error;
    }
    const expectation = isEnumType(type)
      ? `one of ${type
          .getValues()
          .map(({ name }) => name)
          .join(', ')}`
      : (SCALAR_WORDS[type.name] ?? 'valid');
    this.faults.push(`${path} must be ${expectation}`);
  }
}

/** A name as both doors speak it, so that one fault reads the same through either; never a page of somebody's text. */
function spoken(name: string): string {
  return /^\w{1,64}$/.test(name) ? wireName(name) : 'a field';
}

const SCALAR_WORDS: Record<string, string> = {
  Int: 'an integer of 32 bits',
  Float: 'a number',
  String: 'a string',
  Boolean: 'true or false',
  ID: 'a string or an integer',
  DateTime: 'a date-time such as 2026-11-20T08:15:30Z',
  Date: 'a date such as 2026-11-20',
  JSONObject: 'an object',
  Upload: 'a file sent as multipart/form-data',
};
