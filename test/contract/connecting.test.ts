import { afterAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { curlRequest } from '../support/curl.js';
import { Browser, startProvider } from '../support/identity-providers.js';
import { follow, take } from '../support/live.js';
import { newMember } from '../support/people.js';
import { startSharedReceiver, verified } from '../support/receivers.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization } from '../support/test-data.js';

/** The requests of the guide, extracted from it and sent in order. */
const GUIDE = readFileSync(resolve(import.meta.dirname, '../../docs/connecting.md'), 'utf8');
const STEPS = [...GUIDE.matchAll(/^\*\*(\d+)\. [\s\S]+?```sh\n([\s\S]+?)```/gm)].map(([, , shell]) => shell!);

const records = new Map<string, string>();
const { gateway } = await startSeededGateway({
  resolveTxt: async (name) => [[records.get(name) ?? '']],
});
const { url } = gateway;
const { database, webhooks } = gateway.app;
const receiver = await startSharedReceiver();
const provider = await startProvider(`${url}/sign-in/callback`, {
  anna: { email: 'anna@valdoria.example', email_verified: true },
});
afterAll(() => provider.close());

/** The shell variables of the reader, by their names in the guide. */
const shell: Record<string, string> = { API: '/api/v1' };

let next = 0;

/** Sends the next request of the guide. */
async function step(status = 200) {
  const { method, url: path, headers, body } = curlRequest(STEPS[next]!, shell);
  next += 1;
  const response = await fetch(new URL(path, url), { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  expect([`${next}. ${method} ${path}`, response.status, text]).toEqual([`${next}. ${method} ${path}`, status, text]);
  return JSON.parse(text);
}

/** Enqueues events for the receiver, and sends them. */
async function delivered() {
  await settled(database, 'events');
  await webhooks.sendDue();
}

async function signIn(): Promise<Browser> {
  const browser = new Browser();
  const begun = await browser.begin(url, 'valdoria');
  const { url: at } = await browser.visit(begun.url);
  const page = await browser.visit(at, { prompt: 'login', login: 'anna', password: 'any' });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('You are signed in as')]);
  return browser;
}

test('an organization is connected, a member comes in, works, is heard of and leaves, as the guide says', async () => {
  expect(STEPS).toHaveLength(11);
  const organization = await buildOrganization(database, 'Valdoria');
  const owner = await newMember(database, organization, 'ORGANIZATION_OWNER');
  Object.assign(shell, { TOKEN: owner.token, ORG: String(organization), RECEIVER: receiver.url });
  Object.assign(shell, { ISSUER: provider.issuer, CLIENT_SECRET: 'a secret of the client' });

  const { data: connected } = await step(201);
  for (const proof of connected.domain_proofs) records.set(proof.record_name, proof.record_text);
  shell['PROVIDER'] = String(connected.id);
  expect((await step()).data.domain_proofs).toMatchObject([{ status: 'VERIFIED' }]);

  shell['SCIM'] = (await step()).data.url.replace('http://localhost:4000', '');
  shell['DIRECTORY'] = (await step(201)).data.token;
  shell['PERSON'] = (await step(201)).id;

  const browser = await signIn();
  shell['ANNA'] = browser.cookie(url, 'session')!;
  expect((await step()).data.name).toBe('Valdoria');

  const { data: created } = await step(201);
  const { secret } = created;
  shell['ENDPOINT'] = String(created.webhook_endpoint.id);
  const latest = await gateway.rest.get('/api/v1/events?after=latest', { token: owner.token });
  const incident = (await step(201)).data;
  await delivered();
  const [opened] = receiver.received;
  expect(verified(secret, opened!)).toMatchObject({ type: 'incident.opened', subject: { id: String(incident.id) } });

  // It fails every delivery: three changes are missed.
  receiver.answer = (response) => void response.writeHead(503).end();
  const changed = `/api/v1/v-ciso/incidents/${organization}/${incident.id}`;
  const asAnna = { token: shell['ANNA'] };
  await gateway.rest.patch(changed, { ...asAnna, body: { severity: 'CRITICAL' } });
  await gateway.rest.patch(changed, { ...asAnna, body: { severity: 'LOW' } });
  await gateway.rest.post(`${changed}/close`, { ...asAnna, body: {} });
  await delivered();
  shell['CURSOR'] = /after=([\w-]+)/.exec(latest.headers.get('link')!)![1]!;
  const missed = (await step()).data;
  expect(missed.map(({ type }: { type: string }) => type)).toEqual([
    ...['incident.updated', 'incident.updated', 'incident.closed'],
  ]);

  const rotated = (await step()).data.secret;
  receiver.received.length = 0;
  receiver.answer = (response) => void response.writeHead(204).end();
  await until(async () => {
    await database.rows(
      `update webhook_delivery set next_attempt_at = now() - interval '1 second' where status = 'PENDING'`,
    );
    await database.rows('update webhook_endpoint set paused_until = null');
    await webhooks.sendDue();
    return receiver.received.length === 3;
  });
  for (const received of receiver.received) expect(verified(rotated, received)).toEqual(verified(secret, received));
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    missed.map(({ id }: { id: string }) => id),
  );

  const stream = follow(gateway, 'SSE', {
    query: 'subscription { eventAdded { node { type } } }',
    token: shell['ANNA'],
  });
  const ended = take(stream, 100);
  await step();
  expect((await gateway.rest.get('/api/v1/organizations', asAnna)).status).toBe(401);
  expect((await ended).length).toBeLessThan(100);
  const { text } = await browser.visit(`${url}/sign-in`);
  expect(text).not.toContain('You are signed in as');
});
