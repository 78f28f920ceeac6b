import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Facts } from './dataset.js';
import { ServerProcess, type ServerSettings } from './server-process.js';

export interface Surroundings {
  databaseUrl: string;
  /** Holds every file of the run; removed at its end. */
  directory: string;
  facts: Facts;
}

export interface Servers {
  gateway: ServerProcess;
  byHand: ServerProcess;
  mercurius: ServerProcess;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const GATEWAY_ENTRY = here('../dist/main.js');
/** As `npm start` starts it. */
export const GATEWAY_NODE_ARGUMENTS = ['--enable-source-maps', '--max-semi-space-size=16', '--no-parallel-scavenge'];

/** Peers are TypeScript, run like this very process; the translation is over before the first request. */
const PEER_NODE_ARGUMENTS = ['--import', '@swc-node/register/esm-register'];

export async function startServers(surroundings: Surroundings): Promise<Servers> {
  const gateway = await startGateway(surroundings, 'gateway');
  const byHand = await startPeer('by-hand', surroundings);
  const mercurius = await startPeer('mercurius', surroundings);
  return { gateway, byHand, mercurius };
}

export function startGateway({ databaseUrl, directory }: Surroundings, folder: string): Promise<ServerProcess> {
  return ServerProcess.start(gatewaySettings({ DATABASE_URL: databaseUrl, DATA_DIR: join(directory, folder) }));
}

/** Everything on as in production, but for the log line of each request: a log level that many run with. */
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
      // On, and never met: what is measured includes counting.
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

function startPeer(name: 'by-hand' | 'mercurius', { databaseUrl, directory, facts }: Surroundings) {
  return ServerProcess.start({
    name,
    entry: here(`./${name}-server.ts`),
    nodeArguments: PEER_NODE_ARGUMENTS,
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      FACTS: JSON.stringify(facts),
      FILES: join(directory, name),
    },
    readyPath: '/ready',
  });
}
