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
/** Whether hosts with a name can be resolved. */
let isHostDown = false;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  dataDir = await mkdtemp(joinPath(tmpdir(), 'webhooks-'));
  // Longer than any response here takes, except one that never arrives.
  const resolve = async () => {
    if (isHostDown) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    return [{ address: '127.0.0.1', family: 4 }];
  };
  const options = { database: testDatabase, dataDir, outgoing: { milliseconds: 4_000, resolve } };
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
  await database.rows('delete from webhook_endpoint');
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

/** Created before any of them is started, so that only one sends. */
describe('a host that is not reached', () => {
  test('is tried for one endpoint there, and no other one wastes its attempts or is delayed; what waits is sent when it is back', async () => {
    const { database, webhooks } = one.app;
    const { token } = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
    const created = async (path: string) => {
      const url = receiver.url.replace('127.0.0.1', 'receiver.example').replace('secret-path', path);
      const input = { organization_id: organizationId, url, event_types: ['incident.opened'] };
      return dataOf(await callWebhooks('REST', one, 'create', input, token)).webhook_endpoint.id as number;
    };
    const due = async () => {
      await database.rows(
        `update webhook_delivery set next_attempt_at = now() - interval '1 second' where status = 'PENDING'`,
      );
      await database.rows('update webhook_endpoint set paused_until = null');
      await webhooks.sendDue();
    };
    const attempts = async (id: number) => {
      const [row] = await database.rows<{ sum: number }>(
        'select coalesce(sum(attempts), 0)::int as sum from webhook_delivery where endpoint_id = $1',
        [id],
      );
      return row!.sum;
    };
    isHostDown = true;
    const first = await created('first');
    for (let id = 1; id <= 4; id += 1) await happened(id);
    await settled(database, 'events');
    await webhooks.sendDue();
    expect(await attempts(first)).toBe(4);
    const others = [await created('second'), await created('third')];
    await due();
    expect(await attempts(first)).toBe(5);
    await happened(5);
    await settled(database, 'events');
    await due();
    expect(await attempts(first)).toBe(6);
    for (const id of others) expect(await attempts(id)).toBe(0);
    expect(subjectsOf(receiver.received).toSorted()).toEqual(['1', '2', '3', '4', '5']);
    isHostDown = false;
    receiver.received = [];
    await due();
    await webhooks.sendDue();
    expect(receiver.received.map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual(
      [...Array.from({ length: 5 }, () => 'first'), 'second', 'third'].toSorted(),
    );
  });
});

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

  test('leave events of a type that they do not know to one of a newer version', async () => {
    const { database, webhooks } = one.app;
    await happened(1);
    await settled(database, 'events');
    const becomes = (action: string) =>
      database.rows('update webhook_delivery set action = $2 where endpoint_id = $1', [endpointId, action]);
    await becomes('OF_A_NEWER_VERSION');
    await webhooks.sendDue();
    expect(receiver.received).toEqual([]);
    expect(await rows()).toEqual([{ status: 'PENDING', attempts: 0, lease: null, error: '' }]);
    await becomes('INCIDENT_OPENED');
    await webhooks.sendDue();
    expect(subjectsOf(receiver.received)).toEqual(['1']);
  });

  test('leave to each other what one of them has begun, and the other one sends it when that one has died', async () => {
    let isDead = true;
    receiver.answer = (response) => {
      if (!isDead) response.writeHead(204).end();
    };
    await happened(1);
    await settled(one.app.database, 'events');
    // It never gets a response, as if it had been killed in between.
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
    // The late result of the first one's attempt changes nothing.
    expect(await rows()).toEqual([{ status: 'DELIVERED', attempts: 2, lease: null, error: '' }]);
    for (const received of receiver.received) verified(secret, received);
    const [first, second] = receiver.received as [Received, Received];
    expect(first.headers['webhook-id']).toBe(second.headers['webhook-id']);
  });

  describe('that take more of an endpoint than they send at once', () => {
    const answers: (() => void)[] = [];
    const several = async (count: number) => {
      for (let id = 1; id <= count; id += 1) await happened(id);
      await settled(one.app.database, 'events');
    };
    /** It has sent some, which shows the speed of the receiver. Then ten are due, and four have no response. */
    const busy = async ({ app }: TestGateway): Promise<void> => {
      answers.length = 0;
      await several(6);
      await app.webhooks.sendDue();
      receiver.received = [];
      receiver.answer = (response) => void answers.push(() => response.writeHead(204).end());
      await several(10);
      const sent = app.webhooks.sendDue();
      await until('four requests are under way', async () => answers.length === 4);
      receiver.answer = (response) => void response.writeHead(204).end();
      await sent;
    };

    test('leave it to each other as a whole, so that no more than four requests are under way', async () => {
      await several(6);
      await other.app.webhooks.sendDue();
      const sent = busy(one);
      await until('four requests are under way', async () => answers.length === 4);
      await happened(11);
      await settled(one.app.database, 'events');
      await other.app.webhooks.sendDue();
      expect(receiver.received).toHaveLength(4);
      for (const answer of answers) answer();
      await sent;
      expect(new Set(subjectsOf(receiver.received)).size).toBe(11);
      expect(receiver.received).toHaveLength(11);
    });

    test('give those back at their end', async () => {
      const leaving = await startGateway({ database: testDatabase, dataDir, outgoing: { milliseconds: 4_000 } });
      const sent = busy(leaving);
      await until('four requests are under way', async () => answers.length === 4);
      await leaving.close();
      await sent;
      expect((await rows()).filter(({ attempts, lease }) => attempts === 0 && lease === null)).toHaveLength(6);
    });
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
