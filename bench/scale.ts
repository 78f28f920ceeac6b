/**
 * `npm run bench:scale`: lists, search and jobs with ten thousand and with a million rows, side by side. Prints a table; a
 * ratio above its target is marked, never asserted.
 */
import 'reflect-metadata';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { createApp } from '../src/app/app.js';
import { readConfig } from '../src/config.js';
import { createLogger } from '../src/logger.js';
import { ReportingRegimes } from '../src/services/incidents/reporting-regimes.js';
import { WorkflowCatalog } from '../src/services/workflows/catalog.js';
import { workDue } from '../test/support/jobs.js';
import { Connection } from './connection.js';
import { withDatabase } from './database.js';
import { postgresCpu } from './postgres-cpu.js';
import { note, table } from './report.js';
import { headers, requestMakers } from './requests.js';
import { fillScale, LARGE, MEASURED, SMALL, type Scale } from './scale-data.js';
import { untilSealed } from './sealed.js';
import { ServerProcess } from './server-process.js';
import { gatewaySettings } from './servers.js';

const REQUESTS = 200;
/** Time limit in milliseconds of the requests of one line of the table. */
const LINE_MS = 15_000;
const PAGE = 'limit=10';

/** Result of a line for one size, in milliseconds. */
interface Figures {
  p50: number;
  p95?: number;
  /** Processor time of PostgreSQL for one request; undefined where the system does not report it. */
  postgres?: number | undefined;
  /** The error, if the result is not "ok". */
  note?: string;
}

const INCIDENTS = `/api/v1/v-ciso/incidents/${MEASURED}`;
const DOCUMENTS = `/api/v1/v-ciso/organizations/${MEASURED}/documents`;
const TRAIL = `/api/v1/organizations/${MEASURED}/audit-trail`;
const MEMBERS = `/api/v1/organizations/${MEASURED}/users`;

/** Lists by path; a deep offset skips half of the rows. */
function paths({ notifications, incidents, entries }: Scale): [title: string, path: string][] {
  const half = (rows: number) => `offset=${rows / 200}`;
  return [
    ['notifications', `/api/v1/notifications?${PAGE}`],
    ['notifications, unread', `/api/v1/notifications?${PAGE}&read=false`],
    ['notifications of a type', `/api/v1/notifications?${PAGE}&type=DEVICE`],
    ['notifications of an organization', `/api/v1/notifications?${PAGE}&organization_id=${MEASURED}`],
    ['notifications, deep offset', `/api/v1/notifications?${PAGE}&${half(notifications)}`],
    ['unread count', '/api/v1/notifications/unread-count'],
    ['organizations', `/api/v1/organizations?${PAGE}`],
    ['members', `${MEMBERS}?${PAGE}`],
    ['members by role', `${MEMBERS}?${PAGE}&role=VIEWER`],
    ['members found by name', `${MEMBERS}?${PAGE}&search=user12`],
    ['incidents', `${INCIDENTS}?${PAGE}`],
    ['incidents by status', `${INCIDENTS}?${PAGE}&status=OPEN`],
    ['incidents, deep offset', `${INCIDENTS}?${PAGE}&${half(incidents)}`],
    ['documents', `${DOCUMENTS}?${PAGE}`],
    ['documents of an artifact', `${DOCUMENTS}?${PAGE}&artifact_id=A.5.7`],
    ['devices', `/api/v1/cloud-defender?${PAGE}`],
    ['devices of an organization', `/api/v1/cloud-defender?${PAGE}&organization_id=${MEASURED}`],
    ['audit trail', `${TRAIL}?${PAGE}`],
    ['audit trail by action', `${TRAIL}?${PAGE}&action=INCIDENT_OPENED`],
    ['audit trail, deep offset', `${TRAIL}?${PAGE}&${half(entries)}`],
    ['search, common word', `/api/v1/search?${PAGE}&q=phishing`],
    ['search, rare word', `/api/v1/search?${PAGE}&q=quetzal`],
    ['search, two letters', `/api/v1/search?${PAGE}&q=ph`],
    ['search, no hit', `/api/v1/search?${PAGE}&q=xylophone`],
  ];
}

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rows: { type: 'string' } } });
  if (values.rows !== undefined && values.rows !== 'small') throw new Error('--rows must be small, or be left out');
  const small = await measure(SMALL);
  const large = values.rows === 'small' ? new Map<string, Figures>() : await measure(LARGE);
  const rows = [...small].map(([title, figures]) => line(title, figures, large.get(title)));
  const heads = ['p50', 'p95', 'PostgreSQL'];
  const of = ({ name }: Scale) => heads.map((head) => `${name}: ${head}, ms`);
  process.stdout.write(`${table(['', ...of(SMALL), ...of(LARGE), 'large / small'], rows)}\n`);
}

function measure(scale: Scale): Promise<Map<string, Figures>> {
  return withDatabase(async ({ url, pid, directory }) => {
    const startedAt = performance.now();
    const token = await fillScale(url, scale);
    note(`${scale.name}: filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    const figures = new Map<string, Figures>();
    const env = { DATABASE_URL: url, DATA_DIR: join(directory, 'gateway'), JOBS: '0' };
    const gateway = await ServerProcess.start(gatewaySettings(env));
    try {
      await untilSealed(url);
      note(`${scale.name}: sealed after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
      for (const [title, path] of paths(scale)) figures.set(title, await requests(gateway, path, token, pid));
    } finally {
      await gateway.stop();
    }
    await jobs(env, figures);
    return figures;
  });
}

/** Sequential requests over one connection; a response other than 200 ends them. */
async function requests({ port }: ServerProcess, path: string, token: string, postmaster: number): Promise<Figures> {
  const [make] = requestMakers({ method: 'GET', paths: [path], headers: headers(token), status: 200 }, 1);
  const connection = await Connection.open(port);
  try {
    const request = async () => {
      const since = performance.now();
      const { status, body } = await connection.send(make!());
      return { ms: performance.now() - since, failure: status === 200 ? undefined : `${status} ${body.toString()}` };
    };
    // The first request prepares the statements.
    const { ms, failure } = await request();
    if (failure !== undefined) return { p50: ms, note: failure };
    const before = await postgresCpu(postmaster);
    const taken: number[] = [];
    const deadline = performance.now() + LINE_MS;
    while (taken.length < REQUESTS && performance.now() < deadline) taken.push((await request()).ms);
    const sorted = taken.toSorted((one, other) => one - other);
    const after = await postgresCpu(postmaster);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)]!;
    const postgres = before === undefined || after === undefined ? undefined : (after - before) / 1000 / sorted.length;
    return { p50: at(0.5), p95: at(0.95), postgres };
  } finally {
    connection.close();
  }
}

/** Jobs run in this process, one at a time, as one instance runs them. */
async function jobs(env: Record<string, string>, figures: Map<string, Figures>): Promise<void> {
  const config = readConfig({ ...env, SECRET_KEY: 'a key for measuring that is long enough to be one', DEMO: '0' });
  const catalog = WorkflowCatalog.load(fileURLToPath(new URL('../catalog', import.meta.url)));
  const regimes = ReportingRegimes.load(fileURLToPath(new URL('../catalog/regimes', import.meta.url)));
  const log = createLogger('fatal');
  const app = await createApp({ config, databaseUrl: env['DATABASE_URL']!, catalog, regimes, log });
  const client = new pg.Client({ connectionString: env['DATABASE_URL'], types: wireTypes });
  await client.connect();
  const timed = async (title: string, work: () => Promise<unknown>, parts = 1) => {
    const since = performance.now();
    const failure = await work().then(
      () => undefined,
      (error: Error) => error.message,
    );
    const p50 = (performance.now() - since) / parts;
    figures.set(title, failure === undefined ? { p50 } : { p50, note: failure });
  };
  const count = async (from: string) =>
    (await client.query<{ rows: number }>(`select count(*)::int as rows from ${from}`)).rows[0]!.rows;
  try {
    // The first run stores what became due while nothing ran; the next one clears the index of the changed rows.
    for (let run = 0; run < 2; run += 1) await app.jobs.run('incidentReminders.remind');
    await timed('reminders, nothing due', () => app.jobs.run('incidentReminders.remind'));
    await timed('weekly reports, finding what is due', () => app.jobs.run('weeklyReportPosting.enqueueDue'));
    const batches = await count(`pgboss.job where name = 'weekly-report'`);
    await timed('weekly reports, a batch of 50 organizations', () => workDue(app, 'weekly-report'), batches);
    await timed('weekly reports, nothing due', () => app.jobs.run('weeklyReportPosting.enqueueDue'));
    const mails = await count('outgoing_mail');
    await timed('weekly reports, delivery of one mail into a file', deliver, mails);
    await client.query(`update organization set deleted_at = now() - interval '40 days' where id = ${MEASURED}`);
    const owned = ['notification', 'incident', 'document_version', 'cloud_defender_check'];
    const all = owned.map((name) => `select organization_id from ${name}`).join(' union all ');
    const rows = await count(`(${all}) x where organization_id = ${MEASURED}`);
    await timed('purge, 500 rows', () => app.jobs.run('organizationPurge.purgeDeleted'), rows / 500);
  } finally {
    await client.end();
    await app.close();
  }

  async function deliver(): Promise<void> {
    app.jobs.start();
    while ((await count(`outgoing_mail where state = 'QUEUED'`)) > 0) await sleep(50);
  }
}

function line(title: string, small: Figures, large: Figures | undefined): string[] {
  const cells = (figures: Figures | undefined) =>
    figures === undefined
      ? ['', '', '']
      : [figures.note ?? figures.p50.toFixed(1), figures.p95?.toFixed(1) ?? '', figures.postgres?.toFixed(2) ?? ''];
  // PostgreSQL's own time where it is known: it hardly depends on the load of the machine.
  const cost = ({ postgres, p50 }: Figures) => postgres ?? p50;
  const most = title.includes('deep offset') ? 3 : 2;
  const ratio = large === undefined ? 0 : cost(large) / cost(small);
  const verdict = large === undefined ? '' : `${ratio.toFixed(1)}${ratio > most ? ` (target ${most})` : ''}`;
  return [title, ...cells(small), ...cells(large), verdict];
}
