import { createRequire } from 'node:module';
import type { Client } from 'pg';
import { JOBS_SCHEMA, openBoss, QUEUES } from './queues.js';

/** Whether the queue library's tables, and all queues, are there as this program wants them. */
export async function jobsAreInstalled(client: Client): Promise<boolean> {
  if ((await installedVersion(client)) !== wantedVersion()) return false;
  const { rows } = await client.query<{ name: string }>(`select name from ${JOBS_SCHEMA}.queue`);
  const there = new Set(rows.map(({ name }) => name));
  return QUEUES.every(({ name }) => there.has(name));
}

/** Whether a newer program has brought the queue library's tables to a version that this one does not know. */
export async function jobsAreNewer(client: Client): Promise<boolean> {
  const version = await installedVersion(client);
  return version !== undefined && version > wantedVersion();
}

/**
 * Makes the library's tables or brings them to its version, and makes the queues: a part of migrating, so that a role
 * that may change tables is needed there and nowhere else. The caller holds the lock of migrations: two at once would fail.
 */
export async function installJobs(client: Client): Promise<void> {
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss');
  const version = await installedVersion(client);
  if (version === undefined) await client.query(getConstructionPlans(JOBS_SCHEMA));
  else if (version < wantedVersion()) await client.query(getMigrationPlans(JOBS_SCHEMA, version));
  const boss = await openBoss({ executeSql: (text, values) => client.query(text, values) });
  for (const { name, policy, settings } of QUEUES) await boss.createQueue(name, { policy, ...settings });
}

async function installedVersion(client: Client): Promise<number | undefined> {
  const { rows: tables } = await client.query(`select to_regclass('${JOBS_SCHEMA}.version') is not null as there`);
  if (!tables[0].there) return undefined;
  const { rows } = await client.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`);
  return rows[0]?.version;
}

/** The library says it in its package, so that most starts learn it without loading the library. */
function wantedVersion(): number {
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } };
  return pgboss.schema;
}
