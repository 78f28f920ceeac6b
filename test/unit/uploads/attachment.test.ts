import { describe, expect, it } from '@jest/globals';
import { incomingPart } from '../../../src/rest/request/incoming-files.js';
import { MULTIPART_TYPE, field, file, multipart, outcome, pieces, request, splitAt, type FormPart } from './support.js';

const INVALID = { thrownBy: 'bytes', code: 'INVALID_DATA', messages: ['Invalid data provided'] };
const attachment = (body: string | Uint8Array, type = MULTIPART_TYPE, headers = {}) =>
  outcome(incomingPart('file', request(type, pieces(body), headers)));
const form = (...parts: FormPart[]) => attachment(multipart(...parts));

describe('an incident attachment', () => {
  it('is the one file part named file, wherever the body is cut', async () => {
    const body = multipart(file('file', 'a.txt', 'hello', 'text/plain'));
    const whole = { content: 'hello', facts: { filename: 'a.txt', contentType: 'text/plain' } };
    for (let at = 0; at <= body.length; at++) {
      expect(await outcome(incomingPart('file', request(MULTIPART_TYPE, splitAt(body, at))))).toEqual(whole);
    }
  });

  it.each<[string, FormPart[]]>([
    ['no part at all', []],
    ['a part of another name', [file('content', 'a', 'hello')]],
    ['a text part', [field('file', 'hello')]],
    ['two files', [file('file', 'a', 'hello'), file('file', 'b', 'hello')]],
    ['a field before the file', [field('x', '1'), file('file', 'a', 'hello')]],
    ['a field after the file', [file('file', 'a', 'hello'), field('x', '1')]],
    ['an empty file', [file('file', 'a', '')]],
  ])('refuses %s', async (_, parts) => expect(await form(...parts)).toEqual(INVALID));

  it('refuses a body that is cut off, is no multipart, or is compressed', async () => {
    const sound = multipart(file('file', 'a', 'hello'));
    expect(await attachment(sound.subarray(0, -6))).toEqual(INVALID);
    expect(await attachment('')).toEqual(INVALID);
    expect(await attachment(sound, 'multipart/form-data')).toEqual(INVALID);
    expect(await attachment('{"content":"Zm9v"}', 'application/json')).toEqual(INVALID);
    expect(await attachment(sound, '')).toEqual(INVALID);
    expect(await attachment(sound, MULTIPART_TYPE, { 'content-encoding': 'gzip' })).toEqual(INVALID);
  });
});
