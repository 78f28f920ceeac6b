import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '../../src/logger.js';
import { RecordedStates } from '../../src/services/as-of/recorded-states.js';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { SECRET_KEY, type GatewayProcess } from '../resilience/support/gateway-process.js';
import { Installation } from '../resilience/support/installation.js';
import { peakDuring, residentBytes } from '../resilience/support/memory.js';
import { verifyProofOffline } from '../support/audit.js';
import { lengthenTrail } from '../support/long-trails.js';
import { buildPerson, buildToken, join, type Person } from '../support/test-data.js';

/** Number of entries of the proven trail. */
const ENTRIES = Number(process.env['PROOF_ENTRIES'] ?? 200_000);
const CONTROLS = 1_000;
const AT_ONCE = 8;
/** Maximum number of concurrent exports of one token. */
const OF_ONE_TOKEN = 3;
const MEGABYTE = 1024 * 1024;
/** Milliseconds: the lock timeout of a statement. */
const LONGEST_TRANSACTION = 5_000;

let installation: Installation;
let gateway: GatewayProcess;
let owner: Person;
let id: number;
let officers: Person[];

const call = (path: string, { token }: { token: string }, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, {
    ...init,
    headers: { 'X-Service-Token': token, 'Content-Type': 'application/json' },
  });

beforeAll(async () => {
  installation = await Installation.create('proofs-at-once');
  const { database } = installation;
  owner = await buildPerson(database, 'owner');
  // The machine may be busy with other processes.
  gateway = await installation.start({ STALL_SECONDS: '600' });
  const made = await call('/api/v1/organizations', owner, { method: 'POST', body: JSON.stringify({ name: 'Long' }) });
  id = ((await made.json()) as { data: { id: number } }).data.id;
  officers = await Promise.all(Array.from({ length: AT_ONCE }, () => buildPerson(database, 'officer')));
  for (const officer of officers) await join(database, officer, id, 'SECURITY_OFFICER');
  await lengthenTrail(database, id, { entries: ENTRIES, controls: CONTROLS, from: new Date(), every: 0.02 });
  // A trail like that of the gateway and its daily job: sealed, with stored states.
  const verified = await call(`/api/v1/organizations/${id}/audit-trail/verification`, owner);
  expect(await verified.json()).toMatchObject({ data: { valid: true } });
  await new RecordedStates(database, new CheckpointKey(SECRET_KEY, []), () => new Date(), {
    ...{ config: { isEarlierKeyLost: false }, log: createLogger('silent') },
  }).keepDue();
}, 600_000);

afterAll(() => installation?.clear());

/** A proof as received, or the reason why there is none. */
async function proof(token: string) {
  const begun = performance.now();
  const response = await call(`/api/v1/organizations/${id}/proof`, { token });
  const first = performance.now() - begun;
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return { status, retryAfter: headers.get('retry-after'), body, first, took: performance.now() - begun };
}

/** Measures the duration of reads and changes of another person until it is stopped, and the longest transaction. */
function watch(person: Person) {
  let isOver = false;
  const [took, statuses, ages]: [number[], Set<number>, number[]] = [[], new Set(), []];
  const timed = async (init?: RequestInit) => {
    const begun = performance.now();
    const response = await call(`/api/v1/organizations/${id}`, person, init);
    await response.arrayBuffer();
    took.push(performance.now() - begun);
    statuses.add(response.status);
  };
  const calls = async () => {
    for (let n = 0; !isOver; n += 1) {
      await timed();
      await timed({ method: 'PATCH', body: JSON.stringify({ description: `Change ${n}` }) });
      await sleep(50);
    }
  };
  const transactions = async () => {
    for (; !isOver; await sleep(100)) {
      const [row] = await installation.database.rows<{ age: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::float8 as age
           from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      ages.push(row!.age);
    }
  };
  const done = Promise.all([calls(), transactions()]);
  return async () => {
    isOver = true;
    await done;
    const sorted = took.toSorted((one, other) => one - other);
    const p95 = sorted[Math.floor(sorted.length * 0.95)]!;
    return { statuses: [...statuses], answers: sorted.length, p95, most: sorted.at(-1)!, oldest: Math.max(...ages) };
  };
}

test(`${AT_ONCE} proofs of ${ENTRIES} entries at once come whole or are refused before a byte, and others are answered meanwhile`, async () => {
  const alone = watch(owner);
  await sleep(5_000);
  const { p95: usual } = await alone();
  const before = residentBytes(gateway.pid);
  const stop = watch(owner);
  const coming = Promise.all(officers.map(({ token }) => proof(token)));
  const peak = await peakDuring(gateway.pid, coming);
  const { statuses, answers, p95, most, oldest } = await stop();
  const proofs = await coming;
  const round = (each: number) => Math.round(each);
  const whole = proofs.filter(({ status }) => status === 200);
  process.stdout.write(
    `${whole.length} of ${AT_ONCE} proofs of ${ENTRIES} entries: first byte ${whole.map(({ first }) => round(first)).join(', ')} ms, ` +
      `whole ${whole.map(({ took }) => round(took)).join(', ')} ms; ${round((peak - before) / MEGABYTE)} MB more than ${round(before / MEGABYTE)} MB; ` +
      `${answers} other answers: p95 ${round(p95)} ms (${round(usual)} ms alone), most ${round(most)} ms; longest transaction ${round(oldest)} ms\n`,
  );
  expect(whole.length).toBeGreaterThanOrEqual(2);
  for (const { status, retryAfter, body } of proofs.filter((each) => each.status !== 200))
    expect([status, Number(retryAfter) > 0, body.toString()]).toEqual([503, true, '{"error":1,"messages":[]}']);
  for (const { body } of whole) {
    expect(await verifyProofOffline(body)).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^valid: all of/),
    });
  }
  expect(statuses).toEqual([200]);
  expect((peak - before) / MEGABYTE).toBeLessThan(200);
  expect(oldest).toBeLessThan(LONGEST_TRANSACTION);
  expect(p95).toBeLessThan(500 + 10 * usual);
  // Two at a time are verified: not all wait for the last one.
  const firsts = whole.map(({ first }) => first);
  expect(Math.min(...firsts)).toBeLessThan(0.75 * Math.max(...firsts));
}, 600_000);

test(`one token has ${OF_ONE_TOKEN} proofs at a time, and the others are refused with when to come again`, async () => {
  const token = await buildToken(installation.database, officers[0]!, {});
  const proofs = await Promise.all(Array.from({ length: AT_ONCE }, () => proof(token)));
  const refused = proofs.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(AT_ONCE - OF_ONE_TOKEN);
  for (const { retryAfter, body } of refused)
    expect([retryAfter, body.toString()]).toEqual(['1', '{"error":1,"messages":[1029]}']);
  for (const { status, body } of proofs.filter((each) => each.status !== 429))
    expect([status, (await verifyProofOffline(body)).output]).toEqual([200, expect.stringMatching(/^valid: all of/)]);
}, 600_000);
