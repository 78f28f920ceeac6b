import { expect, test } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { Revision } from '../../src/rest/answer/operation-handler.js';

const requestWith = (tag?: string) =>
  ({ url: '/api/v1/notifications', headers: { 'if-none-match': tag } }) as IncomingMessage;

test('a text that two users read is still right for each of them while their own state has not changed', () => {
  const revision = new Revision({ execute: () => Promise.reject(new Error('It is not executed here')) });
  const { ETag } = revision.headersFor('{"data":[]}', requestWith(), 'of one');
  expect(revision.headersFor('{"data":[]}', requestWith(), 'of another').ETag).toBe(ETag);
  expect(revision.current(requestWith(ETag), 'of one')?.ETag).toBe(ETag);
  expect(revision.current(requestWith(ETag), 'of another')?.ETag).toBe(ETag);
  expect(revision.current(requestWith(ETag), 'a later one')).toBeUndefined();
});
