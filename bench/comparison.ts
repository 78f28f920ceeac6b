import { isDeepStrictEqual } from 'node:util';
import { Connection } from './connection.js';
import type { LoadProcess } from './load-process.js';
import { costOf, type Cost } from './cost.js';
import { requestMakers } from './requests.js';
import { inTurns, medians } from './samples.js';
import type { Contestant, Who, Workload } from './workloads.js';

/** Medians over the rounds. */
export interface Measurement extends Sample {
  who: Who;
  target: Contestant['target'];
}

interface Sample extends Cost {
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

/** Checks that all responses are equal, warms up, and then measures in rounds, each contestant once per round. */
export async function compare(workload: Workload, run: Comparison): Promise<Measurement[]> {
  await requireSameAnswers(workload);
  const { settled, connections = CONNECTIONS } = workload;
  for (const contestant of workload.contestants) await drive(run.load, contestant, workload.warmUp, CONNECTIONS);
  const requests = Math.ceil(workload.requests / run.haste);
  const samples = await inTurns(run.rounds, workload.contestants, (contestant) =>
    sample(contestant, requests, { ...run, settled, connections }),
  );
  return samples.map(({ each: { who, target }, taken }) => ({ who, target, ...medians(taken) }));
}

async function sample(
  contestant: Contestant,
  requests: number,
  { settled, connections, load, postmaster }: Comparison & Pick<Workload, 'settled'> & { connections: number },
): Promise<Sample> {
  await settled?.();
  const { done, cost } = await costOf(contestant.server, postmaster, async () => {
    const driven = await drive(load, contestant, requests, connections);
    await settled?.(contestant);
    return driven;
  });
  return { ...cost, requestsPerSecond: done.requests / done.seconds };
}

function drive(load: LoadProcess, { server, request }: Contestant, requests: number, connections: number) {
  return load.run({ port: server.port, connections, requests, maxSeconds: ROUND_SECONDS, request });
}

/**
 * Throws unless responses are equal: REST's byte for byte, GraphQL's as JSON, some after a conversion of their form.
 */
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
