import { expect, test } from '@jest/globals';
import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import { toSnakeCase } from '../../src/common/naming.js';
import { compileRoutes, type CompiledOperation } from '../../src/rest/view/core-path.js';
import { IF_MATCH, isOperationRoute, parameterNames } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { withStory } from '../support/matchers.js';
import { graphqlOutcome } from '../support/parity.js';
import { buildReport, PROVEN } from '../support/seeded-organization.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, buildWorkflow } from '../support/test-data.js';
import { versionedObjects, type Input, type Made } from '../support/versioned-objects.js';

const { gateway, testData } = await startSeededGateway({ resolveTxt: PROVEN });
const { database, executor } = gateway.app;
const { schema } = executor;
const { organizationId } = testData;
const owner = testData.owner.token;

const CHANGES = versionedObjects(database, testData);

/** The organization's own are in test/organizations. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'updateOrganization',
  'deleteOrganization',
  'setOrganizationLogo',
  'removeOrganizationLogo',
  'updateOrganizationSettings',
  'updateBranding',
  'resetSandbox',
]);

const MUTATIONS: readonly Mutation[] = Object.values(schema.getMutationType()!.getFields());
const OPERATIONS = compileRoutes(schema, ROUTES).filter((route) => isOperationRoute(route)) as CompiledOperation[];

type Mutation = GraphQLField<unknown, unknown>;

const fieldsOf = (type: unknown) => (isObjectType(type) ? Object.values(type.getFields()) : []);
const inputsOf = (mutation: Mutation): GraphQLInputField[] => {
  const input = getNamedType(mutation.args[0]?.type);
  return isInputObjectType(input) ? Object.values(input.getFields()) : [];
};
const isVersion = ({ name, type }: { name: string; type: unknown }) =>
  ['version', 'replacesVersion'].includes(name) && String(getNamedType(type as never)) === 'Int';
/** The input field of a mutation with the version that the change is made to. */
const expectedBy = (mutation: Mutation) => inputsOf(mutation).find(isVersion)?.name;
/** The objects in the payload of a mutation. */
const answered = (mutation: Mutation) =>
  fieldsOf(getNamedType(mutation.type))
    .map(({ name, type }) => ({ name, type: getNamedType(type) }))
    .filter(({ type }) => isObjectType(type));
const hasVersion = (type: unknown) => fieldsOf(type).some(isVersion);
/** The field of the payload that has a version. */
const versionOf = (mutation: Mutation) => answered(mutation).find(({ type }) => hasVersion(type))?.name;
const routesOf = (mutation: Mutation) =>
  OPERATIONS.filter(({ method, core }) => method !== 'GET' && core.steps[0]?.field.name === mutation.name);
const isKey = ({ name }: { name: string }) => /Ids?$/.test(name);
const isPost = (mutation: Mutation) => routesOf(mutation).every(({ method }) => method === 'POST');

const VERSIONED = MUTATIONS.filter(expectedBy).map(({ name }) => name);

/** New objects have no previous version. */
const makesNew = (mutation: Mutation) =>
  routesOf(mutation).length > 0 &&
  routesOf(mutation).every(
    ({ method, created, createdWhen, accepted }) => method === 'POST' && (created ?? createdWhen ?? accepted),
  );

/** Reasons why mutations that create nothing take no version, each with a condition that proves it. */
const REASONS: Readonly<Record<string, { applies(mutation: Mutation): boolean; mutations: readonly string[] }>> = {
  'it changes no object, or adds measurements': {
    applies: (mutation) => isPost(mutation) && !answered(mutation).some(({ type }) => hasVersion(type)),
    mutations: [
      ...['recoverWebhooks', 'redeliverWebhook', 'sendTestWebhook'],
      ...['exportMe', 'previewWorkflowImport', 'reportCloudDefenderCheck', 'reportThreatBlockerCheck'],
      ...['reportCloudDefenderChecks', 'reportThreatBlockerChecks'],
      ...['reportThreatBlockerCheckByKey', 'requestTokenRecovery'],
    ],
  },
  'it adds one for each of its rows': {
    applies: (mutation) => isPost(mutation) && !answered(mutation).some(({ type }) => hasVersion(type)),
    mutations: ['importDocuments', 'inviteMembers'],
  },
  'each of its rows has the version that it changes': {
    applies: (mutation) => isPost(mutation) && !answered(mutation).some(({ type }) => hasVersion(type)),
    mutations: ['importControls', 'importMembers'],
  },
  'what it deletes cannot be changed': {
    applies: (mutation) => {
      const [deleted] = answered(mutation);
      const others = MUTATIONS.filter((each) => answered(each).some(({ type }) => type === deleted!.type));
      return (
        !hasVersion(deleted!.type) &&
        others.every(({ name }) => /^(?:delete|remove|upload|associate|dissociate)/.test(name))
      );
    },
    mutations: ['deleteIncidentAttachment', 'dissociateWorkflow', 'removeAuditor'],
  },
  'what is deleted cannot be changed before it is back': {
    applies: (mutation) => inputsOf(mutation).length === 1 && inputsOf(mutation).every(isKey),
    mutations: ['restoreCloudDefender', 'restoreOrganization', 'restoreThreatBlocker'],
  },
  'it says all that it changes: nothing of another change is kept or lost': {
    applies: (mutation) =>
      inputsOf(mutation).every(
        (field) => isKey(field) || field.name === 'all' || isNonNullType(field.type) || field.defaultValue != null,
      ),
    mutations: [
      'cancelImportJob',
      'leaveOrganization',
      'markNotificationsRead',
      'transferOwnership',
      'updateNotification',
    ],
  },
  'each of the many that it changes has a version of its own': {
    applies: (mutation) =>
      inputsOf(mutation).some(({ type }) => {
        const item = getNamedType(type);
        return isListType(type) && isInputObjectType(item) && Object.values(item.getFields()).some(isVersion);
      }),
    mutations: ['updateControls'],
  },
};

test('every mutation that makes nothing new takes the version that it is made to, but for a reason that is true', () => {
  const reasoned = Object.values(REASONS).flatMap(({ mutations }) => mutations);
  const without = MUTATIONS.filter((each) => expectedBy(each) === undefined);
  const changing = without.filter((each) => !makesNew(each)).map(({ name }) => name);
  expect(changing.toSorted()).toEqual(reasoned.toSorted());
  const untrue = Object.entries(REASONS).flatMap(([reason, { applies, mutations }]) =>
    mutations.filter((name) => !applies(ofMutation(name))).map((name) => `${name}: ${reason}`),
  );
  expect(untrue).toEqual([]);
  expect(VERSIONED.filter((name) => !ELSEWHERE.has(name)).toSorted()).toEqual(Object.keys(CHANGES).toSorted());
});

test('every object that such a mutation answers has a version', () => {
  const without = MUTATIONS.filter((each) => expectedBy(each) && versionOf(each) === undefined).map(({ name }) => name);
  // Nothing of an erased user is left to be changed.
  expect(without).toEqual(['eraseMe']);
});

test('every route that changes or deletes takes If-Match, and what has a version is read with a tag', () => {
  const isConditional = (route: CompiledOperation) => parameterNames(route).includes(IF_MATCH);
  const without = OPERATIONS.filter((route) => route.method !== 'GET' && !isConditional(route));
  const unjudged = without.filter(({ core }) => VERSIONED.includes(core.steps[0]!.field.name));
  expect(unjudged.map(({ operationId }) => operationId)).toEqual([]);
  const read = OPERATIONS.filter(({ method, etag, core }) => method === 'GET' && core.version === 'in data' && !etag);
  expect(read.map(({ operationId }) => operationId)).toEqual(['getOrganizationPrivileges']);
});

const names = Object.keys(CHANGES);

const KEYS: Readonly<Record<string, string>> = { service_account: 'user_id', scim_settings: 'organization_id' };

async function stored({ table, id, version = 't.version' }: Made): Promise<Stored | undefined> {
  const [row] = await database.rows<Stored>(
    `select to_jsonb(t) as row, ${version} as version from "${table}" t where ${KEYS[table] ?? 'id'} = $1`,
    [id],
  );
  return row;
}

interface Stored {
  row: object;
  version: number;
}

function ofMutation(name: string): Mutation {
  return MUTATIONS.find((mutation) => mutation.name === name)!;
}

/** `version` is the expected version of the change. */
function throughGraphQL(
  name: string,
  { key, token = owner }: Pick<Made, 'key' | 'token'>,
  change: Input,
  version: number,
) {
  const mutation = ofMutation(name);
  const answer = versionOf(mutation);
  const selected = answer === undefined ? '__typename' : `${answer} { version }`;
  const document = `mutation ($input: ${mutation.args[0]!.type.toString()}) { ${name}(input: $input) { ${selected} } }`;
  const input = { ...key, ...change, [expectedBy(mutation)!]: version };
  return gateway.graphql.call(document, { token, variables: { input } });
}

function throughRest(name: string, { key, token = owner }: Pick<Made, 'key' | 'token'>, change: Input, tags: string) {
  const [route] = routesOf(ofMutation(name));
  const input: Input = { ...key, ...change };
  const fieldOf = new Map([...route!.core.filled].map(([parameter, field]) => [parameter, field.name]));
  const text = (parameter: string) => encodeURIComponent(String(input[fieldOf.get(parameter)!]));
  const path = route!.path.replaceAll(/\{(\w+)\}/g, (_braces, parameter: string) => text(parameter));
  const inQuery = parameterNames(route!).filter((each) => each !== IF_MATCH && !route!.path.includes(`{${each}}`));
  const query = inQuery.map((parameter) => `${parameter}=${text(parameter)}`).join('&');
  const fields = Object.entries(input).filter(([field]) => ![...fieldOf.values()].includes(field));
  const body = Object.fromEntries(fields.map(([field, value]) => [toSnakeCase(field), value]));
  const request = { token, headers: { 'if-match': tags } };
  const target = query === '' ? path : `${path}?${query}`;
  return gateway.rest.call(route!.method, target, route!.body === undefined ? request : { ...request, body });
}

await buildWorkflow(database, organizationId, 'nis2-directive');

test.each(names)(
  '%s refuses another version through both APIs, changes nothing then, and accepts the present one',
  async (name) => {
    const { make, change = {} } = CHANGES[name]!;
    for (const api of ['GraphQL', 'REST'] as const) {
      const made = await make();
      const before = (await stored(made))!;
      const { version } = before;
      if (api === 'GraphQL') {
        const answer = await throughGraphQL(name, made, change, version + 1);
        withStory(answer, () =>
          expect(graphqlOutcome(answer)).toMatchObject({ code: 'CONFLICT', reason: 'STALE_VERSION' }),
        );
      } else {
        const malformed = ['nonsense', '', `"${version}", nonsense`, `"${version}" "${version}"`, `*, "${version}"`];
        for (const tags of [`"${version + 1}"`, `W/"${version}"`, `"x", "${version + 2}"`, ...malformed]) {
          const answer = await throughRest(name, made, change, tags);
          withStory(answer, () => expect(answer.status).toBe(412));
        }
      }
      expect(await stored(made)).toEqual(before);
      if (api === 'GraphQL') {
        const answer = await throughGraphQL(name, made, change, version);
        withStory(answer, () => expect(graphqlOutcome(answer).code).toBe('OK'));
      } else {
        const answer = await throughRest(name, made, change, `"${version + 7}", "${version}"`);
        withStory(answer, () => expect([200, 201]).toContain(answer.status));
        const after = await stored(made);
        const tag = answer.headers.get('etag');
        if (tag !== null) expect(tag).toMatch(new RegExp(`^"${after!.version}[."]`));
      }
      const after = await stored(made);
      if (after !== undefined) expect(after.version).toBeGreaterThan(version);
    }
  },
);

test.each(names)('%s is made to any state that a record has', async (name) => {
  const { make, change = {} } = CHANGES[name]!;
  const answer = await throughRest(name, await make(), change, '*');
  withStory(answer, () => expect([200, 201]).toContain(answer.status));
});

test.each(names)('of two %s with one version at once, exactly one is made', async (name) => {
  const { make, change = {} } = CHANGES[name]!;
  const made = await make();
  const { version } = (await stored(made))!;
  const both = [throughGraphQL(name, made, change, version), throughGraphQL(name, made, change, version)];
  const codes = (await Promise.all(both)).map((answer) => graphqlOutcome(answer).code).toSorted();
  expect([
    ['CONFLICT', 'OK'],
    ['NOT_FOUND', 'OK'],
    ['OK', 'UNAUTHENTICATED'],
  ]).toContainEqual(codes);
});

test('what comes by itself does not change the version of an incident, and what is recorded of its reports does', async () => {
  const id = await buildIncident(database, organizationId);
  const version = async () => (await stored({ table: 'incident', id, key: {} }))!.version;
  await database.rows('update incident set next_reminder_at = now(), updated_at = now() where id = $1', [id]);
  expect(await version()).toBe(1);
  await buildReport(database, id);
  expect(await version()).toBe(2);
});

test('a control that was never changed has version 1, and its first change is one', async () => {
  await database.rows('delete from control_state where organization_id = $1', [organizationId]);
  const key = { organizationId, workflowId: 'nis2-directive', controlId: '21.2.a' };
  const code = async (version: number, note: string) =>
    graphqlOutcome(await throughGraphQL('updateControl', { key }, { note }, version)).code;
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
    { token: owner, variables: { input: { organizationId, workflowId: 'nis2-directive', updates } } },
  );
  expect(graphqlOutcome(answer)).toMatchObject({ code: 'CONFLICT', reason: 'STALE_VERSION' });
  expect(await database.rows('select from control_state where organization_id = $1', [organizationId])).toEqual([]);
});

test('a tag is taken as it was answered, also among fifteen tags of earlier and later versions, and not among more', async () => {
  const incidentId = await buildIncident(database, organizationId);
  const key = { organizationId, incidentId };
  const path = `/api/v1/v-ciso/incidents/${organizationId}/${incidentId}`;
  const change = (title: string, tags: string) => throughRest('updateIncident', { key }, { title }, tags);
  await change('First', '*');
  const tag = (await gateway.rest.get(path, { token: owner })).headers.get('etag');
  expect(tag).toMatch(/^"2\.[\w-]{43}"$/);
  const others = (count: number) => Array.from({ length: count }, (_each, index) => `"${index + 10}"`).join();
  const many = await change('Second', `${others(16)}, ${tag}`);
  withStory(many, () => expect(many.status).toBe(412));
  const changed = await change('Second', `${others(14)}, ${tag}, "1"`);
  withStory(changed, () => expect(changed.status).toBe(200));
  const stale = await change('Third', `"1", ${tag}`);
  withStory(stale, () => expect(stale.status).toBe(412));
});

test('what comes by itself or others decide does not change the version of a token, as its user and organizations see it', async () => {
  const made = await CHANGES['revokeApiToken']!.make();
  const seen = async () => {
    const ids = [`ApiToken:${made.id}`, `OrganizationApiToken:${organizationId}/${made.id}`];
    const document = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ApiToken { version } ... on OrganizationApiToken { version } } }`;
    return (await gateway.graphql.call(document, { token: owner, variables: { ids } })).body.data;
  };
  expect(await seen()).toEqual({ nodes: [{ version: 1 }, { version: 1 }] });
  await database.rows(`update api_token set last_used_at = now(), warned_at = now() where id = $1`, [made.id]);
  await database.rows('insert into token_block (organization_id, token_id) values ($1, $2)', [
    testData.otherOrganizationId,
    made.id,
  ]);
  expect(await seen()).toEqual({ nodes: [{ version: 1 }, { version: 1 }] });
  await database.rows('insert into token_block (organization_id, token_id) values ($1, $2)', [organizationId, made.id]);
  expect(await seen()).toEqual({ nodes: [{ version: 1 }, { version: 2 }] });
});

test('the version of an identity provider grows with its domains, and with another one that is required in its place', async () => {
  const made = await CHANGES['updateIdentityProvider']!.make();
  const other = await CHANGES['updateIdentityProvider']!.make();
  const versions = async () => [(await stored(made))!.version, (await stored(other))!.version];
  const require = (id: Made['id'] | null) =>
    database.rows('update organization set required_provider_id = $1 where id = $2', [id, organizationId]);
  const before = await versions();
  await require(made.id);
  await require(other.id);
  await require(null);
  expect(await versions()).toEqual(before.map((version) => version + 2));
});

test('an import that replaces a version is refused where nothing is imported by that id', async () => {
  const { key } = await CHANGES['importWorkflow']!.make();
  const change = { ...CHANGES['importWorkflow']!.change, id: 'other-rules' };
  const outcome = graphqlOutcome(await throughGraphQL('importWorkflow', { key }, change, 1));
  expect(outcome).toMatchObject({ code: 'CONFLICT', reason: 'STALE_VERSION' });
  expect((await throughRest('importWorkflow', { key }, change, '"1"')).status).toBe(412);
  expect(await database.rows(`select from workflow_import where workflow_id = 'other-rules'`)).toEqual([]);
});
