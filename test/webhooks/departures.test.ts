import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Departures, Unsent } from '../../src/services/webhooks/departures.js';
import type { ClaimedDelivery } from '../../src/services/webhooks/sending-statements.js';
import { dataOf } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { expectData } from '../support/matchers.js';
import { startSharedReceiver } from '../support/receivers.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';
import { until } from '../support/until.js';
import { callOwnWebhooks, callWebhooks } from '../support/webhooks.js';

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Claimed requests wait here until their host is resolved. */
let resolution: Promise<void> = Promise.resolve();
/** Addresses of the host. */
let leadsTo: string[] = [];
const gateway = await startSharedGateway({
  outgoing: {
    async resolve() {
      await resolution;
      return leadsTo.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  },
});
const { database, webhooks } = gateway.app;
const receiver = await startSharedReceiver();
const url = receiver.url.replace('127.0.0.1', 'receiver.example');

let user: Person;
let organizationId: number;
let release: () => void;
let isSending = false;

afterEach(() => {
  isSending = false;
});

beforeEach(async () => {
  await database.rows('delete from webhook_endpoint');
  user = await buildPerson(database, 'consultant');
  organizationId = await buildOrganization(database, 'Managed');
  await join(database, user, organizationId, 'ORGANIZATION_MANAGER');
  receiver.received = [];
  leadsTo = ['127.0.0.1'];
  resolution = new Promise((resolve) => (release = resolve));
});

const types = { event_types: ['incident.opened'] };
const ofUser = async () =>
  dataOf(await callOwnWebhooks('REST', gateway, 'create', { url, ...types }, user.token)).webhook_endpoint.id as number;

async function happened(times = 1): Promise<void> {
  for (let n = 1; n <= times; n += 1)
    await buildAuditEntry(database, organizationId, { subject: { type: 'INCIDENT', id: n, name: 'I' } });
  await settled(database, 'events');
}

const rows = () =>
  database.rows<{ status: string; attempts: number; error: string; lease: string | null }>(
    'select status, attempts, error, lease from webhook_delivery order by seq',
  );
const claimedOf = (endpointId: number) =>
  database.rows(
    `select d.id, d.lease, d.organization_id as "organizationId", d.action, w.id as "endpointId", w.version
       from webhook_delivery d join webhook_endpoint w on w.id = d.endpoint_id where w.id = $1 order by d.seq`,
    [endpointId],
  );
const isClaimed = async () => (await rows()).some(({ lease }) => lease !== null);
const setRole = (role: string) => database.rows('update membership set role = $1 where user_id = $2', [role, user.id]);

/** Everything sent before has been received once this has: received bytes are read before new ones. */
async function drained(): Promise<number> {
  for (let n = 1; n <= 2; n += 1) await fetch(receiver.url, { method: 'POST', body: 'marker' });
  return events();
}

const ignore = () => undefined;

const events = () => receiver.received.filter(({ body }) => body !== 'marker').length;

describe('a request that was begun', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['the role is lowered', () => setRole('VIEWER')],
    ['the member is removed', () => database.rows('delete from membership where user_id = $1', [user.id])],
    [
      'the user is deactivated',
      () => database.rows('update app_user set deactivated_at = now() where id = $1', [user.id]),
    ],
    [
      'the organization is deleted',
      () => database.rows('update organization set deleted_at = now() where id = $1', [organizationId]),
    ],
    // Whether it was a sandbox is unknown then.
    ['the organization is purged', () => database.rows('delete from organization where id = $1', [organizationId])],
    [
      'the token is blocked',
      () =>
        database.rows(
          'insert into token_block (token_id, organization_id, created_at) select id, $1, now() from api_token where user_id = $2',
          [organizationId, user.id],
        ),
    ],
  ])('to a user sends nothing once %s, and is given up without an attempt', async (_what, change) => {
    await ofUser();
    await happened();
    const sent = webhooks.sendDue();
    await until('it is claimed', isClaimed);
    await change();
    release();
    await sent;
    expect(await rows()).toEqual([
      {
        status: 'FAILED',
        attempts: 0,
        error: 'The organization sends no events to this endpoint any more.',
        lease: null,
      },
    ]);
    expect(await database.rows('select attempted_at from webhook_delivery')).toEqual([{ attempted_at: null }]);
    expect(await drained()).toBe(0);
  });

  test('to an organization sends nothing once the endpoint is disabled or deleted', async () => {
    for (const change of ['update', 'delete'] as const) {
      resolution = new Promise((resolve) => (release = resolve));
      const organization_id = organizationId;
      const made = await callWebhooks('REST', gateway, 'create', { organization_id, url, ...types }, user.token);
      const key = { organization_id, webhook_endpoint_id: dataOf(made).webhook_endpoint.id };
      await happened();
      const sent = webhooks.sendDue();
      await until('it is claimed', isClaimed);
      const changed = change === 'update' ? { ...key, status: 'DISABLED' } : key;
      dataOf(await callWebhooks('REST', gateway, change, changed, user.token));
      release();
      await sent;
      expect((await rows()).map(({ status }) => status)).not.toContain('DELIVERED');
      expect(await drained()).toBe(0);
      await database.rows('delete from webhook_endpoint');
    }
  });

  test('goes to the address that it has by then, signed with the secret of then', async () => {
    const id = await ofUser();
    await happened();
    const sent = webhooks.sendDue();
    await until('it is claimed', isClaimed);
    const other = { webhook_endpoint_id: id, url: `${url}/other` };
    dataOf(await callOwnWebhooks('REST', gateway, 'update', other, user.token));
    release();
    await sent;
    await webhooks.sendDue();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/secret-path/other']);
    expect(await rows()).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });

  test('is not sent beside the one by which its event is sent again', async () => {
    const webhook_endpoint_id = await ofUser();
    await happened();
    const sent = webhooks.sendDue();
    await until('it is claimed', isClaimed);
    const [{ id: webhook_delivery_id }] = (await claimedOf(webhook_endpoint_id)) as [{ id: number }];
    const again = { webhook_endpoint_id, webhook_delivery_id };
    dataOf(await callOwnWebhooks('REST', gateway, 'redeliver', again, user.token));
    release();
    await sent;
    await webhooks.sendDue();
    expect(await drained()).toBe(1);
    expect(await rows()).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]);
  });
});

test('a host that leads into a private network at a later attempt is not called then, nor by a test or another time', async () => {
  release();
  const id = await ofUser();
  const key = { webhook_endpoint_id: id };
  await happened();
  await webhooks.sendDue();
  expect(events()).toBe(1);
  const again = async () => {
    await database.rows(
      `update webhook_delivery set next_attempt_at = now() - interval '1 second' where status = 'PENDING'`,
    );
    await database.rows('update webhook_endpoint set paused_until = null, failures = 0');
    await webhooks.sendDue();
  };
  const refused = [['10.0.0.1'], ['127.0.0.1', '169.254.169.254'], ['::ffff:10.0.0.1'], []];
  for (const [number, addresses] of refused.entries()) {
    leadsTo = addresses;
    const subject = { type: 'INCIDENT', id: 10 + number, name: 'I' } as const;
    await buildAuditEntry(database, organizationId, { subject });
    await settled(database, 'events');
    await again();
    const { status, error } = (await rows()).at(-1)!;
    expect([addresses, status, error]).toEqual([
      addresses,
      'PENDING',
      expect.stringContaining('The address has a host'),
    ]);
  }
  leadsTo = ['10.0.0.1'];
  dataOf(await callOwnWebhooks('REST', gateway, 'test', key, user.token));
  const [first] = dataOf(
    await callOwnWebhooks('REST', gateway, 'deliveries', { ...key, status: 'DELIVERED' }, user.token),
  );
  dataOf(await callOwnWebhooks('REST', gateway, 'redeliver', { ...key, webhook_delivery_id: first.id }, user.token));
  await settled(database, 'events');
  await again();
  expect(events()).toBe(1);
  leadsTo = ['127.0.0.1'];
  for (let times = 0; times < 8; times += 1) await again();
  expect(events()).toBe(7);
});

test('an error of the database under which nothing is sent is reported, and the delivery is claimed again', async () => {
  const errors: unknown[] = [];
  const departures = new Departures(database, (error) => errors.push(error));
  const delivery = { id: 1, lease: 'no UUID', version: 1 } as ClaimedDelivery;
  const left = departures.leave(delivery, () => Promise.reject(new Error('It was written')));
  await expect(left).rejects.toEqual(new Unsent('LATER'));
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('no UUID') })]);
});

describe('a right and a request', () => {
  const block = async () => {
    const owner = await buildPerson(database, 'owner');
    await join(database, owner, organizationId, 'ORGANIZATION_OWNER');
    const [token] = await database.rows('select id from api_token where user_id = $1', [user.id]);
    const path = `/api/v1/organizations/${organizationId}/tokens/${token!['id']}`;
    expectData(await gateway.rest.delete(path, { token: owner.token }));
  };

  test.each([
    ['the role is lowered', () => setRole('VIEWER')],
    ['the token is blocked', block],
  ])('wait for each other where %s, and what comes later is refused', async (_what, take) => {
    const endpointId = await ofUser();
    await happened(2);
    const sent = webhooks.sendDue();
    await until('they are claimed', async () => (await rows()).every(({ lease }) => lease !== null));
    const [first, second] = (await claimedOf(endpointId)) as [ClaimedDelivery, ClaimedDelivery];
    const departures = new Departures(database, ignore);
    const written: (() => void)[] = [];
    const write = () => new Promise<void>((resolve) => written.push(resolve));
    let other: Promise<void> | undefined;
    const one = departures.leave(first, () => {
      // Under the locks of the first one.
      other = departures.leave(second, write);
      return write();
    });
    await until('both are being written', async () => written.length === 2);
    let isLowered = false;
    const lowered = take().then(() => (isLowered = true));
    for (const each of written) {
      await until('the change waits', async () => (await database.rows(WAITING)).length > 0);
      expect(isLowered).toBe(false);
      each();
    }
    await Promise.all([one, other, lowered]);
    for (const delivery of [first, second]) {
      const late = departures.leave(delivery, () => Promise.reject(new Error('It was written')));
      await expect(late).rejects.toEqual(new Unsent('REFUSED'));
    }
    release();
    await sent;
    expect(await drained()).toBe(0);
  });

  test('nothing leaves while a change of its right is under way, nor after it', async () => {
    const endpointId = await ofUser();
    const owner = await buildPerson(database, 'owner');
    const organization_id = await buildOrganization(database, 'Another');
    await join(database, owner, organization_id, 'ORGANIZATION_OWNER');
    const made = await callWebhooks('REST', gateway, 'create', { organization_id, url, ...types }, owner.token);
    await buildAuditEntry(database, organization_id);
    await happened();
    const sent = webhooks.sendDue();
    await until('they are claimed', async () => (await rows()).every(({ lease }) => lease !== null));
    const [first] = (await claimedOf(endpointId)) as [ClaimedDelivery];
    const [other] = (await claimedOf(dataOf(made).webhook_endpoint.id)) as [ClaimedDelivery];
    const departures = new Departures(database, () => undefined);
    const written: string[] = [];
    let one: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await tx.rows(`update membership set role = 'VIEWER' where user_id = $1`, [user.id]);
      one = departures.leave(first, async () => void written.push('first')).catch((error: unknown) => error);
      // Judged after the first one.
      await departures.leave(other, async () => void written.push('other'));
    });
    expect(await one).toBeInstanceOf(Unsent);
    expect(written).toEqual(['other']);
    release();
    await sent;
  });

  test('race: a change gets its turn while several instances send without a pause', async () => {
    const endpointId = await ofUser();
    await happened();
    const sent = webhooks.sendDue();
    await until('it is claimed', isClaimed);
    const [delivery] = (await claimedOf(endpointId)) as [ClaimedDelivery];
    isSending = true;
    let left = 0;
    const requests: Promise<void>[] = [];
    for (let instance = 1; instance <= 5; instance += 1) {
      const departures = new Departures(database, ignore);
      const send = async () => {
        for (; isSending; left += 1)
          await departures.leave(delivery, () => sleep(1)).catch((error: Unsent) => error.why);
      };
      requests.push(send(), send());
    }
    await sleep(100);
    left = 0;
    await setRole('ORGANIZATION_MANAGER');
    isSending = false;
    // Some hundred; tens of thousands if sending did not give way to the change.
    expect(left).toBeLessThan(5_000);
    await Promise.all(requests);
    release();
    await sent;
  });

  test('race: whatever the moment is, nothing arrives that left after the COMMIT, and what may not leave is given up', async () => {
    await ofUser();
    release();
    let delivered = 0;
    for (let round = 0; round < 12; round += 1) {
      await setRole('ORGANIZATION_MANAGER');
      await happened(12);
      receiver.received = [];
      const sent = webhooks.sendDue();
      await until('some have arrived', async () => events() >= round % 6);
      await setRole('VIEWER');
      const before = await drained();
      await sent;
      await webhooks.sendDue();
      expect(await drained()).toBe(before);
      delivered += before;
    }
    const statuses = (await rows()).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'DELIVERED')).toHaveLength(delivered);
    expect(statuses).not.toContain('PENDING');
    expect(delivered).toBeLessThan(12 * 12);
  });
});
