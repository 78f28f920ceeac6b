import { describe, expect, it } from '@jest/globals';
import { readJsonBody } from '../../../src/rest/request/json.js';
import { readOrganizationBody } from '../../../src/rest/request/organization-body.js';
import {
  JSON_TYPE,
  MIB,
  MULTIPART_TYPE,
  field,
  file,
  multipart,
  pieces,
  randomNumbers,
  read,
  request,
  splitAt,
  refusalOf,
  type FormPart,
} from './support.js';

const bad = (...messages: string[]) => ({ code: 'BAD_USER_INPUT', messages });
const json = (body: string | Uint8Array, limits = {}, type = JSON_TYPE) =>
  readJsonBody(request(type, pieces(body)), limits).catch(refusalOf);

describe('a JSON body', () => {
  it('is read, wherever it is cut', async () => {
    const body = '\uFEFF {"name":"A\\u00e9\u00e9","n":[1,-2.5e3,true,null,{"a":"\\"\\\\"}],"":{}} ';
    const value = { name: 'Aéé', n: [1, -2500, true, null, { a: '"\\' }], '': {} };
    for (let at = 0; at <= Buffer.byteLength(body); at++) {
      expect(await readJsonBody(request(JSON_TYPE, splitAt(body, at)))).toEqual(value);
    }
  });

  it.each(['{', '{"a":1}x', '{a:1}', '\0', '{"a":"\0"}', '[1,]', 'undefined', ' '])(
    'refuses %j as no JSON',
    async (body) => {
      expect(await json(body)).toEqual(bad('The body is not valid JSON'));
    },
  );

  it('refuses an empty body, one that is not UTF-8, and another type, charset or encoding', async () => {
    expect(await json('')).toEqual(bad('The body is empty'));
    expect(await json(Buffer.from([0x22, 0xff, 0x22]))).toEqual(bad('The body is not valid UTF-8'));
    expect(await json(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toEqual(bad('The body is not valid UTF-8'));
    expect(await json('{}', {}, 'text/plain')).toEqual(bad('Content-Type must be application/json'));
    expect(await json('{}', {}, 'application/json; charset=utf-16')).toEqual(
      bad('The charset of Content-Type must be utf-8'),
    );
    const gzip = readJsonBody(request(JSON_TYPE, pieces('{}'), { 'content-encoding': 'gzip' })).catch(refusalOf);
    expect(await gzip).toEqual(bad('The body must not have a Content-Encoding'));
  });

  it('accepts as many bytes as allowed and refuses one more, without reading on', async () => {
    expect(await json('"abc"', { maxBytes: 5 })).toBe('abc');
    expect(await json('"abcd"', { maxBytes: 5 })).toEqual(bad('The body must not exceed 5 bytes'));
    let pulled = 0;
    async function* endless() {
      for (;;) yield Buffer.alloc(MIB / 4, ' ', (pulled++, 'latin1'));
    }
    expect(await readJsonBody(request(JSON_TYPE, endless())).catch(refusalOf)).toEqual(
      bad('The body must not exceed 1 MB'),
    );
    expect(pulled).toBeLessThan(10);
  });

  it('that says it is larger takes no memory, and is not read', async () => {
    let pulled = 0;
    async function* short() {
      yield Buffer.alloc(2, ' ', (pulled++, 'latin1'));
    }
    for (const length of [MIB + 1, 2 ** 31, 2 ** 50]) {
      const sent = request(JSON_TYPE, short(), { 'content-length': String(length) });
      expect(await readJsonBody(sent).catch(refusalOf)).toEqual(bad('The body must not exceed 1 MB'));
    }
    expect(pulled).toBe(0);
  });

  it('accepts as many levels as allowed and refuses one more', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(await json(deep(32))).toBeInstanceOf(Object);
    expect(await json(deep(33))).toEqual(bad('The body must not be nested deeper than 32 levels'));
    expect(await json('['.repeat(500_000) + ']'.repeat(500_000))).toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('names every repeated name, NUL character and half surrogate pair by its path', async () => {
    const body = `{"a":1,"\\u0061":2,"contacts":[{"email":"x"},{"email":"\\ud800","email":"]\\"}","x\\u0000":1}],
      "ips":["a,b","c\\u0000"],"b":{"b":{"b":1}},"ok":"\\ud83d\\ude00"}`;
    expect(await json(body)).toEqual(
      bad(
        'a must not be given twice',
        'contacts[1].email must be valid Unicode text',
        'contacts[1].email must not be given twice',
        'contacts[1] has a name that must not contain a NUL character',
        'ips[1] must not contain a NUL character',
      ),
    );
    expect(await json('"\\u0000"')).toEqual(bad('The body must not contain a NUL character'));
  });

  it('leaves __proto__ an ordinary property', async () => {
    const value = (await json('{"__proto__":{"polluted":1}}')) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(JSON.parse('{}')));
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('agrees with JSON.parse on random values', async () => {
    const random = randomNumbers(9);
    for (let round = 0; round < 500; round++) {
      const text = JSON.stringify(randomValue(random, 4), null, random(3));
      expect(await json(text)).toEqual(JSON.parse(text));
    }
  });
});

function randomValue(random: (below: number) => number, depth: number): unknown {
  const kind = random(depth > 0 ? 6 : 4);
  const text = () =>
    Array.from({ length: random(8) }, () => 'a"\\{}[],:\n é😀'.at(random(12)))
      .join('')
      .toWellFormed();
  if (kind === 0) return random(1000) - 500;
  if (kind === 1) return [true, false, null][random(3)];
  if (kind < 4) return text();
  const items = Array.from({ length: random(5) }, () => randomValue(random, depth - 1));
  return kind === 4 ? items : Object.fromEntries(items.map((item, index) => [`${index}${text()}`, item]));
}

const organization = (...parts: FormPart[]) =>
  readOrganizationBody(request(MULTIPART_TYPE, pieces(multipart(...parts)))).catch(refusalOf);

describe('the body of an organization', () => {
  it('is a JSON object', async () => {
    const body = (text: string, type = JSON_TYPE) => readOrganizationBody(request(type, pieces(text))).catch(refusalOf);
    expect(await body('{"name":"A","number_employees":"7"}')).toEqual({ fields: { name: 'A', number_employees: '7' } });
    expect(await body('[]')).toEqual(bad('The body must be a JSON object'));
    expect(await body('null')).toEqual(bad('The body must be a JSON object'));
    expect(await body('{"a":1,"a":1}')).toEqual(bad('a must not be given twice'));
    expect(await body('a=1', 'application/x-www-form-urlencoded')).toEqual(
      bad('Content-Type must be application/json or multipart/form-data'),
    );
  });

  it('is multipart whose part data is one JSON document', async () => {
    expect(await organization(field('data', '{"name":"A","number_employees":7}'))).toEqual({
      fields: { name: 'A', number_employees: 7 },
    });
    const part = { head: 'name="data"; filename="o.json"\r\nContent-Type: application/json', body: '{"name":"A"}' };
    expect(await organization(part)).toEqual({ fields: { name: 'A' } });
    expect(await organization(field('data', '{"name"'))).toEqual(bad('data is not valid JSON'));
    expect(await organization(field('data', ''))).toEqual(bad('data is empty'));
    expect(await organization(field('data', '[]'))).toEqual(bad('data must be a JSON object'));
    expect(await organization(field('data', '{}'), field('data', '{}'))).toEqual(bad('data must not be given twice'));
  });

  it('is multipart with fields in bracket form, in any order, wherever it is cut', async () => {
    const body = multipart(
      field('data[name]', 'A é'),
      field('data[number_employees]', '12'),
      field('data[contacts][1][email]', 'b@x.it'),
      field('data[contacts][0][email]', 'a@x.it'),
      field('data[contacts][0][email_report]', 'true'),
      field('data[contacts][1][email_report]', '0'),
      field('data[sectors][]', 'Energy'),
      field('data[sectors][]', 'Media'),
      field('data[ips][0]', '192.0.2.1'),
      field('data[compliance_frameworks][0][value]', 'NIS2'),
      field('data[compliance_frameworks][0][fields][entity_type]', 'important'),
      field('data[compliance_frameworks][0][fields][count]', '7'),
      field('data[compliance_frameworks][0][fields][extensions][]', 'ISO 27017:2021'),
    );
    const fields = {
      name: 'A é',
      number_employees: 12,
      contacts: [
        { email: 'a@x.it', email_report: true },
        { email: 'b@x.it', email_report: false },
      ],
      sectors: ['Energy', 'Media'],
      ips: ['192.0.2.1'],
      compliance_frameworks: [
        { value: 'NIS2', fields: { entity_type: 'important', count: '7', extensions: ['ISO 27017:2021'] } },
      ],
    };
    for (let at = 0; at <= body.length; at++) {
      expect(await readOrganizationBody(request(MULTIPART_TYPE, splitAt(body, at)))).toEqual({ fields });
    }
  });

  it.each([
    ['12', 12],
    ['0', 0],
    ['-3', -3],
    ['1.5', 1.5],
    ['1e3', 1000],
    ['', ''],
    ['012', '012'],
    ['0x10', '0x10'],
    [' 1', ' 1'],
    ['Infinity', 'Infinity'],
    ['twelve', 'twelve'],
  ])('reads the number of employees %j as %j', async (text, value) => {
    expect(await organization(field('data[number_employees]', text))).toEqual({ fields: { number_employees: value } });
  });

  it('leaves a text that is no boolean for the validation to name', async () => {
    expect(await organization(field('data[contacts][0][email_report]', 'yes'), field('data[name]', 'true'))).toEqual({
      fields: { contacts: [{ email_report: 'yes' }], name: 'true' },
    });
  });

  it('carries the file part logo beside the fields', async () => {
    const body = await readOrganizationBody(
      request(MULTIPART_TYPE, pieces(multipart(field('data', '{}'), file('logo', 'l.png', 'PNG', 'image/png')))),
    );
    expect((await read(body.logo!)).toString()).toBe('PNG');
    expect(await body.logo!.facts()).toEqual({ filename: 'l.png', contentType: 'image/png' });
  });

  it('accepts a logo of one megabyte and refuses one byte more', async () => {
    const logo = (size: number) => organization(field('data[name]', 'A'), file('logo', 'l', Buffer.alloc(size, 'x')));
    const { logo: accepted } = (await logo(MIB)) as Awaited<ReturnType<typeof readOrganizationBody>>;
    expect((await read(accepted!)).length).toBe(MIB);
    expect(await logo(MIB + 1)).toEqual({
      code: 'FILE_TOO_LARGE',
      messages: ['File too large. Maximum size is 1 MB.'],
    });
  });

  it('takes a file input that was left alone as no logo, and refuses an empty file', async () => {
    expect(await organization(field('data[name]', 'A'), file('logo', '', '', 'application/octet-stream'))).toEqual({
      fields: { name: 'A' },
    });
    expect(await organization(file('logo', 'l.png', ''))).toEqual(bad('logo must not be empty'));
  });

  it('refuses unknown parts, both forms at once, and two logos, all in one answer', async () => {
    const logo = file('logo', 'l', 'x');
    const parts = [
      field('name', 'A'),
      file('data[name]', 'f', 'x'),
      file('x', 'f', 'x'),
      field('logo', 'x'),
      logo,
      logo,
    ];
    expect(await organization(...parts, field('data[name]', 'A'), field('data', '{}'), field('data[x', '1'))).toEqual(
      bad(
        'name is not a known field',
        'data[name] must be a text field',
        'x is not a known field',
        'logo must be a file part',
        'logo must not be given twice',
        'data[x is not a known field',
        'data must be either one JSON document or fields in brackets, not both',
      ),
    );
  });

  it.each([
    ['data[sectors][999999999]', 'sectors must have indices that run from 0 without gaps'],
    ['data[sectors][1]', 'sectors must have indices that run from 0 without gaps'],
    ['data[sectors][00]', 'sectors must have indices that run from 0 without gaps'],
    [`data[sectors][${'9'.repeat(400)}]`, 'sectors must have indices that run from 0 without gaps'],
    ['data[contacts][][email]', 'data[contacts][][email] may have empty brackets only at its end'],
    ['data[]', 'data[] must have a name in its brackets'],
    [`data${'[a]'.repeat(33)}`, 'must not be nested deeper than 32 levels'],
  ])('refuses %s', async (name, message) => {
    const answer = await organization(field(name, 'x'));
    expect(answer).toEqual({ code: 'BAD_USER_INPUT', messages: [expect.stringContaining(message)] });
  });

  it('refuses fields that contradict one another', async () => {
    const pair = (one: string, two: string) => organization(field(one, 'x'), field(two, 'y'));
    expect(await pair('data[name]', 'data[name]')).toEqual(bad('name must not be given twice'));
    expect(await pair('data[contacts][0][email]', 'data[contacts][0][email]')).toEqual(
      bad('contacts[0].email must not be given twice'),
    );
    expect(await pair('data[name]', 'data[name][x]')).toEqual(bad('name.x must not be both a text and an object'));
    expect(await pair('data[name][x]', 'data[name]')).toEqual(bad('name must not be given twice'));
    expect(await pair('data[sectors][0]', 'data[sectors][x]')).toEqual(
      bad('sectors must have indices that run from 0 without gaps'),
    );
    expect(await organization(field('data[name]', 'a\0'))).toEqual(bad('name must not contain a NUL character'));
  });

  it('leaves data[__proto__] an ordinary property', async () => {
    const { fields } = (await organization(
      field('data[__proto__][polluted]', '1'),
      field('data[constructor][prototype][p]', '1'),
    )) as {
      fields: object;
    };
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('bounds the body without its logo to one megabyte, and the number of its parts', async () => {
    expect(await organization(field('data[description]', 'x'.repeat(MIB)))).toEqual(
      bad('The body must not exceed 1 MB'),
    );
    expect(await organization(file('x', 'f', 'x'.repeat(MIB)))).toEqual(bad('The body must not exceed 1 MB'));
    const many = Array.from({ length: 2001 }, () => field('data[sectors][]', 'x'));
    expect(await organization(...many.slice(1))).toMatchObject({ fields: { sectors: expect.any(Array) } });
    expect(await organization(...many)).toEqual(bad('The body must not hold more than 2000 parts'));
  });

  it('refuses broken multipart', async () => {
    const broken = request(MULTIPART_TYPE, pieces(multipart(field('data', '{}')).subarray(0, -6)));
    expect(await readOrganizationBody(broken).catch(refusalOf)).toEqual(
      bad('The body is not valid multipart form data'),
    );
    const unbounded = readOrganizationBody(request('multipart/form-data', pieces('')));
    expect(await unbounded.catch(refusalOf)).toEqual(bad('The body is not valid multipart form data'));
  });
});
