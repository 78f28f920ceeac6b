import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { lockConsumer, type ConsumedEntry } from '../../src/services/audit/consumer.js';
import { appendEvents } from '../../src/services/events/event-records.js';
import { LIMITS } from '../../src/values/limits.js';
import { APIS, dataOf, expectConflict, expectFailure, type Result } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { readEvents } from '../support/events.js';
import { newMember, titlesOf } from '../support/people.js';
import { startSharedReceiver, verified, type Received } from '../support/receivers.js';
import { someoneWaits } from '../support/lock-waits.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, type Person } from '../support/test-data.js';
import { callWebhooks, type WebhookOperation } from '../support/webhooks.js';

const lines: Record<string, unknown>[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const { gateway } = await startSeededGateway({ log });
const { database, webhooks } = gateway.app;
const receiver = await startSharedReceiver();

let organizationId: number;
let manager: Person;

beforeEach(async () => {
  await database.rows('delete from webhook_endpoint');
  organizationId = await buildOrganization(database, 'With deliveries');
  manager = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
  receiver.received = [];
  receiver.answer = (response) => void response.writeHead(204).end();
});

type Values = Record<string, unknown>;
const run = (name: WebhookOperation, input: Values): Promise<Result> =>
  callWebhooks('REST', gateway, name, { organization_id: organizationId, ...input }, manager.token);

/** An endpoint at the receiver for incidents only, unless other values are given. */
async function endpoint(values: Values = {}) {
  const types = ['incident.opened', 'incident.updated', 'incident.closed'];
  const input = { url: receiver.url, event_types: types, ...values };
  const { secret, webhook_endpoint } = dataOf(await run('create', input));
  await settled(database, 'events');
  return { secret: secret as string, key: { webhook_endpoint_id: webhook_endpoint.id as number } };
}

type Action = Parameters<typeof buildAuditEntry>[2] extends infer Facts | undefined ? Partial<Facts> : never;
const happened = (facts: Action = {}) => buildAuditEntry(database, organizationId, facts);

/** Enqueues all events, and sends the due ones. */
async function send() {
  await settled(database, 'events');
  await webhooks.sendDue();
}

/** Makes all waiting deliveries due, as if time had passed. */
async function pass() {
  await database.rows(
    `update webhook_delivery set next_attempt_at = now() - interval '1 second'
      where status = 'PENDING' and organization_id = $1`,
    [organizationId],
  );
  await database.rows('update webhook_endpoint set paused_until = null where organization_id = $1', [organizationId]);
}

const deliveries = async (key: Values, more: Values = {}) => dataOf(await run('deliveries', { ...key, ...more }));
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id']);
const answering =
  (status: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(body);

describe('a delivery', () => {
  test('is the event as the feed has it, signed as Standard Webhooks says, and on the list with what came of it', async () => {
    const { secret, key } = await endpoint();
    receiver.answer = answering(200, {}, 'thank you');
    await happened();
    await send();
    const [received] = receiver.received as [Received];
    expect(receiver.received).toHaveLength(1);
    expect(received).toMatchObject({
      path: '/hooks/secret-path',
      headers: { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(received.body)) },
    });
    const request = { organization_id: organizationId, types: ['incident.opened'] };
    const { events } = await readEvents('REST', gateway, request, manager.token);
    expect(verified(secret, received)).toEqual(events[0]);
    expect(received.headers['webhook-id']).toBe(events[0]!.id);
    expect(Object.keys(JSON.parse(received.body))).toEqual(Object.keys(events[0]!));
    const [delivery, ...others] = await deliveries(key);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      ...{ event_id: events[0]!.id, event_type: 'incident.opened', status: 'DELIVERED', attempt_count: 1 },
      ...{ status_code: 200, error: '', answer: 'thank you', next_attempt_at: null },
    });
    expect(dataOf(await run('delivery', { ...key, webhook_delivery_id: delivery.id }))).toEqual(delivery);
    expect(() => verified(secret, { ...received, body: received.body.replace('incident', 'Incident') })).toThrow();
    const other = await endpoint();
    expect(() => verified(other.secret, received)).toThrow();
  });

  test('is sent to no receiver while no secret of the endpoint can be opened, and is sent once that is rotated', async () => {
    const { key } = await endpoint();
    await database.rows('update webhook_endpoint set secret = sha256(secret) where id = $1', [key.webhook_endpoint_id]);
    await happened();
    await send();
    expect(receiver.received).toEqual([]);
    expect(await deliveries(key)).toMatchObject([
      { status: 'PENDING', attempt_count: 1, status_code: null, error: 'The secret cannot be opened: rotate it.' },
    ]);
    const { secret } = dataOf(await run('rotate', key));
    await pass();
    await send();
    expect(receiver.received).toHaveLength(1);
    verified(secret, receiver.received[0]!);
  });

  test('for people is in the language that the organization has when it is sent', async () => {
    await endpoint({ format: 'SLACK' });
    for (const [language, text] of [
      ['it', `Un incidente è stato aperto. INCIDENT 1 dell’organizzazione ${organizationId}`],
      ['de', `Ein Vorfall wurde eröffnet. INCIDENT 1 der Organisation ${organizationId}`],
    ]) {
      await database.rows('update organization set language = $2 where id = $1', [organizationId, language]);
      receiver.received = [];
      await happened();
      await send();
      expect(receiver.received.map(({ body }) => JSON.parse(body).text)).toEqual([text]);
    }
  });

  test('is made for the types that an endpoint names, or for all of them, and for no other organization', async () => {
    const some = await endpoint({ event_types: ['incident.closed'] });
    const all = await endpoint({ event_types: [] });
    const elsewhere = await buildOrganization(database, 'Elsewhere');
    await buildAuditEntry(database, elsewhere);
    await happened();
    await happened({ action: 'INCIDENT_CLOSED' });
    await send();
    const typesOf = async (key: Values) =>
      (await deliveries(key)).map(({ event_type }: { event_type: string }) => event_type);
    expect(await typesOf(some.key)).toEqual(['incident.closed']);
    expect(await typesOf(all.key)).toEqual(['incident.closed', 'incident.opened', 'webhook_endpoint.created']);
    const organizations = receiver.received.map(({ body }) => JSON.parse(body).organization_id);
    expect(organizations).toEqual(Array.from({ length: 4 }, () => organizationId));
  });

  test('is signed with both secrets after a rotation, and with the new one alone when its day is over', async () => {
    const { secret, key } = await endpoint();
    const { secret: second } = dataOf(await run('rotate', key));
    await happened();
    await send();
    const [both] = receiver.received as [Received];
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    verified(secret, both);
    verified(second, both);
    await database.rows(
      `update webhook_endpoint set previous_secret_until = now() - interval '1 second' where id = $1`,
      [key.webhook_endpoint_id],
    );
    await happened();
    await send();
    const alone = receiver.received[1]!;
    verified(second, alone);
    expect(() => verified(secret, alone)).toThrow();
    const { secret: third } = dataOf(await run('rotate', key));
    await happened();
    await send();
    const later = receiver.received[2]!;
    for (const each of [second, third]) verified(each, later);
    expect(() => verified(secret, later)).toThrow();
  });

  test('that is not accepted is tried again with the same id, after longer and longer times, and given up at last', async () => {
    const { secret, key } = await endpoint();
    receiver.answer = answering(500, {}, 'no');
    await happened();
    await send();
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, wait] of waits.entries()) {
      const [row] = await database.rows<{ seconds: number; attempts: number }>(
        `select attempts, extract(epoch from next_attempt_at - attempted_at)::float8 as seconds
           from webhook_delivery where endpoint_id = $1`,
        [key.webhook_endpoint_id],
      );
      expect(row!.attempts).toBe(index + 1);
      expect(row!.seconds).toBeGreaterThanOrEqual(wait);
      // The jitter, and delays of the machine.
      expect(row!.seconds).toBeLessThan(wait * 1.2 + 60);
      await pass();
      await webhooks.sendDue();
    }
    const [delivery] = await deliveries(key);
    expect(delivery).toMatchObject({
      ...{
        status: 'FAILED',
        attempt_count: LIMITS.webhook.attempts,
        status_code: 500,
        answer: 'no',
        next_attempt_at: null,
      },
      error: 'The receiver answered 500.',
    });
    for (const api of APIS) {
      const given = { ...key, organization_id: organizationId, webhook_delivery_id: delivery.id, limit: 20 };
      const { data, total } = await callWebhooks(api, gateway, 'attempts', given, manager.token);
      expect(total).toBe(LIMITS.webhook.attempts);
      expect((data as { number: number }[]).map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
      const { milliseconds, attempted_at, error } = delivery;
      expect((data as object[])[0]).toEqual({
        ...{ number: 10, attempted_at, milliseconds, status_code: 500, error, answer: 'no' },
      });
    }
    expect(new Set(idsOf(receiver.received)).size).toBe(1);
    for (const received of receiver.received) verified(secret, received);
    expect(receiver.received).toHaveLength(10);
    await pass();
    await webhooks.sendDue();
    expect(receiver.received).toHaveLength(10);
  });

  test.each<[string, (response: ServerResponse) => void, Values]>([
    [
      'answers what is no HTTP',
      (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
      { error: 'The connection failed (HPE_INVALID_CONSTANT).', status_code: null },
    ],
    [
      'sends headers without end',
      (response) => {
        const { socket } = response;
        socket?.write(`HTTP/1.1 200 OK\r\nx-much: ${'x'.repeat(64 * 1024)}`);
      },
      { error: 'The connection failed (HPE_HEADER_OVERFLOW).', status_code: null },
    ],
    [
      'breaks off in its answer',
      (response) => void response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy()),
      { error: 'The connection failed (ECONNRESET).', status_code: null },
    ],
    ['resets the connection', (response) => void response.destroy(), { error: 'The connection failed (ECONNRESET).' }],
    [
      'answers with a redirect to this machine',
      answering(302, { location: 'http://127.0.0.1:1/' }),
      { status_code: 302, error: 'The receiver answered 302; redirects are not followed.' },
    ],
    ['refuses', answering(400, {}, 'a\0b'), { status_code: 400, answer: 'a\ufffdb' }],
  ])('whose receiver %s is not accepted', async (_what, answer, expected) => {
    const { key } = await endpoint();
    receiver.answer = answer;
    await happened();
    await send();
    expect(await deliveries(key)).toMatchObject([{ status: 'PENDING', attempt_count: 1, ...expected }]);
    // Repeated if a keep-alive connection was reset, which the receiver may have closed before.
    expect(new Set(idsOf(receiver.received)).size).toBe(1);
    expect(receiver.received.length).toBeLessThanOrEqual(2);
  });

  test('whose answer has no end is accepted by its status, and the beginning of the answer is stored', async () => {
    const { key } = await endpoint();
    receiver.answer = (response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024, 'x')));
      };
      response.writeHead(200).on('drain', write);
      write();
    };
    await happened();
    await send();
    expect(await deliveries(key)).toMatchObject([
      { status: 'DELIVERED', answer: 'x'.repeat(LIMITS.webhook.answerBytes) },
    ]);
  });

  test('says nothing of an address that is not reached but a code, and no secret is in it', async () => {
    const { key, secret } = await endpoint({ url: 'http://127.0.0.1:9/token-in-path' });
    await happened();
    await send();
    const found = await deliveries(key);
    expect(found).toMatchObject([{ status_code: null, error: 'The connection failed (ECONNREFUSED).' }]);
    expect(JSON.stringify(found)).not.toContain('token-in-path');
    expect(JSON.stringify(found)).not.toContain(secret.slice(6));
  });
});

describe('Retry-After', () => {
  test.each([
    ['in seconds', () => '3600', 3_600],
    ['as a date', () => new Date(Date.now() + 3_600_000).toUTCString(), 3_590],
    ['of a year, as a day', () => '31536000', 86_400],
  ])('%s is obeyed, by the endpoint as a whole', async (_how, header, least) => {
    const { key } = await endpoint();
    receiver.answer = answering(429, { 'retry-after': header() });
    await happened();
    await send();
    await happened();
    await send();
    expect(receiver.received).toHaveLength(1);
    const [row] = await database.rows<{ delivery: number; endpoint: number }>(
      `select extract(epoch from d.next_attempt_at - d.attempted_at)::float8 as delivery,
              extract(epoch from w.paused_until - d.attempted_at)::float8 as endpoint
         from webhook_delivery d join webhook_endpoint w on w.id = d.endpoint_id
        where w.id = $1 and d.attempts = 1`,
      [key.webhook_endpoint_id],
    );
    for (const seconds of [row!.delivery, row!.endpoint]) {
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThan(least + 120);
    }
  });

  test('is obeyed although a request that was under way fails after it without one', async () => {
    const { key } = await endpoint();
    let refuse: (() => void) | undefined;
    receiver.answer = (response) => {
      if (refuse !== undefined) return answering(429, { 'retry-after': '3600' })(response);
      refuse = () => answering(500)(response);
    };
    for (const id of ['1', '2']) await happened({ subject: { type: 'INCIDENT', id, name: 'Phishing wave' } });
    await settled(database, 'events');
    const sent = webhooks.sendDue();
    await until(async () => {
      const rows = await database.rows(
        'select from webhook_delivery where organization_id = $1 and status_code = 429',
        [organizationId],
      );
      return rows.length > 0;
    });
    refuse!();
    await sent;
    const [row] = await database.rows<{ seconds: number }>(
      'select extract(epoch from paused_until - now())::float8 as seconds from webhook_endpoint where id = $1',
      [key.webhook_endpoint_id],
    );
    expect(row!.seconds).toBeGreaterThan(3_000);
  });
});

describe('an endpoint', () => {
  test('that answers 410 is disabled at once, with its own entry and a notice, and what waits is given up', async () => {
    const { key } = await endpoint();
    await happened();
    await happened();
    await settled(database, 'events');
    expect(await gateway.app.metrics.text()).toContain('gateway_webhook_deliveries_pending 2');
    receiver.answer = answering(410);
    await send();
    const disabled = dataOf(await run('read', key));
    expect(disabled).toMatchObject({ status: 'DISABLED', disabled_reason: 'GONE' });
    const statuses = (await deliveries(key)).map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['FAILED', 'FAILED']);
    const sent = receiver.received.length;
    await happened();
    await send();
    expect(receiver.received).toHaveLength(sent);
    expect(await titlesOf(database, manager)).toContain('A webhook endpoint was disabled');
    expectConflict(await run('test', key), 'WEBHOOK_ENDPOINT_DISABLED');
  });

  test('that accepts nothing for five days is disabled, not before, and managers get a notice and a mail', async () => {
    const { key } = await endpoint();
    await database.rows('update app_user set email_verified_at = now() where id = $1', [manager.id]);
    receiver.answer = answering(503);
    await happened();
    await send();
    const failing = async (days: number, failures: number) => {
      await database.rows(
        `update webhook_endpoint set failing_since = now() - make_interval(secs => $2::float8 * 86400), failures = $3
          where id = $1`,
        [key.webhook_endpoint_id, days, failures],
      );
      await pass();
      await webhooks.sendDue();
      return dataOf(await run('read', key)).status;
    };
    expect(await failing(4.9, 50)).toBe('ENABLED');
    expect(await failing(5.1, 2)).toBe('ENABLED');
    expect(await failing(5.1, 9)).toBe('DISABLED');
    expect(dataOf(await run('read', key)).disabled_reason).toBe('FAILING');
    expect(await titlesOf(database, manager)).toContain('A webhook endpoint was disabled');
    await settled(database, 'mails');
    const mails = await database.rows<{ subject: string }>(
      `select content ->> 'subject' as subject from outgoing_mail where recipient = $1`,
      [`${manager.username}@example.com`],
    );
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('webhook')]);
  });

  test('that is down delays no other, is left alone after three failures, and gets what waits when it is back', async () => {
    const down = await endpoint({ url: `${receiver.url}/down` });
    const up = await endpoint({ url: `${receiver.url}/up` });
    let isDown = true;
    receiver.answer = (response, { path }) => answering(isDown && path.endsWith('/down') ? 500 : 204)(response);
    for (let n = 0; n < 12; n += 1) await happened({ subject: { type: 'INCIDENT', id: n + 1, name: 'I' } });
    await send();
    const reached = (end: string) => receiver.received.filter(({ path }) => path.endsWith(end));
    expect(reached('/up')).toHaveLength(12);
    // Four at first; concurrent failures are counted together.
    expect(reached('/down').length).toBeLessThanOrEqual(4);
    expect(dataOf(await run('read', down.key)).failing_since).not.toBeNull();
    isDown = false;
    await database.rows('update webhook_endpoint set paused_until = null where id = $1', [
      down.key.webhook_endpoint_id,
    ]);
    await send();
    expect(new Set(idsOf(reached('/down'))).size).toBe(12);
    expect(dataOf(await run('read', down.key)).failing_since).toBeNull();
    const open = (await deliveries(up.key)).filter(({ status }: { status: string }) => status !== 'DELIVERED');
    expect(open).toEqual([]);
  });

  test('that accepts one between its failures is not left alone: they are not in a row', async () => {
    const { key } = await endpoint();
    const held: ServerResponse[] = [];
    receiver.answer = (response) => void held.push(response);
    for (const id of ['1', '2', '3', '4']) await happened({ subject: { type: 'INCIDENT', id, name: 'I' } });
    await settled(database, 'events');
    const sending = webhooks.sendDue();
    await until('four are under way', () => held.length === 4);
    const failures = async () =>
      (
        await database.rows<{ failures: number; isPaused: boolean }>(
          'select failures, coalesce(paused_until > now(), false) as "isPaused" from webhook_endpoint where id = $1',
          [key.webhook_endpoint_id],
        )
      )[0];
    for (const [place, status, count] of [
      [0, 500, 1],
      [1, 204, 0],
      [2, 500, 1],
      [3, 500, 2],
    ] as const) {
      answering(status)(held[place]!);
      await until('it is stored', async () => (await failures())?.failures === count);
    }
    expect(await failures()).toEqual({ failures: 2, isPaused: false });
    receiver.answer = answering(204);
    await sending;
  });

  test('that begins to fail gets four requests at most of those that were to be sent, and only these count as tried', async () => {
    const { key } = await endpoint();
    const several = async () => {
      for (let n = 0; n < 12; n += 1) await happened({ subject: { type: 'INCIDENT', id: n + 1, name: 'I' } });
      receiver.received = [];
      await send();
    };
    await several();
    receiver.answer = answering(500);
    await several();
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    const open = (await deliveries(key)).filter(({ status }: { status: string }) => status === 'PENDING');
    expect(open).toHaveLength(12);
    const tried = open.filter(({ attempt_count: count }: { attempt_count: number }) => count > 0);
    expect(tried).toHaveLength(receiver.received.length);
  });

  test('that has failed gets one request at a time, and none after the third failure', async () => {
    await endpoint();
    receiver.answer = answering(500);
    await happened();
    await send();
    for (let n = 2; n <= 12; n += 1) await happened({ subject: { type: 'INCIDENT', id: n, name: 'I' } });
    await send();
    expect(receiver.received).toHaveLength(3);
  });

  test('that is enabled again has not failed, and gets what happens at once', async () => {
    const { key } = await endpoint();
    receiver.answer = answering(500);
    await happened();
    await send();
    for (let failures = 2; failures <= 3; failures += 1) {
      await pass();
      await webhooks.sendDue();
    }
    expect(dataOf(await run('read', key)).failing_since).not.toBeNull();
    dataOf(await run('update', { ...key, status: 'DISABLED' }));
    expect(dataOf(await run('update', { ...key, status: 'ENABLED' })).failing_since).toBeNull();
    receiver.answer = answering(204);
    receiver.received = [];
    await happened();
    await send();
    expect(receiver.received).toHaveLength(1);
  });

  test('gets the events of one subject in order, also when one has to be tried again, and those of others meanwhile', async () => {
    await endpoint();
    let failures = 2;
    receiver.answer = (response, { body }) => {
      const { subject } = JSON.parse(body);
      answering(subject.id === '1' && failures-- > 0 ? 500 : 204)(response);
    };
    const about = (id: number) => ({ subject: { type: 'INCIDENT' as const, id, name: 'I' } });
    for (const action of ['INCIDENT_OPENED', 'INCIDENT_UPDATED', 'INCIDENT_CLOSED'] as const)
      for (const id of [1, 2]) await happened({ action, ...about(id) });
    await send();
    const order = (id: string) =>
      receiver.received
        .map(({ body }) => JSON.parse(body))
        .filter(({ subject }) => subject.id === id)
        .map(({ type }) => type.split('.')[1]);
    expect(order('2')).toEqual(['opened', 'updated', 'closed']);
    expect(order('1')).toEqual(['opened']);
    for (let tries = 0; tries < 2; tries += 1) {
      await pass();
      await webhooks.sendDue();
    }
    expect(order('1')).toEqual(['opened', 'opened', 'opened', 'updated', 'closed']);
  });

  /** The limit of one read, and more, of events with the same subject as the single one, and before it. */
  const addBacklog = (endpointId: number, events = 600) =>
    database.rows(
      `insert into webhook_delivery (endpoint_id, organization_id, seq, log_id, position, action, subject, created_at, next_attempt_at)
       select endpoint_id, organization_id, -n, log_id, position, action, subject, now() - interval '1 hour', now() - interval '1 hour'
         from webhook_delivery, generate_series(1, $2::int) n where action = 'INCIDENT_OPENED' and endpoint_id = $1`,
      [endpointId, events],
    );

  test('looks soon again at what waits for one that is under way, which may end at the same moment', async () => {
    const { key } = await endpoint();
    await happened();
    await settled(database, 'events');
    await addBacklog(key.webhook_endpoint_id);
    await database.rows(
      `update webhook_delivery set lease = gen_random_uuid(), next_attempt_at = now() + interval '1 hour'
        where endpoint_id = $1 and seq = -600`,
      [key.webhook_endpoint_id],
    );
    await webhooks.defer();
    const [waiting] = await database.rows(
      `select count(*)::int as count, max(next_attempt_at) < now() + interval '1 minute' as "isSoon"
         from webhook_delivery where endpoint_id = $1 and lease is null and next_attempt_at > now()`,
      [key.webhook_endpoint_id],
    );
    expect(waiting).toEqual({ count: 600, isSoon: true });
  });

  test('gets what happens to others while very many events wait behind one that has to be tried again', async () => {
    const { key } = await endpoint();
    await happened();
    await happened({ action: 'INCIDENT_CLOSED', subject: { type: 'INCIDENT', id: 2, name: 'I' } });
    await settled(database, 'events');
    await addBacklog(key.webhook_endpoint_id);
    const first = `endpoint_id = $1 and seq = -600`;
    await database.rows(`update webhook_delivery set next_attempt_at = now() + interval '1 hour' where ${first}`, [
      key.webhook_endpoint_id,
    ]);
    await webhooks.sendDue();
    expect(receiver.received).toEqual([]);
    await webhooks.defer();
    await webhooks.sendDue();
    expect(receiver.received.map(({ body }) => JSON.parse(body).subject.id)).toEqual(['2']);
    // They follow it at once, one after the other.
    await database.rows(`update webhook_delivery set next_attempt_at = now() - interval '1 second' where ${first}`, [
      key.webhook_endpoint_id,
    ]);
    await webhooks.sendDue();
    expect(receiver.received).toHaveLength(603 - 1);
  });

  test.each([
    [
      'the one that they wait for',
      `next_attempt_at = now() - interval '1 second' where endpoint_id = $1 and seq = -600`,
      0,
    ],
    ['the one that is next', `next_attempt_at = now() + interval '1 hour' where endpoint_id = $1 and seq = -599`, 602],
  ])('goes on although very many events were due before %s', async (_why, change, atOnce) => {
    const { key } = await endpoint();
    await happened();
    await happened({ action: 'INCIDENT_CLOSED', subject: { type: 'INCIDENT', id: 2, name: 'I' } });
    await settled(database, 'events');
    await addBacklog(key.webhook_endpoint_id);
    await database.rows(`update webhook_delivery set ${change}`, [key.webhook_endpoint_id]);
    await webhooks.sendDue();
    expect(receiver.received).toHaveLength(atOnce);
    await webhooks.defer();
    await webhooks.sendDue();
    expect(receiver.received).toHaveLength(602);
  });

  test('gets all that waited for days when it is back, or loses it when it is disabled, a part in each statement', async () => {
    const { key } = await endpoint();
    const id = key.webhook_endpoint_id;
    await happened();
    await settled(database, 'events');
    await addBacklog(id, 20_100);
    await database.rows(
      `update webhook_delivery set next_attempt_at = now() + interval '1 hour' where endpoint_id = $1 and seq <> -20100`,
      [id],
    );
    await database.rows('update webhook_endpoint set failures = 20, failing_since = now() where id = $1', [id]);
    let isBack = true;
    receiver.answer = (response) => {
      answering(isBack ? 204 : 500)(response);
      isBack = false;
    };
    await database.rows('create table deliveries_changed (deliveries int)');
    await database.rows(`create function note_changed() returns trigger language plpgsql as $$
      begin insert into deliveries_changed select count(*) from changed having count(*) > 10; return null; end $$`);
    await database.rows(`create trigger delivery_changed after update on webhook_delivery
      referencing new table as changed for each statement execute function note_changed()`);
    const changed = async () =>
      (await database.rows<{ deliveries: number }>('delete from deliveries_changed returning deliveries')).map(
        ({ deliveries }) => deliveries,
      );
    const waiting = () =>
      database.rows(
        `select count(*)::int as all, count(*) filter (where next_attempt_at <= now())::int as due
           from webhook_delivery where endpoint_id = $1 and status = 'PENDING'`,
        [id],
      );
    await webhooks.sendDue();
    // All but the one behind it, which has failed.
    expect(await waiting()).toEqual([{ all: 20_100, due: 20_099 }]);
    expect(await changed()).toEqual([19_999, 100]);
    dataOf(await run('update', { ...key, status: 'DISABLED' }));
    expect(await waiting()).toEqual([{ all: 0, due: 0 }]);
    expect(await changed()).toEqual([20_000, 100]);
    await database.rows('drop function note_changed cascade');
    await database.rows('drop table deliveries_changed');
  });

  test('goes on at once behind an event that is given up', async () => {
    const { key } = await endpoint();
    receiver.answer = answering(500);
    await happened();
    await happened({ action: 'INCIDENT_CLOSED' });
    await settled(database, 'events');
    // The last attempt is due, and those waiting for it were deferred.
    await database.rows(
      `update webhook_delivery set attempts = $2, next_attempt_at = now() + case action
          when 'INCIDENT_OPENED' then interval '-1 second' else interval '1 hour' end where endpoint_id = $1`,
      [key.webhook_endpoint_id, LIMITS.webhook.attempts - 1],
    );
    await webhooks.sendDue();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['incident.opened', 'incident.closed']);
  });

  test.each([
    [1, 4],
    [5, 16],
  ])('has four requests under way at most, and a host sixteen: %i endpoints have %i', async (endpoints, limit) => {
    for (let n = 0; n < endpoints; n += 1) await endpoint();
    let [underWay, most] = [0, 0];
    const all = Promise.withResolvers<void>();
    receiver.answer = async (response) => {
      most = Math.max(most, (underWay += 1));
      if (underWay === limit) all.resolve();
      await all.promise;
      // A further one would have had the time to arrive.
      await sleep(20);
      underWay -= 1;
      answering(204)(response);
    };
    for (let n = 0; n < 20; n += 1) await happened({ subject: { type: 'INCIDENT', id: n + 1, name: 'I' } });
    await send();
    expect(receiver.received).toHaveLength(20 * endpoints);
    expect(most).toBe(limit);
  });

  test('of a deleted organization gets that it was deleted and nothing else, and goes on when it is restored', async () => {
    await endpoint({ event_types: [] });
    await send();
    receiver.received = [];
    const subject = { type: 'ORGANIZATION', id: organizationId, name: 'O' } as const;
    await happened();
    await happened({ action: 'ORGANIZATION_UPDATED', subject });
    await settled(database, 'events');
    await database.rows('update organization set deleted_at = now() where id = $1', [organizationId]);
    await happened({ action: 'INCIDENT_CLOSED' });
    await happened({ action: 'ORGANIZATION_DELETED', subject });
    await send();
    const types = () => receiver.received.map(({ body }) => JSON.parse(body).type);
    expect(types()).toEqual(['organization.deleted']);
    await database.rows('update organization set deleted_at = null where id = $1', [organizationId]);
    await send();
    expect(types().slice(1).toSorted()).toEqual(['incident.opened', 'organization.updated']);
  });

  test('whose member is deactivated everywhere gets nothing from then on, and is disabled on record, with a notice', async () => {
    const { key } = await endpoint();
    const other = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
    await happened();
    await settled(database, 'events');
    await database.rows('update app_user set deactivated_at = now() where id = $1', [manager.id]);
    await happened({ action: 'INCIDENT_CLOSED' });
    await send();
    expect(receiver.received).toEqual([]);
    await gateway.app.jobs.run('webhookEndpoints.disableWithoutRight');
    manager = other;
    expect(dataOf(await run('read', key))).toMatchObject({ status: 'DISABLED', disabled_reason: 'MEMBER_LEFT' });
    expect((await deliveries(key)).map(({ status }: { status: string }) => status)).toEqual(['FAILED', 'FAILED']);
    expect(await titlesOf(database, manager)).toContain('A webhook endpoint was disabled');
    dataOf(await run('update', { ...key, status: 'ENABLED' }));
    await gateway.app.jobs.run('webhookEndpoints.disableWithoutRight');
    expect(dataOf(await run('read', key))).toMatchObject({ status: 'ENABLED' });
  });

  test('that cannot be disabled prevents no other from being disabled', async () => {
    const [{ key: broken }, { key: other }] = [await endpoint(), await endpoint()];
    const another = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
    await database.rows('update app_user set deactivated_at = now() where id = $1', [manager.id]);
    const id = broken.webhook_endpoint_id;
    await database.rows(
      `alter table webhook_endpoint add constraint broken check (id <> ${id} or status <> 'DISABLED') not valid`,
    );
    try {
      const disabling = gateway.app.jobs.run('webhookEndpoints.disableWithoutRight');
      await expect(disabling).rejects.toThrow(`not disabled: webhook endpoints ${id}`);
    } finally {
      await database.rows('alter table webhook_endpoint drop constraint broken');
    }
    manager = another;
    expect(dataOf(await run('read', broken))).toMatchObject({ status: 'ENABLED' });
    expect(dataOf(await run('read', other))).toMatchObject({ status: 'DISABLED' });
    await gateway.app.jobs.run('webhookEndpoints.disableWithoutRight');
  });

  test('that is deleted gets nothing more, loses its secrets, and its deliveries are deleted with it', async () => {
    const { key } = await endpoint();
    dataOf(await run('rotate', key));
    await happened();
    await settled(database, 'events');
    const [{ id: webhook_delivery_id }] = await deliveries(key);
    dataOf(await run('delete', key));
    expect(await gateway.app.metrics.text()).toContain('gateway_webhook_deliveries_pending 0');
    expectFailure(await run('delivery', { ...key, webhook_delivery_id }), 'NOT_FOUND');
    const secrets = 'select secret, previous_secret from webhook_endpoint where id = $1';
    expect(await database.rows(secrets, [key.webhook_endpoint_id])).toEqual([{ secret: null, previous_secret: null }]);
    await happened();
    await send();
    expect(receiver.received).toEqual([]);
    await gateway.app.jobs.run('webhookDeliveries.purgeOld');
    const left = await database.rows('select from webhook_endpoint where id = $1', [key.webhook_endpoint_id]);
    expect(left).toEqual([]);
  });
});

test('an event that cannot be made into a request is tried again and says so, and keeps no other from its endpoint', async () => {
  const { key } = await endpoint();
  // More than there are requests to an endpoint at a time; as entries of a newer version, with subjects unknown here.
  const subjects = Array.from({ length: 8 }, (_, id) => ({ type: 'FROM_A_NEWER_VERSION' as never, id, name: '' }));
  for (const subject of subjects) await happened({ subject });
  await send();
  await happened();
  await send();
  expect(receiver.received).toHaveLength(1);
  const error = 'The gateway could not make the request: its log has the reason.';
  const waiting = { status: 'PENDING', attempt_count: 1, status_code: null, error };
  expect(await deliveries(key, { status: 'PENDING' })).toEqual(subjects.map(() => expect.objectContaining(waiting)));
});

describe('a test, a redelivery and a recovery', () => {
  test('a test reaches its endpoint alone, whatever that is subscribed for, and its delivery is found by the event', async () => {
    const { key, secret } = await endpoint();
    const other = await endpoint({ event_types: [] });
    const { event_id } = dataOf(await run('test', key));
    await send();
    const tests = receiver.received.filter(({ body }) => JSON.parse(body).type === 'webhook_endpoint.tested');
    expect(tests).toHaveLength(1);
    expect(verified(secret, tests[0]!)).toMatchObject({ id: event_id, subject: { type: 'WEBHOOK_ENDPOINT' } });
    expect(await deliveries(key, { event_id })).toMatchObject([{ event_id, status: 'DELIVERED' }]);
    expect(await deliveries(other.key, { event_id })).toEqual([]);
    for (const other of ['nonsense', `0${event_id}`, event_id.replace('/', '/0')])
      expect(await deliveries(key, { event_id: other })).toEqual([]);
    expect(await deliveries(key, { status: 'FAILED' })).toEqual([]);
  });

  test('what was delivered or given up is sent again with the same id', async () => {
    const { key } = await endpoint();
    await happened();
    await send();
    const [{ id: webhook_delivery_id, event_id }] = await deliveries(key);
    const again = dataOf(await run('redeliver', { ...key, webhook_delivery_id }));
    expect(again).toMatchObject({ status: 'PENDING', attempt_count: 0 });
    await send();
    expect(idsOf(receiver.received)).toEqual([event_id, event_id]);
    expect(await deliveries(key)).toMatchObject([{ status: 'DELIVERED', attempt_count: 1 }]);
    const attempts = dataOf(await run('attempts', { ...key, webhook_delivery_id }));
    expect(attempts).toMatchObject([
      { number: 1, status_code: 204 },
      { number: 1, status_code: 204 },
    ]);
    const other = await endpoint();
    for (const operation of ['redeliver', 'attempts'] as const) {
      const foreign = await run(operation, { ...other.key, webhook_delivery_id });
      expect(foreign.code).toBe('NOT_FOUND');
    }
  });

  /** Runs `work` during an attempt, and then responds to the attempt. */
  const meanwhile = async (status: number, work: () => Promise<unknown>) => {
    const requested = Promise.withResolvers<ServerResponse>();
    receiver.answer = requested.resolve;
    await happened();
    await settled(database, 'events');
    const sending = webhooks.sendDue();
    const response = await requested.promise;
    await work();
    receiver.answer = answering(204);
    response.writeHead(status).end();
    await sending;
  };

  test.each([204, 500])(
    'an attempt under way that ends with %i does not count once its delivery is sent again',
    async (status) => {
      const { key } = await endpoint();
      await meanwhile(status, async () => {
        const [{ id: webhook_delivery_id }] = await deliveries(key);
        dataOf(await run('redeliver', { ...key, webhook_delivery_id }));
      });
      receiver.answer = answering(204);
      await send();
      expect(receiver.received).toHaveLength(2);
      expect(await deliveries(key)).toMatchObject([{ status: 'DELIVERED', attempt_count: 1 }]);
    },
  );

  test('an attempt at an address that is changed meanwhile says nothing about the new one', async () => {
    const { key } = await endpoint();
    await meanwhile(500, async () => dataOf(await run('update', { ...key, url: `${receiver.url}/moved` })));
    expect(dataOf(await run('read', key))).toMatchObject({ failing_since: null });
    receiver.answer = answering(500);
    await pass();
    await send();
    expect(dataOf(await run('read', key))).toMatchObject({ failing_since: expect.any(String) });
    expect(dataOf(await run('update', { ...key, url: receiver.url }))).toMatchObject({ failing_since: null });
  });

  test('what waits is sent at once to an address that is changed, also where the host before it was not reached', async () => {
    const paths = ['first', 'second'];
    const endpoints = [];
    for (const path of paths) endpoints.push(await endpoint({ url: `http://127.0.0.1:9/${path}` }));
    await happened();
    await send();
    for (let failures = 2; failures <= 3; failures += 1) {
      await pass();
      await webhooks.sendDue();
    }
    for (const [index, { key }] of endpoints.entries())
      dataOf(await run('update', { ...key, url: `${receiver.url}/${paths[index]}` }));
    await webhooks.sendDue();
    expect(receiver.received.map(({ path }) => path.split('/').at(-1)).toSorted()).toEqual(paths);
  });

  test('what was missed while an endpoint was disabled, or given up, is recovered once, and nothing that was delivered', async () => {
    const { key } = await endpoint();
    const since = new Date(Date.now() - 60_000).toISOString();
    const delivered = await (async () => {
      await happened();
      await send();
      return idsOf(receiver.received);
    })();
    receiver.answer = answering(410);
    await happened({ action: 'INCIDENT_UPDATED' });
    await send();
    await happened({ action: 'INCIDENT_CLOSED' });
    await happened({ action: 'NOTE_ADDED' });
    await send();
    expectConflict(await run('recover', { ...key, since }), 'WEBHOOK_ENDPOINT_DISABLED');
    dataOf(await run('update', { ...key, status: 'ENABLED' }));
    receiver.answer = answering(204);
    receiver.received = [];
    const now = new Date().toISOString();
    expect(dataOf(await run('recover', { ...key, since: now }))).toEqual({ recovered: 0, complete: true });
    expect(dataOf(await run('recover', { ...key, since }))).toEqual({ recovered: 2, complete: true });
    await send();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['incident.updated', 'incident.closed']);
    expect(idsOf(receiver.received)).not.toContain(delivered[0]);
    expect(dataOf(await run('recover', { ...key, since }))).toEqual({ recovered: 0, complete: true });
  });

  test('what was being put in while an endpoint was enabled is recovered as well', async () => {
    const { key } = await endpoint();
    dataOf(await run('update', { ...key, status: 'DISABLED' }));
    await settled(database, 'events');
    const since = new Date(Date.now() - 60_000).toISOString();
    let recovery: Promise<Result> | undefined;
    await database.transaction(async (tx) => {
      await lockConsumer(tx, 'events');
      await happened();
      const [entry] = await database.rows<ConsumedEntry>(
        `select log_id as "logId", audit_entry.position, organization_id as "organizationId"
           from audit_entry join audit_log on audit_log.id = log_id
          where organization_id = $1 and entry like '%INCIDENT_OPENED%'`,
        [organizationId],
      );
      await appendEvents(tx, [entry!]);
      dataOf(await run('update', { ...key, status: 'ENABLED' }));
      recovery = run('recover', { ...key, since });
      // The running consumer is one of them.
      await Promise.race([recovery, someoneWaits(tx, 2)]);
      await tx.rows(
        `insert into event_consumer (consumer, log_id, position) values ('events', $1, $2)
         on conflict (consumer, log_id) do update set position = excluded.position`,
        [entry!.logId, entry!.position],
      );
    });
    expect(dataOf(await recovery!)).toEqual({ recovered: 1, complete: true });
    await send();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['incident.opened']);
  });

  test('old deliveries and deleted endpoints are deleted, secrets whose day is over are forgotten, and all are counted', async () => {
    const { key } = await endpoint();
    const { key: without } = await endpoint({ event_types: ['incident.closed'] });
    dataOf(await run('rotate', key));
    await happened();
    await happened();
    await send();
    const [{ id }] = await deliveries(key);
    await database.rows(
      `update webhook_delivery set created_at = now() - make_interval(days => $2, mins => 1) where id = $1`,
      [id, LIMITS.webhook.keptDays],
    );
    await database.rows(
      `update webhook_endpoint set previous_secret_until = now() - interval '1 second' where id = $1`,
      [key.webhook_endpoint_id],
    );
    await database.rows('update webhook_endpoint set deleted_at = now() where id = $1', [without.webhook_endpoint_id]);
    // A delivery, an endpoint without any, and a secret.
    expect(await gateway.app.services.webhookDeliveries.purgeOld()).toBe(3);
    expect(await deliveries(key)).toHaveLength(1);
    const [row] = await database.rows('select previous_secret from webhook_endpoint where id = $1', [
      key.webhook_endpoint_id,
    ]);
    expect(row).toEqual({ previous_secret: null });
  });
});

test('a delivery that still waits when it is deleted as an old one is a warning in the log', async () => {
  await endpoint();
  await happened();
  await settled(database, 'events');
  await database.rows('update webhook_delivery set created_at = now() - make_interval(days => $1, mins => 1)', [
    LIMITS.webhook.keptDays,
  ]);
  await gateway.app.jobs.run('webhookDeliveries.purgeOld');
  expect(lines).toContainEqual(
    expect.objectContaining({ deliveries: 1, msg: 'deliveries that still waited were deleted with the old ones' }),
  );
});

test('a sender that is started sends what happens at its COMMIT', async () => {
  await endpoint();
  webhooks.start();
  await happened();
  await until(async () => receiver.received.length === 1);
});
