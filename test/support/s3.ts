import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of s3rver that we use; the package brings no types. */
interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: { closeAllConnections(): void };
}

const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server;

export interface S3Service {
  /** What STORAGE_URL would be. */
  url: string;
  stop(): Promise<void>;
}

/** Starts an S3 service with one empty bucket on a free loopback port; its files are removed by `stop`. */
export async function startS3(): Promise<S3Service> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: 'evidence' }],
  });
  const { port } = await server.run();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    const closed = server.close();
    // The client keeps connections open, for which closing would wait.
    server.httpServer.closeAllConnections();
    await closed;
    await rm(directory, { recursive: true, force: true });
  };
  return {
    // S3RVER is the only key that s3rver knows.
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/evidence/gateway?tls=0`,
    stop: () => (stopping ??= stop()),
  };
}
