import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLFieldResolver,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { keyTypeOf } from '../../common/input-schema.js';
import { invalidInput, notFound, type Path } from '../../errors.js';
import { idParts, isNodeType, type KeyPart, lastPart, parseKey, parseNodeId, parsePart, typeOfPart } from './node.js';

/** Arguments and input fields that take an id are named like a part of a key, or so. */
const ALIASES: Readonly<Record<string, string>> = {
  ownerId: 'userId',
  assigneeId: 'userId',
  responsibleId: 'userId',
  actorId: 'userId',
  controlIds: 'controlId',
  workflowIds: 'workflowId',
  artifactId: 'controlId',
  parentId: 'controlId',
  notificationIds: 'notificationId',
};

/** A service account acts as a user does: under the same id as a user would have. */
const ALSO: Readonly<Record<string, string>> = { actorId: 'serviceAccountId' };

/** Parts that the ids of other parts contain: they are read first. */
const FIRST = ['organizationId', 'workflowId', 'serviceAccountId', 'engagementId'];

/** An input that names controls as its file does, which refers to no other. */
const OF_FILES = 'WorkflowControlInput';

/**
 * Inputs of which a request has many, one of which is refused alone: an id that is none is there one that no record has.
 */
const REFUSED_ALONE: ReadonlySet<string> = new Set([
  'CloudDefenderReportOfManyInput',
  'ThreatBlockerReportOfManyInput',
]);
const NO_RECORD = 0;

/**
 * Makes `ID` of every argument and input field that takes an id. Global ids and REST's values are accepted; resolvers are
 * given REST's value. What is no such id is NOT_FOUND, and so is one whose other parts differ from the ids beside it.
 *
 * An `organizationId` beside the id of an object may be absent: it is taken from the global id, or from the record.
 */
export function readIdArguments<Context>(schema: GraphQLSchema, organizations: Organizations<Context>): void {
  const parts = idParts();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const read = readerOf(field.args, parts, ofNode(field.type));
      if (read === undefined) continue;
      const { name } = type;
      const known = isNodeType(name) ? (source: unknown) => keyOf(name, source) : () => ({});
      if (field.subscribe) field.subscribe = reading(field.subscribe, read, known, organizations);
      else if (field.resolve) field.resolve = reading(field.resolve, read, known, organizations);
    }
  }
}

/** The organization that has a record, by its type; null where a user has it, undefined for types of no organization. Throws NOT_FOUND. */
export type Organizations<Context> = (
  context: Context,
  type: string | undefined,
  id: KeyPart,
) => Promise<number | null> | undefined;

type Place = GraphQLArgument | GraphQLInputField;
type Values = Readonly<Record<string, unknown>>;
type Reader = (values: Values, outer: Outer) => Values;
type Resolver<Context> = GraphQLFieldResolver<unknown, Context, Values>;

/**
 * The surroundings of an object of ids that is read: ids around it, its own place, and those that lack their
 * organization.
 */
interface Outer {
  readonly known: Values;
  readonly path: Path;
  readonly unscoped: Unscoped[];
}

/** Values without an organization, and the object that their other ids identify. */
interface Unscoped {
  readonly values: Record<string, unknown>;
  readonly ids: readonly (readonly [part: string, id: KeyPart])[];
  readonly path: Path;
}

function reading<Context>(
  resolve: Resolver<Context>,
  read: Reader,
  known: (source: unknown) => Values,
  organizations: Organizations<Context>,
): Resolver<Context> {
  return (source, sent, context, info) => {
    const unscoped: Unscoped[] = [];
    const values = read(sent, { known: known(source), path: [], unscoped });
    if (unscoped.length === 0) return resolve(source, values, context, info);
    const scoped = unscoped.map((one) => scope(one, (part, id) => organizations(context, typeOfPart(part), id)));
    return Promise.all(scoped).then(() => resolve(source, values, context, info));
  };
}

async function scope(
  { values, ids, path }: Unscoped,
  organizationOf: (part: string, id: KeyPart) => Promise<number | null> | undefined,
): Promise<void> {
  for (const [part, id] of ids) {
    values[ORGANIZATION] = await organizationOf(part, id);
    if (values[ORGANIZATION] !== undefined) return;
  }
  throw invalidInput([{ path: [...path, ORGANIZATION], sentence: 'is required beside an id that does not say it' }]);
}

/** The parts of the key of the object that a field belongs to. */
function keyOf(type: string, source: unknown): Values {
  return parseKey(type, String((source as { id: unknown }).id)) ?? {};
}

/** The node that the argument `id` of a field identifies: the one that it answers with. */
function ofNode(type: GraphQLOutputType): string | undefined {
  const { name } = getNamedType(type);
  return isNodeType(name) ? lastPart(name) : undefined;
}

/** Reads the ids among arguments, or among the fields of an input object; undefined where there are none. */
function readerOf(
  places: readonly Place[],
  parts: ReadonlySet<string>,
  id?: string,
  wrong: () => KeyPart = absent,
): Reader | undefined {
  const readers = places.flatMap((place): PlaceReader[] => {
    const { name } = place;
    const type = getNamedType(place.type);
    if (isInputObjectType(type)) {
      const read =
        type.name === OF_FILES
          ? undefined
          : readerOf(
              Object.values(type.getFields()),
              parts,
              undefined,
              REFUSED_ALONE.has(type.name) ? () => NO_RECORD : absent,
            );
      return read === undefined ? [] : [{ name, read: (value, outer) => read(value as Values, outer) }];
    }
    const part = name === 'id' ? id : (ALIASES[name] ?? (parts.has(name) ? name : undefined));
    if (part === undefined) return [];
    const isRequired = isNonNullType(place.type);
    place.extensions = { ...place.extensions, keyType: keyTypeOf(place) };
    place.type = withId(place.type);
    const other = ALSO[name] ?? part;
    const read = (value: unknown, { known }: Outer) =>
      readId(value as string, part, known) ?? readId(value as string, other, known) ?? wrong();
    return [{ name, part, isRequired, read }];
  });
  if (readers.length === 0) return undefined;
  const isScoped = letOrganizationBeAbsent(places, readers);
  const hasWorkflow = readers.some(({ part }) => part === WORKFLOW);
  const inOrder = readers.toSorted((one, other) => rankOf(one) - rankOf(other));
  return (values, outer) => {
    const read: Record<string, unknown> = { ...values };
    const known: Record<string, unknown> = { ...outer.known };
    const isUnscoped = isScoped && (values[ORGANIZATION] ?? null) === null;
    if (isUnscoped) known[ORGANIZATION] = read[ORGANIZATION] = partIn(values, readers, ORGANIZATION);
    const workflow = hasWorkflow ? (values[WORKFLOW] ?? partIn(values, readers, WORKFLOW)) : undefined;
    if (workflow !== undefined) known[WORKFLOW] = read[WORKFLOW] = workflow;
    for (const { name, part, read: readValue } of inOrder) {
      const value = values[name];
      if (value === undefined || value === null) continue;
      const of = { ...outer, known, path: [...outer.path, name] };
      read[name] = Array.isArray(value)
        ? value.map((item, index) => readValue(item, { ...of, path: [...of.path, index] }))
        : readValue(value, of);
      if (part !== undefined) known[part] = read[name];
    }
    if (isUnscoped && read[ORGANIZATION] === undefined) {
      const ids = inOrder.flatMap(({ name, part }) =>
        part !== undefined && ['string', 'number'].includes(typeof read[name])
          ? [[part, read[name] as KeyPart] as const]
          : [],
      );
      outer.unscoped.push({ values: read, ids, path: outer.path });
    }
    return read;
  };
}

const ORGANIZATION = 'organizationId';
const WORKFLOW = 'workflowId';

/** Whether an organization is named beside the id of an object that has to be given; it need not be then. */
function letOrganizationBeAbsent(places: readonly Place[], readers: readonly PlaceReader[]): boolean {
  const organization = places.find(({ name, type }) => name === ORGANIZATION && isNonNullType(type));
  if (organization === undefined || !readers.some(({ part, isRequired }) => part !== ORGANIZATION && isRequired))
    return false;
  const { type, description = '' } = organization;
  organization.extensions = { ...organization.extensions, keyDescription: description };
  organization.type = getNullableType(type);
  organization.description = `${description} May be absent beside a global id.`;
  return true;
}

/** The organization or the workflow that a global id among these names. */
function partIn(values: Values, readers: readonly PlaceReader[], wanted: string): KeyPart | undefined {
  const ids = readers.flatMap(({ name, part }) => (part === undefined ? [] : [values[name]].flat()));
  for (const id of ids) {
    const found = typeof id === 'string' ? parseNodeId(id)?.key[wanted] : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

interface PlaceReader {
  readonly name: string;
  /** Absent for an input object. */
  readonly part?: string;
  readonly isRequired?: boolean;
  readonly read: (value: unknown, outer: Outer) => unknown;
}

function rankOf({ part }: PlaceReader): number {
  const rank = part === undefined ? -1 : FIRST.indexOf(part);
  return rank < 0 ? FIRST.length : rank;
}

function withId(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(withId(type.ofType));
  return isListType(type) ? new GraphQLList(withId(type.ofType)) : GraphQLID;
}

/** REST's value of the part, of a global id or of itself; undefined for neither. */
function readId(id: string, part: string, known: Values): KeyPart | undefined {
  const node = parseNodeId(id);
  if (node === undefined) return parsePart(part, id);
  const isSame = Object.entries(node.key).every(([name, value]) => name === part || known[name] === value);
  return lastPart(node.type) === part && isSame ? (node.key[part] as KeyPart) : undefined;
}

function absent(): never {
  throw notFound();
}
