import {
  getNamedType,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLFieldResolver,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { keyTypeOf } from '../../common/input-schema.js';
import { notFound } from '../../errors.js';
import { isNodeType, lastPart, parseKey, parseNodeId, parsePart, type KeyPart, type NodeType } from './node.js';

/** Names of arguments and input fields that take an id, and the part of a key that it is. */
const PARTS: Readonly<Record<string, string>> = {
  organizationId: 'organizationId',
  workflowId: 'workflowId',
  incidentId: 'incidentId',
  userId: 'userId',
  ownerId: 'userId',
  owner: 'userId',
  assigneeId: 'userId',
  actor: 'userId',
  controlId: 'controlId',
  controlIds: 'controlId',
  artifactId: 'controlId',
  parent: 'controlId',
  attachmentId: 'attachmentId',
  cloudDefenderId: 'cloudDefenderId',
  documentVersionId: 'documentVersionId',
  invitationId: 'invitationId',
  notificationId: 'notificationId',
  notificationIds: 'notificationId',
  threatBlockerId: 'threatBlockerId',
  tokenId: 'tokenId',
};

/** Parts that the ids of other parts contain: they are read first. */
const FIRST = ['organizationId', 'workflowId'];

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
    const part = name === 'id' ? id : PARTS[name];
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
