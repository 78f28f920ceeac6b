import Sequencer from '@jest/test-sequencer';

/** Files that start processes and wait for them run first: at the end, one worker would run them alone. */
const SLOW = /\/(?:resilience|database|clients|storage|portal)\//;
/** Files that mostly wait, for limits and intervals. */
const WAITING = new Set([
  ...['access/announcements', 'audit/refusal-recorder', 'contract/recipes', 'database/time-limits', 'events/live'],
  ...['imports/api', 'members/erasure', 'members/member-import-api', 'notifications/consumer'],
  ...['notifications/mail-allowance', 'notifications/mails', 'notifications/notification-mails'],
  ...['protocol/clients-that-leave', 'protocol/http-correctness', 'protocol/live', 'protocol/refused-while-opening'],
  ...['protocol/rights-during-transfer', 'protocol/rights-while-sending', 'tokens/addresses', 'webhooks/deliveries'],
  'webhooks/instances',
]);

const isWaiting = ({ path }) => WAITING.has(path.replace(/^.*\/test\//, '').replace(/\.test\.ts$/, ''));

/** The part of the other files among which they are spread: at the end, a worker would run one of them alone. */
const SPREAD = 0.45;

/** Spreads files that wait among the others, so that all processors have work. */
export default class BusyProcessors extends Sequencer {
  sort(tests) {
    const [slow = [], rest = []] = [true, false].map((isSlow) =>
      tests.filter((test) => !isWaiting(test) && SLOW.test(test.path) === isSlow),
    );
    const busy = [...super.sort(slow), ...super.sort(rest)];
    const waiting = super.sort(tests.filter(isWaiting));
    const distance = (busy.length * SPREAD) / waiting.length;
    for (const [at, test] of waiting.entries()) busy.splice(Math.round(at * distance) + at, 0, test);
    return busy;
  }
}
