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
