import {
  extendSchema,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  parse,
} from 'graphql';
import { ID, InterfaceType } from 'type-graphql';
import { SafeIntScalar } from './scalars.js';
import { Field } from './types.js';

@InterfaceType({ description: 'An object with an identity: `node` reads it again by its `id`.' })
export abstract class Node {
  @Field(() => ID, 'Unique among all objects. Opaque: do not take it apart.')
  id!: string;
}

/** Parts of keys that are texts; others are integers. */
const TEXTS: ReadonlySet<string> = new Set<TextPart>(['userId', 'serviceAccountId', 'workflowId', 'controlId']);

type TextPart = 'userId' | 'serviceAccountId' | 'workflowId' | 'controlId';
type Optional<Part> = Part extends `${infer Name}?` ? Name : never;
/** The value of a part, as services take it. */
export type KeyPart = string | number;
export type KeyParts = Readonly<Record<string, KeyPart>>;
export type NodeKey<Parts extends string> = {
  readonly [Part in Exclude<Parts, `${string}?`>]: Part extends TextPart ? string : number;
} & { readonly [Part in Optional<Parts>]?: number };

/** Parts of the keys of types with an identity. */
const keys = new Map<string, readonly [string, ...string[]]>();

/** Gives a type an identity; `?` marks a part of its key that may be absent. */
export function declareNode(type: string, key: readonly [string, ...string[]]): void {
  keys.set(type, key);
}

/** Names of the types with an identity. */
export function nodeTypes(): string[] {
  return [...keys.keys()].toSorted();
}

/** Undefined for text that is not the id of a node. */
export function parseNodeId(id: string): { type: string; key: KeyParts } | undefined {
  const colon = id.indexOf(':');
  const type = id.slice(0, Math.max(colon, 0));
  const key = isNodeType(type) ? parseKey(type, id.slice(colon + 1)) : undefined;
  return key && { type, key };
}

export function isNodeType(name: string): boolean {
  return keys.has(name);
}

/** The parts of the key of a type. */
export function keyOf(type: string): readonly [string, ...string[]] {
  const key = keys.get(type);
  if (key === undefined) throw new Error(`${type} is no node`);
  return key;
}

/** The parts of a key such as `12/iso-27001-2022`. */
export function parseKey(type: string, key: string): KeyParts | undefined {
  const values = key.split('/');
  const names = keyOf(type);
  const absent = names.length - values.length;
  if (absent < 0 || names.slice(0, absent).some((name) => !name.endsWith('?'))) return undefined;
  const parts: Record<string, KeyPart> = {};
  for (const [index, value] of values.entries()) {
    const name = (names[absent + index] as string).replace('?', '');
    const part = parsePart(name, value);
    if (part === undefined || part === '') return undefined;
    parts[name] = part;
  }
  return parts;
}

/** REST's value of a part, of its text. */
export function parsePart(name: string, value: string): KeyPart | undefined {
  if (TEXTS.has(name)) return value;
  return INTEGER.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}

const INTEGER = /^[1-9]\d{0,15}$/;

/** The part that identifies a record of the type among those of its parent: REST's `id`. */
export function lastPart(type: string): string {
  return keyOf(type).at(-1) as string;
}

/** The type whose records a part identifies by itself; undefined for a part that identifies them within another record. */
export function typeOfPart(part: string): string | undefined {
  return [...keys].find(([, [only, ...more]]) => only === part && more.length === 0)?.[0];
}

/** Notes the type of an object that `node` answers with, and returns it. */
export function asNode<Value extends object>(type: string, value: Value): Value {
  typeOf.set(value, type);
  return value;
}

const typeOf = new WeakMap<object, string>();

/**
 * The same schema, in which the types with keys and the interfaces of these types are nodes. Records keep their own keys, of
 * which ids are made here.
 */
export function withNodes(schema: GraphQLSchema): GraphQLSchema {
  const types = nodeTypes();
  const extensions = types.flatMap((type) => {
    const kind = TEXTS.has(lastPart(type)) ? 'String' : SafeIntScalar.name;
    const interfaces = (schema.getType(type) as GraphQLObjectType).getInterfaces();
    return [`type ${type}`, ...interfaces.map(({ name }) => `interface ${name}`)].map(
      (name) => `extend ${name} implements Node { "What REST calls its \`id\`." databaseId: ${kind}! }`,
    );
  });
  const document = parse([...new Set(extensions)].join(' '), { noLocation: true });
  const extended = extendSchema(schema, document, { assumeValidSDL: true });
  const node = extended.getType(Node.name) as GraphQLInterfaceType;
  node.resolveType = (value: object) => typeOf.get(value);
  for (const type of types) finishNode(type, extended.getType(type) as GraphQLObjectType, node);
  return extended;
}

/** The declared `id` is the key; for a key of one part its description states REST's value. */
function finishNode(type: string, object: GraphQLObjectType, node: GraphQLInterfaceType): void {
  const { id, databaseId } = object.getFields() as Record<'id' | 'databaseId', GraphQLField<Keyed, unknown>>;
  const isComposite = keyOf(type).length > 1;
  const isText = TEXTS.has(lastPart(type));
  const lastOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);
  if (!isComposite) databaseId.description = id.description;
  databaseId.resolve = !isComposite
    ? (row) => row.id
    : isText
      ? (row) => lastOf(row.id as string)
      : (row) => Number(lastOf(row.id as string));
  id.type = (node.getFields()['id'] as GraphQLField<unknown, unknown>).type;
  id.description = (node.getFields()['id'] as GraphQLField<unknown, unknown>).description;
  id.resolve = (row) => (row.id === undefined ? undefined : `${type}:${row.id}`);
  for (const one of object.getInterfaces()) {
    if (one === node) continue;
    one.resolveType = node.resolveType;
    const shared = one.getFields() as Record<'id' | 'databaseId', GraphQLField<unknown, unknown>>;
    Object.assign(shared.id, { type: id.type, description: id.description });
    shared.databaseId.description = databaseId.description;
  }
}

interface Keyed {
  readonly id: string | number | undefined;
}

/** The parts that are ids. */
export function idParts(): ReadonlySet<string> {
  const parts = [...keys.values()].flat().map((part) => part.replace('?', ''));
  return new Set(parts.filter((part) => part.endsWith('Id')));
}
