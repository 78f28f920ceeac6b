import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
} from 'graphql';
import { multipart, type Sent } from '../support/http.js';
import type { Random } from '../support/random.js';
import type { Pool } from './pool.js';
import { mutated, ODD_TEXTS, oddJson, oddValue } from './values.js';

export const SCHEMA = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

type Field = GraphQLField<unknown, unknown>;

const JSON_TYPE = { 'content-type': 'application/json' };
const PREFLIGHT = { 'apollo-require-preflight': '1' };

/**
 * Requests of GraphQL: documents of the schema's fields with valid and invalid values, and malformed bodies around
 * them.
 */
export class GraphQLRequests {
  private declared: string[] = [];
  private variables: Record<string, unknown> = {};

  constructor(
    private readonly random: Random,
    private readonly pool: Pool,
  ) {}

  next(): Sent {
    const { random } = this;
    const token = this.pool.token();
    const operation = this.operation();
    const sent = this.transport(operation);
    const isHeader = token !== undefined && /^[\x21-\x7e]*$/.test(token);
    return { ...sent, ...(isHeader && random.chance(0.98) && { token }) };
  }

  /** One operation with one to three root fields; each argument is a variable or a literal. */
  private operation(): { query: string; variables: unknown; operationName?: unknown } {
    const { random } = this;
    [this.declared, this.variables] = [[], {}];
    const kind = random.chance(0.65) ? 'query' : 'mutation';
    const root = kind === 'query' ? SCHEMA.getQueryType() : SCHEMA.getMutationType();
    const fields = Object.values(root?.getFields() ?? {});
    const selected = Array.from(
      { length: 1 + random.below(3) },
      (_, at) => `f${at}: ${this.field(random.pick(fields), 3)}`,
    );
    const declared = this.declared.length === 0 ? '' : `(${this.declared.join(', ')})`;
    const query = `${kind} Fuzz${declared} { ${selected.join(' ')} }`;
    return {
      query: random.chance(0.1) ? this.broken(query) : query,
      variables: random.chance(0.02) ? oddValue(random) : this.variables,
      ...(random.chance(0.05) && { operationName: random.chance(0.5) ? 'Fuzz' : oddValue(random) }),
    };
  }

  private field(field: Field, depth: number): string {
    const { random } = this;
    const given = field.args.filter(({ type }) => isNonNullType(type) || random.chance(0.3));
    const args = given.map(({ name, type }) => `${name}: ${this.argument(name, type)}`);
    const text = `${field.name}${args.length === 0 ? '' : `(${args.join(', ')})`}`;
    return `${text} ${this.selection(getNamedType(field.type), depth)}`;
  }

  private selection(type: GraphQLNamedType, depth: number): string {
    const { random } = this;
    if (isUnionType(type)) return '{ __typename }';
    if (!isObjectType(type) && !isInterfaceType(type)) return '';
    const fields = Object.values(type.getFields()).filter((field) => {
      const isLeaf = !('getFields' in getNamedType(field.type)) && !isUnionType(getNamedType(field.type));
      return isLeaf ? random.chance(0.4) : depth > 0 && random.chance(0.25);
    });
    return `{ __typename ${fields.map((field) => this.field(field, depth - 1)).join(' ')} }`;
  }

  private argument(name: string, type: GraphQLInputType): string {
    const { random } = this;
    const value = this.value(name, type);
    if (random.chance(0.3) && type.toString() !== 'Upload') return literal(value);
    const variable = `v${this.declared.length}`;
    this.declared.push(`$${variable}: ${type.toString()}`);
    this.variables[variable] = random.chance(0.35) ? mutated(random, value) : value;
    return `$${variable}`;
  }

  private value(name: string, type: GraphQLInputType): unknown {
    const { random } = this;
    if (isNonNullType(type)) return this.value(name, type.ofType as GraphQLInputType);
    if (random.chance(0.03)) return random.chance(0.5) ? null : oddValue(random);
    if (isListType(type)) {
      return Array.from({ length: random.below(4) }, () => this.value(name, type.ofType as GraphQLInputType));
    }
    if (isEnumType(type)) return new EnumName(random.pick(type.getValues()).name);
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || random.chance(0.4));
      return Object.fromEntries(fields.map((field) => [field.name, this.value(field.name, field.type)]));
    }
    return this.pool.named(name) ?? this.leaf(type.name);
  }

  private leaf(type: string): unknown {
    const { random } = this;
    const odd = random.chance(0.2);
    if (type === 'Int') return odd ? random.pick([-1, 0, 2_147_483_647, 1_000]) : 1 + random.below(100);
    if (type === 'SafeInt') return odd ? random.pick([-1, 0, 2 ** 31, 2 ** 53 - 1, 2 ** 53]) : 1 + random.below(100);
    if (type === 'Boolean') return random.chance(0.5);
    if (type === 'ID')
      return random.pick([() => this.pool.integer(), () => this.pool.uuid(), () => this.pool.globalId()])();
    if (type === 'DateTime') return odd ? random.pick(ODD_TEXTS) : '2026-11-19T08:15:30Z';
    if (type === 'Date') return odd ? random.pick(ODD_TEXTS) : '2026-11-19';
    if (type === 'JSONObject') return odd ? oddValue(random) : { entity_type: 'essential' };
    if (type === 'Upload') return null;
    return odd ? random.pick(ODD_TEXTS) : random.pick(['words', 'person@example.com', 'www.example.com', 'attached']);
  }

  private broken(query: string): string {
    const { random } = this;
    const at = random.below(query.length);
    return random.pick([
      () => query.slice(0, at),
      () => query.slice(0, at) + random.pick(ODD_TEXTS) + query.slice(at),
      () => query.replace(/\{ __typename/, `{ ...F __typename ${'@skip(if: false) '.repeat(random.below(80))}`),
      () => `${query} fragment F on Query { ...F }`,
      () => `${query} ${query}`,
      () => query.replace('Fuzz', random.pick(['Fuzz2', '__proto__', 'constructor', 'toString'])),
      () => `{ a: __typename ${'b: __typename '.repeat(random.below(100))} }`,
      () => `${'{ viewer '.repeat(random.below(60))}`,
      () => 'subscription { notificationAdded { id: databaseId } }',
    ])();
  }

  private transport(operation: { query: string; variables: unknown; operationName?: unknown }): Sent {
    const { random } = this;
    const post = { method: 'POST', path: '/graphql' };
    const text = JSON.stringify(operation);
    const kind = random.below(100);
    if (kind < 80) return { ...post, headers: JSON_TYPE, body: text };
    if (kind < 84) return { ...post, headers: JSON_TYPE, body: oddJson(random, text) };
    if (kind < 87)
      return {
        ...post,
        headers: JSON_TYPE,
        body: JSON.stringify(mutated(random, { ...operation, extensions: {} })) ?? '',
      };
    if (kind < 90)
      return {
        ...post,
        headers: { 'content-type': random.pick(['text/plain', 'application/graphql', 'x', '']) },
        body: text,
      };
    if (kind < 93) return { ...post, ...this.form(text) };
    if (kind < 94) return { method: random.pick(['PUT', 'DELETE', 'PURGE', 'HEAD']), path: '/graphql' };
    if (kind < 95) return { ...post, headers: JSON_TYPE, body: `[${text},${text}]` };
    const variables = encodeURIComponent(JSON.stringify(operation.variables) ?? '');
    const path = `/graphql?query=${encodeURIComponent(operation.query.toWellFormed())}&variables=${variables}`.slice(
      0,
      7_000,
    );
    return { path, headers: random.chance(0.9) ? PREFLIGHT : {} };
  }

  /** A multipart request whose map names existing and missing places of its operations. */
  private form(operations: string): Pick<Sent, 'headers' | 'body'> {
    const { random } = this;
    const places = [
      'variables.v0',
      'variables.v0.file',
      'variables.v0.input.file',
      'variables.__proto__.x',
      'variables',
      '',
      '0',
    ];
    const map = random.chance(0.8)
      ? JSON.stringify({ file: [random.pick(places)] })
      : oddJson(random, '{"file": ["variables.v0"]}');
    const file = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('words of a file\n') };
    const { headers, body } = multipart({ operations, map, ...(random.chance(0.9) && { file }) });
    return { headers: { ...headers, ...(random.chance(0.9) && PREFLIGHT) }, body };
  }
}

/** Written without quotes in a document, and with them in JSON. */
class EnumName {
  constructor(readonly name: string) {}

  toJSON(): string {
    return this.name;
  }
}

/** A value as a literal of a document; keys that are no names are omitted. */
function literal(value: unknown): string {
  if (value instanceof EnumName) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([key]) => /^[_A-Za-z]\w*$/.test(key));
  return `{${fields.map(([key, field]) => `${key}: ${literal(field)}`).join(', ')}}`;
}
