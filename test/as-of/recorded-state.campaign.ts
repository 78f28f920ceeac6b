import { test } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { expectToldAtRandom } from '../support/recorded-state.js';
import { startSharedGateway } from '../support/seeded-gateway.js';

const gateway = await startSharedGateway();
const seeds = Array.from({ length: 20 }, () => randomInt(2 ** 31));

test.each(seeds)('the trail tells every recorded field after the changes of seed %i', (seed) =>
  expectToldAtRandom(gateway, seed),
);
