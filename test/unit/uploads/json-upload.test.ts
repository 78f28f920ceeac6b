import { describe, expect, it } from '@jest/globals';
import {
  JSON_TYPE,
  MIB,
  MISSING,
  NOT_BASE64,
  document,
  documentOf,
  invalid,
  outcome,
  pieces,
  randomBytes,
  randomNumbers,
  read,
  refused,
  request,
  sameWhereverCut,
} from './support.js';

const json = (body: string | Uint8Array, max?: number) => outcome(document(JSON_TYPE, body, max));
const INVALID = refused('The body is not valid JSON');

describe('a document as JSON', () => {
  it('gives the content and the facts, wherever the body is cut', async () => {
    const body =
      ' {"filename":"\\u00e9t\u00e9 \\"1\\".pdf", "content" : "Zm9v\\nYm\\/y\\u002b\\r\\nAA=","content_type":"a/b",\n"source":"attached"} ';
    expect(await sameWhereverCut(JSON_TYPE, body)).toEqual({
      content: Buffer.from('Zm9vYm/y+AA=', 'base64').toString('latin1'),
      facts: { filename: 'été "1".pdf', contentType: 'a/b', source: 'attached' },
    });
  });

  it('takes the fields in any order', async () => {
    const facts = { filename: 'a', contentType: 'b/c', source: 'imported' };
    const fields = ['"filename":"a"', '"content":"Zm9v"', '"content_type":"b/c"', '"source":"imported"'];
    for (let turn = 0; turn < 4; turn++) {
      expect(await json(`{${fields.join()}}`)).toEqual({ content: 'foo', facts });
      fields.push(fields.shift()!);
    }
  });

  it('takes a field that is null as absent', async () => {
    expect(await json('{"content":"Zm9v","filename":null}')).toEqual({ content: 'foo', facts: {} });
  });

  it('recognises a name that is spelt with escapes', async () => {
    expect(await json('{"\\u0063ontent":"Zm9v","file\\u006eame":"x"}')).toEqual({
      content: 'foo',
      facts: { filename: 'x' },
    });
  });

  it.each([
    '{}',
    ' { } ',
    '{"content":null}',
    '{"content":""}',
    '{"content":"\\r\\n"}',
    '{"filename":"x"}',
    '{"filename":7,"x":1}',
  ])('finds the content missing in %s', async (body) =>
    expect(await sameWhereverCut(JSON_TYPE, body)).toEqual(MISSING),
  );

  it.each([
    '{"content":"Zm9v*"}',
    '{"content":"Zm-v"}',
    '{"content":"Zm9\\u0000"}',
    '{"content":"\\\\/Zm"}',
    '{"content":"\\ud83d"}',
    '{"content":"é"}',
    '{"content":"Zm9\\tv"}',
    '{"x":1,"content":"Z"}',
  ])('refuses the base64 of %s', async (body) => expect(await sameWhereverCut(JSON_TYPE, body)).toEqual(NOT_BASE64));

  it.each([
    '',
    ' ',
    '{',
    '}',
    '{"content"',
    '{"content":',
    '{"content":"Zm9v',
    '{"content":"Zm9v"',
    '{"content":"Zm9v",}',
    '{,"content":"Zm9v"}',
    '{"content":"Zm9v"}x',
    '{"content":"Zm9v"}{}',
    '{"content":"Zm9v""filename":"x"}',
    '{"content" "Zm9v"}',
    '{content:"Zm9v"}',
    "{'content':'Zm9v'}",
    '{"content":"Zm\n9v"}',
    '{"content":"Zm\\n\r9v"}',
    '{"content":"Zm\\x9v"}',
    '{"content":"Zm\\u00zz9v"}',
    '{"content":"Zm9v","filename":"\u0001"}',
    '{"content":"Zm9v","filename":tru}',
    '{"content":"Zm9v","filename":]}',
    '{"content":"Zm9v","x":[1,}]}',
    '{"content":"Zm9v","filename":"\\q"}',
    '{"content":"Zm9v","a":01}',
    '{"content":"Zm9v" "b":1}',
    '\0',
    '{"content":"Zm9v"}\0',
    '@',
  ])('refuses %j as no JSON', async (body) => {
    expect(await sameWhereverCut(JSON_TYPE, body)).toEqual(INVALID);
  });

  it.each(['[1]', '"x"', '12', 'null', 'true', '-1'])('refuses %s as no object', async (body) => {
    expect(await json(body)).toEqual(refused('The body must be a JSON object'));
  });

  it('refuses a field that is not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"content":"Zm9v","filename":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await json(body)).toEqual(refused('The body is not valid UTF-8'));
  });

  it('accepts a byte order mark', async () => {
    expect(await sameWhereverCut(JSON_TYPE, '\uFEFF{"content":"Zm9v"}')).toEqual({ content: 'foo', facts: {} });
  });

  it('reports all errors of the fields at once, after the content was read', async () => {
    const body =
      '{"filename":7,"__proto__":{"a":[1,"]"]},"source":["x"],"content":"Zm9v","content_type":"a\\u0000","source":"x","":1,"constructor":"\\ud800"}';
    expect(await sameWhereverCut(JSON_TYPE, body)).toEqual(
      invalid(
        'content_type must not contain a NUL character',
        'source must not be given twice',
        'constructor must be valid Unicode text',
        'filename must be a string',
        '__proto__ is not a known field',
        'A field without a name is not a known field',
        'constructor is not a known field',
      ),
    );
  });

  it('refuses half a surrogate pair in a field', async () => {
    expect(await json('{"content":"Zm9v","filename":"\\ud83d"}')).toEqual(
      invalid('filename must be valid Unicode text'),
    );
    expect(await json('{"content":"Zm9v","filename":"\\ud83d\\ude00"}')).toMatchObject({ facts: { filename: '😀' } });
  });

  it.each(['5', '{"a":"b"}', '["Zm9v"]', 'false'])('refuses a content that is %s', async (value) => {
    expect(await json(`{"content":${value},"x":1}`)).toEqual(
      refused('content must be a string', 'x is not a known field', 'filename is required'),
    );
  });

  it('refuses a second content at once', async () => {
    expect(await json('{"x":1,"content":"Zm9v","content":"Zm9v"}')).toEqual(refused('content must not be given twice'));
    expect(await json('{"content":null,"content":"Zm9v"}')).toEqual(refused('content must not be given twice'));
  });

  it('bounds a field, their number, their sum, and how deep they go', async () => {
    const long = 'x'.repeat(64 * 1024);
    expect(await json(`{"content":"Zm9v","filename":"${long}"}`)).toMatchObject({ content: 'foo' });
    expect(await json(`{"content":"Zm9v","filename":"${long}x"}`)).toEqual(refused('filename must not exceed 64 KB'));
    const many = Array.from({ length: 32 }, (_, i) => `"x${i}":1`);
    expect(await json(`{"content":"Zm9v",${many}}`)).toEqual(refused('The body must not hold more than 32 fields'));
    expect(await json(`{"content":"Zm9v"${' '.repeat(256 * 1024)}}`)).toEqual(
      refused('The body must not hold more than 256 KB besides the content'),
    );
    const deep = (levels: number) => `{"content":"Zm9v","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(await json(deep(31))).toEqual(invalid('x is not a known field', 'filename is required'));
    expect(await json(deep(32))).toEqual(refused('The body must not be nested deeper than 32 levels'));
  });

  it('refuses line breaks without end as too large a file', async () => {
    const tooLarge = { thrownBy: 'bytes', code: 'FILE_TOO_LARGE', messages: ['File too large. Maximum size is 1 MB.'] };
    expect(await json(`{"content":"${'\\n'.repeat(3 * MIB)}"}`, MIB)).toEqual(tooLarge);
  });

  it('accepts a content of the whole size with every character escaped', async () => {
    const content = Buffer.alloc(MIB, 0xff);
    const spelt = content.toString('base64').replaceAll('/', '\\/');
    expect((await read(document(JSON_TYPE, `{"content":"${spelt}"}`, MIB))).equals(content)).toBe(true);
  });

  it('never echoes a name longer than it is useful', async () => {
    const { messages } = await codeAndMessages(`{"content":"Zm9v","${'y'.repeat(60_000)}":1}`);
    expect(messages).toEqual([`${'y'.repeat(100)}… is not a known field`, 'filename is required']);
  });

  it('agrees with JSON.parse and Buffer.from on random documents', async () => {
    const random = randomNumbers(4);
    for (let round = 0; round < 300; round++) {
      const content = randomBytes(random, 1 + random(300));
      const text = JSON.stringify(
        { filename: randomBytes(random, random(20)).toString('latin1'), content: content.toString('base64') },
        null,
        random(3),
      );
      const escaped = [...text].map((letter) => (letter === '/' && random(2) ? '\\/' : letter)).join('');
      const { filename } = JSON.parse(escaped) as { filename: string };
      const answered = await outcome(document(JSON_TYPE, escaped));
      if (filename.includes('\0')) expect(answered).toEqual(invalid('filename must not contain a NUL character'));
      else expect(answered).toEqual({ content: content.toString('latin1'), facts: { filename } });
    }
  });

  it('gives back a long content whatever its escapes and line breaks, and wherever it is cut', async () => {
    const random = randomNumbers(11);
    const spellings = ['\\/', '\\u002f', '\\u002F', '/'];
    for (let round = 0; round < 24; round++) {
      const content = randomBytes(random, 60_000 + random(40_000));
      const spelled = content
        .toString('base64')
        .replaceAll(/.{76}/g, (line) => (random(3) ? line : `${line}\\r\\n`))
        .replaceAll('/', () => spellings[random(4)]!);
      const body = `{"filename":"a\\"\\\\","content":"${spelled}","source":"x"}`;
      const size = [1, 3, 7, 61, 997, 65_536][round % 6]!;
      expect(await outcome(documentOf(request(JSON_TYPE, pieces(body, size))))).toEqual({
        content: content.toString('latin1'),
        facts: { filename: 'a"\\', source: 'x' },
      });
    }
  });

  it.each<[string, (long: string) => string, object]>([
    ['a foreign character', (long) => `{"content":"${long}*${long}"}`, NOT_BASE64],
    ['the URL-safe alphabet', (long) => `{"content":"${long}-_-_"}`, NOT_BASE64],
    ['something behind its padding', (long) => `{"content":"${long}Zg==${long}"}`, NOT_BASE64],
    ['a broken escape', (long) => `{"content":"${long}\\x${long}"}`, INVALID],
    ['a line break', (long) => `{"content":"${long}\n${long}"}`, INVALID],
    ['no end', (long) => `{"content":"${long}`, INVALID],
    ['a name twice', (long) => `{"content":"${long}","content":"Zg"}`, refused('content must not be given twice')],
    ['a name that is as long', (long) => `{"content":"Zg","${long}":1}`, refused('A field name must not exceed 64 KB')],
    [
      'another one of its length',
      (long) => `{"content":"${long}","source":"${long}"}`,
      refused('source must not exceed 64 KB'),
    ],
    ['a field of its length', (long) => `{"source":"${long}","content":"Zg"}`, refused('source must not exceed 64 KB')],
  ])('refuses a long content with %s', async (_, bodyOf, refusal) => {
    expect(await json(bodyOf('Zm9v'.repeat(20_000)))).toEqual(refusal);
  });

  it('says "not valid JSON" exactly where JSON.parse does, on bodies with one byte changed', async () => {
    const random = randomNumbers(5);
    const sound = '{"filename":"a\\nb","content_type":"t\\u0041","source":"x"}';
    for (let round = 0; round < 3000; round++) {
      const at = random(sound.length);
      const letter = '{}[]",:\\ \nau1-e0.'[random(17)]!;
      const body = sound.slice(0, at) + letter + sound.slice(at + random(2));
      const { code, messages } = await codeAndMessages(body);
      const invalid =
        code === 'BAD_USER_INPUT' && /^The body (is not valid JSON|must be a JSON object)$/.test(messages[0] ?? '');
      expect({ body, invalid }).toEqual({ body, invalid: !parses(body) });
    }
  });
});

function parses(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

async function codeAndMessages(body: string): Promise<{ code?: unknown; messages: string[] }> {
  const answered = await json(body);
  return {
    code: 'code' in answered ? answered.code : undefined,
    messages: 'messages' in answered ? (answered.messages as string[]) : [],
  };
}
