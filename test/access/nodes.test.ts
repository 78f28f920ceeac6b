import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { getNamedType } from 'graphql';
import { isUuid } from '../../src/common/formats.js';
import { isOperationRoute } from '../../src/rest/route.js';
import { ROUTES } from '../../src/rest/routes.js';
import { compileRoutes, type CompiledOperation } from '../../src/rest/view/core-path.js';
import { keyOf, nodeTypes } from '../../src/schema/shared/node.js';
import type { Role } from '../../src/values/enums.js';
import { buildAuditEntry } from '../support/audit.js';
import { buildEngagement } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { seededKeys, seedOrganization } from '../support/seeded-organization.js';
import { buildPerson } from '../support/test-data.js';
import { ROUTE_RULES } from './route-rules.js';

const ROLES = ['viewer', 'analyst', 'officer', 'manager', 'owner'] as const;
const LOWEST = {
  ...{ VIEWER: 'viewer', SECURITY_ANALYST: 'analyst', SECURITY_OFFICER: 'officer' },
  ...{ ORGANIZATION_MANAGER: 'manager', ORGANIZATION_OWNER: 'owner', AUDITOR: 'own' },
} as const satisfies Record<Role, Access>;
const WORKFLOW = 'nis2-directive';
const CONTROL = '21.2.a';

/** Types in `own` are readable only for their user. */
type Access = (typeof ROLES)[number] | 'own';

const { gateway, testData } = await startSeededGateway();
const { organizationId, owner } = testData;
await buildAuditEntry(gateway.app.database, organizationId);
const records = await seedOrganization(gateway.app.database, organizationId, owner);
const [{ logId }] = (await gateway.app.database.rows<{ logId: number }>(
  `select id as "logId" from audit_log where organization_id = ${organizationId}`,
)) as [{ logId: number }];
const keysOf = seededKeys(records, organizationId, owner);

const { schema } = gateway.app.executor;
const OPERATIONS = compileRoutes(schema, ROUTES).filter((route) => isOperationRoute(route)) as CompiledOperation[];

const parts = (type: string) => {
  const values = { ...keysOf(type), logId, position: 1 } as Readonly<Record<string, number | string>>;
  return keyOf(type).map((part) => values[part.replace('?', '')]!);
};

/** Workflows of an organization are no part of the public catalogue. */
const OF_CATALOGUE = ['Workflow', 'WorkflowControl'];

/** For each type the key of a node, REST's value, and the lowest role: that of the routes that read it. */
const NODES = Object.fromEntries(
  nodeTypes().map((type) => {
    const routes = OPERATIONS.filter(({ method, core }) => method === 'GET' && getNamedType(core.type).name === type);
    const rules = routes.map(({ operationId }) => ROUTE_RULES[operationId]);
    const [lowest] = rules.flatMap((rule) => (rule?.whose === 'organization' ? [LOWEST[rule.lowest]] : []));
    const role: Access = OF_CATALOGUE.includes(type) ? 'viewer' : (lowest ?? 'own');
    return [type, { key: parts(type).join('/'), value: parts(type).at(-1), role }];
  }),
);

const auditor = await buildPerson(gateway.app.database, 'auditor');
await gateway.app.database.rows('insert into engagement_auditor (engagement_id, user_id) values ($1, $2)', [
  records.engagementId,
  auditor.id,
]);
const otherAuditor = await buildPerson(gateway.app.database, 'other-auditor');
await buildEngagement(gateway.app.database, organizationId, { auditor: otherAuditor });
const formerAuditor = await buildPerson(gateway.app.database, 'former-auditor');
await gateway.app.database.rows(
  `with ended as (insert into engagement (organization_id, name, workflows, period_from, period_to, until)
     select organization_id, name, workflows, period_from, period_to, now() from engagement where id = $1 returning id)
   insert into engagement_auditor (engagement_id, user_id) select id, $2 from ended`,
  [records.engagementId, formerAuditor.id],
);
const FOR_AUDITORS = ['Engagement', 'EvidenceRequest'];

const idOf = (type: string) => `${type}:${NODES[type]!.key}`;
const read = (id: unknown, token?: string, below = 'id') =>
  gateway.graphql.call(`query ($id: ID!) { node(id: $id) { ${below} } }`, { token, variables: { id } });
const codes = ({ body }: Awaited<ReturnType<typeof read>>) => body.errors?.map(({ extensions }) => extensions.code);

describe.each(Object.keys(NODES))('a node of type %s', (type) => {
  const { value, role } = NODES[type]!;

  test('is read by its id, with the value that REST has, interpreted and compiled', async () => {
    for (let time = 0; time < 3; time += 1) {
      const answer = await read(idOf(type), testData.owner.token, `__typename id ... on ${type} { databaseId }`);
      expect(answer.body).toEqual({ data: { node: { __typename: type, id: idOf(type), databaseId: value } } });
    }
  });

  test('is refused without a token, and looks absent to a non-member', async () => {
    const anonymous = await read(idOf(type));
    expect([anonymous.status, codes(anonymous)]).toEqual([401, ['UNAUTHENTICATED']]);
    const foreign = await read(idOf(type), testData.nonMember.token);
    const missing = await read('Incident:2147483647', testData.nonMember.token);
    expect(codes(foreign)).toEqual(['NOT_FOUND']);
    expect(foreign.text).toBe(missing.text);
  });

  test('looks absent as of an instant as well, also beside what one may see', async () => {
    const missing = parts(type).map((part) =>
      typeof part === 'number' ? 2147483647 : isUuid(part) ? randomUUID() : part,
    );
    const at = new Date().toISOString();
    const own = `organization(id: ${testData.otherOrganizationId}, asOf: "${at}") { name }`;
    const send = (id: string, token: string, beside: string) =>
      gateway.graphql.call(`query ($id: ID!) { ${beside} node(id: $id, asOf: "${at}") { id } }`, {
        token,
        variables: { id },
      });
    for (const { token } of [testData.nonMember, otherAuditor, formerAuditor])
      for (const beside of ['', own]) {
        const foreign = await send(idOf(type), token, beside);
        expect(['NOT_FOUND', 'BAD_USER_INPUT']).toContain(codes(foreign)?.at(-1));
        expect(foreign.text).toBe((await send(`${type}:${missing.join('/')}`, token, beside)).text);
      }
  });

  test('is read by the roles that may read it in its own query, and forbidden to those below', async () => {
    for (const [rank, name] of ROLES.entries()) {
      const expected = role === 'own' ? (name === 'owner' ? undefined : ['NOT_FOUND']) : undefined;
      const forbidden = role !== 'own' && rank < ROLES.indexOf(role) ? ['FORBIDDEN'] : undefined;
      expect([name, codes(await read(idOf(type), testData[name].token))]).toEqual([name, expected ?? forbidden]);
    }
  });

  test('is absent for auditors, except their own engagement and their requests', async () => {
    const missing = await read('Incident:2147483647', auditor.token);
    for (const { token } of [otherAuditor, formerAuditor])
      expect((await read(idOf(type), token)).text).toBe(missing.text);
    const own = await read(idOf(type), auditor.token);
    if (FOR_AUDITORS.includes(type)) expect(own.body).toEqual({ data: { node: { id: idOf(type) } } });
    else expect(own.text).toBe(missing.text);
  });

  test('is forbidden to tokens without the scope READ', async () => {
    const { writeOnly, telemetry, readOnly } = testData.tokens;
    expect(codes(await read(idOf(type), writeOnly))).toEqual(['FORBIDDEN']);
    expect(codes(await read(idOf(type), telemetry))).toEqual(['FORBIDDEN']);
    expect(codes(await read(idOf(type), readOnly))).toBeUndefined();
  });
});

test('the catalogue’s own workflows and controls are nodes for every caller with a token', async () => {
  for (const id of [`Workflow:${WORKFLOW}`, `WorkflowControl:${WORKFLOW}/${CONTROL}`])
    expect((await read(id, testData.nonMember.token)).body).toEqual({ data: { node: { id } } });
});

test('a member reads its own membership as a node, whatever its role', async () => {
  const id = `OrganizationUser:${testData.organizationId}/${testData.viewer.id}`;
  expect((await read(id, testData.viewer.token)).body).toEqual({ data: { node: { id } } });
});

test('nodes are read in the order of their ids, each with its own error', async () => {
  const ids = [idOf('Incident'), 'Incident:2147483647', idOf('CloudDefender'), idOf('Organization'), 'nonsense'];
  const query =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Incident { title } ... on Organization { name } } }';
  for (let time = 0; time < 3; time += 1) {
    const { body } = await gateway.graphql.call(query, { token: testData.viewer.token, variables: { ids } });
    expect(body.data.nodes).toEqual([
      { id: ids[0], title: 'Phishing wave' },
      null,
      null,
      { id: ids[3], name: 'First Organization' },
      null,
    ]);
    expect(body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['nodes', 1], 'NOT_FOUND'],
      [['nodes', 2], 'FORBIDDEN'],
      [['nodes', 4], 'NOT_FOUND'],
    ]);
  }
});

test('a fragment on Device reads what edge protections and threat blockers share, and leaves other nodes alone', async () => {
  const ids = ['CloudDefender', 'ThreatBlocker', 'Incident'].map(idOf);
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename
    ... on Device { id databaseId email services viewerCan { delete restore } lastSeenAt organization { databaseId } } } }`;
  const { cloudDefenderId, threatBlockerId } = records;
  const shared = { email: expect.stringContaining('@'), services: expect.any(Array), lastSeenAt: null };
  const device = (__typename: string, databaseId: unknown) => ({
    ...{ __typename, id: `${__typename}:${databaseId}`, databaseId, ...shared },
    viewerCan: { delete: true, restore: false },
    organization: { databaseId: organizationId },
  });
  for (let time = 0; time < 3; time += 1) {
    const { body } = await gateway.graphql.call(query, { token: testData.owner.token, variables: { ids } });
    expect(body.data?.nodes).toEqual([
      device('CloudDefender', cloudDefenderId),
      device('ThreatBlocker', threatBlockerId),
      { __typename: 'Incident' },
    ]);
  }
});

test('100 nodes are read at once, and 101 are refused', async () => {
  const nodes = (count: number) =>
    gateway.graphql.call('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
      token: testData.owner.token,
      variables: { ids: Array.from({ length: count }, () => idOf('Incident')) },
    });
  expect((await nodes(100)).body.data.nodes).toHaveLength(100);
  const { body } = await nodes(101);
  expect(body.errors?.[0]?.extensions).toMatchObject({
    code: 'BAD_USER_INPUT',
    fields: [{ path: ['ids'], message: 'ids must not have more than 100 items' }],
  });
});

test('the cost of nodes is counted for as many as are named', async () => {
  const nested = 'id ... on Organization { incidents(first: 100) { nodes { id title status severity } } }';
  const token = testData.owner.token;
  const list = (count: number) =>
    gateway.graphql.call(`query ($ids: [ID!]!) { nodes(ids: $ids) { ${nested} } }`, {
      ...{ token, variables: { ids: Array(count).fill(idOf('Organization')) } },
    });
  expect(codes(await list(1))).toBeUndefined();
  expect(codes(await list(100))).toEqual(['BAD_USER_INPUT']);
  expect(codes(await read(idOf('Organization'), token, nested))).toBeUndefined();
});

describe('an id in an argument', () => {
  const incident = (organizationId: unknown, id: unknown) =>
    gateway.graphql.call(
      'query ($organizationId: ID!, $id: ID!) { incident(organizationId: $organizationId, id: $id) { databaseId } }',
      { token: testData.owner.token, variables: { organizationId, id } },
    );

  test('is the global id or REST’s value, as a number or a text', async () => {
    const { incidentId } = records;
    for (const organization of [organizationId, `${organizationId}`, `Organization:${organizationId}`])
      for (const id of [incidentId, `${incidentId}`, `Incident:${incidentId}`])
        expect((await incident(organization, id)).body).toEqual({ data: { incident: { databaseId: incidentId } } });
  });

  test('is not found when it is malformed or the id of another type, and never another record', async () => {
    const { incidentId } = records;
    const others: unknown[] = ['Organization:1', 'IncidentReport:1'];
    const malformed = [
      ...others,
      ...['Incident:', 'Incident:01', 'Incident:1e1', 'Incident:1/1', 'Incident: 1'],
      ...['incident:1', 'Incident:1 ', 'Incident:+1', 'Incident:0x1', 'Incident:1.0', 'Incident:٣', 'constructor:1'],
      ...[
        '',
        ' ',
        '01',
        '1e1',
        '1.0',
        '-1',
        '0',
        ' 1',
        '1 ',
        '2147483648',
        '9007199254740992',
        '9007199254740993',
        'x'.repeat(5_000),
      ],
      ...[-1, 0, 2 ** 31, 2 ** 53, 1e15],
    ];
    for (const id of malformed) {
      const answer = await incident(organizationId, typeof id === 'string' ? id.replace('1', `${incidentId}`) : id);
      expect([id, answer.status, codes(answer), answer.body.data]).toEqual([
        id,
        200,
        ['NOT_FOUND'],
        { incident: null },
      ]);
      if (others.includes(id)) continue;
      expect([id, codes(await read(id, testData.owner.token))]).toEqual([id, ['NOT_FOUND']]);
    }
    expect(codes(await incident(`Incident:${incidentId}`, incidentId))).toEqual(['NOT_FOUND']);
  });

  test('is refused as a float, an object or null', async () => {
    for (const id of [1.5, {}, true, null]) expect(codes(await incident(1, id))).toEqual(['BAD_USER_INPUT']);
  });

  test('names the record that the ids beside it name, or none', async () => {
    const { organizationId } = testData;
    const control = async (workflowId: string, controlId: string) => {
      const { body } = await gateway.graphql.call(
        `query ($workflowId: ID!, $controlId: ID!) { organizationControl(organizationId: ${organizationId},
           workflowId: $workflowId, controlId: $controlId) { databaseId } }`,
        { token: testData.owner.token, variables: { workflowId, controlId } },
      );
      return body.data.organizationControl?.databaseId ?? body.errors?.[0]?.extensions.code;
    };
    const other = testData.otherOrganizationId;
    expect(await control(idOf('OrganizationWorkflow'), idOf('OrganizationControl'))).toBe(CONTROL);
    expect(await control(`Workflow:${WORKFLOW}`, `WorkflowControl:${WORKFLOW}/${CONTROL}`)).toBe(CONTROL);
    expect(await control(`OrganizationWorkflow:${other}/${WORKFLOW}`, CONTROL)).toBe('NOT_FOUND');
    expect(await control(WORKFLOW, `OrganizationControl:${other}/${WORKFLOW}/${CONTROL}`)).toBe('NOT_FOUND');
    expect(await control(WORKFLOW, `WorkflowControl:iso-27001-2022/${CONTROL}`)).toBe('NOT_FOUND');
  });

  test('is read in inputs, in lists and in filters below an organization', async () => {
    const { token } = testData.owner;
    const { body } = await gateway.graphql.call(
      `mutation ($organizationId: ID!, $userId: ID!, $workflow: ID!, $control: ID!, $notification: ID!) {
         updateMember(input: { organizationId: $organizationId, userId: $userId, role: SECURITY_ANALYST }) { member { id } }
         updateControls(input: { organizationId: $organizationId, workflowId: $workflow, controlIds: [$control],
           changes: { ownerId: $userId } }) { controls { id } }
         markNotificationsRead(input: { notificationIds: [$notification], read: true }) { marks { changed } }
       }`,
      {
        token,
        variables: {
          organizationId: idOf('Organization'),
          userId: idOf('OrganizationUser'),
          workflow: idOf('OrganizationWorkflow'),
          control: idOf('OrganizationControl'),
          notification: idOf('Notification'),
        },
      },
    );
    expect(body).toEqual({
      data: {
        updateMember: { member: { id: idOf('OrganizationUser') } },
        updateControls: { controls: [{ id: idOf('OrganizationControl') }] },
        markNotificationsRead: { marks: { changed: expect.any(Number) } },
      },
    });
    const versions = async (workflowId: string) => versionsOf(`workflowId: "${workflowId}"`);
    const versionsOf = async (filter: string) => {
      const below = `documentVersions(filter: { ${filter} }) { nodes { id } }`;
      const answer = await read(idOf('Organization'), token, `... on Organization { ${below} }`);
      return answer.body.data.node?.documentVersions?.nodes ?? codes(answer);
    };
    expect(await versions(idOf('OrganizationWorkflow'))).toEqual([{ id: idOf('DocumentVersion') }]);
    expect(await versions(`OrganizationWorkflow:${testData.otherOrganizationId}/${WORKFLOW}`)).toEqual(['NOT_FOUND']);
    const control = `artifactId: "${idOf('OrganizationControl')}"`;
    expect(await versionsOf(control)).toEqual([{ id: idOf('DocumentVersion') }]);
    expect(await versionsOf(`${control}, workflowId: null`)).toEqual([{ id: idOf('DocumentVersion') }]);
    expect(await versionsOf(`artifactId: "WorkflowControl:iso-27001-2022/A.5.1"`)).toEqual([]);
    expect(await versionsOf(`${control}, workflowId: "iso-27001-2022"`)).toEqual(['NOT_FOUND']);
  });
});
