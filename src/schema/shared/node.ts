import {
  extendSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import { ID, InterfaceType } from 'type-graphql';
import { keyTypeOf } from '../../common/input-schema.js';
import { notFound } from '../../errors.js';
import { SafeIntScalar } from './scalars.js';
import { Field } from './types.js';

@InterfaceType({ description: 'An object with an identity: `node` reads it again by its `id`.' })
export abstract class Node {
  @Field(() => ID, 'Unique among all objects. Opaque: do not take it apart.')
  id!: string;
}

/**
 * The types with an identity, and what their keys consist of; `?` marks a part that may be absent. A part that is not in
 * TEXTS is an integer.
 */
const KEYS = {
  ApiToken: ['tokenId'],
  AuditEntry: ['logId', 'position'],
  CloudDefender: ['cloudDefenderId'],
  DocumentVersion: ['documentVersionId'],
  IdentityProvider: ['providerId'],
  Incident: ['incidentId'],
  IncidentAttachment: ['attachmentId'],
  IncidentNote: ['noteId'],
  IncidentReport: ['reportId'],
  Invitation: ['invitationId'],
  Notification: ['notificationId'],
  Organization: ['organizationId'],
  OrganizationApiToken: ['organizationId', 'tokenId'],
  OrganizationControl: ['organizationId', 'workflowId', 'controlId'],
  OrganizationUser: ['organizationId', 'userId'],
  OrganizationWorkflow: ['organizationId', 'workflowId'],
  ServiceAccount: ['serviceAccountId'],
  ServiceAccountToken: ['serviceAccountId', 'tokenId'],
  ThreatBlocker: ['threatBlockerId'],
  User: ['userId'],
  WeeklyReportDelivery: ['deliveryId'],
  Workflow: ['organizationId?', 'workflowId'],
  WorkflowControl: ['organizationId?', 'workflowId', 'controlId'],
  WorkflowImport: ['organizationId', 'workflowId'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const TEXTS: ReadonlySet<string> = new Set<TextPart>(['userId', 'serviceAccountId', 'workflowId', 'controlId']);

type TextPart = 'userId' | 'serviceAccountId' | 'workflowId' | 'controlId';
type Optional<Part> = Part extends `${infer Name}?` ? Name : never;
export type NodeType = keyof typeof KEYS;
/** The value of a part, as services take it. */
export type KeyPart = string | number;
export type KeyParts = Readonly<Record<string, KeyPart>>;
export type NodeKey<Type extends NodeType> = {
  readonly [Part in Exclude<(typeof KEYS)[Type][number], `${string}?`>]: Part extends TextPart ? string : number;
} & { readonly [Part in Optional<(typeof KEYS)[Type][number]>]?: number };

/** Undefined for text that is not the id of a node. */
export function parseNodeId(id: string): { type: NodeType; key: KeyParts } | undefined {
  const colon = id.indexOf(':');
  const type = id.slice(0, Math.max(colon, 0));
  const key = isNodeType(type) ? parseKey(type, id.slice(colon + 1)) : undefined;
  return key && { type: type as NodeType, key };
}

export function isNodeType(name: string): name is NodeType {
  return Object.hasOwn(KEYS, name);
}

/** The parts of a key such as `12/iso-27001-2022`. */
export function parseKey(type: NodeType, key: string): KeyParts | undefined {
  const values = key.split('/');
  const names: readonly string[] = KEYS[type];
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
export function lastPart(type: NodeType): string {
  return KEYS[type].at(-1) as string;
}

/** Notes the type of an object that `node` answers with, and returns it. */
export function asNode<Value extends object>(type: NodeType, value: Value): Value {
  typeOf.set(value, type);
  return value;
}

const typeOf = new WeakMap<object, NodeType>();

/**
 * The same schema, in which the types of KEYS and the interfaces of these types are nodes. Records keep their own keys, of
 * which ids are made here.
 */
export function withNodes(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.keys(KEYS) as NodeType[];
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

/** The declared `id` is the key; for a key of one part its description says what REST's value is. */
function finishNode(type: NodeType, object: GraphQLObjectType, node: GraphQLInterfaceType): void {
  const { id, databaseId } = object.getFields() as Record<'id' | 'databaseId', GraphQLField<Keyed, unknown>>;
  const isComposite = KEYS[type].length > 1;
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

/** Arguments and input fields that take an id are named like a part of a key, or so. */
const ALIASES: Readonly<Record<string, string>> = {
  ownerId: 'userId',
  owner: 'userId',
  assigneeId: 'userId',
  responsibleId: 'userId',
  actor: 'userId',
  controlIds: 'controlId',
  artifactId: 'controlId',
  parent: 'controlId',
  notificationIds: 'notificationId',
};

const PARTS: ReadonlySet<string> = new Set(
  Object.values(KEYS)
    .flat()
    .map((part) => part.replace('?', ''))
    .filter((part) => part.endsWith('Id')),
);

/** Parts that the ids of other parts contain: they are read first. */
const FIRST = ['organizationId', 'workflowId', 'serviceAccountId'];

/** An input that names controls as its file does, which refers to no other. */
const OF_FILES = 'WorkflowControlInput';

/**
 * Makes `ID` of every argument and input field that takes an id. Global ids and REST's values are accepted; resolvers are
 * given REST's value. What is no such id is NOT_FOUND, and so is one whose other parts differ from the ids beside it.
 */
export function readIdArguments(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const read = readerOf(field.args, ofNode(field.type));
      if (read === undefined) continue;
      const { name } = type;
      const known = isNodeType(name) ? (source: unknown) => keyOf(name, source) : () => ({});
      if (field.subscribe) field.subscribe = reading(field.subscribe, read, known);
      else if (field.resolve) field.resolve = reading(field.resolve, read, known);
    }
  }
}

type Place = GraphQLArgument | GraphQLInputField;
type Values = Readonly<Record<string, unknown>>;
type Reader = (values: Values, known: Values) => Values;
type Resolver = GraphQLFieldResolver<unknown, unknown, Values>;

function reading(resolve: Resolver, read: Reader, known: (source: unknown) => Values): Resolver {
  return (source, values, context, info) => resolve(source, read(values, known(source)), context, info);
}

/** The parts of the key of the object that a field belongs to. */
function keyOf(type: NodeType, source: unknown): Values {
  return parseKey(type, String((source as { id: unknown }).id)) ?? {};
}

/** What the argument `id` of a field identifies: the node that it answers with. */
function ofNode(type: GraphQLOutputType): string | undefined {
  const { name } = getNamedType(type);
  return isNodeType(name) ? lastPart(name) : undefined;
}

/** Reads the ids among arguments, or among the fields of an input object; undefined where there are none. */
function readerOf(places: readonly Place[], id?: string): Reader | undefined {
  const readers = places.flatMap((place): PlaceReader[] => {
    const { name } = place;
    const type = getNamedType(place.type);
    if (isInputObjectType(type)) {
      const read = type.name === OF_FILES ? undefined : readerOf(Object.values(type.getFields()));
      return read === undefined ? [] : [{ name, read: (value, known) => read(value as Values, known) }];
    }
    const part = name === 'id' ? id : (ALIASES[name] ?? (PARTS.has(name) ? name : undefined));
    if (part === undefined) return [];
    place.extensions = { ...place.extensions, keyType: keyTypeOf(place) };
    place.type = withId(place.type);
    return [{ name, part, read: (value, known) => readId(value as string, part, known) }];
  });
  if (readers.length === 0) return undefined;
  const inOrder = readers.toSorted((one, other) => rankOf(one) - rankOf(other));
  return (values, outer) => {
    const read: Record<string, unknown> = { ...values };
    const known: Record<string, unknown> = { ...outer };
    for (const { name, part, read: readValue } of inOrder) {
      const value = values[name];
      if (value === undefined || value === null) continue;
      read[name] = Array.isArray(value) ? value.map((item) => readValue(item, known)) : readValue(value, known);
      if (part !== undefined) known[part] = read[name];
    }
    return read;
  };
}

interface PlaceReader {
  readonly name: string;
  /** Absent for an input object. */
  readonly part?: string;
  readonly read: (value: unknown, known: Values) => unknown;
}

function rankOf({ part }: PlaceReader): number {
  const rank = part === undefined ? -1 : FIRST.indexOf(part);
  return rank < 0 ? FIRST.length : rank;
}

function withId(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withId(type.ofType));
  return isListType(type) ? new GraphQLList(withId(type.ofType)) : GraphQLID;
}

/** REST's value of the part, of a global id or of itself. Throws NOT_FOUND. */
function readId(id: string, part: string, known: Values): KeyPart {
  const node = parseNodeId(id);
  if (node === undefined) return parsePart(part, id) ?? absent();
  const isSame = Object.entries(node.key).every(([name, value]) => name === part || known[name] === value);
  return lastPart(node.type) === part && isSame ? (node.key[part] as KeyPart) : absent();
}

function absent(): never {
  throw notFound();
}
