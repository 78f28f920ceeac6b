import { afterAll, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { dataOf } from '../support/apis.js';
import { buildAuditEntry } from '../support/audit.js';
import { readEvents } from '../support/events.js';
import { newMember } from '../support/people.js';
import { until } from '../support/until.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { buildOrganization } from '../support/test-data.js';
import { callWebhooks, type WebhookOperation } from '../support/webhooks.js';

/** The receivers of docs/webhooks.md, run as printed there. */
const COMMANDS: Readonly<Record<string, string>> = { js: process.execPath, python: 'python3' };
const guide = readFileSync(resolve(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const PROGRAMS = [...guide.matchAll(/^```(js|python)\n([^]+?)^```/gm)].map(([, language, code]) => ({
  ...{ language: language!, code: code! },
}));

const { gateway } = await startSeededGateway();
const { database, webhooks } = gateway.app;
const folder = mkdtempSync(join(tmpdir(), 'webhooks-guide-'));
const running: ChildProcess[] = [];

afterAll(() => {
  for (const each of running) each.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs a receiver, until it listens. */
async function start({ language, code }: (typeof PROGRAMS)[number], port: number, secret: string) {
  const file = join(folder, `${running.length}.${language === 'js' ? 'mjs' : 'py'}`);
  writeFileSync(file, code);
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret, NODE_OPTIONS: '' };
  const child = spawn(COMMANDS[language]!, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const lines: string[] = [];
  createInterface(child.stdout!).on('line', (line) => lines.push(line));
  await until(
    () =>
      new Promise((done) => {
        const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
        socket.on('connect', () => socket.destroy());
      }),
  );
  return { child, lines };
}

test('the guide has a receiver in each language', () => {
  expect(PROGRAMS.map(({ language }) => language)).toEqual(['js', 'python']);
});

for (const program of PROGRAMS) {
  const isInstalled = spawnSync(COMMANDS[program.language]!, ['--version']).status === 0;
  (isInstalled ? test : test.skip)(
    `the receiver in ${program.language} accepts what is genuine, is away, is sent what it has missed, finds the same in the feed, and goes on with a new secret`,
    async () => {
      const organization_id = await buildOrganization(database, 'Of the guide');
      const { token } = await newMember(database, organization_id, 'ORGANIZATION_MANAGER');
      const run = async (name: WebhookOperation, input: object) =>
        dataOf(await callWebhooks('REST', gateway, name, { organization_id, ...input }, token));
      const port = await freePort();
      const types = ['incident.opened', 'incident.updated', 'incident.closed'];
      const input = { url: `http://127.0.0.1:${port}/`, event_types: types };
      const { secret, webhook_endpoint } = await run('create', input);
      const key = { webhook_endpoint_id: webhook_endpoint.id };
      const happens = async (action: 'INCIDENT_OPENED' | 'INCIDENT_UPDATED' | 'INCIDENT_CLOSED') => {
        await buildAuditEntry(database, organization_id, { action });
        await settled(database, 'events');
        await webhooks.sendDue();
      };
      /** Makes all waiting deliveries due, as if time had passed. */
      const pass = async () => {
        await database.rows(
          `update webhook_delivery set next_attempt_at = now() - interval '1 second' where status = 'PENDING' and organization_id = $1`,
          [organization_id],
        );
        await database.rows('update webhook_endpoint set paused_until = null where id = $1', [webhook_endpoint.id]);
        await webhooks.sendDue();
      };

      // It is not running yet: three are missed.
      for (const action of ['INCIDENT_OPENED', 'INCIDENT_UPDATED', 'INCIDENT_CLOSED'] as const) await happens(action);
      const request = { organization_id, types };
      const { events } = await readEvents('REST', gateway, request, token);
      const expected = events.map(({ id, type }) => `${id} ${type}`);
      expect(expected).toHaveLength(3);

      const first = await start(program, port, secret);
      await until(async () => {
        await pass();
        return first.lines.length === 3;
      });
      expect(first.lines).toEqual(expected);

      // The secret was rotated, and both sign.
      const rotated = await run('rotate', key);
      await happens('INCIDENT_OPENED');
      await until(async () => first.lines.length === 4);
      first.child.kill('SIGKILL');
      await once(first.child, 'exit');
      const second = await start(program, port, rotated.secret);
      await happens('INCIDENT_CLOSED');
      await until(async () => {
        await pass();
        return second.lines.length === 1;
      });
      second.child.kill('SIGKILL');
      await once(second.child, 'exit');

      // With a wrong secret nothing is accepted.
      const wrong = await start(program, port, `whsec_${Buffer.alloc(32).toString('base64')}`);
      await happens('INCIDENT_OPENED');
      await until(async () => {
        await pass();
        const [delivery] = await run('deliveries', key);
        return delivery.status_code === 401;
      });
      expect(wrong.lines).toEqual([]);
    },
  );

  (isInstalled ? test : test.skip)(
    `the receiver in ${program.language} passes over what comes again, and over nothing that has an id of before since a restore`,
    async () => {
      const [secret, port] = [`whsec_${Buffer.alloc(32, 'k').toString('base64')}`, await freePort()];
      const receiver = await start(program, port, secret);
      const post = async (at: string) => {
        const [now, body] = [new Date(), JSON.stringify({ id: '1/42', type: 'incident.opened', at })];
        const headers = {
          'webhook-id': '1/42',
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('1/42', now, body),
        };
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      };
      const [before, since] = ['2026-11-20T08:15:30.500Z', '2026-11-20T09:00:00.000Z'];
      for (const at of [before, before, since, since]) expect(await post(at)).toBe(204);
      await until(async () => receiver.lines.length === 2);
      expect(receiver.lines).toEqual(['1/42 incident.opened', '1/42 incident.opened']);
      receiver.child.kill('SIGKILL');
      await once(receiver.child, 'exit');
    },
  );
}
