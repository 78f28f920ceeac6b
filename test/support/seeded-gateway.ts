import { afterAll } from '@jest/globals';
import { startGateway, type GatewayOptions, type TestGateway } from './gateway.js';
import { seedTestData, type TestData } from './test-data.js';

/** A gateway for all tests of the file that awaits it, closed after the last of them. */
export async function startSharedGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const gateway = await startGateway(options);
  afterAll(() => gateway.close());
  return gateway;
}

/** Ids beyond 32 bits, as in a database of many years. */
export const FIRST_ID = 2 ** 31 + 52;

/**
 * A gateway with the test data in its database, for all tests of the file that awaits it: the usual start of a test
 * file.
 */
export async function startSeededGateway(
  options: GatewayOptions = {},
): Promise<{ gateway: TestGateway; testData: TestData }> {
  const gateway = await startSharedGateway(options);
  await gateway.app.database.rows(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, ${FIRST_ID}, false)
       from pg_sequences where schemaname = 'public' and sequencename <> 'schema_migration_id_seq'`,
  );
  return { gateway, testData: await seedTestData(gateway.app.database) };
}
