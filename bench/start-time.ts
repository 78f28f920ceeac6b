import { join } from 'node:path';
import { medians } from './samples.js';
import { ServerProcess } from './server-process.js';
import { gatewaySettings, type Surroundings } from './servers.js';

export interface StartTime {
  title: string;
  /** Milliseconds from the start of the process to the first 200 of /health/ready. */
  milliseconds: number;
  /** Processor time of the process until then: distinguishes a slow program from a busy machine. */
  cpuMilliseconds: number;
  target: number;
}

const TARGET_MS = 3000;

export async function measureStarts({ databaseUrl, directory }: Surroundings, rounds: number): Promise<StartTime[]> {
  const external = { DATABASE_URL: databaseUrl, DATA_DIR: join(directory, 'start') };
  // An empty DEMO is the default: the first start creates the cluster and the demo data, the measured ones use them.
  const embedded = { DATA_DIR: join(directory, 'embedded'), DEMO: '', SECRET_KEY: '' };
  await startOnce(embedded);
  return [
    await medianStart('with a migrated database behind `DATABASE_URL`', external, rounds),
    await medianStart('with the embedded database and its data, as `npm start` starts it', embedded, rounds),
  ];
}

async function medianStart(title: string, env: Record<string, string>, rounds: number): Promise<StartTime> {
  const starts = [];
  for (let round = 0; round < rounds; round += 1) starts.push(await startOnce(env));
  return { title, ...medians(starts), target: TARGET_MS };
}

async function startOnce(env: Record<string, string>) {
  const server = await ServerProcess.start(gatewaySettings(env));
  try {
    return { milliseconds: server.startMilliseconds, cpuMilliseconds: (await server.cpu()) / 1000 };
  } finally {
    await server.stop();
  }
}
