import { inParallel, keepAlive, send, settled, tally, type Sent } from '../support/http.js';
import { megabytesAtRest } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

const MEGABYTES_SENT = 400;
/** Heap limit: a cache that grows with the input would end the process long before the end of the attack. */
const HEAP_MEGABYTES = 256;
/** Allowed share of the sent bytes, nearly half of which have a form that was once cached. */
const ALLOWED_SHARE = 0.2;

/** Bodies of nearly a megabyte with unique texts that a cache might store as keys or values. */
export async function memory({ start, facts, report, quick }: Testbed): Promise<void> {
  const gateway = await start({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` });
  const token = facts.tokens.owner;
  const agent = keepAlive(8);
  const flood = (count: number, from: number) =>
    inParallel(count, 8, (at) => settled(send(gateway, largeRequest(from + at, token), { agent })));
  const sent = quick ? MEGABYTES_SENT / 2 : MEGABYTES_SENT;
  const allowed = sent * ALLOWED_SHARE;
  await flood(64, 0);
  const base = await megabytesAtRest(gateway);
  const results = await flood(sent, 64);
  const grown = (await megabytesAtRest(gateway)) - base;
  agent.destroy();
  const answered = results.filter((result) => !(result instanceof Error)).length;
  const figures = `base ${base} MB, grown by ${grown} MB (at most ${allowed}); ${tally(results)}`;
  const alive = answered > 0 && (await send(gateway, { path: '/health/ready' })).status === 200;
  report.record('megabytes in variables, operation names and keys', `${sent} MB`, alive && grown <= allowed, figures);
}

function largeRequest(index: number, token: string): Sent {
  const text = `${index}-`.padEnd(950_000, String.fromCharCode(97 + (index % 26)));
  // A unique document each time, so that cached variables accumulate.
  const query = `query Q${index}($n: Int) { notifications(first: $n) { totalCount } }`;
  const variables = [{ n: text }, { n: [text] }, { n: { [text]: text.length } }, { [text]: 1 }, manyKeys(index)];
  const longName = `query Q${text.slice(0, 90_000).replace('-', '_')} { __typename }`;
  const body =
    index % 7 < 5
      ? { query, variables: variables[index % 7] }
      : index % 7 === 5
        ? { query, operationName: text }
        : { query: longName, extensions: { [text]: text.length } };
  return { method: 'POST', path: '/graphql', ...(index % 2 === 0 && { token }), body };
}

const manyKeys = (index: number) =>
  Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${index}x${at}`, 1]));
