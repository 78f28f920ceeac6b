/** The process of the load generator: runs one job at a time for its parent and returns the result. */
import { Connection } from './connection.js';
import { requestMakers, type LoadRequest, type RequestMaker } from './requests.js';

export interface LoadJob {
  port: number;
  connections: number;
  /** How many requests in all. */
  requests: number;
  /** No request is sent after this many seconds, however many remain. */
  maxSeconds: number;
  request: LoadRequest;
}

export interface LoadResult {
  /** Requests that were answered. */
  requests: number;
  seconds: number;
  /** Median and 99th percentile in milliseconds. */
  p50: number;
  p99: number;
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());

async function run(job: LoadJob): Promise<LoadResult> {
  const makers = requestMakers(job.request, job.connections);
  const connections = await Promise.all(makers.map(() => Connection.open(job.port)));
  try {
    const startedAt = performance.now();
    const deadline = startedAt + job.maxSeconds * 1000;
    const taken: number[] = [];
    let sent = 0;
    const another = () => {
      if (sent >= job.requests || performance.now() >= deadline) return false;
      sent += 1;
      return true;
    };
    await Promise.all(
      connections.map((connection, index) => {
        return drive(connection, makers[index] as RequestMaker, job.request, { another, taken });
      }),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    taken.sort((one, other) => one - other);
    const [p50, p99] = [0.5, 0.99].map((part) => taken[Math.floor(taken.length * part)]) as [number, number];
    return { requests: sent, seconds, p50, p99 };
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function drive(
  connection: Connection,
  make: RequestMaker,
  { status: expected }: LoadRequest,
  { another, taken }: { another: () => boolean; taken: number[] },
): Promise<void> {
  while (another()) {
    const since = performance.now();
    const { status, body } = await connection.send(make());
    taken.push(performance.now() - since);
    if (status !== expected)
      throw new Error(`Status ${status} in place of ${expected}: ${body.toString('latin1', 0, 300)}`);
  }
}
