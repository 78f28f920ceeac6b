import { getIntrospectionQuery } from 'graphql';
import { generateToken } from '../../../src/access/token.js';
import { GoodClient, inParallel, keepAlive, send, settled, tally, type Sent } from '../support/http.js';
import { cpuOf } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

/** How much more than `{ __typename }` a request without a token may cost. */
const ALLOWED_RATIO = 1.5;
/** Processor time that one measurement takes at least, in microseconds: /proc counts in steps of 10,000. */
const MEASURED_MICROSECONDS = 200_000;
const ROUNDS = 3;

/** Processor time of requests without a valid token, well-formed and not, beside that of `{ __typename }`. */
export async function cost({ start, report, quick }: Testbed): Promise<void> {
  const gateway = await start({ RATE_LIMIT_FAILED_AUTHENTICATION: '' });
  const agent = keepAlive(4);
  const good = new GoodClient(gateway, { path: '/health/live' });
  const statuses = new Map<string, string>();
  const measure = async (name: string, request: () => Sent): Promise<number> => {
    let [sent, taken] = [0, 0];
    for (const before = cpuOf(gateway.pid); taken < MEASURED_MICROSECONDS && sent < 20_000;) {
      const results = await inParallel(sent === 0 ? 8 : 50, 4, () => settled(send(gateway, request(), { agent })));
      sent += results.length;
      taken = cpuOf(gateway.pid) - before;
      statuses.set(name, tally(results));
    }
    return taken / sent;
  };
  await measure('warming up', () => graphql('{ __typename }'));
  for (const request of Object.values(REQUESTS))
    await inParallel(20, 4, () => settled(send(gateway, request(), { agent })));
  const best = new Map<string, number>();
  for (let round = 0; round < (quick ? 1 : ROUNDS); round += 1) {
    for (const [name, request] of Object.entries({ [BASE]: () => graphql('{ __typename }'), ...REQUESTS })) {
      best.set(name, Math.min(best.get(name) ?? Infinity, await measure(name, request)));
    }
  }
  const { held, figures } = await good.stop(2_000);
  agent.destroy();
  const base = best.get(BASE) as number;
  const rows = [...best].map(([name, microseconds]) => {
    const ratio = microseconds / base;
    return [
      name,
      microseconds.toFixed(0),
      ratio.toFixed(2),
      ratio <= ALLOWED_RATIO ? 'yes' : 'NO',
      statuses.get(name) ?? '',
    ];
  });
  report.table(
    'Server time of one request without a valid token',
    ['request', 'µs', 'ratio', 'held', 'last answers'],
    rows,
  );
  for (const [name, microseconds, ratio, verdict] of rows.slice(1)) {
    report.held(`costs little: ${name}`, rows.length - 1, verdict === 'yes', `${microseconds} µs, ${ratio} x`);
  }
  report.held('health checks are answered meanwhile', 'all along', held, figures);
}

const BASE = '{ __typename }';

function graphql(query: string, rest: object = {}): Sent {
  return { method: 'POST', path: '/graphql', body: { query, ...rest } };
}

const repeat = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join(' ');

const MANY_KEYS = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, 1]));
const ACCEPT = 'mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { token } }';
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, body: string | object): Sent => ({ method: 'POST', path, headers: JSON_TYPE, body });

/** Anew for each request where a cache could answer the second one. */
let turn = 0;
const REQUESTS: Readonly<Record<string, () => Sent>> = {
  '150 aliases of introspection': () =>
    graphql(`{ __schema { ${repeat(150, (at) => `a${at}: types { name fields { name } }`)} } }`),
  'the introspection query': () => graphql(getIntrospectionQuery()),
  '300 aliases': () => graphql(`{ ${repeat(300, (at) => `a${at}${turn++}: viewer { user { id } }`)} }`),
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
  'a well-formed, unknown token': () => ({ path: '/api/v1/organizations', token: generateToken() }),
  'an unknown path below /api/v1': () => ({ path: `/api/v1/unknown/${turn++}` }),
  'an unknown path': () => ({ path: `/unknown/${turn++}` }),
  'an unknown method': () => ({ method: 'PURGE', path: '/graphql' }),
  'a download without a signature': () => ({ path: '/api/v1/downloads/documents/1' }),
};
