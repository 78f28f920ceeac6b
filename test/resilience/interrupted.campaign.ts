import { afterAll, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { PROVEN } from '../support/seeded-organization.js';
import { Findings, isChosen, placesOf, runMutation, seed, untouched } from './support/interrupted-runs.js';
import { SCENARIOS } from './support/pair-scenarios.js';
import { followSteps } from './support/stepped-requests.js';

const { gateway } = await startSeededGateway({ resolveTxt: PROVEN });
afterAll(followSteps());

const findings = new Findings();

/** Operations of several transactions, each of which is done as a whole. */
const IN_PARTS = /^importControls/;

test('a mutation that is interrupted is done as a whole or not at all, as it says', async () => {
  let [places, interrupted] = [0, 0];
  for (const name of Object.keys(SCENARIOS).filter(isChosen)) {
    const none = await untouched(gateway, name);
    const whole = await runMutation(gateway, name);
    for (const { before, interruption } of placesOf(whole.statements)) {
      places += 1;
      const { answer, state, fault, left, statements } = await runMutation(gateway, name, { before, interruption });
      if (statements.length > before) interrupted += 1;
      const isWhole = state === whole.state;
      const isError = answer !== undefined && /"code":/.test(answer);
      const hasCommitted = statements.slice(0, before + 1).includes('commit');
      // As it is not said whether it was made, a client repeats it with its key.
      const isUnknown = hasCommitted || (interruption === 'answer lost' && !statements.includes('commit'));
      const isPart = !isWhole && state !== none && !IN_PARTS.test(name);
      const isSaidDone = !isWhole && answer !== undefined && !isError;
      const isSaidUndone = isWhole && whole.state !== none && isError && !isUnknown;
      const isInternal = answer !== undefined && /"INTERNAL"/.test(answer);
      const isFault = fault !== undefined && whole.fault === undefined;
      if (isPart || isSaidDone || isSaidUndone || isInternal || isFault || left.length > 0)
        findings.note({
          ...{ name, before, interruption, statement: whole.statements[before], answer, fault, left },
          ...{ isWhole, isUntouched: state === none },
          ...(isPart && { state, whole: whole.state }),
        });
    }
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
  // Something that is remembered may spare a statement.
  expect(interrupted).toBeGreaterThan(places * 0.9);
}, 7_200_000);
