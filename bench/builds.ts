import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { wireTypes } from '../src/database/wire.js';
import { fillDatabase, type Facts } from './dataset.js';
import { ServerProcess } from './server-process.js';
import { gatewaySettings, type Surroundings } from './servers.js';

/** A gateway with a database of its own: builds may have other tables. */
export interface Build {
  name: string;
  gateway: ServerProcess;
  databaseUrl: string;
  database: pg.Client;
  facts: Facts;
}

/** Runs `work` with this build, after that of another checkout if `base` names one. `part` names their databases. */
export async function withBuilds<Result>(
  part: string,
  base: string | undefined,
  surroundings: Omit<Surroundings, 'facts'>,
  work: (builds: readonly Build[]) => Promise<Result>,
): Promise<Result> {
  const builds: Build[] = [];
  try {
    if (base !== undefined) builds.push(await start('base', `${part}_base`, resolve(base), surroundings));
    const here = fileURLToPath(new URL('..', import.meta.url));
    builds.push(await start('this build', `${part}_this`, here, surroundings));
    return await work(builds);
  } finally {
    for (const { gateway, database } of builds) await Promise.all([gateway.stop(), database.end()]);
  }
}

async function start(
  name: string,
  folder: string,
  checkout: string,
  { databaseUrl: serverUrl, directory }: Omit<Surroundings, 'facts'>,
): Promise<Build> {
  const url = new URL(serverUrl);
  url.pathname = `/${folder}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${folder}`).finally(() => admin.end());
  const env = { DATABASE_URL: url.href, DATA_DIR: join(directory, folder) };
  await promisify(execFile)(process.execPath, [join(checkout, 'dist/main.js'), 'migrate'], {
    env: { ...process.env, ...env },
  });
  const facts = await fillDatabase(url.href);
  const database = new pg.Client({ connectionString: url.href, types: wireTypes });
  await database.connect();
  const gateway = await ServerProcess.start({ ...gatewaySettings(env), entry: join(checkout, 'dist/main.js') });
  return { name, gateway, databaseUrl: url.href, database, facts };
}
