import { expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { parse } from 'graphql';
import type { Engine } from '../../src/engine/engine.js';
import { Revision } from '../../src/rest/conditional.js';

const asking = (tag?: string) =>
  ({ url: '/api/v1/notifications', headers: { 'if-none-match': tag } }) as IncomingMessage;

// Nothing is asked of it here.
const idle = { prepare: () => undefined } as unknown as Engine;

test('users who read the same text are each told that it is still right', () => {
  const revision = new Revision(idle, parse('{ data: notificationsRevision }'));
  const { ETag } = revision.headersFor('{"data":[]}', asking(), 'of one');
  expect(revision.headersFor('{"data":[]}', asking(), 'of another').ETag).toBe(ETag);
  expect(revision.current(asking(ETag), 'of one')?.ETag).toBe(ETag);
  expect(revision.current(asking(ETag), 'of another')?.ETag).toBe(ETag);
  expect(revision.current(asking(ETag), 'a later one')).toBeUndefined();
});
