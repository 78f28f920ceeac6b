import { postgresCpu } from './postgres-cpu.js';
import type { ServerProcess } from './server-process.js';

/** Microseconds of processor time; PostgreSQL's are undefined where the system does not say. */
export interface Cost {
  cpu: number;
  postgresCpu: number | undefined;
}

/** Cost of each request for a server, and for the database below `postmaster`, until `work` is done. */
export async function costOf<Done extends { requests: number }>(
  server: ServerProcess,
  postmaster: number,
  work: () => Promise<Done>,
): Promise<{ done: Done; cost: Cost }> {
  const postgresBefore = await postgresCpu(postmaster);
  const before = await server.cpu();
  const done = await work();
  const cpu = (await server.cpu()) - before;
  const postgresAfter = await postgresCpu(postmaster);
  const isKnown = postgresBefore !== undefined && postgresAfter !== undefined;
  const ofPostgres = isKnown ? (postgresAfter - postgresBefore) / done.requests : undefined;
  return { done, cost: { cpu: cpu / done.requests, postgresCpu: ofPostgres } };
}
