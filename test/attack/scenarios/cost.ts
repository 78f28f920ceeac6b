import { getIntrospectionQuery } from 'graphql';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { GATEWAY_NODE_ARGUMENTS } from '../../../bench/servers.js';
import { generateToken } from '../../../src/auth/token.js';
import { GoodClient, inParallel, keepAlive, send, settled, tally, type Received, type Sent } from '../support/http.js';
import { cpuOf } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

/** Maximum cost of a request without a token, relative to `{ __typename }`, without the cost of its bytes. */
const ALLOWED_RATIO = 1.5;
/** Processor time that one measurement takes at least, in microseconds: /proc counts in steps of 10,000. */
const MEASURED_MICROSECONDS = 100_000;
/** Number of concurrent requests; higher for those that wait, so that background work of the gateway matters less. */
const WIDTH = 8;
const WIDTH_OF_WAITING = 256;
/** Requests of one measurement: enough for several garbage collections, which long bodies trigger. */
const MIN_SENT = 256;
const MAX_SENT = 4_000;
const ROUNDS = 3;

/** A measured server. */
interface Measured {
  port: number;
  pid: number;
}

interface Cost {
  /** Microseconds of the gateway, and of `{ __typename }` measured beside it. */
  gateway: number;
  base: number;
  /** The same for the bare server; finally only the difference to `{ __typename }`. */
  bytes: number;
  bareBase: number;
}

/**
 * Measures processor time of requests without a valid token, well-formed and not, relative to `{ __typename }` and to a
 * bare server that reads the same bytes: no refusal can be cheaper than receiving them.
 */
export async function cost({ start, report, quick }: Testbed): Promise<void> {
  const gateway = await start({ RATE_LIMIT_FAILED_AUTHENTICATION: '' });
  const bare = await BareServer.start();
  const agent = keepAlive(WIDTH_OF_WAITING);
  const good = new GoodClient(gateway, { path: '/health/live' });
  let last: readonly (Received | Error)[] = [];
  const measure = async ({ port, pid }: Measured, request: () => Sent, width = WIDTH): Promise<number> => {
    let [sent, taken] = [0, 0];
    for (const before = cpuOf(pid); (taken < MEASURED_MICROSECONDS || sent < MIN_SENT) && sent < MAX_SENT;) {
      last = await inParallel(2 * width, width, () => settled(send({ port }, request(), { agent })));
      sent += last.length;
      taken = cpuOf(pid) - before;
    }
    return taken / sent;
  };
  for (const request of [base, ...Object.values(REQUESTS)])
    await inParallel(2 * WIDTH, WIDTH, () => settled(send(gateway, request(), { agent })));
  const costs = new Map<string, Cost[]>();
  const answers = new Map<string, string>();
  for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
    for (const [name, request] of Object.entries(REQUESTS)) {
      const beside = await measure(gateway, base);
      const of = await measure(gateway, request, name === WAITING ? WIDTH_OF_WAITING : WIDTH);
      answers.set(name, tally(last));
      const closes = last.some((each) => !(each instanceof Error) && each.headers['connection'] === 'close');
      const bareBase = await measure(bare, base);
      const bytes = await measure(bare, bared(request, closes));
      costs.set(name, [...(costs.get(name) ?? []), { gateway: of, base: beside, bareBase, bytes }]);
    }
  }
  const { passed, figures } = await good.stop(2_000);
  agent.destroy();
  bare.stop();
  const rows = [...costs].map(([name, rounds]) => {
    const best = leastOf(rounds);
    const shown = [best.gateway, best.base, best.bytes].map((figure) => figure.toFixed(0));
    const verdict = ratioOf(best) <= ALLOWED_RATIO ? 'yes' : 'NO';
    return [name, ...shown, ratioOf(best).toFixed(2), verdict, answers.get(name) ?? ''];
  });
  report.table(
    'Server time of one request without a valid token, in µs',
    ['request', 'gateway', '{ __typename }', 'its bytes', 'ratio without', 'held', 'last answers'],
    rows,
  );
  for (const [name, microseconds, , bytes, ratio, verdict] of rows) {
    const figure = `${microseconds} µs, ${bytes} of them for its bytes: ${ratio} x`;
    report.record(`costs little: ${name}`, rows.length, verdict === 'yes', figure);
  }
  report.record('health checks are answered meanwhile', 'all along', passed, figures);
}

/** Other load only adds to a measurement: the minimum of each is the most accurate. */
function leastOf(rounds: readonly Cost[]): Cost {
  const least = (figure: keyof Cost) => Math.min(...rounds.map((cost) => cost[figure]));
  const bareBase = least('bareBase');
  return { gateway: least('gateway'), base: least('base'), bareBase, bytes: Math.max(least('bytes') - bareBase, 0) };
}

function ratioOf(cost: Cost): number {
  return Math.max(cost.gateway - cost.bytes, 0) / cost.base;
}

/** The same bytes for the bare server, which closes the connection whenever the gateway does. */
function bared(request: () => Sent, closes: boolean): () => Sent {
  return () => {
    const sent = request();
    return closes ? { ...sent, headers: { ...sent.headers, 'x-close': '1' } } : sent;
  };
}

class BareServer implements Measured {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  static async start(): Promise<BareServer> {
    const file = fileURLToPath(new URL('../support/bare-server.mjs', import.meta.url));
    const child = spawn(process.execPath, [...GATEWAY_NODE_ARGUMENTS, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return new BareServer(child, Number(port.toString()));
  }

  get pid(): number {
    return this.child.pid as number;
  }

  stop(): void {
    this.child.kill();
  }
}

const base = () => graphql('{ __typename }');

function graphql(query: string, rest: object = {}): Sent {
  return { method: 'POST', path: '/graphql', body: { query, ...rest } };
}

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ');

const MANY_KEYS = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, 1]));
const ACCEPT = 'mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { token } }';
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, body: string | object): Sent => ({ method: 'POST', path, headers: JSON_TYPE, body });

/** Waits for a statement that it shares with others. */
const WAITING = 'a well-formed, unknown token';

/** Varies each request if a cache could answer the second one. */
let turn = 0;
const REQUESTS: Readonly<Record<string, () => Sent>> = {
  '150 aliases of introspection': () =>
    graphql(`{ __schema { ${repeat(150, (at) => `a${at}: types { name fields { name } }`)} } }`),
  'the introspection query': () => graphql(getIntrospectionQuery()),
  '300 aliases': () => graphql(`{ ${repeat(300, (at) => `a${at}${turn++}: viewer { user { id: databaseId } }`)} }`),
  '500 levels': () => graphql(`{ ${'viewer { '.repeat(500)} x${turn++} ${'}'.repeat(500)} }`),
  '1,000 directives': () => graphql(`{ x${turn++}: __typename ${'@include(if: true) '.repeat(1_000)} }`),
  '200 fragments, each spread twice by the one before': () =>
    graphql(
      `{ ...f0 x${turn++}: __typename } ${repeat(200, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`)} fragment f200 on Query { __typename }`,
    ),
  'a circle of fragments': () =>
    graphql(`{ ...a x${turn++}: __typename } fragment a on Query { ...b } fragment b on Query { ...a }`),
  '500 unknown fields': () => graphql(`{ ${repeat(500, (at) => `unknown${at}${turn++}`)} }`),
  '3,999 tokens, none of them a document': () => graphql(repeat(3_999, (at) => `w${at}${turn}`)),
  'a document of 99,000 characters': () => graphql(`{ __typename } #${turn++}`.padEnd(99_000, '#')),
  'no token for a field that needs one': () => graphql('{ notifications(first: 1) { totalCount } }'),
  'an unknown field': () => graphql(`{ unknown${turn++} }`),
  'a document that is no GraphQL': () => graphql(`{ ${turn++}`),
  '60,000 unknown keys in the body': () => post('/graphql', { query: '{ __typename }', ...MANY_KEYS }),
  '60,000 unknown variables': () => graphql('{ __typename }', { variables: MANY_KEYS }),
  '60,000 unknown keys in an input': () => graphql(ACCEPT, { variables: { input: { secret: 'x', ...MANY_KEYS } } }),
  '60,000 unknown keys in a REST body': () => post('/api/v1/invitations/accept', MANY_KEYS),
  '60,000 unknown keys in a REST body that needs a token': () => post('/api/v1/organizations', MANY_KEYS),
  'a body that is no JSON': () => post('/graphql', '{"query":'),
  'a megabyte of brackets': () => post('/graphql', '['.repeat(1_000_000)),
  'a REST request without a token': () => ({ path: '/api/v1/organizations' }),
  'a malformed token': () => ({ path: '/api/v1/organizations', token: 'scp_nothing' }),
  [WAITING]: () => ({ path: '/api/v1/organizations', token: generateToken() }),
  'an unknown path below /api/v1': () => ({ path: `/api/v1/unknown/${turn++}` }),
  'an unknown path': () => ({ path: `/unknown/${turn++}` }),
  'an unknown method': () => ({ method: 'PURGE', path: '/graphql' }),
  'a download without a signature': () => ({ path: '/api/v1/downloads/documents/1' }),
};
