import { expect, test } from '@jest/globals';
import { TestClock } from '../support/clock.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { buildPerson, buildToken } from '../support/test-data.js';

const clock = new TestClock();

const gateway = await startSharedGateway({ now: clock.now });

test('a token is good until the instant at which it expires, by the clock of the gateway, through both APIs', async () => {
  const { database } = gateway.app;
  const { id } = await buildPerson(database, 'expiring');
  const token = await buildToken(database, { id }, { expiresAt: clock.at(1) });
  const rest = () => gateway.rest.get('/api/v1/token', { token });
  const graphql = () => gateway.graphql.call('{ viewer { user { id: databaseId } } }', { token });

  clock.set(1, -1);
  expectStatus(await rest(), 200);
  expect((await graphql()).body.errors).toBeUndefined();

  clock.set(1);
  expectStatus(await rest(), 401);
  expect((await graphql()).body.errors?.[0]?.extensions?.['code']).toBe('UNAUTHENTICATED');
});

test('a token that is revoked twice within a millisecond is on record once', async () => {
  const { database } = gateway.app;
  const person = await buildPerson(database, 'hasty');
  await buildToken(database, person, {});
  const [row] = await database.rows<{ id: number }>('select max(id) as id from api_token where user_id = $1', [
    person.id,
  ]);
  const revoke = () => gateway.rest.delete(`/api/v1/tokens/${row!.id}`, { token: person.token });
  for (const answer of [await revoke(), await revoke()]) expectStatus(answer, 200);
  const entries = await database.rows(
    `select from audit_entry e join audit_log l on l.id = e.log_id where l.user_id = $1 and e.action = 'TOKEN_REVOKED'`,
    [person.id],
  );
  expect(entries).toHaveLength(1);
});
