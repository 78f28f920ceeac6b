import { describe, expect, test } from '@jest/globals';
import { APIS, callThrough, dataOf, expectFailure, type Operation } from '../support/apis.js';
import { TestClock } from '../support/clock.js';
import { expectData } from '../support/matchers.js';
import { mailedSecrets } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildPerson, type Person } from '../support/test-data.js';

const ONE = '/api/v1/organizations/{organization_id}/engagements/{engagement_id}';
const KEY = 'organizationId: $organizationId, id: $engagementId';
const partOf = (name: string, path: string, fields: string): Operation => ({
  rest: `GET ${ONE}/${path}`,
  graphql: `query ($organizationId: ID!, $engagementId: ID!, $first: Int) { engagement(${KEY}) {
    ${name}(first: $first) { totalCount nodes { ${fields} } } } }`,
  at: `engagement.${name}`,
});
const OPERATIONS = {
  read: {
    rest: `GET ${ONE}`,
    graphql: `query ($organizationId: ID!, $engagementId: ID!) { engagement(${KEY}) { id: databaseId as_of: asOf } }`,
    at: 'engagement',
  },
  controls: partOf('controls', 'controls', 'control_id: controlId status'),
  documents: partOf('documents', 'documents', 'original_name: filename download_url: downloadUrl'),
  incidents: partOf('incidents', 'incidents', 'title status'),
  auditTrail: partOf('auditTrail', 'audit-trail', 'action'),
  request: {
    rest: `POST ${ONE}/requests`,
    graphql: `mutation ($input: RequestEvidenceInput!) { requestEvidence(input: $input) { request { text } } }`,
    at: 'requestEvidence.request',
  },
  signOff: {
    rest: `POST ${ONE}/sign-offs`,
    graphql: `mutation ($input: SignOffInput!) { signOff(input: $input) { signOff { statement } } }`,
    at: 'signOff.signOff',
  },
} satisfies Record<string, Operation>;

const clock = new TestClock();
const { gateway } = await startSeededGateway({ now: clock.now });
const { database } = gateway.app;
const at = (hours: number) => clock.at(hours).toISOString();
const WORKFLOW = 'nis2-directive';
const CONTROL = '21.2.a';

const send = async (method: string, path: string, { token }: Person, body?: object) =>
  gateway.rest.call(method, path, { token, ...(body !== undefined && { body }) });

/**
 * An engagement for the first two hours, until the fourth. In the first, a control is begun, a document uploaded and an
 * incident opened; in the third all are changed. It is then the fourth.
 */
async function audited() {
  const owner = await buildPerson(database, 'owner');
  clock.set(0);
  const made = await send('POST', '/api/v1/organizations', owner, { name: 'Audited' });
  const { id } = expectData(made, 201) as { id: number };
  const [organization, vCiso] = [`/api/v1/organizations/${id}`, `/api/v1/v-ciso/organizations/${id}`];
  const workflows = `${vCiso}/workflows`;
  expectData(await send('POST', workflows, owner, { id: WORKFLOW }), 201);
  const period = { from: at(0), to: at(2), until: at(4) };
  const engagement = await send('POST', `${organization}/engagements`, owner, {
    ...{ name: 'Audit', workflows: [WORKFLOW], ...period },
  });
  const { id: engagementId } = expectData(engagement, 201) as { id: number };
  const auditor = await buildPerson(database, 'auditor');
  const email = `${auditor.username}@example.com`;
  expectData(await send('POST', `${organization}/engagements/${engagementId}/invitations`, owner, { email }), 201);
  const [secret] = await mailedSecrets(database, email);
  expectData(await send('POST', '/api/v1/invitations/accept', auditor, { secret }), 201);
  clock.set(1);
  const control = `${workflows}/${WORKFLOW}/controls/${CONTROL}`;
  expectData(await send('PATCH', control, owner, { status: 'IN_PROGRESS' }));
  const file = { filename: 'policy.txt', content: 'UHJvb2Y=', content_type: 'text/plain' };
  const uploaded = await send('POST', `${workflows}/${WORKFLOW}/documents/${CONTROL}/versions`, owner, file);
  const { id: document } = expectData(uploaded, 201) as { id: number };
  const incidents = `/api/v1/v-ciso/incidents/${id}`;
  const opened = await send('POST', incidents, owner, { title: 'Breach', severity: 'HIGH' });
  const { id: incident } = expectData(opened, 201) as { id: number };
  clock.set(3);
  expectData(await send('PATCH', control, owner, { status: 'DONE' }));
  expectData(await send('DELETE', `${vCiso}/documents/${document}`, owner));
  expectData(await send('PATCH', `${incidents}/${incident}`, owner, { title: 'Renamed', status: 'RESOLVED' }));
  return { key: { organization_id: id, engagement_id: engagementId }, owner, auditor, workflows };
}

describe.each(APIS)('an engagement whose period is over, through %s', (api) => {
  const run = (name: keyof typeof OPERATIONS, input: object, { token }: Person) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);

  test('shows its auditors and members what was so at the end of the period', async () => {
    const { key, owner, auditor, workflows } = await audited();
    const shown = async (who: Person) => ({
      asOf: dataOf(await run('read', key, who)).as_of as unknown,
      controls: (dataOf(await run('controls', { ...key, limit: 100 }, who)) as { control_id: string; status: string }[])
        .filter(({ control_id }) => control_id === CONTROL)
        .map(({ status }) => status),
      documents: (dataOf(await run('documents', key, who)) as { original_name: string }[]).map(
        ({ original_name }) => original_name,
      ),
      incidents: dataOf(await run('incidents', key, who)) as unknown,
    });
    const then = {
      ...{ asOf: at(2), controls: ['IN_PROGRESS'], documents: ['policy.txt'] },
      incidents: [expect.objectContaining({ title: 'Breach', status: 'OPEN' })],
    };
    expect(await shown(auditor)).toEqual(then);
    expect(await shown(owner)).toEqual(then);
    // Workflows that are dissociated later were in the scope then.
    expectData(await send('DELETE', `${workflows}/${WORKFLOW}`, owner));
    expect(await shown(owner)).toEqual(then);
    const entries = dataOf(await run('auditTrail', { ...key, limit: 100 }, auditor)) as { action: string }[];
    const actions = entries.map(({ action }) => action);
    expect(actions).toContain('DOCUMENT_UPLOADED');
    expect(actions).not.toContain('DOCUMENT_DELETED');
    clock.set(5);
    expect(await shown(owner)).toEqual(then);
    expectFailure(await run('controls', key, auditor), 'NOT_FOUND');
  });

  test('opens the files of the documents that it shows, whatever was changed since', async () => {
    const { key, owner, auditor, workflows } = await audited();
    await database.rows('update engagement set period_to = $2 where id = $1', [key.engagement_id, at(3)]);
    const versions = `${workflows}/${WORKFLOW}/documents/${CONTROL}/versions`;
    const file = { filename: 'kept.txt', content: 'S2VwdA==', content_type: 'text/plain' };
    const { id: document } = expectData(await send('POST', versions, owner, file), 201) as { id: number };
    const path = `/api/v1/v-ciso/organizations/${key.organization_id}/documents/${document}`;
    expectData(await send('PATCH', path, owner, { effective_at: at(1) }));
    clock.set(3.5);
    expectData(await send('PATCH', path, owner, { effective_at: at(3.2) }));
    expectData(await send('DELETE', `${workflows}/${WORKFLOW}`, owner));
    const shown = dataOf(await run('documents', key, auditor)) as { original_name: string; download_url: string }[];
    expect(shown.map(({ original_name }) => original_name)).toEqual(['kept.txt']);
    const download = async () => (await fetch(shown[0]!.download_url)).text();
    expect(await download()).toBe('Kept');
    clock.set(4);
    expect(await download()).toContain('1004');
  });

  test('shows the controls of its other workflows when the import of one was deleted', async () => {
    const { key, owner, auditor, workflows } = await audited();
    const imports = `/api/v1/v-ciso/organizations/${key.organization_id}/available-workflows`;
    const custom = {
      ...{ id: 'house', name: 'House rules', version: '1', source: { text: 'Us.' }, licence: 'Own.' },
      controls: [{ id: 'H1', label: 'Back up every day', kind: 'control' }],
    };
    expectData(await send('POST', imports, owner, custom), 201);
    expectData(await send('POST', workflows, owner, { id: 'house' }), 201);
    await database.rows('update engagement set period_to = $2, workflows = $3 where id = $1', [
      ...[key.engagement_id, at(3.2), ['house', WORKFLOW]],
    ]);
    clock.set(3.5);
    const shown = async (who: Person) =>
      (dataOf(await run('controls', { ...key, limit: 100 }, who)) as { control_id: string }[]).map(
        ({ control_id }) => control_id,
      );
    expect(await shown(auditor)).toEqual(expect.arrayContaining(['H1', CONTROL]));
    expectData(await send('DELETE', `${workflows}/house`, owner));
    expectData(await send('DELETE', `${imports}/house`, owner));
    expect(await shown(auditor)).toContain(CONTROL);
    expect(await shown(owner)).not.toContain('H1');
  });

  test('takes requests and statements about what it shows, and about nothing that became associated since', async () => {
    const { key, owner, auditor, workflows } = await audited();
    const [control, workflow] = [{ workflow_id: WORKFLOW, control_id: CONTROL }, { workflow_id: WORKFLOW }];
    const text = 'Minutes of the meeting';
    expectData(await send('DELETE', `${workflows}/${WORKFLOW}`, owner));
    expect(dataOf(await run('request', { ...key, ...control, text }, auditor))).toEqual(
      expect.objectContaining({ text }),
    );
    for (const about of [control, workflow])
      expect(dataOf(await run('signOff', { ...key, ...about, statement: 'In force.' }, auditor))).toEqual(
        expect.objectContaining({ statement: 'In force.' }),
      );
    const other = { workflow_id: 'iso-27001-2022', control_id: 'A.5.1' };
    await database.rows('update engagement set workflows = $2 where id = $1', [
      key.engagement_id,
      [WORKFLOW, other.workflow_id],
    ]);
    expectData(await send('POST', workflows, owner, { id: other.workflow_id }), 201);
    expectFailure(await run('request', { ...key, ...other, text }, auditor), 'NOT_FOUND');
    expectFailure(await run('signOff', { ...key, ...other, statement: 'In force.' }, auditor), 'NOT_FOUND');
    const absent = { ...control, control_id: 'never-was' };
    expectFailure(await run('signOff', { ...key, ...absent, statement: 'In force.' }, auditor), 'NOT_FOUND');
  });

  test('shows the present state while it is open, and if the trail lacks the state at its end', async () => {
    const { key, owner, auditor } = await audited();
    const statuses = async () => {
      const controls = dataOf(await run('controls', { ...key, limit: 100 }, owner)) as { control_id: string }[];
      return [
        dataOf(await run('read', key, auditor)).as_of ?? null,
        controls.find(({ control_id }) => control_id === CONTROL),
      ];
    };
    const now = [null, expect.objectContaining({ status: 'DONE' })];
    await database.rows('update engagement set period_to = $2 where id = $1', [key.engagement_id, at(3.5)]);
    expect(await statuses()).toEqual(now);
    await database.rows('update engagement set period_from = $2, period_to = $3 where id = $1', [
      ...[key.engagement_id, at(-2), at(-1)],
    ]);
    expect(await statuses()).toEqual(now);
  });

  test('shows as of an instant before its end what was so then, and as of a later one what was so at its end', async () => {
    const { key, owner } = await audited();
    const id = `Engagement:${key.engagement_id}`;
    const parts = ['controls', 'documents', 'incidents', 'auditTrail'] as const;
    const shown = async (as_of: string) => {
      if (api === 'REST') {
        const { as_of: end = null } = dataOf(await run('read', { ...key, as_of }, owner)) as { as_of?: string };
        const lists: object[][] = [];
        for (const part of parts) lists.push(dataOf(await run(part, { ...key, limit: 100, as_of }, owner)) as object[]);
        return [end, lists];
      }
      const { node } = await gateway.graphql.data(
        `{ node(id: "${id}", asOf: "${as_of}") { ... on Engagement { asOf
          controls(first: 100) { nodes { control_id: controlId status } } documents { nodes { original_name: filename } }
          incidents { nodes { title } } auditTrail { nodes { action } } } } }`,
        { token: owner.token },
      );
      return [node.asOf, parts.map((part) => node[part].nodes as object[])];
    };
    const states: [as_of: string, end: string | null, status: string, more: boolean][] = [
      [at(0.5), null, 'TO_DO', false],
      [at(1.5), null, 'IN_PROGRESS', true],
      [at(2.5), at(2), 'IN_PROGRESS', true],
    ];
    for (const [instant, end, status, more] of states) {
      const [asOf, [controls, documents, incidents, entries]] = (await shown(instant)) as [string | null, object[][]];
      expect(asOf).toBe(end);
      expect(controls).toContainEqual(expect.objectContaining({ control_id: CONTROL, status }));
      expect([documents, incidents].map((list) => list!.length)).toEqual(more ? [1, 1] : [0, 0]);
      expect(entries!.some((entry) => (entry as { action: string }).action === 'DOCUMENT_UPLOADED')).toBe(more);
    }
  });

  test('is not answered from the present to who requests an instant and is no member', async () => {
    const { key, auditor } = await audited();
    const requested = { ...key, as_of: at(1) };
    if (api === 'REST') return expectFailure(await run('read', requested, auditor), 'NOT_FOUND');
    const query = `{ node(id: "Engagement:${key.engagement_id}", asOf: "${at(1)}") { id } }`;
    const { body } = await gateway.graphql.call(query, { token: auditor.token });
    expect(body.data).toEqual({ node: null });
  });
});

test('documents of several statements at once, each of which is made as a whole, do not wait for each other in a circle', async () => {
  const { key, owner, auditor, workflows } = await audited();
  expectData(await send('DELETE', `${workflows}/${WORKFLOW}`, owner));
  const [organizationId, engagementId] = [String(key.organization_id), String(key.engagement_id)];
  const input = { organizationId, engagementId, workflowId: WORKFLOW, controlId: CONTROL, statement: 'In force.' };
  const sign = 'signOff(input: $input) { signOff { statement } }';
  const answers = await Promise.all(
    // More than the pool has connections.
    Array.from({ length: 24 }, (_, index) =>
      gateway.graphql.call(`mutation ($input: SignOffInput!) { first: ${sign} second: ${sign} }`, {
        ...{ token: auditor.token, variables: { input }, headers: { 'idempotency-key': `statements-${index}` } },
      }),
    ),
  );
  expect(answers.filter(({ body }) => body.errors !== undefined)).toEqual([]);
});

test('changes at once, each of which shows what was so then and is made as a whole, do not wait for each other in a circle', async () => {
  const { key, owner } = await audited();
  const [organizationId, engagementId] = [String(key.organization_id), String(key.engagement_id)];
  let areDone = false;
  // Occupy the connections that changes leave.
  const readers = Array.from({ length: 8 }, async () => {
    while (!areDone) await send('GET', '/api/v1/notifications', owner);
  });
  const answers = await Promise.all(
    // More than the pool has connections.
    Array.from({ length: 24 }, (_, index) =>
      gateway.graphql.call(
        `mutation ($input: UpdateEngagementInput!) { updateEngagement(input: $input) {
          engagement { controls(first: 100) { nodes { controlId status } } } } }`,
        {
          token: owner.token,
          variables: { input: { organizationId, engagementId, name: `Audit ${index}` } },
          headers: { 'idempotency-key': `names-${index}` },
        },
      ),
    ),
  );
  areDone = true;
  await Promise.all(readers);
  const shown = answers.map(({ body }) => body.data.updateEngagement?.engagement.controls.nodes);
  expect(new Set(shown.map((nodes) => JSON.stringify(nodes))).size).toBe(1);
  expect(shown[0]).toContainEqual({ controlId: CONTROL, status: 'IN_PROGRESS' });
});

test('answers as of an instant after the end, at once, do not wait for each other in a circle', async () => {
  const { key, owner } = await audited();
  const path = `/api/v1/organizations/${key.organization_id}/engagements/${key.engagement_id}`;
  const answers = await Promise.all(
    // More than the pool has connections.
    Array.from({ length: 24 }, () => send('GET', `${path}/controls?limit=100&as_of=${at(2.5)}`, owner)),
  );
  for (const answer of answers)
    expect(expectData(answer)).toContainEqual(expect.objectContaining({ control_id: CONTROL, status: 'IN_PROGRESS' }));
});
