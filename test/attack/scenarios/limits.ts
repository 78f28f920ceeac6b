import { generateToken } from '../../../src/auth/token.js';
import type { GatewayProcess } from '../../resilience/support/gateway-process.js';
import { contractErrors } from '../../support/contract.js';
import {
  GoodClient,
  inParallel,
  keepAlive,
  send,
  sendGraphQL,
  settled,
  tally,
  type Received,
  type Sent,
} from '../support/http.js';
import { uploadForms } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

const UNKNOWN_TOKENS = 2_000;
/**
 * Maximum statements of a flood of unknown tokens: one for each of the first, until their address is suspect, and then
 * ten per second, each for all waiting tokens; with a tolerance of ten percent.
 */
const ALLOWED_AT_FIRST = 60;
const ALLOWED_PER_SECOND = 11;
/** Number of background statements of the gateway meanwhile. */
const ALLOWED_BESIDE = 20;

const HONEST_REQUESTS = 20;

/** Floods by unknown tokens, by valid tokens, and by a user without organization who creates and invites. */
export async function limits(testbed: Testbed): Promise<void> {
  await unknownTokens(testbed);
  await rates(testbed);
  await quotas(testbed);
}

async function unknownTokens({ startLimited, facts, report, count }: Testbed): Promise<void> {
  const gateway = await startLimited();
  const agent = keepAlive(8);
  const one = generateToken();
  const honest: Sent = { path: '/api/v1/token', token: facts.tokens.owner };
  for (let at = 0; at < 3; at += 1) await send(gateway, honest);
  const atRest = await statementsOf(gateway);
  for (let at = 0; at < HONEST_REQUESTS; at += 1) await send(gateway, honest);
  const perHonest = ((await statementsOf(gateway)) - atRest) / HONEST_REQUESTS;
  for (const [attack, token] of [
    ['requests with one unknown token', () => one],
    ['requests with another unknown token each', () => generateToken()],
  ] as const) {
    const good = new GoodClient(gateway, honest);
    const before = await statementsOf(gateway);
    const startedAt = performance.now();
    const sent = count(UNKNOWN_TOKENS);
    const results = await inParallel(sent, 8, () =>
      settled(send(gateway, { path: '/api/v1/token', token: token() }, { agent })),
    );
    const served = await good.stop(5_000);
    const seconds = (performance.now() - startedAt) / 1_000;
    const ofOthers = Math.ceil(perHonest * good.sent) + ALLOWED_BESIDE;
    const statements = (await statementsOf(gateway)) - before - ofOthers;
    const allowed = ALLOWED_AT_FIRST + Math.ceil(ALLOWED_PER_SECOND * seconds);
    const refused = results.every((result) => !(result instanceof Error) && [401, 429].includes(result.status));
    report.record(
      attack,
      sent,
      refused && statements <= allowed,
      `${Math.max(statements, 0)} statements in ${seconds.toFixed(1)} s (at most ${allowed}) beside ${ofOthers} of others; ${tally(results)}`,
    );
    report.record('a good token of the same address is served meanwhile', good.sent, served.passed, served.figures);
  }
  agent.destroy();
}

async function statementsOf(gateway: GatewayProcess): Promise<number> {
  const { text } = await send(gateway, { path: '/metrics' });
  return Number(/^gateway_database_statements_total (\d+)/m.exec(text)?.[1]);
}

/** Each kind of request is refused separately, in the right form, and another token is still served. */
async function rates({ startLimited, facts, report }: Testbed): Promise<void> {
  const gateway = await startLimited({
    RATE_LIMIT_READS: '50',
    RATE_LIMIT_WRITES: '50',
    RATE_LIMIT_UPLOADS: '10',
    RATE_LIMIT_SEARCHES: '10',
    RATE_LIMIT_GRAPHQL: '50',
  });
  const token = facts.tokens.analyst;
  const query = '{ viewer { user { id: databaseId } } }';
  const upload = uploadForms(facts, facts.artifact_id, token)[0] as (bytes: Buffer) => Sent;
  const kinds: Readonly<Record<string, (at: number) => Sent>> = {
    reads: () => ({ path: '/api/v1/profile', token }),
    writes: () => ({ method: 'PATCH', path: '/api/v1/profile', token, body: { first_name: 'Ann' } }),
    uploads: (at) => upload(Buffer.from(`upload ${at}`)),
    searches: () => ({ path: '/api/v1/search?q=incident', token }),
    'GraphQL operations': () => ({ method: 'POST', path: '/graphql', token, body: { query } }),
  };
  for (const [kind, request] of Object.entries(kinds)) {
    const results: Received[] = [];
    while (results.length < 120 && results.at(-1)?.status !== 429)
      results.push(await send(gateway, request(results.length)));
    const last = results.at(-1) as Received;
    const errors = last.status === 429 ? limitErrors(request(0), last) : ['never refused'];
    report.record(
      `${kind} beyond the limit of a token`,
      results.length,
      errors.length === 0,
      errors.join(', ') || JSON.stringify({ ...last.headers, body: last.text }),
    );
  }
  const others = await inParallel(5, 5, () => send(gateway, { path: '/api/v1/profile', token: facts.tokens.stranger }));
  report.record(
    'another token goes on',
    others.length,
    others.every(({ status }) => status === 200),
    tally(others),
  );
  const free = await inParallel(60, 4, () =>
    sendGraphQL(gateway, { query: '{ rateLimit { __typename } }', token: facts.tokens.officer }),
  );
  const isFree = free.every(({ status, text }) => status === 200 && !text.includes('"errors"'));
  report.record('rateLimit costs nothing', free.length, isFree, tally(free));
}

function limitErrors(sent: Sent, { status, headers, text, bytes }: Received): string[] {
  const isGraphQL = sent.path === '/graphql';
  const missing = ['retry-after', 'ratelimit', 'ratelimit-policy'].filter((name) => headers[name] === undefined);
  const expected = isGraphQL
    ? '"extensions":{"code":"RATE_LIMITED","messages":[1029]'
    : '{"error":1,"messages":[1029]}';
  return [
    ...missing.map((name) => `no ${name}`),
    ...(/^[1-9]\d*$/.test(headers['retry-after'] ?? '') ? [] : [`Retry-After ${headers['retry-after']}`]),
    ...(text.includes(expected) ? [] : [`body ${text.slice(0, 200)}`]),
    ...contractErrors({
      method: sent.method ?? 'GET',
      target: sent.path,
      sent: {},
      body: undefined,
      status,
      headers,
      answer: bytes,
    }),
  ];
}

async function quotas({ start, facts, report, quick }: Testbed): Promise<void> {
  const gateway = await start();
  const token = facts.tokens.newcomer;
  const attempts = quick ? 300 : 600;
  const post = (path: string, body: object) => send(gateway, { method: 'POST', path, token, body });
  const made = await inParallel(attempts, 8, (at) => post('/api/v1/organizations', { name: `Organization ${at}` }));
  const ids = made
    .filter(({ status }) => status === 201)
    .map(({ text }) => (JSON.parse(text) as { data: { id: number } }).data.id);
  const refusals = made.filter(({ status }) => status !== 201);
  report.record('a newcomer makes organizations', attempts, ids.length < 200 && refusals.every(isRefusal), tally(made));
  const invited = await inParallel(attempts, 8, (at) =>
    post(`/api/v1/organizations/${ids[at % ids.length]}/invitations`, {
      email: `person${at}@example.com`,
      role: 'VIEWER',
    }),
  );
  const mailed = invited.filter(({ status }) => status === 201).length;
  const wrong = invited.filter(({ status }) => status !== 201);
  report.record(
    'a newcomer invites people who never asked for it',
    attempts,
    mailed < attempts && wrong.every(isRefusal),
    tally(invited),
  );
}

const isRefusal = ({ status, text }: Received) => [403, 409, 429].includes(status) && text.startsWith('{"error":1,');
