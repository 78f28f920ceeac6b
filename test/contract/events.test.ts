import { expect, test } from '@jest/globals';
import { ACTIONS } from '../../src/values/audit.js';
import { EVENT_ACTIONS, EVENT_TYPES } from '../../src/values/events.js';

const types = Object.values(EVENT_TYPES);

test('every action of audit trails has a type of event, but for those of the trails of users alone', () => {
  const ownAffairs = ['PROFILE_UPDATED', 'PROFILE_EXPORTED', 'USER_ERASED', 'TOKEN_RECOVERY_REQUESTED'];
  expect([...EVENT_ACTIONS, ...ownAffairs].toSorted()).toEqual(Object.keys(ACTIONS).toSorted());
});

test('types of events are unique, and are written as a noun and what has happened to it', () => {
  expect(new Set(types).size).toBe(types.length);
  for (const type of types) expect(type).toMatch(/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
});
