import { describe, expect, test } from '@jest/globals';
import { getNamedType, isNonNullType, type GraphQLArgument, type GraphQLField, type GraphQLInputField } from 'graphql';
import { isUuid } from '../../src/common/formats.js';
import { keyOf, nodeTypes, typeOfPart } from '../../src/schema/shared/node.js';
import { exampleInput, placesOf } from '../support/example-inputs.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seededKeys, seedOrganization, UPLOAD_RULES } from '../support/seeded-organization.js';
import { buildIncident, join } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { database, executor } = gateway.app;
const { organizationId, otherOrganizationId, owner, viewer, nonMember } = testData;
const seeded = await seedOrganization(database, organizationId, owner);
await join(database, owner, otherOrganizationId, 'ORGANIZATION_OWNER');
await database.rows('update incident set rehearsal = true where id = $1', [seeded.incidentId]);

const LARGEST = 2_147_483_647;
const NO_USER = '00000000-0000-4000-8000-000000000000';

/** Global ids: of an existing object, of one that never existed, and REST's value of the first. */
type Ids = readonly [exists: string, never: string, databaseId: number | string];
const keysOf = seededKeys(seeded, organizationId, owner);

/** Ids of objects of a type; its key, if it differs from that of the seed. */
function idsOf(type: string, otherwise: object = {}): Ids {
  const values = { ...keysOf(type), ...otherwise } as Readonly<Record<string, number | string>>;
  const parts = keyOf(type).map((part) => values[part.replace('?', '')]!);
  const last = parts.at(-1)!;
  const never = typeof last === 'number' ? LARGEST : isUuid(last) ? NO_USER : 'absent';
  return [`${type}:${parts.join('/')}`, `${type}:${[...parts.slice(0, -1), never].join('/')}`, last];
}

/** The type of the object that a part identifies, if only within its organization or another object. */
const WITHIN: Readonly<Record<string, string>> = {
  ...{ userId: 'OrganizationUser', workflowId: 'OrganizationWorkflow', tokenId: 'ServiceAccountToken' },
  evidenceRequestId: 'EvidenceRequest',
};

/** Fields that refer to objects of another type, or others than those of the seed. */
const IDS: Readonly<Record<string, Readonly<Record<string, Ids>>>> = {
  associateWorkflow: { workflowId: idsOf('Workflow', { workflowId: UPLOAD_RULES.id }) },
  blockApiToken: { tokenId: idsOf('OrganizationApiToken') },
  deleteWorkflowImport: { workflowId: idsOf('WorkflowImport') },
  removeAuditor: { userId: idsOf('OrganizationUser', { userId: seeded.auditorId }) },
  workflowImport: { workflowId: idsOf('WorkflowImport') },
};

const CONTROL = { controlId: '21.2.a' };
const REPORT = { regimeId: 'nis2', stage: 'EARLY_WARNING' };

/** Required values that differ from the example of the route. */
const REST: Readonly<Record<string, object>> = {
  artifactVersions: { artifactId: '21.2.a' },
  assessIncident: { services: ['other'], answers: [{ question: '23-3-b', answer: true }] },
  attestControl: CONTROL,
  controlAttestation: CONTROL,
  correctIncidentReport: { ...REPORT, sentAt: null },
  countersignAttestation: CONTROL,
  draftIncidentReport: REPORT,
  importControls: { text: 'id\n' },
  importDocuments: { file: null },
  organizationControl: CONTROL,
  recoverWebhooks: { since: new Date().toISOString() },
  startControlImport: { text: 'id\n' },
  startDocumentImport: { file: null },
  updateControl: { ...CONTROL, note: 'Seen' },
  updateControls: { controlIds: ['21.2.a'], changes: { note: 'Seen' } },
  uploadDocumentVersion: { artifactId: '21.2.a', filename: 'a.txt', content: 'dGV4dA==' },
  uploadIncidentAttachment: { file: null },
  withdrawAttestation: CONTROL,
};

/** The first two are absent for members; the third identifies the wrong item of a list. */
const NO_SCOPES = ['requestEvidence', 'signOff', 'createEngagement'];

type RootField = GraphQLField<unknown, unknown>;
const mutations = executor.schema.getMutationType()!.getFields();
const roots: Record<string, RootField> = { ...executor.schema.getQueryType()!.getFields(), ...mutations };

const organizationOf = (field: RootField) => placesOf(field).find(({ name }) => name === 'organizationId');
/** The type of the object of an organization that a place identifies; undefined if none. */
function typeOf({ type: answer }: RootField, { name, type }: GraphQLArgument | GraphQLInputField): string | undefined {
  const answered = getNamedType(answer).name;
  const part = name === 'id' && nodeTypes().includes(answered) ? keyOf(answered).at(-1)! : name.replace(/Ids$/, 'Id');
  if (!`${type}`.includes('ID') || part === 'organizationId') return undefined;
  return WITHIN[part] ?? typeOfPart(part);
}

const FIELDS = Object.entries(roots)
  .filter(([name, field]) => {
    const takesId = placesOf(field).some((place) => isNonNullType(place.type) && typeOf(field, place) !== undefined);
    return organizationOf(field) !== undefined && takesId && !NO_SCOPES.includes(name);
  })
  .map(([name]) => name);

/** The required ids of a field, and other values: those of the example of its route. */
function valuesOf(name: string): { ids: Readonly<Record<string, Ids>>; rest: object } {
  const field = roots[name] as RootField;
  const required = placesOf(field).filter(({ type }) => isNonNullType(type));
  const ids = required.flatMap((place) => {
    const type = typeOf(field, place);
    return type === undefined ? [] : [[place.name, idsOf(type)] as const];
  });
  const example = Object.entries(exampleInput(executor.schema, name, 'required'));
  const given = example.filter(([place]) => !ids.some(([id]) => id === place));
  return {
    ids: { ...Object.fromEntries(ids), ...IDS[name] },
    rest: { ...Object.fromEntries(given), ...REST[name] },
  };
}

/** Calls a field with these values of its arguments, or of the fields of its input. */
async function call(name: string, values: object, token: string | undefined) {
  const field = roots[name] as RootField;
  const sent: Record<string, unknown> = mutations[name] === undefined ? { ...values } : { input: values };
  const used = field.args.filter((arg) => Object.hasOwn(sent, arg.name));
  const declared = used.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const given = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const document = `${mutations[name] === undefined ? 'query' : 'mutation'} (${declared}) { ${name}(${given}) { __typename } }`;
  if (!Object.hasOwn(values, 'file')) return gateway.graphql.call(document, { token, variables: sent });
  const { filename, contentType: type, bytes } = samples.TXT;
  return gateway.graphql.upload(document, sent, 'variables.input.file', { name: filename, type, bytes }, token);
}

const pick = (ids: Readonly<Record<string, Ids>>, which: 0 | 1 | 2) =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id[which]]));
type Answer = Awaited<ReturnType<typeof call>>;
const codes = ({ body }: Answer) => body.errors?.map(({ extensions }) => extensions.code);

test('nothing is said of a field that takes no organization beside the id of an object', () => {
  expect([...Object.keys(IDS), ...Object.keys(REST)].filter((name) => !FIELDS.includes(name))).toEqual([]);
});

test('no subscription but that of an import takes the id of an object of an organization', () => {
  const fields = Object.values(executor.schema.getSubscriptionType()!.getFields());
  const taking = fields.filter((field) => placesOf(field).some((place) => typeOf(field, place) !== undefined));
  expect(taking.map(({ name }) => name)).toEqual(['importJobChanged']);
});

describe.each(FIELDS)('%s', (name) => {
  const { ids, rest } = valuesOf(name);
  /** A member with too low a role is refused: its organization was found, and nothing is changed. */
  const caller = mutations[name] === undefined ? owner : viewer;
  const accepted = mutations[name] === undefined ? undefined : ['FORBIDDEN'];

  test('takes no organization beside a global id, and is answered as with it', async () => {
    expect(isNonNullType(organizationOf(roots[name] as RootField)!.type)).toBe(false);
    const values = { ...rest, ...pick(ids, 0) };
    for (const organization of [{}, { organizationId: null }, { organizationId }]) {
      const answer = await call(name, { ...values, ...organization }, caller.token);
      expect([organization, codes(answer)]).toEqual([organization, accepted]);
    }
  });

  test('answers an organization that has not the object, and an object of others, as an id that never existed', async () => {
    const exists = { ...rest, ...pick(ids, 0), organizationId: null };
    const absent = { ...rest, ...pick(ids, 1), organizationId: null };
    const never = await call(name, absent, owner.token);
    expect(codes(never)).toEqual(['NOT_FOUND']);
    const contradicting = { ...exists, organizationId: otherOrganizationId };
    expect((await call(name, contradicting, owner.token)).text).toBe(never.text);
    expect((await call(name, exists, nonMember.token)).text).toBe(never.text);
    expect((await call(name, absent, nonMember.token)).text).toBe(never.text);
  });

  test('needs the organization beside a plain id that is unique only within one, and no other', async () => {
    const answer = await call(name, { ...rest, ...pick(ids, 2) }, caller.token);
    const isUnique = Object.values(ids).some(([exists]) => !exists.includes('/'));
    if (isUnique) return expect(codes(answer)).toEqual(accepted);
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: [{ path: mutations[name] === undefined ? ['organizationId'] : ['input', 'organizationId'] }],
    });
  });

  test('refuses a caller without a token before it looks for the object', async () => {
    expect((await call(name, { ...rest, ...pick(ids, 0) }, undefined)).status).toBe(401);
  });
});

test('a change by a global id alone is made in the organization of the object, and recorded there', async () => {
  const change =
    'mutation ($id: ID!) { updateIncident(input: { incidentId: $id, severity: LOW }) { incident { severity organization { databaseId } } } }';
  const { body } = await gateway.graphql.call(change, {
    token: owner.token,
    variables: { id: `Incident:${seeded.incidentId}` },
  });
  expect(body.data).toEqual({
    updateIncident: { incident: { severity: 'LOW', organization: { databaseId: organizationId } } },
  });
  const [entry] = await database.rows(
    `select l.organization_id as organization from audit_entry e join audit_log l on l.id = e.log_id where action = 'INCIDENT_UPDATED'`,
  );
  expect(entry).toEqual({ organization: organizationId });
});

test('objects of different organizations are named in one request without any', async () => {
  const elsewhere = await buildIncident(database, otherOrganizationId);
  const query = `{ one: incident(id: "Incident:${seeded.incidentId}") { organization { databaseId } } other: incident(id: ${elsewhere}) { organization { databaseId } } }`;
  expect((await gateway.graphql.call(query, { token: owner.token })).body.data).toEqual({
    one: { organization: { databaseId: organizationId } },
    other: { organization: { databaseId: otherOrganizationId } },
  });
});
