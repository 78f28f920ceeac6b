import {
  type DocumentNode,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  TypeInfo,
  validate,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { describedWith } from '../common/deprecation.js';
import { constraintsOf, type Json, objectSchema, type SchemaOptions, valueSchema } from '../common/input-schema.js';
import { published } from '../common/published-schema.js';
import { UNNAMED_FIELD, fileTooLarge, refuseErrors, type FieldError, type Path } from '../errors.js';
import type { Variables } from '../graphql/executor.js';
import { LIMITS } from '../values/limits.js';
import { resultSchema } from './result-schema.js';
import type { Effect, ToolText } from './tools.js';

/** A tool as clients see it: `Tool` of the Model Context Protocol. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json & { readonly type: 'object' };
  readonly outputSchema: Json & { readonly type: 'object' };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** A tool with the data derived from its operation, created once for all calls. */
export class Tool {
  readonly document: DocumentNode;
  readonly effect: Effect;
  readonly listed: ListedTool;
  /** The place of each argument in the operation. */
  private readonly places: readonly Argument[];
  private readonly takesInput: boolean;

  /** Throws if the schema lacks a selected field. */
  constructor(
    schema: GraphQLSchema,
    private readonly text: ToolText,
  ) {
    this.document = parse(text.operation);
    const wrong = validate(schema, this.document);
    if (wrong.length > 0) throw new Error(`${text.name}: ${wrong.map(({ message }) => message).join('; ')}`);
    const operation = this.document.definitions[0] as OperationDefinitionNode;
    const { name, title, description, effect } = text;
    this.effect = effect;
    this.takesInput = operation.variableDefinitions?.[0]?.variable.name.value === INPUT;
    this.places = this.takesInput ? fieldsOfInput(schema, operation) : variablesOf(schema, operation);
    this.listed = {
      ...{ name, title, description },
      inputSchema: this.inputSchema(),
      outputSchema: resultSchema(schema, operation) as ListedTool['outputSchema'],
      annotations: annotationsOf(text),
    };
  }

  /** The variables of the operation, and the key of a call that is executed once. Throws BAD_USER_INPUT, FILE_TOO_LARGE. */
  read(sent: Variables): { variables: Variables; key: string | undefined } {
    const { [IDEMPOTENCY_KEY]: key, ...given } = sent;
    const names = new Set(this.places.map(({ name }) => name));
    const unknown = Object.keys(given).filter((name) => !names.has(name));
    const errors = unknown.map((name): FieldError => this.unknown(name));
    if (key != null && (this.effect === 'reads' || !isKey(key)))
      errors.push(this.effect === 'reads' ? this.unknown(IDEMPOTENCY_KEY) : errorAt(IDEMPOTENCY_KEY, MALFORMED_KEY));
    for (const [name, most] of Object.entries(this.text.maxBytes ?? {})) {
      const value = given[name];
      if (typeof value !== 'string') continue;
      if (decodedBytes(value) > most) throw fileTooLarge(most);
      // With line breaks.
      if (value.length > base64Characters(most))
        errors.push(errorAt(name, `must not be longer than ${base64Characters(most)} characters`));
    }
    refuseErrors(errors);
    return { variables: this.takesInput ? { [INPUT]: given } : given, key: (key as string | null) ?? undefined };
  }

  /** An error of the operation by the name of the argument that is wrong. */
  ofArgument(error: FieldError): FieldError {
    const place = this.places.find(({ path }) => path.every((part, index) => error.path[index] === part));
    return place === undefined ? error : errorAt(place.name, error.sentence, error, place.path.length);
  }

  private unknown(name: string): FieldError {
    const isPrintable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,64}$/u.test(name);
    return isPrintable ? errorAt(name, 'is not a known argument') : { path: [], sentence: UNNAMED_FIELD };
  }

  private inputSchema(): ListedTool['inputSchema'] {
    const { maxBytes = {} } = this.text;
    const required = this.places.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    const properties = this.places.map(({ name, schema }) => [
      name,
      { ...schema, ...(maxBytes[name] !== undefined && { maxLength: base64Characters(maxBytes[name]) }) },
    ]);
    const key = this.effect === 'reads' ? {} : { [IDEMPOTENCY_KEY]: KEY_SCHEMA };
    return {
      type: 'object',
      additionalProperties: false,
      ...(required.length > 0 && { required }),
      properties: { ...(Object.fromEntries(properties) as Json), ...key },
    };
  }
}

/** An argument of a tool. */
interface Argument {
  readonly name: string;
  /** From the argument of the field on: as errors name it. */
  readonly path: Path;
  readonly schema: Json;
  readonly isRequired: boolean;
}

const INPUT = 'input';
const IDEMPOTENCY_KEY = 'idempotencyKey';
const { keyCharacters } = LIMITS.idempotency;
const MALFORMED_KEY = `must be 1 to ${keyCharacters} printable ASCII characters`;

const KEY_SCHEMA: Json = {
  type: ['string', 'null'],
  minLength: 1,
  maxLength: keyCharacters,
  pattern: '^[ -~]*$',
  description: `A text of your own for this call, such as a UUID. The same call with the same key within ${LIMITS.idempotency.hoursKept} hours is answered as the first one was, and changes nothing.`,
};

/** Characters of base64 for so many bytes, padding included. */
function base64Characters(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

/** Bytes of a text in base64: neither line breaks nor padding are any. */
function decodedBytes(text: string): number {
  return Math.floor((text.replaceAll(/[\r\n=]/g, '').length * 3) / 4);
}

function isKey(key: unknown): key is string {
  return typeof key === 'string' && key.length <= keyCharacters && /^[ -~]+$/.test(key);
}

/** The path begins with the argument of the field, which people are not shown. */
function errorAt(name: string, sentence: string, whole: Partial<FieldError> = {}, depth = 0): FieldError {
  return { ...whole, path: [INPUT, name, ...(whole.path?.slice(depth) ?? [])], sentence };
}

const SPELLING: SchemaOptions = {
  spell: (name) => name,
  nested: (type: GraphQLInputObjectType) => objectSchema(type, SPELLING),
};

function annotationsOf({ effect, isIdempotent }: ToolText): ListedTool['annotations'] {
  if (effect === 'reads') return READS;
  const destructiveHint = effect === 'changes';
  return { readOnlyHint: false, destructiveHint, idempotentHint: isIdempotent === true, openWorldHint: false };
}

export const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

function fieldsOfInput(schema: GraphQLSchema, operation: OperationDefinitionNode): Argument[] {
  const type = typeOf(schema, operation, INPUT);
  const { properties, required = [] } = published(objectSchema(getNamedType(type) as GraphQLInputObjectType, SPELLING));
  return Object.entries(properties as Readonly<Record<string, Json>>).map(([name, field]) => ({
    ...{ name, path: [INPUT, name], schema: field },
    isRequired: (required as string[]).includes(name),
  }));
}

/** The argument or field that a variable sets, and the names of those that may accompany it. */
interface Place {
  readonly filled: GraphQLArgument | GraphQLInputField;
  readonly beside: readonly string[];
  readonly path: Path;
}

/** The schema of each variable: that of the argument, or the field of an input, that it fills. */
function variablesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Argument[] {
  const found: Argument[] = [];
  const note = (value: ValueNode, place: Place): void => {
    if (value.kind === Kind.VARIABLE) found.push(argumentOf(value.name.value, place));
    if (value.kind !== Kind.OBJECT) return;
    const fields = (getNamedType(place.filled.type) as GraphQLInputObjectType).getFields();
    const beside = Object.keys(fields);
    for (const { name, value: inner } of value.fields)
      note(inner, { filled: fields[name.value]!, beside, path: [...place.path, name.value] });
  };
  const argumentOf = (name: string, { filled, beside, path }: Place): Argument => {
    const type = typeOf(schema, operation, name);
    const value = published(valueSchema(type, constraintsOf(filled), SPELLING));
    const absent = beside.filter((each) => !isVariable(operation, each));
    const description = describedWith(withoutMention(filled.description, absent), filled.deprecationReason);
    return {
      ...{ name, path },
      schema: { ...value, ...(description !== '' && { description }), ...defaultOf(filled) },
      isRequired: isNonNullType(type),
    };
  };
  const info = new TypeInfo(schema);
  visit(
    operation,
    visitWithTypeInfo(info, {
      Argument: ({ name, value }) => {
        const beside = info.getFieldDef()!.args.map((each) => each.name);
        note(value, { filled: info.getArgument()!, beside, path: [name.value] });
      },
    }),
  );
  return found;
}

function isVariable({ variableDefinitions = [] }: OperationDefinitionNode, name: string): boolean {
  return variableDefinitions.some(({ variable }) => variable.name.value === name);
}

/** A description without sentences about arguments that the tool does not have. */
function withoutMention(description: string | null | undefined, names: readonly string[]): string {
  const isLeft = (part: string) => !names.some((name) => part.includes(`\`${name}\``));
  const sentences = (description ?? '')
    .split(/\.(?: |$)/)
    .map((sentence) => sentence.split('; ').filter(isLeft).join('; '));
  return sentences.flatMap((sentence) => (sentence === '' ? [] : [`${sentence}.`])).join(' ');
}

function typeOf(schema: GraphQLSchema, operation: OperationDefinitionNode, name: string): GraphQLInputType {
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return typeFromAST(schema, definition!.type as never) as unknown as GraphQLInputType;
}

function defaultOf({ type, defaultValue }: GraphQLArgument | GraphQLInputField): Json {
  const named = getNamedType(type);
  if (defaultValue == null || isInputObjectType(named) || !isLeafType(named)) return {};
  return { default: named.serialize(defaultValue) };
}
