/**
 * `npm run bench:webhooks`: many changes of one organization with ten subscribed endpoints, one of which never
 * responds. Prints a table: the delay of events after their change, lost events and those out of order; never asserted.
 */
import 'reflect-metadata';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { Connection } from './connection.js';
import { withDatabase, type Database } from './database.js';
import { addUser } from './dataset.js';
import { postgresCpu } from './postgres-cpu.js';
import { note, table } from './report.js';
import { headers, requestMakers, type RequestMaker } from './requests.js';
import { ServerProcess } from './server-process.js';
import { gatewaySettings } from './servers.js';
import { Receiver, summaryOf } from './webhook-receivers.js';

const ENDPOINTS = 10;
const WRITERS = 16;
const INCIDENTS = 512;
const SEVERITIES = ['HIGH', 'LOW'];
const SINGLE_CHANGES = 40;
/** Milliseconds to wait for the last events. */
const PATIENCE = 120_000;
/** Slices of a second in which changes are made, if they have a rate. */
const SLICES = 10;
const INCIDENTS_PATH = '/api/v1/v-ciso/incidents';

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '10000' },
    rate: { type: 'string' },
    'no-endpoints': { type: 'boolean', default: false },
  },
});
const rate = values.rate === undefined ? Infinity : Number(values.rate);
await withDatabase((database) => main(database, Number(values.changes), rate));

async function main({ url, pid, directory }: Database, changes: number, rate: number): Promise<void> {
  const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, (_, index) => Receiver.start(index > 0)));
  const database = new pg.Client({ connectionString: url, types: wireTypes });
  let gateway: ServerProcess | undefined;
  try {
    await database.connect();
    const { organizationId, token } = await fill(database);
    const env = { DATABASE_URL: url, DATA_DIR: join(directory, 'gateway'), OUTGOING_NETWORKS: '127.0.0.0/8' };
    gateway = await ServerProcess.start(gatewaySettings(env));
    const [dead, ...healthy] = receivers as [Receiver, ...Receiver[]];
    const subscribed = values['no-endpoints'] ? 0 : ENDPOINTS;
    if (subscribed > 0) await subscribe(database, gateway, { organizationId, token, receivers });
    const writers = await writersOf(gateway, organizationId, token);

    const load = loadavg();
    note(`Making ${changes} changes.`);
    const before = { cpu: await gateway.cpu(), postgres: (await postgresCpu(pid)) ?? 0 };
    const startedAt = performance.now();
    await makeChanges(writers, changes, rate);
    const changed = (performance.now() - startedAt) / 1000;
    const waiting = () => healthy.some(({ arrivals }) => new Set(arrivals.map((each) => each.position)).size < changes);
    while (subscribed > 0 && waiting() && performance.now() - startedAt - changed * 1000 < PATIENCE) await sleep(250);
    const all = (performance.now() - startedAt) / 1000;
    const cpu = ((await gateway.cpu()) - before.cpu) / 1e6;
    const ofPostgres = (((await postgresCpu(pid)) ?? 0) - before.postgres) / 1e6;
    const many = summaryOf(healthy, changes);

    for (const receiver of receivers) receiver.arrivals.length = 0;
    for (let made = 0; made < SINGLE_CHANGES; made += 1) {
      await makeChanges(writers.slice(0, 1), 1, Infinity);
      await sleep(250);
    }
    const single = summaryOf(healthy, SINGLE_CHANGES);
    const deliveries = changes * healthy.length;
    const line = (what: string, value: string, target = '') => [what, value, target];
    const rows = [
      line('changes', `${changes} in ${changed.toFixed(1)} s, ${(changes / changed).toFixed(0)} a second`),
      line('deliveries', `${deliveries} in ${all.toFixed(1)} s, ${(deliveries / all).toFixed(0)} a second`),
      line('lost', String(many.lost), '0'),
      line('more than once', String(many.again)),
      line('out of order within a subject', String(many.unordered), '0'),
      line('from change to arrival, p50 / p95 / most, ms', many.times, 'p95 under 5000'),
      line('of single changes, p50 / p95 / most, ms', single.times, 'p50 under 500'),
      line('requests at the one that does not answer', String(dead.requests)),
      line('processor time of the gateway / PostgreSQL, s', `${cpu.toFixed(1)} / ${ofPostgres.toFixed(1)}`),
      line('load of the machine before / after', `${load[0]?.toFixed(2)} / ${loadavg()[0]?.toFixed(2)}`),
    ];
    process.stdout.write(`${table(['', 'measured', 'target'], rows)}\n`);
  } finally {
    await gateway?.stop();
    await database.end();
    for (const receiver of receivers) receiver.close();
  }
}

/** One organization with a manager and incidents. */
async function fill(database: pg.Client) {
  const { id, token } = await addUser(database, 'writer');
  const { rows } = await database.query<{ id: number }>(
    `with created as (
       insert into organization (name, logo, sectors, industries, compliance_frameworks, contacts, domains, ips)
       values ('Writes', '', '{}', '{}', '[]', '[]', '{}', '{}') returning id)
     insert into membership (user_id, organization_id, role) select $1, id, 'ORGANIZATION_MANAGER' from created
     returning organization_id as id`,
    [id],
  );
  return { organizationId: rows[0]!.id, token };
}

interface Subscribed {
  organizationId: number;
  token: string;
  receivers: readonly Receiver[];
}

/** The first one is created through the API; the others are copies, since an organization may have five. */
async function subscribe(
  database: pg.Client,
  gateway: ServerProcess,
  { organizationId, token, receivers }: Subscribed,
) {
  const [first, ...others] = receivers.map(({ url }) => url);
  const event_types = ['incident.updated'];
  await post(gateway, `/api/v1/organizations/${organizationId}/webhooks`, token, { url: first, event_types });
  await database.query(
    `insert into webhook_endpoint (organization_id, url, actions, format, secret, enabled_by_id)
     select organization_id, other, actions, format, secret, enabled_by_id from webhook_endpoint, unnest($1::text[]) other`,
    [others],
  );
}

async function post(gateway: ServerProcess, path: string, token: string, body: object) {
  const type = { 'Content-Type': 'application/json' };
  const sent = { method: 'POST', headers: { ...headers(token), ...type }, body: JSON.stringify(body) };
  const response = await fetch(`${gateway.url}${path}`, sent);
  const answer = (await response.json()) as { data: { id: number }; messages: unknown };
  if (response.status !== 201) throw new Error(`${path} was answered with ${response.status}: ${answer.messages}`);
  return answer.data;
}

interface Writer {
  connection: Connection;
  make: RequestMaker;
}

/** Each writer changes different incidents, one after the other. */
async function writersOf(gateway: ServerProcess, organizationId: number, token: string): Promise<Writer[]> {
  const path = `${INCIDENTS_PATH}/${organizationId}`;
  const open = { title: 'Unusual outgoing traffic', severity: SEVERITIES[1] };
  return Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const ids: number[] = [];
      while (ids.length < INCIDENTS / WRITERS) ids.push((await post(gateway, path, token, open)).id);
      const variants = SEVERITIES.flatMap((severity) =>
        ids.map((id) => ({ path: `${path}/${id}`, headers: {}, body: JSON.stringify({ severity }) })),
      );
      const request = { method: 'PATCH', paths: [], headers: headers(token), variants, status: 200 } as const;
      const [make] = requestMakers(request, 1) as [RequestMaker];
      return { connection: await Connection.open(gateway.port), make };
    }),
  );
}

async function makeChanges(writers: readonly Writer[], changes: number, rate: number): Promise<void> {
  const startedAt = performance.now();
  let made = 0;
  await Promise.all(
    writers.map(async ({ connection, make }) => {
      while (made < changes) {
        const early = Math.floor((made / rate) * SLICES) * (1000 / SLICES) - (performance.now() - startedAt);
        made += 1;
        if (early > 0) await sleep(early);
        const { status, body } = await connection.send(make());
        if (status !== 200) throw new Error(`A change was answered with ${status}: ${body.toString()}`);
      }
    }),
  );
}
