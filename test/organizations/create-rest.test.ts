import { describe, expect, test } from '@jest/globals';
import { deflateSync } from 'node:zlib';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { expectData, withStory, expectError, expectStatus } from '../support/matchers.js';
import { samples } from '../support/sample-files.js';
import { multipart, rawRequest, type Part } from '../support/rest.js';
import { graphqlOutcome, restOutcome } from '../support/parity.js';
import type { Answer, Envelope } from '../support/clients.js';
import { inEnumNames } from '../support/rest-values.js';
import { sha256Of } from '../support/bytes.js';

const { gateway, testData } = await startSeededGateway();

const FIELDS = `
  name description number_employees: numberEmployees website logo sectors industries nis2_sector: nis2Sector
  compliance_frameworks: complianceFrameworks { value fields } infrastructure
  contacts { name role email phone email_report: emailReport } domains ips`;

const mutation = (name: string) =>
  `mutation ${name}($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { ${FIELDS} } } }`;

type Json = Record<string, unknown>;

const NAMES = new Map([
  ['number_employees', 'numberEmployees'],
  ['nis2_sector', 'nis2Sector'],
  ['compliance_frameworks', 'complianceFrameworks'],
  ['email_report', 'emailReport'],
]);

/** The same input in GraphQL's spelling; the contents of `fields` are the sender's own. */
function camel(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => camel(item, name));
  if (typeof value !== 'object' || value === null) return inEnumNames(name, value);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [NAMES.get(key) ?? key, key === 'fields' ? item : camel(item, key)]),
  );
}

/** In GraphQL, only text can be the value of an enum. */
const OF_ENUMS: readonly [field: RegExp, values: string][] = [
  [/^sectors\[\d+\]/, 'the sectors of GET /api/v1/options'],
  [/^industries\[\d+\]/, 'the industries of GET /api/v1/options'],
  [/^nis2_sector/, 'the NIS 2 sectors of GET /api/v1/options'],
  [/^infrastructure/, 'cloud, on-prem, hybrid'],
];

function asOfEnums(message: string | number): string | number {
  const [field, values] = OF_ENUMS.find(([pattern]) => pattern.test(String(message))) ?? [];
  if (!field || !String(message).endsWith('must be a string')) return message;
  return `${field.exec(String(message))![0]} must be one of ${values}`;
}

const rest = (body: unknown, token = testData.userWithoutOrganization.token) => {
  const headers = { 'content-type': 'application/json' };
  return gateway.rest.post('/api/v1/organizations', { token, headers, body: JSON.stringify(body) });
};
const graphql = (name: string, input: unknown, token = testData.userWithoutOrganization.token) =>
  gateway.graphql.call(mutation(name), { token, variables: { input } });

const everyType = [true, 5, 1.5, 'text', [], [5], [null], {}, { x: 1 }];
/** GraphQL coerces a single value to a list: a valid item is no error there. */
const TAKEN_AS_LIST: Record<string, unknown[]> = { contacts: [{}, { x: 1 }], compliance_frameworks: [{}, { x: 1 }] };
const LISTS = ['sectors', 'industries', 'compliance_frameworks', 'contacts', 'domains', 'ips'];

const wrongTypes: Json[] = Object.entries({
  name: everyType.filter((value) => value !== 'text'),
  description: everyType.filter((value) => value !== 'text'),
  number_employees: everyType.filter((value) => value !== 5),
  website: everyType,
  logo: everyType,
  nis2_sector: everyType,
  infrastructure: everyType,
  ...Object.fromEntries(
    LISTS.map((field) => [
      field,
      everyType.filter(
        (value) =>
          !(Array.isArray(value) && value.length === 0) &&
          !(typeof value === 'string') &&
          !(TAKEN_AS_LIST[field] ?? []).some((taken) => JSON.stringify(taken) === JSON.stringify(value)),
      ),
    ]),
  ),
}).flatMap(([field, values]) => values.map((value) => ({ name: 'A', [field]: value })));

const BAD: unknown[] = [
  {},
  null,
  { name: null },
  { name: '' },
  { name: '   ' },
  { name: 'a'.repeat(201) },
  { name: 'A\u0001' },
  { description: 'no name' },
  { name: 'A', description: 'x'.repeat(10_001) },
  { name: 'A', number_employees: -1 },
  { name: 'A', number_employees: 2 ** 31 },
  { name: 'A', number_employees: -(2 ** 31) - 1 },
  { name: 'A', number_employees: 1e300 },
  { name: 'A', website: ' ', logo: 'x', infrastructure: ' ' },
  { name: 'A', website: 'javascript:alert(1)', logo: 'https://user:secret@example.com/' },
  { name: 'A', sectors: ['Energy', 'energy', 'Energy '] },
  { name: 'A', industries: Array.from({ length: 201 }, () => 'Banking/Mortgage') },
  { name: 'A', nis2_sector: 'energia' },
  { name: 'A', compliance_frameworks: [{}] },
  { name: 'A', compliance_frameworks: [{ value: 'NIS2' }] },
  {
    name: 'A',
    compliance_frameworks: [
      { value: 'NIS2', fields: {} },
      { value: 'NIS2', fields: { entity_type: 'x' } },
    ],
  },
  { name: 'A', compliance_frameworks: [{ value: 'NIS2', fields: { entityType: 'important' } }] },
  { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: { extensions: ['x', 5], entity_type: 5 } }] },
  { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: [] }] },
  { name: 'A', compliance_frameworks: [{ value: 'ISO 27001:2023', fields: 'x', extra: 1 }] },
  { name: 'A', contacts: [{}] },
  {
    name: 'A',
    contacts: [{ email: 'x' }, { phone: '1', email_report: true }, { email: 5, phone: [], email_report: 'yes' }],
  },
  { name: 'A', contacts: [{ phone: '1', unknown: true }] },
  { name: 'A', domains: ['-a', 'a..b', 'a'.repeat(254)] },
  { name: 'A', ips: ['1.2.3.4.5', '1.2.3.04', '::1'] },
  { name: 'A', id: 1, version: 2, created_at: 'now' },
  { name: 'A', constructor: 1, toString: 2 },
  { name: 'A', ips: Array.from({ length: 70 }, () => 'x') },
  [],
  [{ name: 'A' }],
  'text',
  5,
];

describe('an organization with an error', () => {
  test('is one of more than 100', () => expect(BAD.length + wrongTypes.length).toBeGreaterThan(100));

  test.each([...BAD, ...wrongTypes].map((input, at) => [JSON.stringify(input).slice(0, 100), at, input] as const))(
    'as %s has the same errors through both APIs',
    async (_, at, input) => {
      const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
      const notified = restOutcome(await rest(input));
      expect(notified.code).toBe('BAD_USER_INPUT');
      // A document is interpreted at first and compiled when it is repeated.
      for (const answer of [await graphql(`Bad${at}`, camel(input)), await graphql(`Bad${at}`, camel(input))]) {
        withStory(answer, () => {
          const expected = { ...notified, messages: notified.messages.map(asOfEnums) };
          if (isObject) expect(graphqlOutcome(answer)).toEqual(expected);
          else expect(graphqlOutcome(answer).code).toBe('BAD_USER_INPUT');
        });
      }
    },
  );

  test('is not stored', async () => {
    const rows = await gateway.app.database.rows(`select 1 from organization where name not like '%Organization'`);
    expect(rows).toEqual([]);
  });
});

describe("a field in the other API's spelling", () => {
  const secret = 'a-value-that-must-not-come-back';
  // Outcomes are compared in REST's names: GraphQL itself suggests its own.
  test.each<[Json, string[]]>([
    [{ name: secret, number_employees: 5 }, ['number_employees is not a known field. Did you mean number_employees?']],
    [
      { name: secret, compliance_frameworks: [] },
      ['compliance_frameworks is not a known field. Did you mean compliance_frameworks?'],
    ],
    [{ name: secret, nis2_sector: '' }, ['nis2_sector is not a known field. Did you mean nis2_sector?']],
    [
      { name: secret, contacts: [{ phone: secret, email_report: false }] },
      ['contacts[0].email_report is not a known field. Did you mean email_report?'],
    ],
    [{ name: secret, logoFile: secret }, ['logo_file must be a file sent as multipart/form-data']],
  ])('%j is an error of GraphQL that repeats no value', async (input, messages) => {
    const name = `Spelling${Object.keys(input)[1]}`;
    for (const answer of [await graphql(name, input), await graphql(name, input)]) {
      withStory(answer, () => {
        expect(graphqlOutcome(answer)).toEqual({ code: 'BAD_USER_INPUT', messages });
        expect(answer.text).not.toContain(secret);
      });
    }
  });

  test.each([
    ['numberEmployees', '. Did you mean number_employees?'],
    ['nis2Sector', '. Did you mean nis2_sector?'],
    ['complianceFrameworks', '. Did you mean compliance_frameworks?'],
    ['logoFile', ''],
  ])('%s is an error of REST', async (key, hint) => {
    expect(restOutcome(await rest({ name: 'A', [key]: null }))).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [`${key} is not a known field${hint}`],
    });
  });
});

test('a logo file has the same address through both APIs', async () => {
  const { filename, contentType, bytes } = samples.WEBP;
  const form = multipart([
    { name: 'data', content: '{"name":"Logo"}' },
    { name: 'logo', filename, type: contentType, content: bytes },
  ]);
  const { logo } = expectData(
    await gateway.rest.post('/api/v1/organizations', { token: testData.userWithoutOrganization.token, ...form }),
    201,
  );
  const file = { name: filename, type: contentType, bytes };
  const input = { name: 'Logo', logoFile: null };
  const answer = await gateway.graphql.upload(
    mutation('Logo'),
    { input },
    'variables.input.logoFile',
    file,
    testData.userWithoutOrganization.token,
  );
  withStory(answer, () => expect(answer.body.data?.createOrganization.organization.logo).toBe(logo));
});

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

const SENT = { name: '  Acme  ', sectors: ['Energy', 'Energy'], contacts: [{ phone: '1' }], domains: ['Example.COM'] };

/** The exact text of a 201, with id and times of the response. */
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
  ...EMPTY,
  name: 'Acme',
  sectors: ['Energy'],
  contacts: [{ name: '', role: '', email: '', phone: '1', email_report: false }],
  domains: ['example.com'],
};

test('the fields of a framework retain every key of the sender, `__proto__` among them', async () => {
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

test('fields in the spelling of GraphQL, and those that a record has but a request has not, are not known', async () => {
  const body = {
    name: 'A',
    numberEmployees: 5,
    contacts: [{ phone: '1', emailReport: true }],
    id: 7,
    logoFile: 'x',
    logo_file: 'x',
  };
  expectError(await create(body), 400, [
    'contacts[0].emailReport is not a known field. Did you mean email_report?',
    'numberEmployees is not a known field. Did you mean number_employees?',
    'id is not a known field',
    'logoFile is not a known field',
    'logo_file is not a known field',
  ]);
});

test('the organization that was created is at the path of Location', async () => {
  const answer = await create({ name: 'A' });
  expect(answer.headers.get('location')).toBe(`${PATH}/${expectData(answer, 201).id}`);
});

describe('a body that is no JSON object of the right size', () => {
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
    expectCreated(await sendForm([{ name: 'data', content: JSON.stringify(SENT) }]), STORED);
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

  test('reports the same errors as JSON, whichever the form', async () => {
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

  test('refuses unknown parts, both forms at once, and no parts', async () => {
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

  test.each(['PNG', 'JPEG', 'WEBP'] as const)('stores a logo of kind %s and shows it without a token', async (kind) => {
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

  test('takes a logo before or after the data, and prefers it to an address in the data', async () => {
    const answer = await sendForm([
      logo(png.bytes),
      { name: 'data', content: '{"name":"F","logo":"https://a.example/b.png"}' },
    ]);
    expect(expectData(answer, 201).logo).toContain('/logos/');
  });

  test('refuses a logo of another kind, and one whose content is of another kind', async () => {
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

  test('ignores a file field without a file, and refuses an empty file, a text and a second logo', async () => {
    expectStatus(await sendForm([data, logo(Buffer.alloc(0), 'application/octet-stream', '')]), 201);
    expectError(await sendForm([data, logo(Buffer.alloc(0))]), 400, ['logo must not be empty']);
    expectError(await sendForm([data, { name: 'logo', content: 'https://a.example/b.png' }]), 400, [
      'logo must be a file part',
    ]);
    expectError(await sendForm([data, logo(png.bytes), logo(png.bytes)]), 400, ['logo must not be given twice']);
  });

  test('finds no logo that no organization shows', async () => {
    for (const name of [`${'0'.repeat(64)}.png`, '..%2f..%2fpasswd', `${sha256Of(png.bytes)}.jpg`, '']) {
      expect((await rawRequest(gateway.url, 'GET', `/logos/${name}`)).status).toBe(404);
    }
  });
});
