import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createLogger } from '../../src/logger.js';
import { RecordedStates } from '../../src/services/as-of/recorded-states.js';
import { CheckpointKey } from '../../src/services/audit/checkpoint-key.js';
import { SECRET_KEY, type GatewayProcess } from '../resilience/support/gateway-process.js';
import { Installation } from '../resilience/support/installation.js';
import { lengthenTrail } from '../support/long-trails.js';
import { buildPerson, type Person } from '../support/test-data.js';

/** Of an organization that has as many. */
const CONTROLS = 1_000;
/** Number of entries of the trail: set AS_OF_ENTRIES=1000000 for a million, which takes minutes to write. */
const LONG = Number(process.env['AS_OF_ENTRIES'] ?? 100_000);
/** Number of entries of a day: the daily job stores a state after each day. */
const DAY = 2_000;

let installation: Installation;
let gateway: GatewayProcess;
let owner: Person;

beforeAll(async () => {
  installation = await Installation.create('long-trail');
  owner = await buildPerson(installation.database, 'owner');
  gateway = await installation.start();
});

afterAll(() => installation?.clear());

const begun = new Date('2024-01-01T00:00:00Z');

/** An organization created through the API, whose trail continues from `begun` on. */
async function organization(name: string): Promise<number> {
  const { database } = installation;
  const response = await fetch(`${gateway.url}/api/v1/organizations`, {
    ...{ method: 'POST', body: JSON.stringify({ name }) },
    headers: { 'X-Service-Token': owner.token, 'Content-Type': 'application/json' },
  });
  const { data } = (await response.json()) as { data: { id: number } };
  // The entries below begin at its creation.
  await database.transaction(async (tx) => {
    await tx.rows('set local session_replication_role = replica');
    await tx.rows(
      `with changed as (
         update audit_entry e set entry = regexp_replace(e.entry, '"at":"[^"]*"', '"at":"2023-12-31T00:00:00.000Z"')
           from audit_log l where l.id = e.log_id and l.organization_id = $1 returning e.log_id, e.entry)
       update audit_log l set latest_at = '2023-12-31', hash = sha256(sha256(convert_to('organization/' || $1::text, 'UTF8')) || convert_to(changed.entry, 'UTF8'))
         from changed where l.id = changed.log_id`,
      [data.id],
    );
    await tx.rows(
      `update audit_entry e set hash = l.hash from audit_log l where l.id = e.log_id and l.organization_id = $1`,
      [data.id],
    );
  });
  return data.id;
}

const send = (path: string): Promise<IncomingMessage> =>
  new Promise((answered, failed) => {
    get(gateway.url + path, { headers: { 'x-service-token': owner.token } }, answered).on('error', failed);
  });

/** Reads the response to its end and returns the status. */
async function read(path: string): Promise<number | undefined> {
  const answer = await send(path);
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

test(`any instant of ${LONG} entries is answered within 300 ms, half of them at least, for ${CONTROLS} controls`, async () => {
  const { database } = installation;
  const id = await organization('Long');
  const states = new RecordedStates(database, new CheckpointKey(SECRET_KEY, []), () => new Date(), {
    ...{ config: { isEarlierKeyLost: false }, log: createLogger('silent') },
  });
  let at = begun;
  for (let done = 0; done < LONG; done += DAY) {
    at = await lengthenTrail(database, id, { entries: DAY, controls: CONTROLS, from: new Date(at.getTime() + 1000) });
    await states.keepDue();
  }
  await database.rows('analyze audit_entry');
  // At most as many entries are applied as there are rows: controls, the organization and its owner.
  const [{ most } = { most: Infinity }] = await database.rows<{ most: number }>(
    `select max(position - previous)::int as most
       from (select position, lag(position, 1, 0::bigint) over (order by position) as previous from recorded_state where organization_id = $1) kept`,
    [id],
  );
  expect(most).toBeLessThanOrEqual(CONTROLS + 2);
  const span = at.getTime() - begun.getTime();
  const instants = Array.from({ length: 21 }, (_, n) => new Date(begun.getTime() + (span * (n + 0.37)) / 21));
  const took: number[] = [];
  for (const instant of [instants[0]!, ...instants]) {
    const started = performance.now();
    const status = await read(`/api/v1/organizations/${id}?as_of=${instant.toISOString()}`);
    took.push(performance.now() - started);
    expect(status).toBe(200);
  }
  // The first one loads shared data; some may have been delayed by other processes.
  const sorted = took.slice(1).toSorted((one, other) => one - other);
  process.stdout.write(
    `as of ${instants.length} instants of ${LONG} entries: median ${Math.round(sorted[10]!)} ms, most ${Math.round(sorted.at(-1)!)} ms\n`,
  );
  expect(sorted[10]).toBeLessThan(300);
}, 1_800_000);
