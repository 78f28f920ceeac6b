import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';

/** Part of invalid values; no response may repeat it. Defined here, because the attack campaign runs without Jest. */
export const MARKER = 'Mkr7Qz9x';
export const MEGABYTE = MARKER.repeat(125_000);

/** A field with arguments, and its document: each argument is a variable with its name. */
export interface CalledField {
  name: string;
  query: string;
  args: readonly GraphQLArgument[];
}

/** One invalid value: its place, and the variables that include it. */
export interface WrongInput {
  what: string;
  variables: Record<string, unknown>;
}

/** Parent fields of the tested ones, with their required arguments. */
const WAYS: Record<string, (inner: string) => string> = {
  Query: (inner) => `{ ${inner} }`,
  Mutation: (inner) => `{ ${inner} }`,
  Organization: (inner) => `{ organization(id: 1) { ${inner} } }`,
  Viewer: (inner) => `{ viewer { ${inner} } }`,
  CloudDefenderCheck: (inner) => `{ cloudDefender(id: 1) { check { ${inner} } } }`,
  ThreatBlockerCheck: (inner) => `{ threatBlocker(id: 1) { check { ${inner} } } }`,
  Incident: (inner) => `{ incident(organizationId: 1, id: 1) { ${inner} } }`,
  Workflow: (inner) => `{ workflow(id: "nis2-directive") { ${inner} } }`,
  OrganizationWorkflow: (inner) =>
    `{ organizationWorkflow(organizationId: 1, workflowId: "nis2-directive") { ${inner} } }`,
  Device: ofNode('Device', 'CloudDefender:1'),
  CloudDefender: ofNode('CloudDefender', 'CloudDefender:1'),
  ThreatBlocker: ofNode('ThreatBlocker', 'ThreatBlocker:1'),
  DocumentVersion: ofNode('DocumentVersion', 'DocumentVersion:1'),
  OrganizationControl: ofNode('OrganizationControl', 'OrganizationControl:1/nis2-directive/21.2.a'),
  OrganizationUser: ofNode('OrganizationUser', 'OrganizationUser:1/8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37'),
  ServiceAccount: ofNode('ServiceAccount', 'ServiceAccount:8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37'),
  ControlEvidenceSource: (
    inner,
  ) => `{ organizationControl(organizationId: 1, workflowId: "nis2-directive", controlId: "21.2.a") {
    evidence { sources { ${inner} } } } }`,
  EngagementControl: (inner) => `{ engagement(organizationId: 1, id: 1) { controls { nodes { ${inner} } } } }`,
  Engagement: ofNode('Engagement', 'Engagement:1'),
  ImportJob: ofNode('ImportJob', 'ImportJob:1'),
  WebhookEndpoint: ofNode('WebhookEndpoint', 'WebhookEndpoint:1'),
  WebhookDelivery: ofNode('WebhookDelivery', 'WebhookDelivery:1'),
  OrganizationApiToken: ofNode('OrganizationApiToken', 'OrganizationApiToken:1/1'),
};

function ofNode(type: string, id: string): (inner: string) => string {
  return (inner) => `{ node(id: "${id}") { ... on ${type} { ${inner} } } }`;
}

/** Every field of the schema with arguments. Throws for an unreachable one, so that none is omitted. */
export function fieldsWithArguments(schema: GraphQLSchema): CalledField[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || !('getFields' in type) || isInputObjectType(type)) return [];
    // Subscriptions use another transport: see test/protocol/live.test.ts.
    if (type === schema.getSubscriptionType()) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      if (!('args' in field) || field.args.length === 0) return [];
      const way = WAYS[type.name];
      if (way === undefined) throw new Error(`No way is known to ${type.name}.${field.name}`);
      const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
      const declared = field.args.map(({ name, type: kind }) => `$${name}: ${kind.toString()}`).join(', ');
      const operation = type.name === 'Mutation' ? 'mutation' : 'query';
      const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
      const query = `${operation} (${declared}) ${way(`${field.name}(${given})${selection}`)}`;
      return [{ name: `${type.name}.${field.name}`, query, args: field.args }];
    });
  });
}

/** An object with own properties in place of methods, like those of JSON.parse. */
export const TRAP: unknown = JSON.parse(
  '{"toString":1,"valueOf":1,"toJSON":1,"constructor":1,"hasOwnProperty":1,"then":1,"length":1,"__proto__":{"toString":1}}',
);

/** Values that a type must refuse in every context. */
const WRONG: Record<string, readonly unknown[]> = {
  Int: [TRAP, MARKER, '1', '0x1', 1.5, 2147483648, -2147483649, 1e300, true, {}, [MARKER], { [MARKER]: 1 }],
  SafeInt: [TRAP, MARKER, '1', '0x1', 1.5, 2 ** 53, -(2 ** 53), 1e300, true, {}, [MARKER], { [MARKER]: 1 }],
  String: [TRAP, 1, 1.5, true, {}, [MARKER], { toString: MARKER }],
  ID: [TRAP, 1.5, true, {}, [MARKER], { [MARKER]: 1 }],
  Boolean: [TRAP, MARKER, 'true', 1, 0, {}, [MARKER]],
  Date: [TRAP, MARKER, '', 1, '2026-02-30', '2026-01-01T00:00:00Z', '26-01-01', true, {}, [MARKER]],
  DateTime: [TRAP, MARKER, '', 1, '2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', true, {}, [MARKER]],
  JSONObject: [MARKER, 1, true, [MARKER]],
  Upload: [
    TRAP,
    MARKER,
    1,
    true,
    {},
    [MARKER],
    { file: MARKER, createReadStream: MARKER, facts: MARKER, bytes: MARKER },
  ],
};

/** Selects the invalid values of a kind of place that are used in the next place of that kind. */
type Choice = (kind: string, values: readonly unknown[]) => readonly unknown[];

export const EVERY_VALUE: Choice = (_kind, values) => values;

/** All values for the first place of each kind; for each further one the first value, and one more in turn. */
export function valuesInTurn(): Choice {
  const places = new Map<string, number>();
  return (kind, values) => {
    const at = places.get(kind) ?? 0;
    places.set(kind, at + 1);
    return at === 0 ? values : [values[0], values[1 + (at % (values.length - 1))]];
  };
}

/** Each argument and each field of each input object with the values that it must refuse. */
export function wrongInputs({ name: of, args }: CalledField, choice: Choice): WrongInput[] {
  const right = Object.fromEntries(args.map(({ name, type }) => [name, rightValue(type)]));
  return args.flatMap(({ name, type }) =>
    wrongValues(type, name, choice).map(({ what, value }) => ({
      what: `${of} ${what}`,
      variables: { ...right, [name]: value },
    })),
  );
}

/** Each text of an argument or of an input object, replaced by `text`. */
export function withText({ args }: CalledField, text: string): WrongInput[] {
  const right = Object.fromEntries(args.map(({ name, type }) => [name, rightValue(type)]));
  return args.flatMap(({ name, type }) =>
    textPlaces(type, name, text).map(({ what, value }) => ({ what, variables: { ...right, [name]: value } })),
  );
}

interface Placed {
  what: string;
  value: unknown;
}

function wrongValues(type: GraphQLInputType, path: string, choice: Choice): Placed[] {
  const found: Placed[] = isNonNullType(type) ? [{ what: `${path} = null`, value: null }] : [];
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const items = wrongValues(bare.ofType as GraphQLInputType, `${path}[1]`, choice);
    const item = rightValue(bare.ofType as GraphQLInputType);
    return [...found, ...items.map(({ what, value }) => ({ what, value: [item, value] }))];
  }
  if (isInputObjectType(bare)) return [...found, ...wrongObjects(bare, path, choice)];
  const values = isEnumType(bare)
    ? [TRAP, MARKER, 1, true, {}, [MARKER], '__proto__', 'constructor']
    : WRONG[bare.name];
  if (values === undefined) throw new Error(`Nothing wrong is known for ${bare.name}`);
  const kind = isEnumType(bare) ? 'enum' : bare.name;
  return [...found, ...choice(kind, values).map((value) => ({ what: `${path} = ${JSON.stringify(value)}`, value }))];
}

function wrongObjects(
  type: GraphQLInputType & { getFields(): Record<string, { type: GraphQLInputType }> },
  path: string,
  choice: Choice,
): Placed[] {
  const right = rightValue(type) as Record<string, unknown>;
  // Like JSON.parse: own properties, also of a name such as __proto__.
  const strange = ['__proto__', 'constructor', 'toString', 'unknown'].map((key): unknown =>
    JSON.parse(JSON.stringify({ KEY: MARKER, ...right }).replace('"KEY"', JSON.stringify(key))),
  );
  const whole = choice('object', [TRAP, MARKER, 1, true, [[MARKER]], ...strange]);
  const below = Object.entries(type.getFields()).flatMap(([name, field]) =>
    wrongValues(field.type, `${path}.${name}`, choice).map(({ what, value }) => ({
      what,
      value: { ...right, [name]: value },
    })),
  );
  return [...whole.map((value) => ({ what: `${path} = ${JSON.stringify(value)}`, value })), ...below];
}

function textPlaces(type: GraphQLInputType, path: string, text: string): Placed[] {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    return textPlaces(bare.ofType as GraphQLInputType, `${path}[0]`, text).map(({ what, value }) => ({
      what,
      value: [value],
    }));
  }
  if (isInputObjectType(bare)) {
    const right = rightValue(bare) as Record<string, unknown>;
    return Object.entries(bare.getFields()).flatMap(([name, field]) =>
      textPlaces(field.type, `${path}.${name}`, text).map(({ what, value }) => ({
        what,
        value: { ...right, [name]: value },
      })),
    );
  }
  if (bare.name === 'JSONObject') {
    return [
      { what: `${path} (value)`, value: { a: text } },
      { what: `${path} (key)`, value: { [text]: 1 } },
    ];
  }
  return bare.name === 'String' || bare.name === 'ID' ? [{ what: path, value: text }] : [];
}

/** Undefined if optional, otherwise a simple value. */
function rightValue(type: GraphQLInputType): unknown {
  if (!isNonNullType(type)) {
    const bare = getNullableType(type);
    if (isListType(bare)) return [];
    if (!isInputObjectType(bare)) return undefined;
  }
  const bare = getNullableType(type);
  if (isListType(bare)) return [];
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (isInputObjectType(bare)) {
    const fields = Object.values(bare.getFields()).filter((field) => isNonNullType(field.type));
    return Object.fromEntries(fields.map((field) => [field.name, rightValue(field.type)]));
  }
  const plain = { Int: 2147483647, SafeInt: 2 ** 53 - 1, String: 'plain', ID: 'plain', Boolean: true };
  return { ...plain, JSONObject: {}, Upload: null }[bare.name];
}

/** A value of the right type for every field: the organization exists, and no other identified object. */
export function plainValue(type: GraphQLInputType, organizationId: number, name = ''): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return [plainValue(bare.ofType as GraphQLInputType, organizationId, name)];
  if (!isInputObjectType(bare)) return name === 'organizationId' ? organizationId : plainLeaf(bare);
  const fields = Object.values(bare.getFields());
  return Object.fromEntries(fields.map((field) => [field.name, plainValue(field.type, organizationId, field.name)]));
}

function plainLeaf(type: GraphQLInputType): unknown {
  if (isEnumType(type)) return type.getValues()[0]?.name;
  const plain: Record<string, unknown> = { Date: '2026-01-01', DateTime: '2026-01-01T00:00:00Z', Upload: null };
  return type.toString() in plain ? plain[type.toString()] : rightValue(new GraphQLNonNull(type));
}
