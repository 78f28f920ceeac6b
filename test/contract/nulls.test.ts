import { beforeEach, expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startSeededGateway } from '../support/seeded-gateway.js';
import {
  buildCloudDefender,
  buildIncident,
  buildOrganization,
  buildThreatBlocker,
  buildToken,
  buildWorkflow,
  join,
} from '../support/test-data.js';
import { buildAttestation } from '../support/attestations.js';
import { buildEngagement, buildInvitation, buildRequest, buildServiceAccount } from '../support/people.js';
import { buildIdentityProvider, buildWebhook, PROVEN } from '../support/seeded-organization.js';

const ROOT = resolve(import.meta.dirname, '../..');
const schema = buildSchema(readFileSync(resolve(ROOT, 'schema.graphql'), 'utf8'));
const openapi = JSON.parse(readFileSync(resolve(ROOT, 'openapi.json'), 'utf8'));

const { gateway, testData } = await startSeededGateway({ resolveTxt: PROVEN });
const { database } = gateway.app;
const { organizationId, owner, viewer } = testData;

/** Required values, by their name in either API. */
const samples: Record<string, unknown> = {
  ...{ organizationId, organizationid: organizationId, userId: viewer.id, userid: viewer.id },
  ...{ workflowId: 'nis2-directive', workflowid: 'nis2-directive', controlId: '21.2.a', controlid: '21.2.a' },
  ...{ artifactId: '21.2.a', artifactid: '21.2.a', regimeId: 'nis2', regimeid: 'nis2', stage: 'EARLY_WARNING' },
  ...{ title: 'A', name: 'A', severity: 'LOW', reason: 'A', text: 'A', type: 'appliance', primary: '#112233' },
  ...{ email: 'a@example.com', endpoint: '192.0.2.10', fqdn: 'www.example.com', value: 'NIS2', role: 'VIEWER' },
  ...{ issuer: 'https://login.example.com', clientId: 'gateway', domain: 'example.com' },
  ...{ services: ['other'], answers: [{ question: '23-3-b', answer: true }] },
  ...{ url: 'https://receiver.example.com/', since: new Date().toISOString() },
  ...{ group: 'staff', privateIP: '10.0.0.2', pluginName: 'pf', username: owner.username },
};

const idOf = async (statement: string, values: unknown[] = []) =>
  (await database.rows<{ id: number }>(statement, values))[0]!.id;

beforeEach(async () => {
  await buildWorkflow(database, organizationId, 'nis2-directive').catch(() => undefined);
  const incident = await buildIncident(database, organizationId);
  const document = await idOf(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, content_type, size, sha256, created_by, source)
     values ($1, 'nis2-directive', '21.2.a', 'a.txt', 'text/plain', 1, encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'a', 'attached') returning id`,
    [organizationId],
  );
  Object.assign(samples, { attestationId: await buildAttestation(database, organizationId, owner) });
  const account = await buildServiceAccount(database, organizationId, owner);
  const engagementId = await buildEngagement(database, organizationId, {});
  Object.assign(samples, { engagementId, engagementid: engagementId });
  const requestId = await buildRequest(database, engagementId);
  Object.assign(samples, { evidenceRequestId: requestId, statement: 'A' });
  Object.assign(samples, { serviceAccountId: account.id, serviceaccountid: account.id });
  await buildToken(database, owner, {});
  Object.assign(samples, { incidentId: incident, incidentid: incident, documentVersionId: document });
  Object.assign(samples, { cloudDefenderId: await buildCloudDefender(database, organizationId) });
  Object.assign(samples, { threatBlockerId: await buildThreatBlocker(database, organizationId) });
  const provider = await buildIdentityProvider(database, organizationId);
  Object.assign(samples, { identityProviderId: provider });
  const email = `invited-${provider}@example.com`;
  const { id: invitationId } = await buildInvitation(database, { organizationId, owner, email });
  Object.assign(samples, { invitationId });
  // An organization has few of them.
  await database.rows('delete from webhook_endpoint');
  Object.assign(samples, await buildWebhook(database, organizationId));
  Object.assign(samples, { tokenId: await idOf('select max(id) as id from api_token') });
});

type Input = Record<string, unknown>;

/** The required fields of an input object, and the organization of its plain ids. */
function required(type: GraphQLInputObjectType): Input {
  const isNeeded = (field: GraphQLInputField) => isRequiredInputField(field) || isOrganization(field);
  const fields = Object.values(type.getFields()).filter(isNeeded);
  return Object.fromEntries(fields.map(({ name }) => [name, samples[name]]));
}

/** Whether a field is the organization beside the id of an object: test/contract/scoping.test.ts sends null for it. */
const isOrganization = ({ name, description }: GraphQLInputField) =>
  name === 'organizationId' && (description ?? '').endsWith('beside a global id.');

/** Inputs with null for one nullable field each, including those of nested objects; named by the path of the field. */
function withNulls(type: GraphQLInputObjectType): { path: string; input: Input }[] {
  const base = required(type);
  return Object.values(type.getFields())
    .filter((field) => !isRequiredInputField(field) && !isOrganization(field))
    .flatMap((field) => [{ path: field.name, input: { ...base, [field.name]: null } }, ...nested(field, base)]);
}

function nested(field: GraphQLInputField, base: Input): { path: string; input: Input }[] {
  const type = getNamedType(field.type);
  if (!isInputObjectType(type)) return [];
  const isList = isListType(getNullableType(field.type));
  return withNulls(type).map(({ path, input }) => ({
    path: `${field.name}.${path}`,
    input: { ...base, [field.name]: isList ? [input] : input },
  }));
}

/** Fields that need more than the required ones, such as a secret from a mail or a reason. */
const REFUSED = [
  'acceptInvitation',
  'closeIncident',
  'correctIncidentReport',
  'countersignAttestation',
  'createWebhookEndpoint',
  'deleteWorkflowImport',
  'eraseMe',
  'importControls',
  'importMembers',
  'importWorkflow',
  'markNotificationsRead',
  'previewWorkflowImport',
  // Of an organization that is no sandbox.
  'resetSandbox',
  'revokeScimToken',
  'revokeServiceAccountToken',
  'rotateServiceAccountToken',
  'setOrganizationLogo',
  'signOff',
  'startControlImport',
  'startMemberImport',
  'uploadDocumentVersion',
  'withdrawAttestation',
];

test('a null in any nullable field of any mutation is accepted or refused, and never an error of ours, through GraphQL', async () => {
  const failed: string[] = [];
  const accepted = new Set<string>();
  const tried = new Set<string>();
  const mutations = Object.values(schema.getMutationType()!.getFields());
  const isLast = ({ name }: { name: string }) => /^(?:cancel|delete|erase|remove|revoke)/.test(name);
  for (const { name, args } of [...mutations.filter((each) => !isLast(each)), ...mutations.filter(isLast)]) {
    const type = args[0] && getNamedType(args[0].type);
    if (type === undefined || !isInputObjectType(type)) continue;
    // It would delete the objects of other changes.
    if (name === 'deleteOrganization') Object.assign(samples, { organizationId: await deletable() });
    for (const { path, input } of withNulls(type)) {
      tried.add(name);
      const query = `mutation ($input: ${type.name}!) { ${name}(input: $input) { __typename } }`;
      const { body } = await gateway.graphql.call(query, { token: owner.token, variables: { input } });
      const codes = body.errors?.map(({ extensions }) => extensions?.['code']) ?? [];
      if (codes.length === 0) accepted.add(name);
      if (codes.includes('INTERNAL')) failed.push(`${name}: ${path}`);
    }
    Object.assign(samples, { organizationId });
  }
  expect(failed).toEqual([]);
  expect([...tried].filter((name) => !accepted.has(name)).toSorted()).toEqual(REFUSED);
});

/** Fields of updates that every record has. */
const NEVER_NONE = {
  updateEngagement: ['name', 'until'],
  updateMember: ['role', 'active'],
  updateWebhookEndpoint: ['url', 'eventTypes', 'format', 'status'],
  updateServiceAccount: ['name', 'role', 'responsibleId'],
  updateIdentityProvider: ['name', 'issuer', 'clientId', 'domains', 'groupRoles', 'redirectUris', 'required'],
};

test('a null for what cannot be none is refused by name', async () => {
  for (const [name, fields] of Object.entries(NEVER_NONE)) {
    const type = getNamedType(schema.getMutationType()!.getFields()[name]!.args[0]!.type) as GraphQLInputObjectType;
    const query = `mutation ($input: ${type.name}!) { ${name}(input: $input) { __typename } }`;
    for (const field of fields) {
      const variables = { input: { ...required(type), [field]: null } };
      const { body } = await gateway.graphql.call(query, { token: owner.token, variables });
      expect([name, body.errors?.[0]?.extensions?.['messages']]).toEqual([name, [`${field} must not be null`]]);
    }
  }
});

async function deletable(): Promise<number> {
  const id = await buildOrganization(database, 'To delete');
  await join(database, owner, id, 'ORGANIZATION_OWNER');
  return id;
}

/** The meaning of an `id` in a path. */
const IDS: readonly [path: RegExp, sample: string][] = [
  [/^\/api\/v1\/organizations\/\{id\}/, 'organizationId'],
  [/^\/api\/v1\/tokens/, 'tokenId'],
  [/\/documents\/\{id\}/, 'documentVersionId'],
  [/^\/api\/v1\/cloud-defender/, 'cloudDefenderId'],
  [/^\/api\/v1\/atb/, 'threatBlockerId'],
];

interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

function resolved(given: JsonSchema): JsonSchema {
  if (given.$ref === undefined) return given;
  return resolved(
    given.$ref
      .slice(2)
      .split('/')
      .reduce((value, key) => value[key], openapi),
  );
}

const camel = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const sampleOf = (name: string) => samples[name] ?? samples[camel(name)];

test('a null in any nullable field of any JSON body is accepted or refused, and never an error of ours, through REST', async () => {
  const failed: string[] = [];
  let accepted = 0;
  for (const [path, operations] of Object.entries<Record<string, Operation>>(openapi.paths))
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const body = requestBody?.content['application/json'];
      if (body === undefined) continue;
      const { properties = {}, required: needed = [] } = resolved(body.schema);
      const idName = IDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'organizationId';
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String(name === 'id' ? samples[idName] : sampleOf(name))),
      );
      const base = Object.fromEntries(needed.map((name) => [name, sampleOf(name)]));
      for (const [name, property] of Object.entries(properties)) {
        if (needed.includes(name) && ![resolved(property).type].flat().includes('null')) continue;
        const { status } = await gateway.rest.call(method.toUpperCase(), address, {
          ...{ token: owner.token, body: { ...base, [name]: null } },
        });
        if (status >= 500) failed.push(`${method} ${path}: ${name}`);
        if (status < 300) accepted += 1;
      }
    }
  expect(failed).toEqual([]);
  expect(accepted).toBeGreaterThan(60);
});
