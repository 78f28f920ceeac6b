import { afterAll, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { PROVEN } from '../support/seeded-organization.js';
import { Findings, runMutation, untouched } from './support/interrupted-runs.js';
import { SCENARIOS } from './support/pair-scenarios.js';
import { followSteps, INTERRUPTIONS } from './support/stepped-requests.js';

/** `INTERRUPTED='closeIncident'` takes the operations whose names match. */
const isChosen = (name: string) => new RegExp(process.env['INTERRUPTED'] ?? '').test(name);

const { gateway } = await startSeededGateway({ resolveTxt: PROVEN });
afterAll(followSteps());

const findings = new Findings();

/** What is done in several transactions, each as a whole. */
const IN_PARTS = /^importControls/;

/** The most places of one operation, among its first and its last ones. */
const MOST = 40;

test('a mutation that is interrupted is done as a whole or not at all, as it says', async () => {
  let interrupted = 0;
  for (const name of Object.keys(SCENARIOS).filter(isChosen)) {
    const none = await untouched(gateway, name);
    const whole = await runMutation(gateway, name);
    const { length } = whole.statements;
    for (const [before, statement] of whole.statements.entries()) {
      if (length > MOST && before > MOST / 2 && before < length - MOST / 2) continue;
      for (const interruption of INTERRUPTIONS) {
        interrupted += 1;
        const { answer, state, fault, left, statements } = await runMutation(gateway, name, { before, interruption });
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
            ...{ name, before, interruption, statement, answer, fault, left, isWhole, isUntouched: state === none },
            ...(isPart && { state, whole: whole.state }),
          });
      }
    }
  }
  expect(findings.all).toEqual([]);
  expect(interrupted).toBeGreaterThan(0);
}, 7_200_000);
