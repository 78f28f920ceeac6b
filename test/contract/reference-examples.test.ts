import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../src/common/time.js';
import { seedDemo } from '../../src/demo/demo.js';
import { CATALOG } from '../support/catalog.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

interface ExampleParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  example: unknown;
}

interface Described {
  operationId: string;
  security?: unknown[];
  parameters?: ExampleParameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
}

interface Example extends Described {
  method: string;
  path: string;
}

const { paths, security, components } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
) as {
  paths: Record<string, Record<string, Described>>;
  security: object[];
  components: { securitySchemes: Record<string, { in: string }> };
};

/** Examples that fail for the owner of the demo, with the reason. */
const NEEDS_MORE: Readonly<Record<string, string>> = {
  importControls: 'a file that the reader chooses',
  importDocuments: 'a file that the reader chooses',
  importMembers: 'a file that the reader chooses',
  getImportJob: 'an import, which a later example starts',
  listImportJobRows: 'an import, which a later example starts',
  cancelImportJob: 'an import, which a later example starts',
  setOrganizationLogo: 'a file that the reader chooses',
  uploadIncidentAttachment: 'a file that the reader chooses',
  leaveOrganization: 'another owner first',
  resetSandbox: 'a sandbox, which the demo has none of',
  getRehearsalReport: 'a rehearsal in a sandbox',
  downloadRehearsalReport: 'a rehearsal in a sandbox',
  eraseProfile: 'its own user name, and another owner first',
  getIdentityProvider: 'an identity provider, which a later example connects',
  getScimToken: 'a token of a directory, which a later example makes',
  revokeScimToken: 'a token of a directory with the id of the example',
  verifyIdentityDomain: 'a record in the DNS',
  attestControl: 'a token of the owner of the control',
  getAttestation: 'an attestation, which only the owner of a control makes',
  countersignAttestation: 'an attestation, which only the owner of a control makes',
  withdrawAttestation: 'an attestation, which only the owner of a control makes',
  requestEvidence: 'a token of an auditor',
  signOff: 'a token of an auditor',
  getWebhookEndpoint: 'a webhook endpoint, which a later example creates',
  listWebhookDeliveries: 'a webhook endpoint, which a later example creates',
  getWebhookDelivery: 'a delivery to it',
  listWebhookAttempts: 'a delivery to it',
  redeliverWebhook: 'a delivery to it',
  recoverWebhooks: 'a webhook endpoint, and the present time',
  rotateWebhookSecret: 'a webhook endpoint',
  sendTestWebhook: 'a webhook endpoint',
  updateWebhookEndpoint: 'a webhook endpoint',
  deleteWebhookEndpoint: 'a webhook endpoint',
  getOwnWebhookEndpoint: 'a webhook endpoint of the caller',
  listOwnWebhookDeliveries: 'a webhook endpoint of the caller',
  getOwnWebhookDelivery: 'a delivery to it',
  listOwnWebhookAttempts: 'a delivery to it',
  redeliverOwnWebhook: 'a delivery to it',
  recoverOwnWebhooks: 'a webhook endpoint of the caller, and the present time',
  rotateOwnWebhookSecret: 'a webhook endpoint of the caller',
  sendOwnTestWebhook: 'a webhook endpoint of the caller',
  updateOwnWebhookEndpoint: 'a webhook endpoint of the caller',
  deleteOwnWebhookEndpoint: 'a webhook endpoint of the caller',
  reportCloudDefenderCheck: 'a token for telemetry and the present time',
  reportThreatBlockerCheck: 'a token for telemetry and the present time',
  reportCloudDefenderChecks: 'a token for telemetry and the present time',
  reportThreatBlockerChecks: 'a token for telemetry and the present time',
  reportThreatBlockerCheckByKey: 'a token for telemetry and the present time',
};

/** Reads first; deletions last, parts before their organization. */
const LAST = ['deleteOrganization'];
const ORDER = ['get', 'post', 'put', 'patch', 'delete'];
const rank = ({ method, operationId }: Example) => (LAST.includes(operationId) ? ORDER.length : ORDER.indexOf(method));

const EXAMPLES = Object.entries(paths)
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method, path })),
  )
  // Public operations require a secret or a signature instead of a token.
  .filter(({ security, operationId }) => security === undefined && NEEDS_MORE[operationId] === undefined)
  .toSorted((one, other) => rank(one) - rank(other) || other.path.length - one.path.length);

const gateway = await startSharedGateway();
const demo = await seedDemo({ databaseUrl: gateway.database.url, config: gateway.config, catalog: CATALOG });
const { tokens } = demo!;

test('names the header form of the token before the query form, and Bearer last', () => {
  expect(security).toEqual([{ ServiceTokenHeader: [] }, { ServiceTokenQuery: [] }, { ServiceTokenBearer: [] }]);
  expect(Object.values(components.securitySchemes).map((scheme) => scheme.in)).toEqual(['header', 'query', undefined]);
});

test('lists no exception for an operation that does not exist', () => {
  const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((each) => each.operationId));
  expect(Object.keys(NEEDS_MORE).filter((id) => !ids.includes(id))).toEqual([]);
});

test.each(EXAMPLES)('$operationId succeeds with its examples and the token of the demo’s owner', async (example) => {
  const { operationId, method, path, parameters = [], requestBody } = example;
  const required = parameters.filter((parameter) => parameter.required);
  const valueOf = (name: string) => encodeURIComponent(String(required.find((each) => each.name === name)?.example));
  const query = required.filter((parameter) => parameter.in === 'query').map(({ name }) => `${name}=${valueOf(name)}`);
  const url = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => valueOf(name));
  const body = ofToday(requestBody?.content['application/json']?.example as object | undefined);
  const answer = await gateway.rest.call(method.toUpperCase(), query.length === 0 ? url : `${url}?${query.join('&')}`, {
    token: tokens.owner,
    ...(body === undefined ? {} : { body }),
  });
  expect([answer.status < 300, answer.status < 300 ? '' : `${answer.status} ${answer.text}`]).toEqual([true, '']);
  if (operationId === 'transferOwnership') await handBack(url);
});

/** Parameters that require another one. */
const WITH_ANOTHER = ['bom', 'for', 'expires', 'signature', 'names', 'subject_id'];

const OPTIONAL = EXAMPLES.filter(({ method }) => method === 'get').flatMap(({ path, operationId, parameters = [] }) =>
  parameters
    .filter(({ name, in: place, required }) => place === 'query' && !required && !WITH_ANOTHER.includes(name))
    .map(({ name, example }) => ({ operationId, path, name, example })),
);

test.each(OPTIONAL)('$operationId takes the example of $name', async ({ path, name, example }) => {
  const url = path.replaceAll(/\{\w+\}/g, '1');
  const answer = await gateway.rest.call('GET', `${url}?${name}=${encodeURIComponent(String(example))}`, {
    token: tokens.owner,
  });
  expect(answer.text).not.toMatch(`${name} must`);
});

test('an address in a language that there is not is refused before the record is looked up', async () => {
  const answer = await gateway.rest.call('GET', '/api/v1/v-ciso/incidents/999999/1/clock?language=fr', {
    token: tokens.owner,
  });
  expect([answer.status, answer.text]).toEqual([
    400,
    '{"error":1,"messages":["language must be one of the languages de, en, it"]}',
  ]);
});

/** An example with a past end date, moved to the future. */
function ofToday(body: object | undefined): object | undefined {
  const hasPassed = body !== undefined && 'until' in body && Date.parse(String(body.until)) <= Date.now();
  return hasPassed ? { ...body, until: new Date(Date.now() + DAY).toISOString() } : body;
}

/** Restores the demo's owner, for the following examples. */
async function handBack(url: string): Promise<void> {
  const profile = await gateway.rest.call('GET', '/api/v1/profile', { token: tokens.owner });
  const { id } = (JSON.parse(profile.text) as { data: { id: string } }).data;
  const answer = await gateway.rest.call('POST', url, { token: tokens.manager, body: { user_id: id } });
  expect(answer.status).toBe(200);
}
