import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { GraphQLError, parseValue as parseLiteralNode } from 'graphql';
import Upload from 'graphql-upload/Upload.mjs';
import { missingContent } from '../../src/errors.js';
import {
  DateScalar,
  DateTimeScalar,
  JsonObjectScalar,
  JsonScalar,
  SafeIntScalar,
  UploadScalar,
} from '../../src/schema/shared/scalars.js';
import type { IncomingFile } from '../../src/storage/incoming-file.js';
import { readAll } from '../support/bytes.js';

describe('SafeInt', () => {
  test.each([0, -1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 1 - 2 ** 53])('leaves %d as it is both ways', (number) => {
    expect(SafeIntScalar.parseValue(number)).toBe(number);
    expect(SafeIntScalar.serialize(number)).toBe(number);
    expect(SafeIntScalar.parseLiteral(parseLiteralNode(String(number)))).toBe(number);
  });

  test.each([2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', true, null, [1], {}, 1n])(
    'refuses %p and says what it takes',
    (value) => {
      for (const use of [() => SafeIntScalar.parseValue(value), () => SafeIntScalar.serialize(value)])
        expect(use).toThrow(new GraphQLError('must be an integer from -9007199254740991 to 9007199254740991'));
    },
  );

  test.each(['9007199254740992', '9007199254740993', '1.0', '1e3', '"1"', 'true', 'ONE', '[1]', '{}'])(
    'refuses the literal %s',
    (literal) => expect(() => SafeIntScalar.parseLiteral(parseLiteralNode(literal))).toThrow(GraphQLError),
  );
});

describe('DateTime', () => {
  test.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00+01:00', '2026-01-31T08:30:00.000Z'],
    ['2026-01-31T23:30:00-05:30', '2026-02-01T05:00:00.000Z'],
    ['2024-02-29T00:00:00.5Z', '2024-02-29T00:00:00.500Z'],
    ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s as an instant', (text, instant) => {
    expect(DateTimeScalar.parseValue(text).toISOString()).toBe(instant);
    expect(DateTimeScalar.parseLiteral(parseLiteralNode(JSON.stringify(text))).toISOString()).toBe(instant);
  });

  test.each([
    ['no offset', '2026-01-31T09:30:00'],
    ['no time', '2026-01-31'],
    ['a day that the month lacks', '2026-02-30T09:30:00Z'],
    ['29 February of a common year', '2025-02-29T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-10T00:00:00Z'],
    ['hour 24', '2026-01-31T24:00:00Z'],
    ['minute 60', '2026-01-31T09:60:00Z'],
    ['second 60', '2026-06-30T23:59:60Z'],
    ['an offset of 24 hours', '2026-01-31T09:30:00+24:00'],
    ['an offset without minutes', '2026-01-31T09:30:00+01'],
    ['a blank for the T', '2026-01-31 09:30:00Z'],
    ['a point without a fraction', '2026-01-31T09:30:00.Z'],
    ['text before', ' 2026-01-31T09:30:00Z'],
    ['text after', '2026-01-31T09:30:00Z\n'],
    ['the year 0, which the database does not know', '0000-01-01T00:00:00Z'],
    ['an instant before the year 1 in UTC', '0001-01-01T00:00:00+01:00'],
    ['an instant after the year 9999 in UTC', '9999-12-31T23:59:59-01:00'],
    ['empty text', ''],
    ['a number', 1769851800000],
    ['a boolean', true],
    ['null', null],
    ['an object', { toString: () => '2026-01-31T09:30:00Z' }],
    ['a Date', new Date(0)],
  ])('refuses %s and does not repeat it', (_what, value) => {
    expectRefusal(() => DateTimeScalar.parseValue(value));
  });

  test('refuses a literal that is no text', () => {
    expectRefusal(() => DateTimeScalar.parseLiteral(parseLiteralNode('2026')));
  });

  test.each(['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.123Z', '2026-01-31T09:30:00.123456Z'])(
    'answers text %s in UTC as it is',
    (text) => expect(DateTimeScalar.serialize(text)).toBe(text),
  );

  test('answers a Date in UTC', () => {
    expect(DateTimeScalar.serialize(new Date(Date.UTC(2026, 0, 31, 9, 30)))).toBe('2026-01-31T09:30:00.000Z');
  });

  test.each([
    ['text with another offset', '2026-01-31T09:30:00+00:00'],
    ['text as PostgreSQL prints it', '2026-01-31 09:30:00+00'],
    ['other text that ends in Z', 'Z'],
    ['an invalid Date', new Date(Number.NaN)],
    ['a number', 0],
  ])('never answers %s', (_what, value) => {
    expectRefusal(() => DateTimeScalar.serialize(value));
  });
});

describe('Date', () => {
  test.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('takes %s both ways', (day) => {
    expect(DateScalar.parseValue(day)).toBe(day);
    expect(DateScalar.serialize(day)).toBe(day);
    expect(DateScalar.parseLiteral(parseLiteralNode(`"${day}"`))).toBe(day);
  });

  test.each([
    ['29 February of a common year', '2026-02-29'],
    ['29 February of 1900', '1900-02-29'],
    ['31 April', '2026-04-31'],
    ['month 13', '2026-13-01'],
    ['day 0', '2026-01-00'],
    ['the year 0', '0000-12-31'],
    ['one digit for the month', '2026-1-31'],
    ['a time', '2026-01-31T00:00:00Z'],
    ['text after', '2026-01-31\n'],
    ['a number', 20260131],
    ['a Date', new Date(0)],
    ['null', null],
  ])('refuses %s and does not repeat it', (_what, value) => {
    expectRefusal(() => DateScalar.parseValue(value));
    expectRefusal(() => DateScalar.serialize(value));
  });
});

describe('JSONObject', () => {
  test('passes an object through untouched both ways', () => {
    const sent = JSON.parse('{"entity_type":"important","aB":[1,{"c_d":null}],"__proto__":{"x":1}}') as object;
    expect(JsonObjectScalar.parseValue(sent)).toBe(sent);
    expect(JsonObjectScalar.serialize(sent)).toBe(sent);
  });

  test('takes an object without a prototype', () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    expect(JsonObjectScalar.parseValue(bare)).toBe(bare);
  });

  test('reads a literal with its variables', () => {
    const literal = parseLiteralNode('{ a: [1, 2.5, true, null, "x"], b: { c_d: $v } }');
    const read = JsonObjectScalar.parseLiteral(literal, { v: { e: 1 } });
    expect(JSON.stringify(read)).toBe('{"a":[1,2.5,true,null,"x"],"b":{"c_d":{"e":1}}}');
  });

  test('does not make a key named __proto__ of a literal a prototype', () => {
    const read = JsonObjectScalar.parseLiteral(parseLiteralNode('{ __proto__: { isAdmin: true } }'));
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(read.isAdmin).toBeUndefined();
  });

  test.each([
    ['an array', [{ a: 1 }]],
    ['text', '{"a":1}'],
    ['a number', 7],
    ['a boolean', true],
    ['null', null],
    ['a Date', new Date(0)],
    ['a file that a multipart map put there', new Upload()],
  ])('refuses %s and does not repeat it', (_what, value) => {
    expectRefusal(() => JsonObjectScalar.parseValue(value));
    expectRefusal(() => JsonObjectScalar.serialize(value));
  });

  test.each(['[{ a: 1 }]', '"{}"', '1', 'RED', 'null'])('refuses the literal %s', (literal) => {
    expectRefusal(() => JsonObjectScalar.parseLiteral(parseLiteralNode(literal)));
  });
});

describe('Upload', () => {
  test('makes a multipart upload a file whose bytes are not opened before they are read', async () => {
    const part = partOf([Buffer.from('ab'), Buffer.from('c')]);
    const file = UploadScalar.parseValue(part.upload);
    await file.facts();
    expect(part.opened()).toBe(0);
    expect(await textOf(file)).toBe('abc');
    expect(part.opened()).toBe(1);
  });

  test('gives the name and the media type of the part, and no source', async () => {
    const file = UploadScalar.parseValue(partOf([Buffer.from('x')]).upload);
    await textOf(file);
    expect(await file.facts()).toEqual({ filename: 'a.pdf', contentType: 'application/pdf' });
  });

  test('closes the stream when its reader leaves early', async () => {
    const part = partOf([Buffer.from('ab'), Buffer.from('c')]);
    const bytes = UploadScalar.parseValue(part.upload).bytes[Symbol.asyncIterator]();
    await bytes.next();
    await bytes.return?.();
    expect(part.stream?.destroyed).toBe(true);
  });

  test('waits for a part that has not come yet', async () => {
    const late = new Upload();
    const read = textOf(UploadScalar.parseValue(late));
    late.resolve(detailsOf(() => Readable.from([Buffer.from('late')])));
    expect(await read).toBe('late');
  });

  test('fails as its part did, in facts as well', async () => {
    const error = missingContent();
    const broken = new Upload();
    broken.reject(error);
    const file = UploadScalar.parseValue(broken);
    await expect(file.facts()).rejects.toBe(error);
    await expect(textOf(file)).rejects.toBe(error);
    await expect(textOf(file)).rejects.toBe(error);
  });

  test('fails in facts as the reading failed', async () => {
    const error = Object.assign(new Error('disk'), { code: 'ENOSPC' });
    const upload = new Upload();
    upload.resolve(detailsOf(() => failingWith(error)));
    const file = UploadScalar.parseValue(upload);
    await expect(textOf(file)).rejects.toBe(error);
    await expect(file.facts()).rejects.toBe(error);
  });

  test('passes a file of the other API through', () => {
    const file: IncomingFile = { bytes: Readable.from([]), facts: () => Promise.resolve({}) };
    expect(UploadScalar.parseValue(file)).toBe(file);
  });

  test.each([
    ['null', null],
    ['text', 'file'],
    ['an object', {}],
    ['an object that only looks like a file', { bytes: [1], facts: {} }],
    ['a file without bytes', { facts: () => Promise.resolve({}) }],
    ['a promise', Promise.resolve()],
  ])('refuses %s', (_what, value) => {
    expectRefusal(() => UploadScalar.parseValue(value));
  });

  test('refuses every literal and is never answered', () => {
    for (const literal of ['"x"', '1', '{ a: 1 }', 'null']) {
      expectRefusal(() => UploadScalar.parseLiteral(parseLiteralNode(literal)));
    }
    expectRefusal(() => UploadScalar.serialize('x'));
  });
});

test('every scalar says where its form is specified', () => {
  for (const scalar of [DateTimeScalar, DateScalar, JsonObjectScalar, JsonScalar, UploadScalar]) {
    expect(scalar.specifiedByURL).toMatch(/^https:/);
    expect(scalar.description).toBeTruthy();
  }
});

/** A refusal is exactly one of these sentences for any input: so it cannot repeat it. */
const REFUSALS = [
  'must be a date-time with an offset, such as 2026-01-31T09:30:00Z',
  'DateTime cannot represent this value',
  'must be a day of the calendar, such as 2026-01-31',
  'must be a JSON object',
  'must be a file of a multipart request',
  'Upload must be given through a variable of a multipart request',
  'Upload is an input only',
];

function expectRefusal(act: () => unknown): void {
  const error = thrownBy(act);
  expect(error).toBeInstanceOf(GraphQLError);
  expect(REFUSALS).toContain((error as GraphQLError).message);
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

function detailsOf(createReadStream: () => Readable) {
  return { filename: 'a.pdf', mimetype: 'application/pdf', encoding: '7bit', createReadStream };
}

function partOf(chunks: Buffer[]) {
  const streams: Readable[] = [];
  const upload = new Upload();
  upload.resolve(
    detailsOf(() => {
      const stream = Readable.from(chunks);
      streams.push(stream);
      return stream;
    }),
  );
  return {
    upload,
    opened: () => streams.length,
    get stream() {
      return streams[0];
    },
  };
}

function failingWith(error: Error): Readable {
  return new Readable({
    read() {
      this.destroy(error);
    },
  });
}

async function textOf(file: IncomingFile): Promise<string> {
  return (await readAll(file.bytes)).toString();
}
