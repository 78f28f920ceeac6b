import { expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { Revision } from '../../src/rest/answer/operation-handler.js';

const asking = (tag?: string) =>
  ({ url: '/api/v1/notifications', headers: { 'if-none-match': tag } }) as IncomingMessage;

test('a text that two users read is still right for each of them while their own state has not changed', () => {
  const revision = new Revision({ execute: () => Promise.reject(new Error('It is not executed here')) });
  const { ETag } = revision.headersFor('{"data":[]}', asking(), 'of one');
  expect(revision.headersFor('{"data":[]}', asking(), 'of another').ETag).toBe(ETag);
  expect(revision.current(asking(ETag), 'of one')?.ETag).toBe(ETag);
  expect(revision.current(asking(ETag), 'of another')?.ETag).toBe(ETag);
  expect(revision.current(asking(ETag), 'a later one')).toBeUndefined();
});
