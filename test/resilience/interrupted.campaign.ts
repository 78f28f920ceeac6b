import { afterAll, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { PROVEN } from '../support/seeded-organization.js';
import { LOSSES, runEnded } from './support/ended-rights.js';
import { Findings, isChosen, placesOf, runMutation, sample, seed, untouched } from './support/interrupted-runs.js';
import { SCENARIOS } from './support/pair-scenarios.js';
import { followSteps, INTERRUPTIONS } from './support/stepped-requests.js';

const { gateway } = await startSeededGateway({ resolveTxt: PROVEN });
afterAll(followSteps());

const findings = new Findings();

/** Number of random losses of rights in one run. */
const LOSS_SAMPLE = 40;

/** Operations of several transactions, each of which is atomic. */
const IN_PARTS = /^importControls/;

test('a mutation that is interrupted is done as a whole or not at all, as it says', async () => {
  let [places, interrupted] = [0, 0];
  for (const name of Object.keys(SCENARIOS).filter(isChosen)) {
    const none = await untouched(gateway, name);
    const whole = await runMutation(gateway, name);
    for (const { before, interruption } of placesOf(whole.statements, INTERRUPTIONS)) {
      places += 1;
      const { answer, state, defect, left, statements } = await runMutation(gateway, name, { before, interruption });
      if (statements.length > before) interrupted += 1;
      const isWhole = state === whole.state;
      const isError = answer !== undefined && /"code":/.test(answer);
      const hasCommitted = statements.slice(0, before + 1).includes('commit');
      // If its result is unknown, a client repeats it with its key.
      const isUnknown = hasCommitted || (interruption === 'answer lost' && !statements.includes('commit'));
      const isPart = !isWhole && state !== none && !IN_PARTS.test(name);
      const isSaidDone = !isWhole && answer !== undefined && !isError;
      const isSaidUndone = isWhole && whole.state !== none && isError && !isUnknown;
      const isInternal = answer !== undefined && /"INTERNAL"/.test(answer);
      const isDefect = defect !== undefined && whole.defect === undefined;
      if (isPart || isSaidDone || isSaidUndone || isInternal || isDefect || left.length > 0)
        findings.note({
          ...{ name, before, interruption, statement: whole.statements[before], answer, defect, left },
          ...{ isWhole, isUntouched: state === none },
          ...(isPart && { state, whole: whole.state }),
        });
    }
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
  // Cached data may save a statement.
  expect(interrupted).toBeGreaterThan(places * 0.9);
}, 7_200_000);

/** A request that is refused, or a row of it. */
const REFUSED = /"code":"(?!INTERNAL|UNAVAILABLE)|"outcome":"REFUSED"/;

test('a mutation whose caller loses a right meanwhile is done as a whole, or refused and not done', async () => {
  for (const loss of sample(LOSSES, LOSS_SAMPLE)) {
    const last = await runEnded(gateway, loss, 'last');
    const first = await runEnded(gateway, loss, 'first');
    const alone = await runEnded(gateway, loss, 'alone');
    // The right may not be revoked after all, such as that of a person who has joined an organization meanwhile.
    const whole = await runEnded(gateway, loss, 'never');
    for (const { before } of placesOf(last.statements, [loss.ending])) {
      const run = await runEnded(gateway, loss, before);
      const { answer = '', state, defect, left, statements, hasEnded, isBefore } = run;
      const isRefused = REFUSED.test(answer);
      const isDone = state === last.state || (!(hasEnded && last.hasEnded) && state === whole.state);
      const isUndone = state === alone.state && (isRefused || !hasEnded);
      const isAfter = state === first.state && (isRefused || answer === first.answer);
      const hasCommitted = statements.slice(0, before + 1).includes('commit');
      // The payload is read after the COMMIT, in the state at that time.
      const isSaidDone = !/"code":/.test(answer) || (isRefused && hasCommitted);
      // A single statement has the rights at its beginning.
      const isSingle = !statements.includes('commit');
      const isLate = isBefore && isDone && !hasCommitted && !isSingle && !isAfter && REFUSED.test(first.answer ?? '');
      const isDefect = defect !== undefined && [last, first, alone].every((each) => each.defect === undefined);
      const isOne = (isDone && isSaidDone) || isUndone || isAfter || IN_PARTS.test(loss.name);
      if (!isOne || isLate || isDefect || left.length > 0)
        findings.note({
          ...{ ...loss, before, statement: statements[before], answer, defect, left, hasEnded, isBefore },
          ...{ isDone, isUndone, isAfter, isLate, statements: statements.length },
          ...(!isDone && !isUndone && !isAfter && { state, last: last.state, first: first.state, alone: alone.state }),
        });
    }
  }
  expect({ seed, found: findings.all }).toEqual({ seed, found: [] });
}, 7_200_000);
