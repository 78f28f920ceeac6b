import { afterAll, beforeEach, describe } from '@jest/globals';
import type * as Client from '../../packages/client/src/index.js';
import { seedDemo } from '../../src/demo/demo.js';
import { CATALOG } from '../support/catalog.js';
import { Front } from '../support/front.js';
import { InstalledPackages } from '../support/installed-packages.js';
import { startSeededGateway, startSharedGateway } from '../support/seeded-gateway.js';
import { expectStatus } from '../support/matchers.js';
import { settled } from '../support/settled.js';
import { buildWorkflow } from '../support/test-data.js';
import { clientCases } from './client-cases.js';
import { commandLineCases } from './command-line-cases.js';
import { evidenceCases } from './evidence-cases.js';

/**
 * `packages/` in their published form: building, packing and installing takes longer than the tests, so one file has
 * them all.
 */
const packages = await InstalledPackages.install();
const { gateway, testData } = await startSeededGateway();
await buildWorkflow(gateway.app.database, testData.organizationId, 'iso-27001-2022');
const demonstration = await startSharedGateway();
const { database, config } = demonstration;
const demo = await seedDemo({ databaseUrl: database.url, config, catalog: CATALOG });
const [front, demoFront] = await Promise.all([Front.start(gateway.url), Front.start(demonstration.url)]);

beforeEach(() => {
  front.reset();
  demoFront.reset();
});
afterAll(() => Promise.all([front.close(), demoFront.close(), packages.remove()]));

// Both have an event: without one, the cursor of a test database would be unusual, since its numbers begin high.
for (const [{ rest, app }, id, token] of [
  [gateway, testData.organizationId, testData.owner.token],
  [demonstration, 1, demo!.tokens.owner],
] as const) {
  expectStatus(
    await rest.call('PATCH', `/api/v1/organizations/${id}/settings`, { token, body: { report_weekday: 3 } }),
    200,
  );
  await settled(app.database, 'events');
}

const client = await packages.load<typeof Client>('index.js');
const token = demo!.tokens.owner;
describe('the client', () => clientCases(client, { gateway: demonstration, packages, front: demoFront, token }));
describe('the command line', () => {
  commandLineCases({ gateway, testData, packages, front });
  evidenceCases({ gateway, testData, packages, front });
});
