import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { dataOf } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { newMember } from '../support/people.js';
import { startSharedReceiver, verified, type Received } from '../support/receivers.js';
import { until } from '../support/until.js';
import { settled } from '../support/settled.js';
import { buildOrganization } from '../support/test-data.js';
import { callWebhooks } from '../support/webhooks.js';

const receiver = await startSharedReceiver();
let testDatabase: TestDatabase;
let dataDir: string;
/** Two instances on one database. */
let one: TestGateway;
let other: TestGateway;
let organizationId: number;
let secret: string;
let endpointId: number;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  dataDir = await mkdtemp(joinPath(tmpdir(), 'webhooks-'));
  // Beyond what any answer here takes, but for one that never comes.
  const options = { database: testDatabase, dataDir, outgoing: { milliseconds: 1_000 } };
  [one, other] = await Promise.all([startGateway(options), startGateway(options)]);
});

afterAll(async () => {
  await Promise.all([one?.close(), other?.close()]);
  await testDatabase?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  receiver.received = [];
  receiver.answer = (response) => void response.writeHead(204).end();
  const { database } = one.app;
  organizationId = await buildOrganization(database, 'On two instances');
  const { token } = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  const input = { organization_id: organizationId, url: receiver.url, event_types: ['incident.opened'] };
  const made = dataOf(await callWebhooks('REST', one, 'create', input, token));
  [secret, endpointId] = [made.secret, made.webhook_endpoint.id];
});

const subject = (id: number) => ({ subject: { type: 'INCIDENT' as const, id, name: 'I' } });
const happened = async (id: number, { app } = one) => buildAuditEntry(app.database, organizationId, subject(id));
const subjectsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).subject.id as string);
const rows = () =>
  one.app.database.rows<{ status: string; attempts: number; lease: string | null; error: string }>(
    'select status, attempts, lease, error from webhook_delivery where endpoint_id = $1 order by seq',
    [endpointId],
  );

describe('two instances', () => {
  test('send each delivery once', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const id of ids) await happened(id, id % 2 === 0 ? one : other);
    await settled(one.app.database, 'events');
    await Promise.all([one.app.webhooks.sendDue(), other.app.webhooks.sendDue()]);
    await one.app.webhooks.sendDue();
    expect(subjectsOf(receiver.received).toSorted()).toEqual(ids.map(String).toSorted());
    expect((await rows()).every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true);
  });

  test('leave to each other what one of them has begun, and the other one sends it when that one has died', async () => {
    let isDead = true;
    receiver.answer = (response) => {
      if (!isDead) response.writeHead(204).end();
    };
    await happened(1);
    await settled(one.app.database, 'events');
    // It never learns of an answer, as if it had been killed in between.
    const lost = one.app.webhooks.sendDue();
    await until(async () => receiver.received.length === 1);
    await other.app.webhooks.sendDue();
    expect(receiver.received).toHaveLength(1);
    await one.app.database.rows(
      `update webhook_delivery set next_attempt_at = now() - interval '1 second' where endpoint_id = $1`,
      [endpointId],
    );
    isDead = false;
    await other.app.webhooks.sendDue();
    await lost;
    // What the first one makes of its attempt afterwards changes nothing.
    expect(await rows()).toEqual([{ status: 'DELIVERED', attempts: 2, lease: null, error: '' }]);
    for (const received of receiver.received) verified(secret, received);
    const [first, second] = receiver.received as [Received, Received];
    expect(first.headers['webhook-id']).toBe(second.headers['webhook-id']);
  });

  test('wake each other: one that works no jobs has its events sent by one that does', async () => {
    other.app.webhooks.start();
    await happened(1, one);
    await until(async () => receiver.received.length === 1);
    await until(async () => (await rows())[0]?.status === 'DELIVERED');
  });
});

describe('an attempt ends in time', () => {
  test.each<[string, typeof receiver.answer]>([
    ['never answers', () => undefined],
    [
      'sends its answer byte by byte',
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('x'), 50);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('also when the receiver %s', async (_what, answer) => {
    receiver.answer = answer;
    await happened(1);
    await settled(one.app.database, 'events');
    await one.app.webhooks.sendDue();
    await until(async () => (await rows())[0]?.error !== '');
    expect(await rows()).toMatchObject([
      { status: 'PENDING', lease: null, error: 'The receiver did not answer in time.' },
    ]);
  });
});
