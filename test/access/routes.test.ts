import { beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType } from 'graphql';
import {
  hasJsonBody,
  isOperationRoute,
  parameterNames,
  type OperationRoute,
  type Route,
} from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { compileRoutes } from '../../src/rest/view/core-path.js';
import { keyOf, nodeTypes } from '../../src/schema/shared/node.js';
import { ROLES, type Role, SCOPES, type Scope } from '../../src/values/enums.js';

import { badTokens, multipart, personOf, rolesBelow } from '../support/rest.js';
import type { Answer, Envelope, RestRequest } from '../support/clients.js';
import { buildAuditEntry } from '../support/audit.js';
import { buildEngagement, buildServiceAccount } from '../support/people.js';
import { PROVEN, seededKeys, seedOrganization, UPLOAD_RULES } from '../support/seeded-organization.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectError, withStory } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { zip } from '../support/zip.js';
import { buildOrganization, buildPerson, buildToken, join } from '../support/test-data.js';
import { FOR_AUDITORS, ROUTE_RULES, type RouteRule } from './route-rules.js';

/** The objects of a call, by `segment/{parameter}` if a name has several meanings; in bodies by field. */
type Names = Readonly<Record<string, string | number>>;

const { gateway, testData } = await startSeededGateway({ resolveTxt: PROVEN });
/** Path segments below which ids belong to other objects. */
const WITHIN = new Map([
  ['/service-accounts/', 'service-account-'],
  ['/scim/', 'scim-'],
  ['/profile/', 'own-'],
]);

const within = (path: string) => [...WITHIN].find(([part]) => path.includes(part))?.[1] ?? '';

/** The part of a key for each path parameter, derived from the fields. */
const PARTS = compileRoutes(gateway.app.executor.schema, ROUTES).flatMap(({ core, path }) =>
  [...path.matchAll(/(?<=([\w-]+|\})\/)\{(\w+)\}/g)].flatMap(([, segment, name = '']) => {
    const filled = core?.filled.get(name)?.name;
    const answered = getNamedType(core?.steps[0]?.field.type)?.name ?? '';
    const part = filled === 'id' && nodeTypes().includes(answered) ? keyOf(answered).at(-1) : filled;
    return part === undefined ? [] : [[name === 'id' ? `${within(path)}${segment}/{id}` : name, part] as const];
  }),
);

/** Former owner of each organization, deactivated in it. */
const deactivated = await buildPerson(gateway.app.database, 'deactivated');
/**
 * Auditors of the seeded engagement, of another one of the same organization, of one that has ended, and of another
 * organization's.
 */
const auditors = {
  'of the engagement': await buildPerson(gateway.app.database, 'auditor'),
  'of another engagement': await buildPerson(gateway.app.database, 'other-auditor'),
  'of one that has ended': await buildPerson(gateway.app.database, 'former-auditor'),
  'of another organization': await buildPerson(gateway.app.database, 'foreign-auditor'),
};
const withoutOrganization = await buildPerson(gateway.app.database, 'alone');
/** Tokens of the first one, with one scope each. */
const auditorTokens = new Map<string, string>();
for (const scope of SCOPES)
  auditorTokens.set(scope, await buildToken(gateway.app.database, auditors['of the engagement'], { scopes: [scope] }));
/** Objects of the other organization. */
const theirs = await namesIn(testData.otherOrganizationId, 'nonMember');
/** A token of each role with each single scope. */
const tokens = new Map<string, string>();
for (const role of ROLES) {
  const person = personOf(testData, role);
  for (const scope of SCOPES)
    tokens.set(`${role} ${scope}`, await buildToken(gateway.app.database, person, { scopes: [scope] }));
}

await audit(auditors['of another organization'], theirs);
/** A service account of the other organization, with every scope. */
const foreignAccount = await buildServiceAccount(
  gateway.app.database,
  testData.otherOrganizationId,
  testData.nonMember,
);

const tokenOf = (role: Role, scope: Scope) => tokens.get(`${role} ${scope}`) as string;

let shared: Promise<Names> | undefined;

/**
 * An organization for the calls of one route, with one object of each kind; shared by all routes that change nothing.
 */
function organizationFor({ method, operationId }: Route): Promise<Names> {
  if (method !== 'GET' || operationId in MADE_READY) return newOrganization(operationId);
  return (shared ??= newOrganization(operationId));
}

async function newOrganization(operationId: string): Promise<Names> {
  const { database } = gateway.app;
  const id = await buildOrganization(database, 'Of one route');
  for (const role of ROLES) await join(database, personOf(testData, role), id, role);
  await join(database, deactivated, id, 'ORGANIZATION_OWNER');
  await database.rows('update membership set deactivated_at = now() where user_id = $1', [deactivated.id]);
  const names = await namesIn(id, 'owner');
  await audit(auditors['of the engagement'], names);
  await buildEngagement(database, id, { auditor: auditors['of another engagement'] });
  await buildEngagement(database, id, { auditor: auditors['of one that has ended'], until: new Date(0) });
  // Subject of a proof: the seed was not created through the API.
  await buildAuditEntry(database, id);
  await gateway.app.services.recordedStates.recordMissing();
  const [text, of] = MADE_READY[operationId] ?? [];
  if (text !== undefined && of !== undefined) await database.rows(text, [names[of]]);
  return names;
}

function audit({ id }: { id: string }, { engagementid }: Names) {
  const text = 'insert into engagement_auditor (engagement_id, user_id) values ($1, $2)';
  return gateway.app.database.rows(text, [engagementid, id]);
}

/** Changes of records that a route needs to succeed. */
const MADE_READY: Readonly<Record<string, [text: string, of: keyof Names]>> = {
  // The documents have no bytes here.
  downloadEvidencePack: ['delete from document_version where organization_id = $1', 'organizationid'],
  closeIncident: ['update incident set significant = false where id = $1', 'incidentid'],
  resetSandbox: ['update organization set sandbox = true where id = $1', 'organizations/{id}'],
  getRehearsalReport: ['update incident set rehearsal = true where id = $1', 'incidentid'],
  downloadRehearsalReport: ['update incident set rehearsal = true where id = $1', 'incidentid'],
  // A token cannot rotate one with more rights.
  rotateToken: [`update api_token set scopes = '{write}' where id = $1`, 'tokens/{id}'],
  rotateServiceAccountToken: [`update api_token set scopes = '{write}' where id = $1`, 'service-account-tokens/{id}'],
};

async function namesIn(organizationId: number, owner: 'owner' | 'nonMember'): Promise<Names> {
  const has = await seedOrganization(gateway.app.database, organizationId, testData[owner]);
  const keys = seededKeys(has, organizationId, testData[owner])('');
  const named = PARTS.flatMap(([name, part]) => (keys[part] === undefined ? [] : [[name, keys[part]] as const]));
  return {
    ...Object.fromEntries(named),
    userid: has.memberId,
    'auditors/{userid}': has.auditorId,
    'own-webhook-endpoints/{webhookendpointid}': has.ownWebhookEndpointId,
    'own-deliveries/{webhookdeliveryid}': has.ownWebhookDeliveryId,
    'service-account-tokens/{id}': has.accountTokenId,
    'documents/{artifactid}': '21.2.a',
    'workflows/{workflowid}': 'nis2-directive',
    'available-workflows/{workflowid}': UPLOAD_RULES.id,
    controlid: '21.2.a',
    regimeid: 'nis2',
    stage: 'EARLY_WARNING',
    organization_id: organizationId,
    user_id: has.memberId,
    atb_key: has.atbKey,
  };
}

const NEVER_WAS = 2_147_483_647;
const ABSENT: Names = {
  serviceaccountid: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
  userid: '2c5ea4c0-4067-41e9-8bad-9b1deb4d3b7d',
  'documents/{artifactid}': 'never-was',
  'workflows/{workflowid}': 'never-was',
  'available-workflows/{workflowid}': 'never-was',
  controlid: 'never-was',
  regimeid: 'never-was',
  stage: 'NEVER_WAS',
  atb_key: '6f1c2a3e-8d4b-4c5d-9e6f-7a8b9c0d1e2f',
};

/** The call of a route, and the names of its parameters. */
interface Call {
  path: string;
  request: RestRequest;
  takes: string[];
}

function callOf(route: Route, rule: RouteRule, names: Names): Call {
  const takes: string[] = [];
  const named = (key: string) => {
    takes.push(key);
    return names[key];
  };
  const path = route.path.replaceAll(/(?<=([\w-]+|\})\/)\{(\w+)\}/g, (braces, segment: string, name: string) => {
    const keys = [`${within(route.path)}${segment}/${braces}`, `${segment}/${braces}`];
    return String(named(keys.find((key) => key in names) ?? name));
  });
  const example = isOperationRoute(route) && hasJsonBody(route) ? ofToday(route.body.example) : undefined;
  const sent = SENT[route.operationId]?.() ?? (example === undefined ? {} : { body: { ...example } });
  const body = sent.body as Record<string, unknown> | undefined;
  for (const field of ['organization_id', 'user_id', 'atb_key']) {
    if (example !== undefined && field in example) body![field] = named(field);
  }
  return { path: path + queryOf(route, rule, named), request: sent, takes };
}

/** Reports of devices are accepted for 90 days. */
function ofToday<Example>(example: Example): Example {
  const now = (name: string, value: unknown) => (name === 'datetime' ? new Date().toISOString() : value);
  return JSON.parse(JSON.stringify(example, (name, value) => (name === 'chart_stat' ? [] : now(name, value))));
}

/** Lists with an optional organization are called with one; required parameters are given. */
function queryOf(route: Route, rule: RouteRule, named: (key: string) => unknown): string {
  const query = new URLSearchParams();
  const { own = [] } = isOperationRoute(route) ? {} : route;
  const required = own.filter((each) => each.in === 'query' && each.required);
  for (const { name, example } of required) query.set(name, String(example));
  const names = isOperationRoute(route) ? parameterNames(route) : [];
  if (names.includes('q')) query.set('q', String((route as OperationRoute).examples?.['q']));
  if (names.includes('organization_id') && rule.whose === 'organization') {
    query.set('organization_id', String(named('organization_id')));
  }
  return query.size === 0 ? '' : `?${query}`;
}

/** Lists with an optional organization; without one they cover all organizations of the caller. */
function narrowedBy(route: Route): boolean {
  return isOperationRoute(route) && parameterNames(route).includes('organization_id');
}

const fileOf = ({ filename, contentType, bytes }: (typeof samples)['PNG'], name: string) =>
  multipart([{ name, filename, type: contentType, content: bytes }]);

const EMPTY_TABLE = { headers: { 'content-type': 'text/csv' }, body: Buffer.from('id\n') };
const EMPTY_ARCHIVE = {
  headers: { 'content-type': 'application/zip' },
  body: zip([{ name: 'manifest.json', content: '{"documents":[]}' }]),
};

/** Bodies of routes that parse them themselves, or whose example refers to a missing object. */
const SENT: Readonly<Record<string, () => RestRequest>> = {
  createOrganization: () => ({ body: { name: 'Another one' } }),
  // A token cannot create one with more rights.
  createToken: () => ({ body: { name: 'another', scopes: ['WRITE'] } }),
  createEngagement: () => ({
    body: {
      name: 'A',
      workflows: ['nis2-directive'],
      from: '2026-01-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      until: new Date(Date.now() + 86_400_000).toISOString(),
    },
  }),
  requestEvidence: () => ({ body: { workflow_id: 'nis2-directive', control_id: '21.2.a', text: 'Minutes' } }),
  signOff: () => ({ body: { workflow_id: 'nis2-directive', statement: 'In force.' } }),
  createServiceAccountToken: () => ({ body: { name: 'another', scopes: ['WRITE'] } }),
  updateServiceAccount: () => ({ body: { name: 'Renamed' } }),
  recoverWebhooks: () => ({ body: { since: new Date().toISOString() } }),
  recoverOwnWebhooks: () => ({ body: { since: new Date().toISOString() } }),
  markNotificationsRead: () => ({ body: { all: true } }),
  updateControls: () => ({ body: { control_ids: ['20.1'], changes: { status: 'DONE' } } }),
  recordIncidentReport: () => ({ body: { regime_id: 'nis2', stage: 'NOTIFICATION' } }),
  correctIncidentReport: () => ({ body: { sent_at: null, reason: 'It was never sent.' } }),
  importMembers: () => EMPTY_TABLE,
  importControls: () => EMPTY_TABLE,
  importDocuments: () => EMPTY_ARCHIVE,
  startMemberImport: () => EMPTY_TABLE,
  startControlImport: () => EMPTY_TABLE,
  startDocumentImport: () => EMPTY_ARCHIVE,
  setOrganizationLogo: () => fileOf(samples.PNG, 'logo'),
  uploadIncidentAttachment: () => fileOf(samples.TXT, 'file'),
  uploadDocumentVersion: () => ({
    body: { filename: 'a.txt', content: Buffer.from('text').toString('base64'), content_type: 'text/plain' },
  }),
};

const CALLED = ROUTES.flatMap((route) => {
  const { operationId } = route;
  const rule = ROUTE_RULES[operationId];
  if (rule === undefined) return [];
  const called = [{ route, rule, operationId }];
  if (rule.whose !== 'organization' || !narrowedBy(route)) return called;
  return [...called, { route, rule: { whose: 'caller', scope: rule.scope } as const, operationId }];
});
const whose = (...kinds: RouteRule['whose'][]) => CALLED.filter(({ rule }) => kinds.includes(rule.whose));

test('lists for every route who may call it', () => {
  expect(Object.keys(ROUTE_RULES).toSorted()).toEqual(ROUTES.map(({ operationId }) => operationId).toSorted());
  // A file's signed address authenticates the caller; an evidence pack has one, too, and also accepts tokens.
  const open = ROUTES.filter((route) => route.open === true).map(({ operationId }) => operationId);
  expect(whose('everybody').map(({ operationId }) => operationId)).toEqual(open);
});

/** Expects an authorized and successful call. */
const expectDone = (answer: Answer<Envelope>) => withStory(answer, () => expect(answer.status).toBeLessThan(300));

const send = async (route: Route, rule: RouteRule, names: Names, token?: string) => {
  const { path, request } = callOf(route, rule, names);
  const isOfJob = isOperationRoute(route) && route.accepted !== undefined;
  const headers = { ...request.headers, ...(isOfJob && { prefer: 'respond-async' }) };
  return gateway.rest.call(route.method, path, { ...request, headers, ...(token !== undefined && { token }) });
};

async function expectUnauthenticated(call: (token?: string) => Promise<Answer<Envelope>>) {
  for (const [name, token] of badTokens(testData)) {
    const answer = await call(token);
    withStory(answer, () => expect([name, answer.status]).toEqual([name, 401]));
    expectError(answer, 401, [1001]);
  }
}

/** Only the auditor's token with the scope is accepted. */
async function expectOnlyScope(scope: Scope, execute: (token?: string) => Promise<Answer<Envelope>>) {
  for (const other of SCOPES.filter((each) => each !== scope))
    expectError(await execute(auditorTokens.get(other)), 403, [1003]);
  expectDone(await execute(auditorTokens.get(scope)));
}

describe.each(whose('auditor'))('$operationId', ({ route, rule }) => {
  let names: Names;
  beforeAll(async () => (names = await organizationFor(route)));
  const execute = (token?: string, of = names) => send(route, rule, of, token);

  test('answers every caller without a valid token in the same way', () => expectUnauthenticated(execute));

  test('is for auditors of the engagement alone, in their scope', async () => {
    const { 'of the engagement': own, ...others } = auditors;
    const members = ROLES.map((role) => personOf(testData, role));
    const nonMembers = [testData.nonMember, testData.userWithoutOrganization, deactivated, foreignAccount];
    for (const { token } of [...members, ...nonMembers, ...Object.values(others)])
      expectError(await execute(token), 404, [1004]);
    expectDone(await execute(own.token));
    await expectOnlyScope('write', execute);
    for (const name of callOf(route, rule, names).takes)
      for (const other of [ABSENT[name] ?? NEVER_WAS, theirs[name]!])
        expectError(await execute(own.token, { ...names, [name]: other }), 404, [1004]);
  });
});

describe.each(whose('organization'))('$operationId', ({ route, rule, operationId }) => {
  if (rule.whose !== 'organization') return;
  const { lowest, scope } = rule;
  let names: Names;
  beforeAll(async () => (names = await organizationFor(route)));
  const execute = (token?: string, of = names) => send(route, rule, of, token);

  test('answers every caller without a valid token in the same way', () => expectUnauthenticated(execute));

  test('is absent to strangers', async () => {
    for (const { token } of [testData.nonMember, testData.userWithoutOrganization])
      expectError(await execute(token), 404, [1004]);
  });

  test('answers a service account of another organization as for one that never was', async () => {
    const [name] = callOf(route, rule, names).takes as [string];
    const never = await execute(foreignAccount.token, { ...names, [name]: ABSENT[name] ?? NEVER_WAS });
    // An operation for persons only is refused to the account with 403, whatever its object.
    expect([403, 404]).toContain(never.status);
    const answer = await execute(foreignAccount.token);
    expect([answer.status, answer.body]).toEqual([never.status, never.body]);
  });

  test(`${FOR_AUDITORS.includes(operationId) ? 'is there for auditors of the engagement' : 'is absent to auditors of the organization'}, and absent to those of others, also of its own past`, async () => {
    const { 'of the engagement': own, ...others } = auditors;
    for (const { token } of Object.values(others)) expectError(await execute(token), 404, [1004]);
    if (!FOR_AUDITORS.includes(operationId)) return expectError(await execute(own.token), 404, [1004]);
    expectDone(await execute(own.token));
    await expectOnlyScope(scope, execute);
  });

  test('is absent to an owner who was deactivated in it', async () => {
    expectError(await execute(deactivated.token), 404, [1004]);
  });

  test("finds nothing of another organization's and nothing that never was, for who may all of it here", async () => {
    const token = tokenOf('ORGANIZATION_OWNER', scope);
    const { takes } = callOf(route, rule, names);
    expect(takes).not.toEqual([]);
    for (const name of takes) {
      expectError(await execute(token, { ...names, [name]: ABSENT[name] ?? NEVER_WAS }), 404, [1004]);
      if (theirs[name] !== names[name])
        expectError(await execute(token, { ...names, [name]: theirs[name]! }), 404, [1004]);
    }
    // A deleted organization is looked up after the scope is checked.
    if (operationId === 'restoreOrganization') return;
    // A token without the scope gets the same response if the organization is not visible.
    const absent = { ...names, [takes[0]!]: ABSENT[takes[0]!] ?? NEVER_WAS };
    const other = SCOPES.find((each) => each !== scope)!;
    for (const kind of [tokenOf('ORGANIZATION_OWNER', other), testData.nonMember.token]) {
      expectError(await execute(kind, absent), 404, [1004]);
      expectError(await execute(kind, { ...absent, organizationid: NEVER_WAS }), 404, [1004]);
    }
  });

  test('refuses roles that are too low, and scopes that are others', async () => {
    for (const role of rolesBelow(lowest)) expectError(await execute(tokenOf(role, scope)), 403, [1003]);
    for (const other of SCOPES.filter((each) => each !== scope)) {
      expectError(await execute(tokenOf('ORGANIZATION_OWNER', other)), 403, [1003]);
    }
  });

  test(`lets in who is ${lowest} with the scope ${scope} and no other`, async () => {
    expectDone(await execute(tokenOf(lowest, scope)));
  });
});

/** Imports of an organization are for its members; the catalogue itself is public. */
const everybodys = (): Names => ({ ...theirs, 'available-workflows/{workflowid}': 'nis2-directive' });

/** Routes with the caller's own data. */
const OWN: readonly string[] = [
  ...['getProfile', 'updateProfile', 'exportProfile', 'listOwnAuditTrail', 'verifyOwnAuditTrail', 'listOwnEngagements'],
  ...['listTokens', 'createToken', 'getCurrentToken', 'listOwnWebhookEndpoints', 'createOwnWebhookEndpoint'],
];

describe.each(whose('caller'))('$operationId', ({ route, rule, operationId }) => {
  if (rule.whose !== 'caller') return;
  const { scope } = rule;

  test('answers every caller without a valid token in the same way', () =>
    expectUnauthenticated((token) => send(route, rule, everybodys(), token)));

  test('is there for everybody, whose token has the scope', async () => {
    for (const role of ROLES) {
      for (const other of SCOPES.filter((each) => each !== scope)) {
        expectError(await send(route, rule, everybodys(), tokenOf(role, other)), 403, [1003]);
      }
    }
    // Their tokens have the scopes that every token may have, without telemetry.
    const nonMembers = scope === 'telemetry' ? [] : [testData.nonMember, testData.userWithoutOrganization];
    for (const { token } of [...nonMembers, { token: tokenOf('VIEWER', scope) }])
      expectDone(await send(route, rule, everybodys(), token));
  });

  test('answers an auditor as a person without organization', async () => {
    // The creator of an organization is a member from then on.
    if (operationId === 'createOrganization') return;
    const outsider = await send(route, rule, everybodys(), withoutOrganization.token);
    for (const { token } of Object.values(auditors)) {
      const answer = await send(route, rule, everybodys(), token);
      expect(answer.status).toBe(outsider.status);
      if (!OWN.includes(operationId)) expect(answer.body).toEqual(outsider.body);
    }
  });
});

describe.each(whose('person'))('$operationId', ({ route, rule }) => {
  if (rule.whose !== 'person') return;
  const { scope } = rule;
  let names: Names;
  beforeAll(async () => (names = await organizationFor(route)));
  const execute = (token?: string, of = names) => send(route, rule, of, token);

  test('is absent to everybody but one, like what never was', async () => {
    await expectUnauthenticated(execute);
    for (const { token } of [testData.nonMember, testData.userWithoutOrganization, testData.manager, testData.viewer]) {
      expectError(await execute(token), 404, [1004]);
    }
    const { takes } = callOf(route, rule, names);
    expect(takes).not.toEqual([]);
    for (const name of takes) {
      expectError(await execute(testData.owner.token, { ...names, [name]: NEVER_WAS }), 404, [1004]);
    }
  });

  test('requires the scope of that one', async () => {
    for (const other of SCOPES.filter((each) => each !== scope)) {
      expectError(await execute(tokenOf('ORGANIZATION_OWNER', other)), 403, [1003]);
    }
    expectDone(await execute(tokenOf('ORGANIZATION_OWNER', scope)));
  });
});

test.each(whose('everybody'))('$operationId needs no token, and refuses none', async ({ route, rule }) => {
  const { path, request } = callOf(route, rule, { ...theirs, kind: 'documents', 'kind/{id}': 1 });
  const answer = await gateway.rest.call(route.method, path, request);
  withStory(answer, () => expect([401, 403]).not.toContain(answer.status));
});
