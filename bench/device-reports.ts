/**
 * `npm run bench:devices`: cost in PostgreSQL of a device report that is sent alone, and of one among many in a
 * request. Prints a table; never asserted. `--alone` omits requests with many, which older builds do not support.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { withDatabase, type Database } from './database.js';
import { addUser } from './dataset.js';
import { postgresCpu } from './postgres-cpu.js';
import { note, table } from './report.js';
import { ServerProcess } from './server-process.js';
import { gatewaySettings } from './servers.js';

const ORGANIZATIONS = 1_000;
/** Edge protections of each organization. */
const DEVICES = 2;
const ALL = ORGANIZATIONS * DEVICES;
/** Milliseconds between two instants at which every device reports. */
const MOMENT = 60_000;

interface Mode {
  name: string;
  /** Reports of one request; 1 is a request of one device. */
  size: number;
  /** Reports per second. */
  rate: number;
  reports: number;
}

const MODES: readonly Mode[] = [
  { name: 'alone, 100 a second', size: 1, rate: 100, reports: 1_500 },
  { name: 'alone, as fast as 64 connections send', size: 1, rate: Infinity, reports: 6_000 },
  { name: '20 in a request', size: 20, rate: Infinity, reports: 10_000 },
  { name: '100 in a request', size: 100, rate: Infinity, reports: 20_000 },
  { name: '500 in a request', size: 500, rate: Infinity, reports: 40_000 },
];
const CONNECTIONS = 64;

const { values } = parseArgs({ options: { alone: { type: 'boolean', default: false } } });
const modes = MODES.filter(({ size }) => size === 1 || !values.alone);
await withDatabase((database) => main(database, modes));

async function main({ url, pid, directory }: Database, modes: readonly Mode[]): Promise<void> {
  const database = new pg.Client({ connectionString: url, types: wireTypes });
  let gateway: ServerProcess | undefined;
  try {
    await database.connect();
    const { token, ids } = await fill(database);
    const env = { DATABASE_URL: url, DATA_DIR: join(directory, 'gateway'), JOBS: '0' };
    gateway = await ServerProcess.start(gatewaySettings(env));
    const send = sending(gateway.port, token, ids);
    await run(send, { name: '', size: 1, rate: Infinity, reports: 2_000 });
    if (!values.alone) await run(send, { name: '', size: 100, rate: Infinity, reports: 4_000 });
    const results: string[][] = [];
    for (const mode of modes) {
      note(mode.name);
      const before = {
        gateway: await gateway.cpu(),
        postgres: (await postgresCpu(pid)) ?? 0,
        ...(await flushed(database)),
      };
      const seconds = await run(send, mode);
      const after = {
        gateway: await gateway.cpu(),
        postgres: (await postgresCpu(pid)) ?? 0,
        ...(await flushed(database)),
      };
      const each = (name: keyof typeof before) => (after[name] - before[name]) / mode.reports;
      results.push([
        ...[mode.name, each('postgres').toFixed(0), each('gateway').toFixed(0), each('transactions').toFixed(3)],
        ...[each('wal').toFixed(0), (mode.reports / seconds).toFixed(0)],
      ]);
    }
    const head = ['reports', 'PostgreSQL CPU, µs / report', 'gateway CPU, µs / report', 'transactions / report'];
    process.stdout.write(`${table([...head, 'WAL, bytes / report', 'reports / s'], results)}\n`);
  } finally {
    await gateway?.stop();
    await database.end();
  }
}

/** One user who manages all organizations. */
async function fill(database: pg.Client): Promise<{ token: string; ids: number[] }> {
  const { id, token } = await addUser(database, 'collector');
  await database.query(`update api_token set scopes = '{telemetry}' where user_id = $1`, [id]);
  const { rows } = await database.query<{ id: number }>(
    `with made as (
       insert into organization (name, logo, sectors, industries, compliance_frameworks, contacts, domains, ips)
       select 'Organization ' || n, '', '{}', '{}', '[]', '[]', '{}', '{}' from generate_series(1, $2::int) n returning id),
     managed as (insert into membership (user_id, organization_id, role) select $1, id, 'ORGANIZATION_MANAGER' from made)
     insert into cloud_defender (organization_id, email, fqdn, endpoint, services)
     select id, 'edge@example.com', 'www' || n || '.example.com', '192.0.2.10', '{waf}' from made, generate_series(1, $3::int) n
     returning id`,
    [id, ORGANIZATIONS, DEVICES],
  );
  // Excludes report tables: planned as empty, they would be read by sequential scans until the next ANALYZE.
  await database.query('analyze organization, membership, cloud_defender');
  return { token, ids: rows.map((row) => row.id) };
}

/** Committed transactions and bytes of WAL. */
async function flushed(database: pg.Client): Promise<{ transactions: number; wal: number }> {
  // Statistics of a session are published when it has been idle for a moment.
  await sleep(1_500);
  const { rows } = await database.query<{ transactions: number; wal: number }>(
    `select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as transactions,
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`,
  );
  return rows[0]!;
}

type Send = (size: number) => Promise<void>;

/** Each report is of the next device; when all have reported, of the next instant. */
function sending(port: number, token: string, ids: readonly number[]): Send {
  const begin = Date.now() - 60 * 24 * 60 * MOMENT;
  let count = 0;
  const next = () => {
    const [place, moment] = [count % ALL, Math.floor(count / ALL)];
    count += 1;
    const [webStat, stat] = [
      { waf_protection: 41, total_managed_requests: 15_230 },
      { fqdn: 1, proxy: 1, endpoint: 1 },
    ];
    const report = { datetime: new Date(begin + moment * MOMENT).toISOString(), web_stat: webStat, stat };
    return { id: ids[place]!, report };
  };
  return async (size) => {
    const sent = Array.from({ length: size }, next);
    const [path, reports] =
      size === 1
        ? [`${sent[0]!.id}/checks`, [sent[0]!.report]]
        : ['checks/batch', sent.map(({ id, report }) => ({ cloud_defender_id: id, ...report }))];
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/cloud-defender/${path}`, {
      method: 'POST',
      headers: { 'x-service-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ reports }),
    });
    const text = await answer.text();
    if (answer.status !== 200 || text.includes('REFUSED')) throw new Error(`${answer.status}: ${text.slice(0, 300)}`);
  };
}

/** Returns the duration in seconds. */
async function run(send: Send, { size, rate, reports }: Mode): Promise<number> {
  const startedAt = performance.now();
  let begun = 0;
  const connections = Math.max(1, Math.min(CONNECTIONS, Math.floor(2_000 / size)));
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (begun < reports) {
        const early = (begun / rate) * 1000 - (performance.now() - startedAt);
        begun += size;
        if (early > 0) await sleep(early);
        await send(size);
      }
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
