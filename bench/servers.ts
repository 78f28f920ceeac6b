import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Facts } from './dataset.js';
import { PEER_SCHEMA } from './peer-tables.js';
import { ServerProcess, type ServerSettings } from './server-process.js';

export interface Surroundings {
  databaseUrl: string;
  /** Folder of all files of the run; removed at its end. */
  directory: string;
  facts: Facts;
}

export interface Servers {
  gateway: ServerProcess;
  byHand: ServerProcess;
  /** By hand, on the gateway's own tables. */
  byHandOnItsTables: ServerProcess;
  mercurius: ServerProcess;
  instead?: Instead | undefined;
}

/** Alternatives to the gateway, with `--peers`. */
export type Instead = Record<'apollo' | 'sofa' | 'postgraphile', ServerProcess>;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const GATEWAY_ENTRY = here('../dist/main.js');
/** Started like `npm start` does. */
export const GATEWAY_NODE_ARGUMENTS = ['--enable-source-maps', '--max-semi-space-size=16', '--no-parallel-scavenge'];

const POSTGRAPHILE_ENTRY = here('./peers/postgraphile-server.js');

/** Peers are TypeScript and run like this process; compilation is finished before the first request. */
const PEER_NODE_ARGUMENTS = ['--import', '@swc-node/register/esm-register'];

export async function startServers(surroundings: Surroundings, { peers }: { peers: boolean }): Promise<Servers> {
  const servers = {
    gateway: await startGateway(surroundings, 'gateway'),
    byHand: await startPeer('by-hand', surroundings),
    byHandOnItsTables: await startPeer('by-hand', surroundings, { schema: 'public' }),
    mercurius: await startPeer('mercurius', surroundings),
  };
  if (!peers) return servers;
  return {
    ...servers,
    instead: {
      apollo: await startPeer('apollo', surroundings, { readyPath: '/' }),
      sofa: await startPeer('sofa', surroundings),
      postgraphile: await startPeer('postgraphile', surroundings, { entry: POSTGRAPHILE_ENTRY, readyPath: '/' }),
    },
  };
}

export function stopServers({ instead, ...servers }: Servers): Promise<unknown> {
  return Promise.all(Object.values({ ...servers, ...instead }).map((server) => server.stop()));
}

/** Throws an Error with one sentence if a peer is not installed. */
export function requirePeers(): void {
  try {
    createRequire(POSTGRAPHILE_ENTRY).resolve('postgraphile');
  } catch {
    throw new Error('--peers needs PostGraphile, which is installed by: npm ci --prefix bench/peers');
  }
}

export function startGateway({ databaseUrl, directory }: Surroundings, folder: string): Promise<ServerProcess> {
  return ServerProcess.start(gatewaySettings({ DATABASE_URL: databaseUrl, DATA_DIR: join(directory, folder) }));
}

/** Production settings except for the log line of each request: a log level that is common. */
export function gatewaySettings(env: Record<string, string>): ServerSettings {
  return {
    name: 'gateway',
    entry: GATEWAY_ENTRY,
    nodeArguments: GATEWAY_NODE_ARGUMENTS,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DEMO: '0',
      SECRET_KEY: 'a key for measuring that is long enough to be one',
      // Enabled and never reached: the measurement includes counting.
      ...Object.fromEntries(
        ['READS', 'WRITES', 'UPLOADS', 'SEARCHES', 'GRAPHQL'].map((name) => [`RATE_LIMIT_${name}`, '1000000000']),
      ),
      CONCURRENT_UPLOADS: '1000',
      // One user creates tens of thousands here: counting them one at a time is not what (c) compares.
      QUOTA_ORGANIZATIONS_PER_USER: 'off',
      ...env,
    },
    readyPath: '/health/ready',
  };
}

function startPeer(
  name: string,
  { databaseUrl, directory, facts }: Surroundings,
  { schema = PEER_SCHEMA, entry = here(`./${name}-server.ts`), readyPath = '/ready' } = {},
) {
  return ServerProcess.start({
    name,
    entry,
    nodeArguments: PEER_NODE_ARGUMENTS,
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: schema,
      FACTS: JSON.stringify(facts),
      FILES: join(directory, name),
    },
    readyPath,
  });
}
