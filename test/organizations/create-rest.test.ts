import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../src/values/sectors.js';
import type { Answer, Envelope } from '../support/clients.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus, withStory } from '../support/matchers.js';
import { sha256Of } from '../support/bytes.js';
import { samples } from '../support/sample-files.js';
import { seedTestData, type TestData } from '../support/test-data.js';
import { multipart, rawRequest, type Part } from '../support/rest.js';

let gateway: TestGateway;
let testData: TestData;
const PATH = '/api/v1/organizations';
const create = (body: unknown) => gateway.rest.post(PATH, { token: testData.userWithoutOrganization.token, body });
const sendText = (body: string | Buffer, type = 'application/json') =>
  gateway.rest.post(PATH, { token: testData.userWithoutOrganization.token, headers: { 'content-type': type }, body });
const sendForm = (parts: Part[]) =>
  gateway.rest.post(PATH, { token: testData.userWithoutOrganization.token, ...multipart(parts) });
const count = async () => {
  const rows = await gateway.app.database.rows<{ count: number }>('select count(*)::int as count from organization');
  return rows[0]!.count;
};

beforeAll(async () => {
  gateway = await startGateway();
  testData = await seedTestData(gateway.app.database);
});
afterAll(() => gateway.close());

const FULL = {
  name: '  Acme S.p.A.  ',
  description: 'Line one\nLine two – è',
  number_employees: 42,
  website: 'https://www.example.com/about?x=1#y',
  logo: 'http://cdn.example.com/logo.png',
  sectors: ['Energy', 'Arts & Entertainment', 'Energy'],
  industries: ['Banking/Mortgage', 'Higher Education/Acadamia'],
  nis2_sector: "Trasporti - Vie d'acqua interne",
  compliance_frameworks: [
    { value: 'NIS2', fields: { entity_type: 'essential', ownReference: { camelKey: 1, snake_key: [null] } } },
    { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021', 'ISO 27018:2020'] } },
  ],
  infrastructure: 'on-prem',
  contacts: [
    { name: 'Anna', role: 'CISO', email: 'anna@example.com', phone: '+39 02 1234', email_report: true },
    { phone: '+39 02 5678' },
  ],
  domains: ['Example.COM', 'xn--perch-fsa.example', 'intranet'],
  ips: ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
};

/** The exact text of a 201, its id and times as the answer has them. */
function expectCreated(answer: Answer<Envelope>, fields: object): number {
  expectStatus(answer, 201);
  const { id, created_at, updated_at } = answer.body.data as { id: number; created_at: string; updated_at: string };
  withStory(answer, () => {
    expect(Number.isInteger(id)).toBe(true);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.now() - Date.parse(created_at))).toBeLessThan(60_000);
    expect(updated_at).toBe(created_at);
    expect(answer.text).toBe(
      JSON.stringify({ error: 0, messages: [], data: { id, ...fields, created_at, updated_at } }),
    );
    expect(answer.headers.get('location')).toBe(`/api/v1/organizations/${id}`);
  });
  return id;
}

const EMPTY = {
  name: '',
  description: '',
  number_employees: null as number | null,
  website: '',
  logo: '',
  sectors: [] as string[],
  industries: [] as string[],
  nis2_sector: '',
  compliance_frameworks: [] as object[],
  infrastructure: '',
  contacts: [] as object[],
  domains: [] as string[],
  ips: [] as string[],
};

const STORED = {
  ...FULL,
  name: 'Acme S.p.A.',
  sectors: ['Energy', 'Arts & Entertainment'],
  contacts: [FULL.contacts[0], { name: '', role: '', email: '', phone: '+39 02 5678', email_report: false }],
  domains: ['example.com', 'xn--perch-fsa.example', 'intranet'],
};

describe('who creates', () => {
  test('becomes Organization Owner', async () => {
    const { id } = expectData(await create({ name: 'Mine' }), 201);
    const users = await gateway.rest.get(`${PATH}/${id}/users`, { token: testData.userWithoutOrganization.token });
    expect(expectData(users)).toMatchObject([{ id: testData.userWithoutOrganization.id, role: 'ORGANIZATION_OWNER' }]);
    expectError(await gateway.rest.get(`${PATH}/${id}/users`, { token: testData.owner.token }), 404, [1004]);
  });

  test('may have asked for the id before it existed', async () => {
    const { id } = expectData(await create({ name: 'First' }), 201);
    const next = `${PATH}/${id + 1}/branding`;
    expectError(await gateway.rest.get(next, { token: testData.userWithoutOrganization.token }), 404, [1004]);
    expect(expectData(await create({ name: 'Second' }), 201).id).toBe(id + 1);
    expectStatus(await gateway.rest.get(next, { token: testData.userWithoutOrganization.token }), 200);
  });
});

describe('the record', () => {
  test('has every field as stored, in the order of the specification', async () => {
    expectCreated(await create(FULL), STORED);
  });

  test('is empty where nothing was sent, or null', async () => {
    expectCreated(await create({ name: 'A' }), { ...EMPTY, name: 'A' });
    const nulls = Object.fromEntries(Object.keys(EMPTY).map((key) => [key, null]));
    expectCreated(await create({ ...nulls, name: 'B' }), { ...EMPTY, name: 'B' });
  });

  test("keeps the sender's own keys inside a framework's fields", async () => {
    const fields = '{"entity_type":"important","__proto__":{"x":1},"constructor":"c","emailReport":1,"a b":[1.5,"è"]}';
    const answer = await sendText(`{"name":"Keys","compliance_frameworks":[{"value":"NIS2","fields":${fields}}]}`);
    expectStatus(answer, 201);
    withStory(answer, () => expect(answer.text).toContain(`"fields":${fields}`));
    const [row] = await gateway.app.database.rows<{ kept: boolean }>(
      `select compliance_frameworks -> 0 -> 'fields' = $2::jsonb as kept from organization where id = $1`,
      [answer.body.data.id, fields],
    );
    expect(row?.kept).toBe(true);
  });
});

describe('value lists', () => {
  test('every sector and every industry is accepted, spelled exactly', async () => {
    expect([SECTORS.length, INDUSTRIES.length, NIS2_SECTORS.length]).toEqual([25, 151, 40]);
    const lists = { sectors: [...SECTORS], industries: [...INDUSTRIES] };
    expectCreated(await create({ name: 'All', ...lists }), { ...EMPTY, name: 'All', ...lists });
  });

  test('every NIS 2 sector, infrastructure, framework and entity type is accepted', async () => {
    for (const nis2_sector of NIS2_SECTORS) {
      expect(expectData(await create({ name: 'N', nis2_sector }), 201).nis2_sector).toBe(nis2_sector);
    }
    for (const infrastructure of ['cloud', 'on-prem', 'hybrid']) {
      expect(expectData(await create({ name: 'I', infrastructure }), 201).infrastructure).toBe(infrastructure);
    }
    for (const entity_type of ['important', 'essential']) {
      const compliance_frameworks = [{ value: 'NIS2', fields: { entity_type } }];
      expect(expectData(await create({ name: 'E', compliance_frameworks }), 201)).toMatchObject({
        compliance_frameworks,
      });
    }
  });

  test('one letter off is refused, each at its place', async () => {
    const off = {
      name: 'Off',
      sectors: ['Energy', 'energy'],
      industries: ['Higher Education/Academia'],
      nis2_sector: 'Energia - gas',
      infrastructure: 'on-premises',
      compliance_frameworks: [
        { value: 'ISO 27001:2022', fields: {} },
        { value: 'NIS2', fields: { entity_type: 'Essential' } },
        { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2015'] } },
      ],
    };
    expectError(await create(off), 400, [
      'sectors[1] must be one of the sectors of the specification',
      'industries[0] must be one of the industries of the specification',
      'nis2_sector must be one of the NIS 2 sectors of the specification',
      'compliance_frameworks[0].value must be one of ISO 27001:2023, NIS2',
      'compliance_frameworks[1].fields.entity_type must be one of important, essential',
      'compliance_frameworks[2].fields.extensions[0] must be one of ISO 27017:2021, ISO 27018:2020',
      'infrastructure must be one of cloud, on-prem, hybrid',
    ]);
  });
});

describe('errors', () => {
  test.each<[string, object, string[]]>([
    ['no name', {}, ['name is required']],
    ['a blank name', { name: ' \t ' }, ['name is required']],
    ['a name of 201 characters', { name: 'a'.repeat(201) }, ['name must not be longer than 200 characters']],
    ['negative employees', { name: 'A', number_employees: -1 }, ['number_employees must be an integer of 0 or more']],
    ['half an employee', { name: 'A', number_employees: 1.5 }, ['number_employees must be an integer of 0 or more']],
    ['employees as text', { name: 'A', number_employees: '5' }, ['number_employees must be an integer of 0 or more']],
    [
      'too many employees',
      { name: 'A', number_employees: 2 ** 31 },
      ['number_employees must not be greater than 2147483647'],
    ],
    [
      'addresses that are none',
      { name: 'A', website: 'www.example.com', logo: 'ftp://example.com/a.png' },
      [
        'website must be an absolute http or https URL without credentials',
        'logo must be an absolute http or https URL without credentials',
      ],
    ],
    [
      'blank addresses and infrastructure',
      { name: 'A', website: ' ', logo: ' ', infrastructure: ' ' },
      [
        'website must be an absolute http or https URL without credentials',
        'logo must be an absolute http or https URL without credentials',
        'infrastructure must be one of cloud, on-prem, hybrid',
      ],
    ],
    [
      'NIS2 without its entity type',
      { name: 'A', compliance_frameworks: [{ value: 'NIS2', fields: {} }, { value: 'ISO 27001:2023' }] },
      [
        'compliance_frameworks[0].fields.entity_type is required when value is NIS2',
        'compliance_frameworks[1].fields is required',
      ],
    ],
    [
      'a contact that nobody can reach',
      {
        name: 'A',
        contacts: [{ name: 'X' }, { email: '', phone: '' }, { phone: '1', email_report: true }, { email: 'x' }],
      },
      [
        'contacts[0].email must be set when phone is empty',
        'contacts[1].email must be set when phone is empty',
        'contacts[2].email must be set when email_report is true',
        'contacts[3].email must be an e-mail address',
      ],
    ],
    [
      'domains and addresses of the wrong form',
      {
        name: 'A',
        domains: ['-a.example', 'http://a.example', 'a_b.example', ''],
        ips: ['1.2.3', '01.2.3.4', '256.1.1.1', '::1'],
      },
      [
        'domains[0] must be a hostname',
        'domains[1] must be a hostname',
        'domains[2] must be a hostname',
        'domains[3] must be a hostname',
        'ips[0] must be a dotted IPv4 address',
        'ips[1] must be a dotted IPv4 address',
        'ips[2] must be a dotted IPv4 address',
        'ips[3] must be a dotted IPv4 address',
      ],
    ],
    [
      'unknown fields, those in the spelling of GraphQL among them',
      {
        name: 'A',
        numberEmployees: 5,
        contacts: [{ phone: '1', emailReport: true }],
        id: 7,
        logoFile: 'x',
        logo_file: 'x',
      },
      [
        'contacts[0].emailReport is not a known field',
        'numberEmployees is not a known field',
        'id is not a known field',
        'logoFile is not a known field',
        'logo_file is not a known field',
      ],
    ],
  ])('%s', async (_, body, messages) => {
    const before = await count();
    expectError(await create(body), 400, messages);
    expect(await count()).toBe(before);
  });

  test('are at most fifty', async () => {
    const answer = await create({ name: 'A', ips: Array.from({ length: 60 }, () => 'x') });
    expect([answer.status, answer.body.messages.length]).toEqual([400, 50]);
  });
});

describe('a body that is none', () => {
  const deep = `{"name":${'['.repeat(33)}${']'.repeat(33)}}`;
  test.each<[string, string | Buffer, string[]]>([
    ['not JSON', '{"name":', ['The body is not valid JSON']],
    ['two values', '{"name":"A"}{}', ['The body is not valid JSON']],
    ['empty', '', ['The body is empty']],
    ['an array', '[]', ['The body must be a JSON object']],
    ['null', 'null', ['The body must be a JSON object']],
    ['a text', '"name"', ['The body must be a JSON object']],
    ['a NUL byte', '{"name":"A\0"}', ['The body is not valid JSON']],
    ['an escaped NUL', '{"name":"A\\u0000"}', ['name must not contain a NUL character']],
    ['half a character', '{"name":"A\\ud800"}', ['name must be valid Unicode text']],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), ['The body is not valid UTF-8']],
    ['too deep', deep, ['The body must not be nested deeper than 32 levels']],
    ['very deep', '['.repeat(200_000), ['The body is not valid JSON']],
    [
      'very deep and closed',
      '['.repeat(200_000) + ']'.repeat(200_000),
      ['The body must not be nested deeper than 32 levels'],
    ],
    [
      'repeated names',
      '{"name":"A","name":"B","contacts":[{"phone":"1","phone":"2"}]}',
      ['name must not be given twice', 'contacts[0].phone must not be given twice'],
    ],
    ['__proto__', '{"name":"A","__proto__":{"number_employees":5}}', ['__proto__ is not a known field']],
    [
      'more than 1 MB',
      JSON.stringify({ name: 'A', description: 'x'.repeat(1024 * 1024) }),
      ['The body must not exceed 1 MB'],
    ],
    ['much more than 1 MB', 'x'.repeat(3 * 1024 * 1024), ['The body must not exceed 1 MB']],
  ])('%s', async (_, body, messages) => {
    expectError(await sendText(body), 400, messages);
  });

  test('is refused by its content type or encoding', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'x']) {
      expectError(await sendText('{"name":"A"}', type), 400, [
        'Content-Type must be application/json or multipart/form-data',
      ]);
    }
    const headers = { 'content-type': 'application/json', 'content-encoding': 'deflate' };
    const { token } = testData.userWithoutOrganization;
    const packed = deflateSync('{"name":"A"}');
    expectError(await gateway.rest.post(PATH, { token, headers, body: packed }), 400, [
      'The body must not have a Content-Encoding',
    ]);
    expectStatus(await sendText('{"name":"A"}', 'Application/JSON; Charset="UTF-8"'), 201);
  });

  test('of exactly 1 MB is read', async () => {
    const body = '{"name":"A"}'.padEnd(1024 * 1024, ' ');
    expectStatus(await sendText(body), 201);
    expectError(await sendText(`${body} `), 400, ['The body must not exceed 1 MB']);
  });
});

describe('multipart', () => {
  const png = samples.PNG;
  const logo = (content: Buffer, type = 'image/png', filename = 'logo.png'): Part => ({
    name: 'logo',
    filename,
    type,
    content,
  });
  const data: Part = { name: 'data', content: '{"name":"Form"}' };

  test('takes the part `data` as one JSON document', async () => {
    expectCreated(await sendForm([{ name: 'data', content: JSON.stringify(FULL) }]), STORED);
    expectStatus(
      await sendForm([{ name: 'data', filename: 'o.json', type: 'application/json', content: '{"name":"F"}' }]),
      201,
    );
  });

  test('takes fields in brackets, numbers and booleans read from their text', async () => {
    const field = (name: string, content: string): Part => ({ name: `data${name}`, content });
    const answer = await sendForm([
      field('[name]', 'Brackets'),
      field('[description]', '12'),
      field('[number_employees]', '7'),
      field('[sectors][]', 'Energy'),
      field('[sectors][]', 'Media'),
      field('[industries][0]', 'Banking/Mortgage'),
      field('[nis2_sector]', ''),
      field('[compliance_frameworks][0][value]', 'NIS2'),
      field('[compliance_frameworks][0][fields][entity_type]', 'important'),
      field('[contacts][0][email]', 'a@example.com'),
      field('[contacts][0][email_report]', 'true'),
      field('[contacts][1][phone]', '12'),
      field('[contacts][1][email_report]', 'false'),
      field('[domains][]', 'a.example'),
      field('[ips][]', '192.0.2.7'),
    ]);
    expectCreated(answer, {
      ...EMPTY,
      name: 'Brackets',
      description: '12',
      number_employees: 7,
      sectors: ['Energy', 'Media'],
      industries: ['Banking/Mortgage'],
      compliance_frameworks: [{ value: 'NIS2', fields: { entity_type: 'important' } }],
      contacts: [
        { name: '', role: '', email: 'a@example.com', phone: '', email_report: true },
        { name: '', role: '', email: '', phone: '12', email_report: false },
      ],
      domains: ['a.example'],
      ips: ['192.0.2.7'],
    });
  });

  test('tells the same errors as JSON does, whichever the form', async () => {
    const messages = ['name is required', 'number_employees must be an integer of 0 or more', 'x is not a known field'];
    expectError(await create({ number_employees: 'many', x: '1' }), 400, messages);
    expectError(await sendForm([{ name: 'data', content: '{"number_employees":"many","x":"1"}' }]), 400, messages);
    expectError(
      await sendForm([
        { name: 'data[number_employees]', content: 'many' },
        { name: 'data[x]', content: '1' },
      ]),
      400,
      messages,
    );
  });

  test('refuses parts that it does not know, both forms at once, and no parts', async () => {
    expectError(await sendForm([data, { name: 'other', content: 'x' }]), 400, ['other is not a known field']);
    expectError(await sendForm([data, data]), 400, ['data must not be given twice']);
    expectError(await sendForm([data, { name: 'data[name]', content: 'B' }]), 400, [
      'data must be either one JSON document or fields in brackets, not both',
    ]);
    expectError(await sendForm([{ name: 'data', content: '[]' }]), 400, ['data must be a JSON object']);
    expectError(await sendForm([]), 400, ['name is required']);
    expectError(await sendText('no boundary', 'multipart/form-data'), 400, [
      'The body is not valid multipart form data',
    ]);
  });

  test.each(['PNG', 'JPEG', 'WEBP'] as const)('stores a logo of kind %s and shows it to everybody', async (kind) => {
    const { filename, contentType, bytes } = samples[kind];
    const answer = await sendForm([data, logo(bytes, contentType, filename)]);
    const { id, logo: url } = expectData(answer, 201);
    const extension = { PNG: 'png', JPEG: 'jpg', WEBP: 'webp' }[kind];
    expect(url).toBe(`${gateway.url}/logos/${sha256Of(bytes)}.${extension}`);
    expectCreated(answer, { ...EMPTY, name: 'Form', logo: url });
    const image = await rawRequest(gateway.url, 'GET', url.slice(gateway.url.length));
    expect([image.status, image.headers['content-type'], image.bytes.equals(bytes)]).toEqual([200, contentType, true]);
    const [row] = await gateway.app.database.rows<{ logo: string }>('select logo from organization where id = $1', [
      id,
    ]);
    expect(row?.logo).toBe(url.slice(gateway.url.length));
  });

  test('a logo before the data is as good as one behind it, and goes before an address in it', async () => {
    const answer = await sendForm([
      logo(png.bytes),
      { name: 'data', content: '{"name":"F","logo":"https://a.example/b.png"}' },
    ]);
    expect(expectData(answer, 201).logo).toContain('/logos/');
  });

  test('refuses a logo of another kind, and one that is not what it says', async () => {
    for (const kind of ['GIF', 'PDF', 'TIFF', 'TXT'] as const) {
      const { filename, contentType, bytes } = samples[kind];
      expectError(await sendForm([data, logo(bytes, contentType, filename)]), 415, ['Unsupported file type']);
    }
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expectError(await sendForm([data, logo(svg, 'image/svg+xml', 'logo.svg')]), 415, ['Unsupported file type']);
    expectError(await sendForm([data, logo(svg)]), 415, ['Unsupported file type']);
    expectError(await sendForm([data, logo(samples.JPEG.bytes)]), 415, ['Unsupported file type']);
  });

  test('takes a logo of 1 MB and refuses one byte more', async () => {
    const full = Buffer.concat([png.bytes, Buffer.alloc(1024 * 1024 - png.bytes.length)]);
    expectStatus(await sendForm([data, logo(full)]), 201);
    const before = await count();
    const more = Buffer.concat([full, Buffer.alloc(1)]);
    expectError(await sendForm([data, logo(more)]), 413, ['File too large. Maximum size is 1 MB.']);
    expectError(await sendForm([logo(Buffer.concat([full, full, full])), data]), 413, [
      'File too large. Maximum size is 1 MB.',
    ]);
    expect(await count()).toBe(before);
  });

  test('passes over a file field that was left alone, and refuses an empty file, a text and a second logo', async () => {
    expectStatus(await sendForm([data, logo(Buffer.alloc(0), 'application/octet-stream', '')]), 201);
    expectError(await sendForm([data, logo(Buffer.alloc(0))]), 400, ['logo must not be empty']);
    expectError(await sendForm([data, { name: 'logo', content: 'https://a.example/b.png' }]), 400, [
      'logo must be a file part',
    ]);
    expectError(await sendForm([data, logo(png.bytes), logo(png.bytes)]), 400, ['logo must not be given twice']);
  });

  test('a logo that nobody shows is not found', async () => {
    for (const name of [`${'0'.repeat(64)}.png`, '..%2f..%2fpasswd', `${sha256Of(png.bytes)}.jpg`, '']) {
      expect((await rawRequest(gateway.url, 'GET', `/logos/${name}`)).status).toBe(404);
    }
  });
});
