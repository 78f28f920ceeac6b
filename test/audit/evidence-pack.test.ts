import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildAuditEntry, tamperWith, verifyOffline } from '../support/audit.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { rawRequest } from '../support/rest.js';
import { buildOrganization, buildWorkflow, join } from '../support/test-data.js';
import { unzipped } from '../support/unzip.js';

const WORKFLOW = 'nis2-directive';
const OTHER_WORKFLOW = 'iso-27001-2022';

let organizationId: number;

const { gateway, testData } = await startSeededGateway();

beforeAll(async () => {
  organizationId = await buildOrganization(gateway.app.database, 'With a pack');
  await join(gateway.app.database, testData.manager, organizationId, 'ORGANIZATION_MANAGER');
  await buildWorkflow(gateway.app.database, organizationId, WORKFLOW);
  await buildWorkflow(gateway.app.database, organizationId, OTHER_WORKFLOW);
  await upload(WORKFLOW, '21.2.a', 'kept');
  await upload(OTHER_WORKFLOW, 'A.8.10', 'of another workflow');
  await rest('POST', `/api/v1/v-ciso/incidents/${organizationId}`, { title: 'Of no workflow', severity: 'LOW' });
  const deleted = await upload(WORKFLOW, '21.2.b', 'deleted');
  await rest('DELETE', `/api/v1/v-ciso/organizations/${organizationId}/documents/${deleted}`);
  const update = `mutation ($input: UpdateControlInput!) { updateControl(input: $input) { control { status } } }`;
  const input = { organizationId, workflowId: WORKFLOW, controlId: '21.2.a', status: 'DONE' };
  await gateway.graphql.data(update, { token: testData.manager.token, variables: { input } });
  // The status of a control that the workflow has no more.
  await gateway.app.database.rows(
    `insert into control_state (organization_id, workflow_id, control_id, status) values ($1, $2, 'removed', 'DONE')`,
    [organizationId, WORKFLOW],
  );
  const subject = { type: 'CONTROL', id: `${WORKFLOW}/removed`, name: 'Removed' } as const;
  await buildAuditEntry(gateway.app.database, organizationId, { action: 'CONTROL_UPDATED', subject });
  // A document of such a control.
  const left = await upload(WORKFLOW, '21.2.a', 'left');
  await gateway.app.database.rows(`update document_version set artifact_id = 'left' where id = $1`, [left]);
  const other = { type: 'CONTROL', id: `${WORKFLOW}/left`, name: 'Left' } as const;
  await buildAuditEntry(gateway.app.database, organizationId, { action: 'CONTROL_UPDATED', subject: other });
});

async function rest(method: string, path: string, body?: object) {
  const answer = await gateway.rest.call(method, path, { token: testData.manager.token, ...(body && { body }) });
  expect([path, answer.status < 300]).toEqual([path, true]);
  return answer.body;
}

async function upload(workflow: string, artifact: string, content: string): Promise<number> {
  const path = `/api/v1/v-ciso/organizations/${organizationId}/workflows/${workflow}/documents/${artifact}/versions`;
  const body = {
    filename: `${content}.txt`,
    content: Buffer.from(content).toString('base64'),
    content_type: 'text/plain',
  };
  const answer = await gateway.rest.post(path, { token: testData.manager.token, body });
  expectStatus(answer, 201);
  return answer.body.data.id;
}

const download = (path: string, method = 'GET') =>
  rawRequest(gateway.url, method, path, { headers: { 'x-service-token': testData.manager.token } });
const packPath = () => `/api/v1/v-ciso/organizations/${organizationId}/workflows/${WORKFLOW}/evidence-pack`;
const trailOfPack = async () =>
  unzipped((await download(packPath())).bytes)
    .get('audit-trail.ndjson')!
    .content.toString();
const exported = async () => (await download(`/api/v1/organizations/${organizationId}/audit-trail.ndjson`)).text;
const keys = async () => (await (await fetch(`${gateway.url}/.well-known/audit-keys.json`)).json()) as object;

interface Line {
  position: number;
  hash: string;
  entry: { action: string };
}

const parsed = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line)) as Line[];

test('a pack has the entries of its workflow, its controls and their documents, and its own download', async () => {
  const lines = parsed(await trailOfPack());
  expect(lines.slice(0, -1).map(({ entry }) => entry.action)).toEqual([
    'DOCUMENT_UPLOADED',
    'DOCUMENT_UPLOADED',
    'DOCUMENT_DELETED',
    'CONTROL_UPDATED',
    'CONTROL_UPDATED',
    'DOCUMENT_UPLOADED',
    'CONTROL_UPDATED',
    'EVIDENCE_PACK_DOWNLOADED',
  ]);
  const newest = lines.at(-2)!;
  expect(lines.at(-1)).toEqual({
    checkpoint: expect.objectContaining({
      log: `organization/${organizationId}`,
      position: newest.position,
      hash: newest.hash,
    }),
  });
});

test('each line of the part is that of the whole trail', async () => {
  const part = await trailOfPack();
  const whole = new Set((await exported()).split('\n'));
  expect(part.split('\n').slice(0, -2)).toEqual(part.split('\n').filter((line) => whole.has(line) && line !== ''));
});

test('the headers alone are no download', async () => {
  const before = parsed(await exported()).length;
  expect((await download(packPath(), 'HEAD')).status).toBe(200);
  expect(parsed(await exported())).toHaveLength(before);
});

describe('the part is verified with an export', () => {
  const verify = async (part: string, whole?: string) =>
    verifyOffline(whole ?? (await exported()), await keys(), [], part);

  test('which has all of its entries', async () => {
    const { exitCode, output } = await verify(await trailOfPack());
    expect([exitCode, output]).toEqual([
      0,
      expect.stringMatching(/^the export has (\d+) of the \1 entries of the part\nvalid /),
    ]);
  });

  test.each<[string, (part: string) => string, RegExp]>([
    ['an entry was changed', (part) => part.replace('kept.txt', 'lost.txt'), /entry \d+ of the part is not the one/],
    ['a hash was changed', (part) => part.replace(/"hash":"./, '"hash":"g'), /entry \d+ of the part is not the one/],
    [
      'an entry stands in it twice, first as another one',
      (part) => part.replace(/.*kept\.txt.*\n/, (line) => `${line.replace('kept.txt', 'lost.txt')}${line}`),
      /the part has entry \d+ more than once/,
    ],
    ['an entry was invented', (part) => part.replace(/"position":\d+/, '"position":99999'), /has no entry 99999/],
    [
      'the checkpoint was changed',
      (part) => part.replace(/"signature":"(.)/, (_, first) => `"signature":"${first === 'A' ? 'B' : 'A'}`),
      /is not signed with a key/,
    ],
    [
      'the checkpoint is missing',
      (part) => part.slice(0, part.indexOf('{"checkpoint"')),
      /ends without its checkpoint/,
    ],
  ])('and does not when %s', async (_, change, message) => {
    const part = await trailOfPack();
    const { exitCode, output } = await verify(change(part));
    expect([exitCode, output]).toEqual([1, expect.stringMatching(message)]);
  });

  test('and does not when the trail is shorter than it was', async () => {
    const whole = await exported();
    await upload(WORKFLOW, '21.2.c', 'later');
    const { exitCode, output } = await verify(await trailOfPack(), whole);
    expect([exitCode, output]).toEqual([1, expect.stringMatching(/it was there earlier|has no entry/)]);
  });
});

test('a pack of a trail that was changed is refused', async () => {
  await tamperWith(gateway.app.database, [
    `update audit_entry e set entry = replace(e.entry, 'kept.txt', 'lost.txt') from audit_log l where l.id = e.log_id and l.organization_id = $1`,
    [organizationId],
  ]);
  expect((await download(packPath())).status).toBe(409);
});
