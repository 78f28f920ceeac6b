import { expect, test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { RandomChanges, seededRandom } from '../support/random-changes.js';
import { expectProven, expectRecorded, expectRecordedStateAtRandom } from '../support/recorded-state.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();
const seeds = Array.from({ length: 20 }, () => randomInt(2 ** 31));

test.each(seeds)('the trail has every recorded field after the changes of seed %i', (seed) =>
  expectRecordedStateAtRandom(gateway, seed),
);

test.each(seeds.slice(0, 4))(
  'the trail has every recorded field after changes at the same time, of seed %i',
  async (seed) => {
    const changes = await RandomChanges.begin(gateway, seededRandom(seed));
    const { organization } = changes;
    await changes.run(60);
    for (let round = 0; round < 4; round += 1) {
      expect(await changes.runBeside(8, 40)).toBeGreaterThan(100);
      await expectRecorded(gateway, organization.id, `seed ${seed}, round ${round}`);
      await expectProven(gateway, organization);
    }
  },
);
