import { afterAll, beforeAll, test } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { EventRetention } from '../../src/services/events/event-records.js';
import { EventWakes } from '../../src/services/events/event-wakes.js';
import { EventService } from '../../src/services/events/events.service.js';
import { anonymousAccess, selecting, userCaller } from '../support/callers.js';
import { PlannedDatabase } from '../support/planned-database.js';

const ORGANIZATIONS = 8_000;
/** Organizations of the caller; the others have other members. */
const OWN = 20;
const EVENTS = 40_000;

let planned: PlannedDatabase;
let userId: string;

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fillOrganizations(ORGANIZATIONS);
  const users = await planned.database.rows<{ id: string }>(
    `insert into app_user (id, username, email, first_name, last_name)
     select gen_random_uuid(), 'u' || n, n || '@example.com', 'a', 'b' from generate_series(1, 400) n returning id`,
  );
  userId = users[0]!.id;
  await planned.fill(
    `insert into membership (user_id, organization_id, role)
     select ($1::uuid[])[1 + id / ${OWN}], id, 'VIEWER' from organization where id / ${OWN} < 400`,
    [users.map(({ id }) => id)],
  );
  await planned.fill(
    `insert into audit_entry (log_id, position, entry, hash)
     select 1 + n % ${ORGANIZATIONS}, 1 + n / ${ORGANIZATIONS},
            '{"action":"NOTE_ADDED","actor":{"id":"job","type":"SYSTEM"},"at":"2026-11-20T08:15:30.500Z","subject":{"id":"1","name":"a","type":"INCIDENT"}}', ''
       from generate_series(1, ${EVENTS}) n`,
  );
  await planned.fill(
    `insert into event (seq, organization_id, log_id, position, action)
     select n, 1 + n % ${ORGANIZATIONS}, 1 + n % ${ORGANIZATIONS}, 1 + n / ${ORGANIZATIONS}, 'NOTE_ADDED' from generate_series(1, ${EVENTS}) n`,
  );
  await planned.analyze(['organization', 'membership', 'audit_entry', 'event']);
});

afterAll(() => planned?.close());

const ALL = selecting('id', 'type', 'organizationId', 'subject', 'position', 'changedFields', 'at', 'url');

const list = (recorder: Database, query: object) =>
  new EventService(recorder, anonymousAccess(), 'https://gateway.example').list(userCaller(userId), query, ALL);

test.each([{}, { types: ['incident.opened'] as const }, { after: 'latest' }])(
  'a page of events over many organizations is found without reading any table from one end to the other: %j',
  (query) => planned.expectIndexed((recorder) => list(recorder, query)),
);

test('old events are found without reading any table from one end to the other', () =>
  planned.expectIndexed((recorder) => new EventRetention(recorder).purgeOld()));

test('who waits for new events is found without reading any table from one end to the other', () =>
  planned.expectIndexed(async (recorder) => {
    const wakes = new EventWakes({
      ...{ database: recorder, freshness: { isFresh: () => true }, stallSeconds: 120 },
      onError: () => undefined,
    });
    const wait = wakes.join({ userId, organizationId: null, actions: null });
    wakes.announced(`${EVENTS - ORGANIZATIONS} ${EVENTS}`);
    await wait.comes();
    await wakes.close();
  }));
