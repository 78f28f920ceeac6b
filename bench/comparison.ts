import { isDeepStrictEqual } from 'node:util';
import { Connection } from './connection.js';
import type { LoadProcess } from './load-process.js';
import { postgresCpu } from './postgres-cpu.js';
import { requestMakers } from './requests.js';
import type { Contestant, Who, Workload } from './workloads.js';

export interface Measurement {
  who: Who;
  target: Contestant['target'];
  /** Medians over the rounds; processor time in microseconds for one request. */
  cpu: number;
  /** Undefined where the system does not say. */
  postgresCpu: number | undefined;
  requestsPerSecond: number;
}

export interface Comparison {
  load: LoadProcess;
  /** Process id of the database server. */
  postmaster: number;
  rounds: number;
  haste: number;
}

const CONNECTIONS = 32;
const ROUND_SECONDS = 20;

/** Checks that all give the same answer, warms up, and then measures in rounds, each contestant once in a round. */
export async function compare(workload: Workload, run: Comparison): Promise<Measurement[]> {
  await requireSameAnswers(workload);
  const { settled, connections = CONNECTIONS } = workload;
  for (const contestant of workload.contestants) await drive(run.load, contestant, workload.warmUp, CONNECTIONS);
  const samples = new Map<Contestant, Sample[]>(workload.contestants.map((contestant) => [contestant, []]));
  const requests = Math.ceil(workload.requests / run.haste);
  for (let round = 0; round < run.rounds; round += 1) {
    for (const [contestant, taken] of samples)
      taken.push(await sample(contestant, requests, { ...run, settled, connections }));
  }
  return [...samples].map(([{ who, target }, taken]) => ({ who, target, ...medians(taken) }));
}

type Sample = Pick<Measurement, 'cpu' | 'postgresCpu' | 'requestsPerSecond'>;

async function sample(
  contestant: Contestant,
  requests: number,
  { settled, connections, ...run }: Comparison & Pick<Workload, 'settled'> & { connections: number },
): Promise<Sample> {
  await settled?.();
  const postgresBefore = await postgresCpu(run.postmaster);
  const before = await contestant.server.cpu();
  const done = await drive(run.load, contestant, requests, connections);
  await settled?.(contestant);
  const cpu = (await contestant.server.cpu()) - before;
  const postgresAfter = await postgresCpu(run.postmaster);
  const isKnown = postgresBefore !== undefined && postgresAfter !== undefined;
  return {
    cpu: cpu / done.requests,
    postgresCpu: isKnown ? (postgresAfter - postgresBefore) / done.requests : undefined,
    requestsPerSecond: done.requests / done.seconds,
  };
}

function drive(load: LoadProcess, { server, request }: Contestant, requests: number, connections: number) {
  return load.run({ port: server.port, connections, requests, maxSeconds: ROUND_SECONDS, request });
}

/** A comparison of unlike answers is worth nothing. REST's must be the same bytes, GraphQL's the same JSON, of some once it has its form. */
async function requireSameAnswers({ part, contestants, comparable }: Workload): Promise<void> {
  const first = new Map<boolean, { who: Who; text: string; json: unknown }>();
  for (const contestant of contestants) {
    const { who } = contestant;
    const isGraphQL = contestant.content !== undefined || contestant.request.paths[0] === '/graphql';
    const answers = await answersTo(contestant);
    const text = `[${answers.join()}]`;
    const json: unknown = answers.map((each) => {
      const answer: unknown = JSON.parse(each);
      const content = contestant.content?.(answer as never) ?? answer;
      return comparable === undefined ? content : comparable(content);
    });
    const other = first.get(isGraphQL);
    if (other === undefined) first.set(isGraphQL, { who, text, json });
    else if (!isDeepStrictEqual(json, other.json) || (!isGraphQL && comparable === undefined && text !== other.text))
      throw new Error(`Workload ${part}: unlike answers.\n${other.who}: ${other.text}\n${who}: ${text}`);
  }
}

/** One for each variant of the request. */
async function answersTo({ who, server, request }: Contestant): Promise<string[]> {
  const connection = await Connection.open(server.port);
  const [make] = requestMakers(request, 1);
  const answers: string[] = [];
  for (let sent = 0; sent < (request.variants?.length ?? 1); sent += 1) {
    const { status, body } = await connection.send(make!());
    const text = body.toString();
    if (status !== request.status || text.startsWith('{"errors"'))
      throw new Error(`${who} answered ${status}: ${text}`);
    answers.push(text);
  }
  connection.close();
  return answers;
}

function medians(samples: readonly Sample[]): Sample {
  const postgres = samples.flatMap(({ postgresCpu: cpu }) => (cpu === undefined ? [] : [cpu]));
  return {
    cpu: median(samples.map(({ cpu }) => cpu)),
    postgresCpu: postgres.length === 0 ? undefined : median(postgres),
    requestsPerSecond: median(samples.map(({ requestsPerSecond }) => requestsPerSecond)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  if (Number.isInteger(middle)) return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
  return sorted[Math.floor(middle)] as number;
}
