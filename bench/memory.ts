import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadProcess } from './load-process.js';
import type { DocumentBody } from './requests.js';
import { startGateway, type Surroundings } from './servers.js';
import type { ServerProcess } from './server-process.js';
import { documentUpload } from './workloads.js';

/** Memory growth of a gateway during uploads; undefined where the system does not report it. */
export interface Growth {
  form: DocumentBody['form'];
  /** Megabytes (10^6 bytes). */
  base: number | undefined;
  rise: number | undefined;
  target: number;
}

const UPLOADS = 32;
const UPLOAD_BYTES = 10 * 1024 * 1024;
const SAMPLE_MS = 20;
const IDLE_MS = 2000;
const TARGETS = { multipart: 150, 'base64 JSON': 150, GraphQL: 150 } as const;

/** Concurrent uploads of 10 MB to a separate gateway that has only been warmed up. */
export async function measureGrowth(
  form: DocumentBody['form'],
  surroundings: Surroundings,
  load: LoadProcess,
): Promise<Growth> {
  const gateway = await startGateway(surroundings, `memory-${form.split(' ', 1)[0]}`);
  try {
    await upload(gateway, load, surroundings, form, 100_000);
    await sleep(IDLE_MS);
    const base = await gateway.residentBytes();
    const watch = watchPeak(gateway);
    await upload(gateway, load, surroundings, form, UPLOAD_BYTES);
    const peak = await watch.stop();
    const rise = base === undefined || peak === undefined ? undefined : megabytes(peak - base);
    return { form, base: base === undefined ? undefined : megabytes(base), rise, target: TARGETS[form] };
  } finally {
    await gateway.stop();
  }
}

/** Throws unless every upload succeeds. */
async function upload(
  { port }: ServerProcess,
  load: LoadProcess,
  { facts }: Surroundings,
  form: DocumentBody['form'],
  bytes: number,
): Promise<void> {
  const request = documentUpload(facts.uploadOrganizations.gateway, facts.writerToken, form, bytes);
  await load.run({ port, connections: UPLOADS, requests: UPLOADS, maxSeconds: 120, request });
}

function watchPeak(server: ServerProcess) {
  let peak: number | undefined;
  let watching = true;
  const watched = (async () => {
    while (watching) {
      const bytes = await server.residentBytes();
      if (bytes !== undefined) peak = Math.max(peak ?? 0, bytes);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop(): Promise<number | undefined> {
      watching = false;
      await watched;
      return peak;
    },
  };
}

function megabytes(bytes: number): number {
  return bytes / 1e6;
}
