import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../src/database/database.js';
import { JOB_LIMITS } from '../../../src/database/time-limits.js';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { storedBlobs } from '../../resilience/support/evidence.js';
import { until } from '../../support/until.js';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.js';
import { send } from '../support/http.js';
import { uploadForms, versionIn } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

/** Apparent age of all files in days: far above the threshold of a sweep. */
const AGE = 60;
const NIGHTS = 2;

/** Other gateways on the storage of one in production, as in a drill or by mistake: it loses no file. */
export async function storage({ installation, start, facts, report, count }: Testbed): Promise<void> {
  const { files, databaseUrl } = installation;
  let production = await start();
  const uploads = count(40);
  const ids: number[] = [];
  for (let at = 0; at < uploads; at += 1) {
    const form = uploadForms(facts, `A.5.${1 + (at % 30)}`, facts.tokens.analyst)[0] as (bytes: Buffer) => object;
    const { text } = await send(production, form(Buffer.from(`evidence ${at}`)) as never);
    ids.push(versionIn(text) as number);
  }
  await age(files);
  await production.end();
  await installation.database.close();
  const copy = await copyDatabase({ url: databaseUrl } as TestDatabase);
  const empty = await createTestDatabase();
  production = await start();
  const before = (await storedBlobs(files)).toSorted();
  const others = { 'a restored copy': copy, 'an empty database': empty };
  try {
    for (const [what, database] of Object.entries(others)) {
      const other = await start({ DATABASE_URL: database.url, STORAGE_URL: `file:${files}`, JOBS: '1' });
      if (database === copy) await deleteAll(other, ids, facts);
      await sweepOften(database);
      const { status } = await send(other, { path: '/health/live' });
      const after = (await storedBlobs(files)).toSorted();
      const isUnchanged = status === 200 && before.join() === after.join();
      report.record(
        `a gateway on ${what} beside production`,
        before.length,
        isUnchanged,
        `${after.length} files after it`,
      );
      await other.end();
      const isLogged = /"agreement":"another (database|installation)"/.test(other.out);
      report.record(`${what} is named in the log`, 1, isLogged);
    }
    let whole = 0;
    for (const id of ids) if (await isDownloaded(production, id, facts)) whole += 1;
    report.record('production serves every file afterwards', ids.length, whole === ids.length, `${whole} served`);
  } finally {
    await installation.killAll();
    await copy.drop();
    await empty.drop();
  }
}

async function age(files: string): Promise<void> {
  const then = new Date(Date.now() - AGE * 24 * 60 * 60_000);
  const entries = await readdir(join(files, 'blobs'), { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
}

/** Runs the sweeps of several nights on the gateway of a database. */
async function sweepOften({ url }: TestDatabase): Promise<void> {
  const database = await Database.open(url, 2, JOB_LIMITS);
  try {
    for (let night = 0; night < NIGHTS; night += 1) {
      await database.rows(`update unreferenced_content set since = since - interval '1 day'`);
      const [{ id } = { id: '' }] = await database.rows<{ id: string }>(
        `insert into pgboss.job (name, data) values ('periodic', '{"name":"storageSweep.sweep"}') returning id::text`,
      );
      const state = () =>
        database.rows<{ state: string }>('select state::text from pgboss.job where id = $1::uuid', [id]);
      await until('the storage is swept', async () => (await state())[0]?.state === 'completed', 60_000);
    }
  } finally {
    await database.close();
  }
}

async function deleteAll(gateway: GatewayProcess, ids: number[], facts: Testbed['facts']): Promise<void> {
  for (const id of ids)
    await send(gateway, {
      method: 'DELETE',
      path: `/api/v1/v-ciso/organizations/${facts.organization_id}/documents/${id}`,
      token: facts.tokens.owner,
    });
}

async function isDownloaded(gateway: GatewayProcess, id: number, facts: Testbed['facts']): Promise<boolean> {
  const path = `/api/v1/v-ciso/organizations/${facts.organization_id}/documents/${id}`;
  const { text } = await send(gateway, { path, token: facts.tokens.viewer });
  const url = new URL((JSON.parse(text) as { data: { download_url: string } }).data.download_url);
  return (await send(gateway, { path: url.pathname + url.search })).status === 200;
}
