/** The process that makes the load: takes one job at a time from its parent and answers what came of it. */
import { Connection } from './connection.js';
import { requestMakers, type LoadRequest, type RequestMaker } from './requests.js';

export interface LoadJob {
  port: number;
  connections: number;
  /** How many requests in all. */
  requests: number;
  /** Nothing is sent any more after so many seconds, however many requests are left. */
  maxSeconds: number;
  request: LoadRequest;
}

export interface LoadResult {
  /** Requests that were answered. */
  requests: number;
  seconds: number;
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
    let sent = 0;
    const another = () => {
      if (sent >= job.requests || performance.now() >= deadline) return false;
      sent += 1;
      return true;
    };
    await Promise.all(
      connections.map((connection, index) => drive(connection, makers[index] as RequestMaker, job.request, another)),
    );
    return { requests: sent, seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function drive(
  connection: Connection,
  make: RequestMaker,
  { status: expected }: LoadRequest,
  another: () => boolean,
): Promise<void> {
  while (another()) {
    const { status, body } = await connection.send(make());
    if (status !== expected)
      throw new Error(`Status ${status} in place of ${expected}: ${body.toString('latin1', 0, 300)}`);
  }
}
