import { randomUUID } from 'node:crypto';
import { inParallel, send, tally, type Received, type Sent } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

const AT_ONCE = 50;

const MEBIBYTE = 1024 * 1024;
/** Number of ten-kilobyte responses that exceeds a budget of one megabyte. */
const KEYS = 200;
const SENDERS = 8;
const LONGEST_KEPT = 64 * 1024;

/** The same change sent many times concurrently, to two instances, with one Idempotency-Key. */
export async function idempotency(testbed: Testbed): Promise<void> {
  await sameKeyAtOnce(testbed);
  await manyKeys(testbed);
}

async function sameKeyAtOnce({ start, installation, facts, report }: Testbed): Promise<void> {
  const instances = [await start(), await start()] as const;
  const token = facts.tokens.analyst;
  const organization = facts.organization_id;
  const requests: Readonly<Record<string, (title: string) => Sent>> = {
    REST: (title) => ({
      method: 'POST',
      path: `/api/v1/v-ciso/incidents/${organization}`,
      token,
      body: { title, severity: 'LOW' },
    }),
    GraphQL: (title) => {
      const query = `mutation { openIncident(input: { organizationId: ${organization}, title: "${title}", severity: LOW }) { incident { id: databaseId } } }`;
      return { method: 'POST', path: '/graphql', token, body: { query } };
    },
  };
  for (const [api, request] of Object.entries(requests)) {
    const title = `once ${randomUUID()}`;
    const headers = { 'idempotency-key': `"${randomUUID()}"` };
    const results = await inParallel(AT_ONCE, AT_ONCE, (at) =>
      send(instances[at % 2] as (typeof instances)[0], { ...request(title), headers }),
    );
    const rows = await installation.database.rows('select id from incident where title = $1', [title]);
    const done = results.filter(isDone);
    const rest = results.filter((result) => !isDone(result));
    const waiting = rest.every(
      ({ status, headers: { 'retry-after': seconds }, text }) =>
        (status === 409 || text.includes('CONFLICT')) && seconds !== undefined,
    );
    const isSame = done.length > 0 && done.every(({ text }) => text === done[0]?.text);
    report.record(
      `one key at once over ${api} on two instances`,
      AT_ONCE,
      rows.length === 1 && isSame && waiting,
      `${rows.length} records; ${tally(results)}`,
    );
    const replay = await send(instances[1], { ...request(title), headers });
    const replayed = replay.headers['idempotency-replayed'] === 'true' && replay.text === done[0]?.text;
    report.record(
      `and is replayed over ${api} afterwards`,
      1,
      replayed,
      `${replay.status} ${replay.text.slice(0, 100)}`,
    );
    const other = await send(instances[0], { ...request(`${title}, another`), headers });
    report.record(
      `another body with the key is refused over ${api}`,
      1,
      other.status === 409 || other.text.includes('"CONFLICT"'),
      `${other.status} ${other.text.slice(0, 120)}`,
    );
  }
}

/** Stores responses until the budget of the user is used up, and beyond: half of them through each API. */
async function manyKeys({ start, installation, facts, report }: Testbed): Promise<void> {
  const gateway = await start({ QUOTA_IDEMPOTENCY_MB_PER_USER: '1' });
  const { database } = installation;
  const token = facts.tokens.officer;
  const organization = facts.organization_id;
  const mark = `filler ${randomUUID()}`;
  const description = 'd'.repeat(10_000);
  const stored = async () => {
    const [row] = await database.rows<{ bytes: number }>(
      'select coalesce(sum(octet_length(sealed)), 0)::int as bytes from idempotent_answer',
    );
    return row?.bytes ?? Infinity;
  };
  const before = await stored();
  const results = await inParallel(KEYS, SENDERS, (at) => {
    const headers = { 'idempotency-key': `"${randomUUID()}"` };
    const title = `${mark} ${at}`;
    if (at % 2 === 0) {
      const body = { title, severity: 'LOW', description };
      return send(gateway, { method: 'POST', path: `/api/v1/v-ciso/incidents/${organization}`, token, headers, body });
    }
    const query = `mutation { openIncident(input: { organizationId: ${organization}, title: "${title}", severity: LOW, description: "${description}" }) { incident { id description } } }`;
    return send(gateway, { method: 'POST', path: '/graphql', token, headers, body: { query } });
  });
  const storedBytes = (await stored()) - before;
  const most = MEBIBYTE + SENDERS * LONGEST_KEPT;
  report.record(
    'keys that fill the database: bytes stay within the budget of 1 MB and what was under way',
    KEYS,
    storedBytes <= most,
    `${storedBytes} bytes kept (at most ${most}); ${tally(results)}`,
  );
  const refused = results.filter((result) => !isDone(result));
  const isWaiting = ({ text, headers }: Received) => text.includes('1029') && Number(headers['retry-after']) > 0;
  report.record(
    'and beyond it requests are refused with Retry-After',
    refused.length,
    refused.length > 0 && refused.every(isWaiting),
    `retry-after ${refused[0]?.headers['retry-after']}; ${refused[0]?.text.slice(0, 100)}`,
  );
  const rows = await database.rows('select id from incident where title like $1', [`${mark}%`]);
  const done = results.length - refused.length;
  report.record('and change nothing', refused.length, rows.length === done, `${rows.length} records of ${done} done`);
}

const isDone = ({ status, text }: Received) => status < 300 && !text.includes('"errors"');
