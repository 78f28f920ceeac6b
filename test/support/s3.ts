import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The used part of s3rver; the package has no types. */
interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  httpServer: Server;
}

const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server;

/** A running S3 service with one bucket. */
export interface S3Service {
  /** The value for STORAGE_URL. */
  url: string;
  /** Leaves later requests of this method without a response, except those of signed checkpoints. */
  suspend(method: string): void;
  /** Number of requests without a response. */
  suspended(): number;
  /** Handles every later request by this listener instead. */
  refuse(answer: RequestListener | undefined): void;
  /** Responds to the suspended requests, and suspends no more. */
  release(): void;
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
  const [answer] = server.httpServer.listeners('request') as [RequestListener];
  let suspended: (() => void)[] = [];
  let suspendedMethod: string | undefined;
  let refusal: RequestListener | undefined;
  server.httpServer.removeAllListeners('request').on('request', (request, response) => {
    if (refusal !== undefined) refusal(request, response);
    else if (request.method === suspendedMethod && !request.url?.includes('audit-checkpoints'))
      suspended.push(() => answer(request, response));
    else answer(request, response);
  });
  const suspend = (method: string | undefined) => {
    const before = suspended;
    suspended = [];
    suspendedMethod = method;
    for (const pass of before) pass();
  };
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    const closed = server.close();
    // Closing would wait for the keep-alive connections of the client.
    server.httpServer.closeAllConnections();
    await closed;
    await rm(directory, { recursive: true, force: true });
  };
  return {
    // S3RVER is the only key that s3rver knows.
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/evidence/gateway?tls=0`,
    suspend,
    suspended: () => suspended.length,
    refuse: (answer) => (refusal = answer),
    release: () => suspend(undefined),
    stop: () => (stopping ??= stop()),
  };
}
