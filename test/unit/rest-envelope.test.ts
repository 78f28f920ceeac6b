import { describe, expect, test } from '@jest/globals';
import * as errors from '../../src/errors.js';
import { attachment, errorEnvelope, statusOf, successEnvelope } from '../../src/rest/answer/answer.js';

describe('the envelope', () => {
  test('of a success has error, messages and data, in this order', () => {
    expect(JSON.stringify(successEnvelope({ data: { id: 1 } }))).toBe('{"error":0,"messages":[],"data":{"id":1}}');
  });

  test('of a list ends with total, be it zero', () => {
    expect(JSON.stringify(successEnvelope({ data: [], total: 0 }))).toBe(
      '{"error":0,"messages":[],"data":[],"total":0}',
    );
  });

  test('of a failure has no data', () => {
    expect(JSON.stringify(errorEnvelope(errors.notFound()))).toBe('{"error":1,"messages":[1004]}');
    expect(JSON.stringify(errorEnvelope(errors.unavailable()))).toBe('{"error":1,"messages":[]}');
  });
});

describe('the status of a failure', () => {
  test.each([
    [errors.unauthenticated(), 401],
    [errors.forbidden(), 403],
    [errors.notFound(), 404],
    [errors.methodNotAllowed(), 405],
    [errors.conflict('LAST_OWNER'), 409],
    [errors.rateLimited(1), 429],
    [errors.badUserInput(['x']), 400],
    [errors.missingContent(), 400],
    [errors.invalidBase64(), 400],
    [errors.unsupportedFileType(['pdf']), 415],
    [errors.fileTooLarge(1), 413],
    [errors.invalidData(), 400],
    [errors.unavailable(), 503],
    [errors.internal(), 500],
  ])('%s is %i', ({ code }, status) => {
    expect(statusOf(code)).toBe(status);
  });
});

describe('Content-Disposition', () => {
  test('names an ASCII file once', () => {
    expect(attachment('policy v2.pdf')).toBe('attachment; filename="policy v2.pdf"');
  });

  test('names any other file twice: for old clients and as it is', () => {
    expect(attachment("perché l'80% (ok).pdf")).toBe(
      `attachment; filename="perch_ l'80_ (ok).pdf"; filename*=UTF-8''perch%C3%A9%20l%2780%25%20%28ok%29.pdf`,
    );
  });

  test.each(['a"b.pdf', 'a\\b.pdf', 'a\r\nSet-Cookie: x.pdf', '😀.pdf', 'half \ud83d.pdf', '\u202egnp.exe', ''])(
    'stays one header line with one quoted name for %j',
    (name) => {
      expect(attachment(name)).toMatch(/^attachment; filename="[^"\\%\r\n]*"(; filename\*=UTF-8''[\w.!#$&+^`|~%-]*)?$/);
    },
  );
});
