import { expect, test } from '@jest/globals';
import { shareDone } from '../../web/progress.js';

test.each([
  ['nothing of what applies is done', { done: 0, inProgress: 1, toDo: 1, notApplicable: 0 }, 0],
  ['all but one of many is done', { done: 249, inProgress: 0, toDo: 1, notApplicable: 9 }, 0.99],
  ['all that applies is done', { done: 2, inProgress: 0, toDo: 0, notApplicable: 3 }, 1],
  ['nothing applies, so that nothing is left to be done', { done: 0, inProgress: 0, toDo: 0, notApplicable: 3 }, 1],
  ['there is nothing at all', { done: 0, inProgress: 0, toDo: 0, notApplicable: 0 }, 0],
])('the pages show the share that the weekly report has where %s', (_what, progress, share) => {
  expect(shareDone(progress)).toBe(share);
});
