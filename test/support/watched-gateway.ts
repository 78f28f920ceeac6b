import { afterAll } from '@jest/globals';
import { createTestDatabase } from './database.js';
import type { GatewayOptions, TestGateway } from './gateway.js';
import { startSeededGateway, startSharedGateway } from './seeded-gateway.js';
import { StatementWatch } from './statements.js';

/** A seeded gateway with recorded statements, for all tests of the file that awaits it. */
export async function startWatchedGateway(options: GatewayOptions = {}) {
  const database = await createTestDatabase();
  const watch = await StatementWatch.before(database.url);
  const seeded = await startSeededGateway({ ...options, database: { ...database, url: watch.url } });
  afterAll(async () => {
    await watch.close();
    await database.drop();
  });
  return { ...seeded, watch };
}

/** Two gateways on one database, for all tests of the file that awaits them. */
export async function startTwoGateways(options: GatewayOptions = {}): Promise<[TestGateway, TestGateway]> {
  const database = await createTestDatabase();
  const first = await startSharedGateway({ ...options, database });
  const second = await startSharedGateway({ ...options, database });
  afterAll(() => database.drop());
  return [first, second];
}
