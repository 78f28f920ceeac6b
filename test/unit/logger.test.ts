import { expect, test } from '@jest/globals';
import { errorForLog } from '../../src/logger.js';

test.each([
  ['an error', new TypeError('it broke'), 'it broke'],
  [
    'a plain object as the job queue reports it',
    { message: 'relation is missing', queue: 'mail' },
    'relation is missing',
  ],
  ['an object without a message', { detail: 1, hint: 2 }, 'an object with detail, hint'],
  ['an error of several addresses', new AggregateError([new Error('refused'), new Error('away')]), 'refused; away'],
  ['an error without a message', new RangeError(''), 'RangeError'],
  ['a text', 'a text', 'a text'],
  ['nothing', undefined, 'undefined'],
])('%s is logged with a message that a person can read', (_what, error, message) => {
  expect(errorForLog(error)).toMatchObject({ message });
});
