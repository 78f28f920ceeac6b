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
  Engagement: ['engagementId'],
  EvidenceRequest: ['engagementId', 'requestId'],
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
  ScimToken: ['scimTokenId'],
  ServiceAccount: ['serviceAccountId'],
  ServiceAccountToken: ['serviceAccountId', 'tokenId'],
  ThreatBlocker: ['threatBlockerId'],
  User: ['userId'],
  WebhookDelivery: ['webhookDeliveryId'],
  WebhookEndpoint: ['webhookEndpointId'],
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

/** The parts that are ids. */
export const PARTS: ReadonlySet<string> = new Set(
  Object.values(KEYS)
    .flat()
    .map((part) => part.replace('?', ''))
    .filter((part) => part.endsWith('Id')),
);
