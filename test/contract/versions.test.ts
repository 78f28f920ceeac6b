import { expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { toSnakeCase } from '../../src/common/naming.js';
import { compileRoutes, type CompiledOperation } from '../../src/rest/view/core-path.js';
import { IF_MATCH, isOperationRoute, parameterNames } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { withStory } from '../support/matchers.js';
import { graphqlOutcome } from '../support/parity.js';
import { buildReport } from '../support/seeded-organization.js';
import { buildServiceAccount, newMember } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildCloudDefender, buildIncident, buildThreatBlocker, buildWorkflow } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { database, executor } = gateway.app;
const { schema } = executor;
const { organizationId } = testData;
const { token } = testData.owner;

type Input = Readonly<Record<string, unknown>>;

/** An object that can be changed: where its row is, and how the inputs of its mutations name it. */
interface Made {
  table: string;
  id: string | number;
  key: Input;
}

const idOf = async (text: string, values: readonly unknown[] = []) =>
  (await database.rows<{ id: number }>(text, [...values]))[0]!.id;

async function incident(change = ''): Promise<Made> {
  const incidentId = await buildIncident(database, organizationId);
  if (change !== '') await database.rows(`update incident set ${change} where id = $1`, [incidentId]);
  return { table: 'incident', id: incidentId, key: { organizationId, incidentId } };
}

async function reportedIncident(): Promise<Made> {
  const made = await incident();
  await buildReport(database, made.id as number);
  return made;
}

let documents = 0;

async function document(): Promise<Made> {
  documents += 1;
  const documentVersionId = await idOf(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'nis2-directive', '21.2.a', 'd', 1, 'text/plain', 'attached', lpad($2, 64, '0'), 'owner') returning id`,
    [organizationId, String(documents)],
  );
  return { table: 'document_version', id: documentVersionId, key: { organizationId, documentVersionId } };
}

async function edge(): Promise<Made> {
  const cloudDefenderId = await buildCloudDefender(database, organizationId);
  return { table: 'cloud_defender', id: cloudDefenderId, key: { cloudDefenderId } };
}

async function blocker(): Promise<Made> {
  const threatBlockerId = await buildThreatBlocker(database, organizationId);
  return { table: 'threat_blocker', id: threatBlockerId, key: { threatBlockerId } };
}

let controls = 0;

async function control(): Promise<Made> {
  controls += 1;
  const controlId = ['21.2.a', '21.2.b', '21.2.c', '21.2.d'][controls % 4]!;
  await database.rows('delete from control_state where organization_id = $1', [organizationId]);
  const id = await idOf(
    `insert into control_state (organization_id, workflow_id, control_id, status)
     values ($1, 'nis2-directive', $2, 'IN_PROGRESS') returning id`,
    [organizationId, controlId],
  );
  return { table: 'control_state', id, key: { organizationId, workflowId: 'nis2-directive', controlId } };
}

async function member(): Promise<Made> {
  const { id: userId } = await newMember(database, organizationId, 'VIEWER');
  const id = await idOf('select id from membership where user_id = $1 and organization_id = $2', [
    userId,
    organizationId,
  ]);
  return { table: 'membership', id, key: { organizationId, userId } };
}

async function profile(): Promise<Made> {
  await database.rows(`update app_user set first_name = 'Before' where id = $1`, [testData.owner.id]);
  return { table: 'app_user', id: testData.owner.id, key: {} };
}

async function account(): Promise<Made> {
  const { id } = await buildServiceAccount(database, organizationId, testData.owner);
  return { table: 'service_account', id, key: { organizationId, serviceAccountId: id } };
}

async function scimSettings(): Promise<Made> {
  await database.rows(
    `insert into scim_settings (organization_id, enabled, default_role, group_roles, link_members)
     values ($1, true, 'VIEWER', '[]', false) on conflict (organization_id) do update set enabled = true`,
    [organizationId],
  );
  return { table: 'scim_settings', id: organizationId, key: { organizationId } };
}

/** Of each mutation that takes a version, an object that it can change, and what it is to change. */
const CHANGES: Readonly<Record<string, { make(): Promise<Made>; change?: Input }>> = {
  updateIncident: { make: incident, change: { title: 'Changed' } },
  closeIncident: { make: incident, change: { reason: 'A false alarm.' } },
  reopenIncident: { make: () => incident(`status = 'CLOSED', closed_at = now(), closed_by = 'ann'`) },
  rejudgeIncident: { make: incident, change: { reason: 'Other facts.' } },
  recordIncidentReport: { make: incident, change: { regimeId: 'nis2', stage: 'EARLY_WARNING' } },
  correctIncidentReport: {
    make: reportedIncident,
    change: { regimeId: 'nis2', stage: 'EARLY_WARNING', sentAt: null, reason: 'It was never sent.' },
  },
  updateDocumentVersion: { make: document, change: { note: 'Approved.' } },
  deleteDocumentVersion: { make: document },
  updateCloudDefender: { make: edge, change: { fqdn: 'other.example.org' } },
  deleteCloudDefender: { make: edge },
  updateThreatBlocker: { make: blocker, change: { deviceId: 'another' } },
  deleteThreatBlocker: { make: blocker },
  rotateAtbKey: { make: blocker },
  updateControl: { make: control, change: { note: 'Looked at.' } },
  updateMember: { make: member, change: { role: 'SECURITY_ANALYST' } },
  removeMember: { make: member },
  updateProfile: { make: profile, change: { firstName: 'After' } },
  updateScimSettings: { make: scimSettings, change: { enabled: false } },
  updateServiceAccount: { make: account, change: { role: 'SECURITY_OFFICER' } },
  deleteServiceAccount: { make: account },
};

/** The organization's own are in test/organizations. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'updateOrganization',
  'deleteOrganization',
  'setOrganizationLogo',
  'removeOrganizationLogo',
  'updateOrganizationSettings',
  'updateBranding',
]);

const MUTATIONS = Object.values(schema.getMutationType()!.getFields());
const inputOf = (mutation: (typeof MUTATIONS)[number]) => getNamedType(mutation.args[0]?.type);
const takesVersion = (mutation: (typeof MUTATIONS)[number]) => {
  const input = inputOf(mutation);
  return isInputObjectType(input) && getNamedType(input.getFields()['version']?.type)?.name === 'Int';
};
/** The field of the payload that has a version, with its version. */
const versionOf = (mutation: (typeof MUTATIONS)[number]) => {
  const payload = getNamedType(mutation.type);
  const fields = isObjectType(payload) ? Object.values(payload.getFields()) : [];
  return fields.find(({ type }) => {
    const named = getNamedType(type);
    return isObjectType(named) && 'version' in named.getFields();
  })?.name;
};

const VERSIONED = MUTATIONS.filter(takesVersion).map(({ name }) => name);
const OPERATIONS = compileRoutes(schema, ROUTES).filter((route) => isOperationRoute(route)) as CompiledOperation[];

/** Mutations that make something, or bring it back, have no state to name; what a caller wants of an organization is not its own, and many controls have a version each. */
const MAKES =
  /^(?:create|open|upload|invite|import|preview|restore|accept|associate|transfer|leave|report|updateControls|updateAlerts|updateMailPreferences)/;

test('every mutation that changes what has a version takes the version that it is made to', () => {
  const without = MUTATIONS.filter((each) => versionOf(each) && !takesVersion(each) && !MAKES.test(each.name));
  expect(without.map(({ name }) => name)).toEqual([]);
  expect(VERSIONED.filter((name) => !ELSEWHERE.has(name)).toSorted()).toEqual(Object.keys(CHANGES).toSorted());
});

test('every route of such a mutation takes If-Match, and what has a version is read with a tag', () => {
  const changes = OPERATIONS.filter(({ method }) => method !== 'GET');
  const without = changes.filter(
    (route) => VERSIONED.includes(route.core.steps[0]!.field.name) && !parameterNames(route).includes(IF_MATCH),
  );
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
  const read = OPERATIONS.filter(({ method, etag, core }) => method === 'GET' && core.version === 'in data' && !etag);
  expect(read.map(({ operationId }) => operationId)).toEqual(['getOrganizationPrivileges']);
});

const names = Object.keys(CHANGES);

const KEYS: Readonly<Record<string, string>> = { service_account: 'user_id', scim_settings: 'organization_id' };

async function stored({ table, id }: Made): Promise<Record<string, unknown> | undefined> {
  const [row] = await database.rows<{ row: Record<string, unknown> }>(
    `select to_jsonb(t) as row from "${table}" t where ${KEYS[table] ?? 'id'} = $1`,
    [id],
  );
  return row?.row;
}

const ofMutation = (name: string) => MUTATIONS.find((mutation) => mutation.name === name)!;

function throughGraphQL(name: string, input: Input) {
  const mutation = ofMutation(name);
  const document = `mutation ($input: ${mutation.args[0]!.type.toString()}) { ${name}(input: $input) { ${versionOf(mutation)} { version } } }`;
  return gateway.graphql.call(document, { token, variables: { input } });
}

function throughRest(name: string, input: Input, tags: string) {
  const route = OPERATIONS.find(({ core, method }) => method !== 'GET' && core.steps[0]?.field.name === name)!;
  const inPath = new Map([...route.core.filled].map(([parameter, field]) => [parameter, field.name]));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_braces, parameter: string) =>
    encodeURIComponent(String(input[inPath.get(parameter)!])),
  );
  const fields = Object.entries(input).filter(([field]) => ![...inPath.values()].includes(field));
  const body = Object.fromEntries(fields.map(([field, value]) => [toSnakeCase(field), value]));
  const request = { token, headers: { 'if-match': tags } };
  return gateway.rest.call(route.method, path, route.body === undefined ? request : { ...request, body });
}

await buildWorkflow(database, organizationId, 'nis2-directive');

test.each(names)(
  '%s refuses another version through both APIs, changes nothing then, and accepts the present one',
  async (name) => {
    const { make, change = {} } = CHANGES[name]!;
    for (const api of ['GraphQL', 'REST'] as const) {
      const made = await make();
      const before = (await stored(made))!;
      const version = before['version'] as number;
      const input = { ...made.key, ...change };
      if (api === 'GraphQL') {
        const answer = await throughGraphQL(name, { ...input, version: version + 1 });
        withStory(answer, () =>
          expect(graphqlOutcome(answer)).toMatchObject({ code: 'CONFLICT', reason: 'STALE_VERSION' }),
        );
      } else {
        for (const tags of [`"${version + 1}"`, `W/"${version}"`, `"x", "${version + 2}"`]) {
          const answer = await throughRest(name, input, tags);
          withStory(answer, () => expect(answer.status).toBe(412));
        }
      }
      expect(await stored(made)).toEqual(before);
      if (api === 'GraphQL') {
        const answer = await throughGraphQL(name, { ...input, version });
        withStory(answer, () => expect(graphqlOutcome(answer).code).toBe('OK'));
      } else {
        const answer = await throughRest(name, input, `"${version + 7}", "${version}"`);
        withStory(answer, () => expect([200, 201]).toContain(answer.status));
        const after = await stored(made);
        const tag = answer.headers.get('etag');
        if (tag !== null) expect(tag).toMatch(new RegExp(`^"${String(after!['version'])}[."]`));
      }
      const after = await stored(made);
      if (after !== undefined) expect(after['version']).toBeGreaterThan(version);
    }
  },
);

test.each(names)('of two %s with one version at once, exactly one is made', async (name) => {
  const { make, change = {} } = CHANGES[name]!;
  const made = await make();
  const version = (await stored(made))!['version'];
  const input = { ...made.key, ...change, version };
  const answers = await Promise.all([throughGraphQL(name, input), throughGraphQL(name, input)]);
  const codes = answers.map((answer) => graphqlOutcome(answer).code).toSorted();
  expect([
    ['CONFLICT', 'OK'],
    ['NOT_FOUND', 'OK'],
  ]).toContainEqual(codes);
});

test('what comes by itself does not change the version of an incident, and what is recorded of its reports does', async () => {
  const made = await incident();
  const version = async () => (await stored(made))!['version'];
  await database.rows('update incident set next_reminder_at = now(), updated_at = now() where id = $1', [made.id]);
  expect(await version()).toBe(1);
  await buildReport(database, made.id as number);
  expect(await version()).toBe(2);
});

test('a control that was never changed has version 1, and its first change is one', async () => {
  await database.rows('delete from control_state where organization_id = $1', [organizationId]);
  const input = { organizationId, workflowId: 'nis2-directive', controlId: '21.2.a', note: 'Looked at.' };
  const code = async (version: number, note: string) =>
    graphqlOutcome(await throughGraphQL('updateControl', { ...input, note, version })).code;
  expect([await code(2, 'one'), await code(1, 'one'), await code(1, 'two'), await code(2, 'two')]).toEqual([
    ...['CONFLICT', 'OK', 'CONFLICT', 'OK'],
  ]);
});

test('of many controls none is changed when one of them has another version', async () => {
  await database.rows('delete from control_state where organization_id = $1', [organizationId]);
  const updates = [
    { controlId: '21.2.a', note: 'one', version: 1 },
    { controlId: '21.2.b', note: 'two', version: 4 },
  ];
  const answer = await gateway.graphql.call(
    'mutation ($input: UpdateControlsInput!) { updateControls(input: $input) { totalCount } }',
    { token, variables: { input: { organizationId, workflowId: 'nis2-directive', updates } } },
  );
  expect(graphqlOutcome(answer)).toMatchObject({ code: 'CONFLICT', reason: 'STALE_VERSION' });
  expect(await database.rows('select from control_state where organization_id = $1', [organizationId])).toEqual([]);
});

test('a tag is taken as it was answered, also among tags of earlier and later versions', async () => {
  const { id, key } = await incident();
  const path = `/api/v1/v-ciso/incidents/${organizationId}/${id}`;
  await throughRest('updateIncident', { ...key, title: 'First' }, '*');
  const tag = (await gateway.rest.get(path, { token })).headers.get('etag');
  expect(tag).toMatch(/^"2\.[\w-]{43}"$/);
  const changed = await throughRest('updateIncident', { ...key, title: 'Second' }, `"9", ${tag}, "1"`);
  withStory(changed, () => expect(changed.status).toBe(200));
  const stale = await throughRest('updateIncident', { ...key, title: 'Third' }, `"1", ${tag}`);
  withStory(stale, () => expect(stale.status).toBe(412));
});
