import { describe, expect, test } from '@jest/globals';
import validator from 'validator';
import { MAX_ERRORS } from '../../src/errors.js';
import { isEmailAddress, isHostname } from '../../src/common/formats.js';
import { readOrganization } from '../../src/schema/organizations/reader.js';
import { organizationErrors, readBody } from '../support/organization-errors.js';
import { ENTITY_TYPES, FRAMEWORK_EXTENSIONS, FRAMEWORK_VALUES, INFRASTRUCTURES } from '../../src/values/enums.js';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../src/values/sectors.js';

const WHOLE = {
  name: '  Acme S.p.A. ',
  description: 'Makes things.\n\tSells them.',
  number_employees: 250,
  website: 'https://www.acme.example/it?x=1#top',
  logo: 'http://cdn.acme.example:8080/logo.png',
  sectors: ['Energy', 'Arts & Entertainment', 'Energy'],
  industries: ['Higher Education/Acadamia'],
  nis2_sector: "Trasporti - Vie d'acqua interne",
  compliance_frameworks: [
    { value: 'ISO 27001:2023', fields: { extensions: ['ISO 27017:2021'], certified_by: { name: 'TÜV', Since: 2020 } } },
    { value: 'NIS2', fields: { entity_type: 'essential' } },
  ],
  infrastructure: 'on-prem',
  contacts: [
    { name: 'Ada', role: 'CISO', email: 'ada@acme.example', phone: '', email_report: true },
    { email: '', phone: '+39 (02) 123.45-67 ext 8' },
  ],
  domains: ['Acme.Example', 'acme.example', 'xn--mnchen-3ya.de'],
  ips: ['192.0.2.1', '192.0.2.1', '0.0.0.0'],
};

/** The organization that a body stores. */
function storedOrganization(body: unknown) {
  return readOrganization(readBody(body)).organization;
}

/** The errors of a valid organization with these changed fields. */
function errorsOf(fields: Record<string, unknown>): string[] {
  return organizationErrors({ name: 'Acme', ...fields });
}

function contactErrors(contact: unknown): string[] {
  return errorsOf({ contacts: [contact] });
}

function frameworkErrors(framework: unknown): string[] {
  return errorsOf({ compliance_frameworks: [framework] });
}

/** Every text that differs from `value` by one letter: replaced, dropped, doubled, or of the other case. */
function oneLetterOff(value: string): string[] {
  const others = [`${value}x`, ` ${value}`];
  for (let at = 0; at < value.length; at++) {
    const letter = value.charAt(at);
    const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    for (const other of ['', letter + letter, letter === 'q' ? 'z' : 'q', swapped]) {
      others.push(value.slice(0, at) + other + value.slice(at + 1));
    }
  }
  return others.filter((other) => other !== value);
}

describe('the value lists', () => {
  const lists: [string, readonly string[], (value: string) => string[]][] = [
    ['sectors', SECTORS, (value) => errorsOf({ sectors: [value] })],
    ['industries', INDUSTRIES, (value) => errorsOf({ industries: [value] })],
    ['NIS 2 sectors', NIS2_SECTORS, (value) => errorsOf({ nis2_sector: value })],
    ['infrastructures', INFRASTRUCTURES, (value) => errorsOf({ infrastructure: value })],
    ['framework values', FRAMEWORK_VALUES, (value) => frameworkErrors({ value, fields: { entity_type: 'important' } })],
    ['extensions', FRAMEWORK_EXTENSIONS, (value) => frameworkErrors({ value: 'NIS2', fields: nis2([value]) })],
    ['entity types', ENTITY_TYPES, (value) => frameworkErrors({ value: 'NIS2', fields: { entity_type: value } })],
  ];
  const nis2 = (extensions: string[]) => ({ entity_type: 'essential', extensions });

  test.each(lists)('%s: every entry is accepted', (_name, list, errors) => {
    expect(list.flatMap((value) => errors(value))).toEqual([]);
  });

  test.each(lists)('%s: every entry is refused when one letter is off', (_name, list, errors) => {
    const known = new Set(list);
    const wrong = list.flatMap(oneLetterOff).filter((value) => !known.has(value));
    expect(wrong.length).toBeGreaterThan(list.length);
    expect(wrong.filter((value) => errors(value).length !== 1)).toEqual([]);
  });

  test('the empty string is none of every optional text, and no item of a list', () => {
    expect(errorsOf({ nis2_sector: '', website: '', logo: '', infrastructure: '' })).toEqual([]);
    expect(errorsOf({ sectors: [''], industries: [''], domains: [''], ips: [''] })).toHaveLength(4);
  });
});

describe('the errors of an organization', () => {
  test('a whole organization has no errors', () => {
    expect(organizationErrors(WHOLE)).toEqual([]);
  });

  test('a name alone is enough, and null counts as not sent', () => {
    const nulls = Object.fromEntries(Object.keys(WHOLE).map((key) => [key, null]));
    expect(organizationErrors({ name: 'A' })).toEqual([]);
    expect(organizationErrors({ ...nulls, name: 'A' })).toEqual([]);
    expect(organizationErrors(nulls)).toEqual(['name is required']);
    expect(contactErrors({ name: null, role: null, email: null, phone: '1', email_report: null })).toEqual([]);
  });

  test('all errors are reported at once, in field order, whatever the order in which they were sent', () => {
    const broken = {
      zeta: 1,
      ips: ['1.2.3.4', '01.2.3.4'],
      domains: ['ok.example', 'under_score.example'],
      contacts: [
        { email_report: true, fax: '1' },
        { name: 7, role: 'r'.repeat(201), email: 'no', phone: '1'.repeat(51) },
      ],
      infrastructure: 'Cloud',
      compliance_frameworks: [
        { value: 'NIS2', fields: { extensions: ['ISO 27017:2021', 'ISO 9001'] }, year: 1 },
        { value: 'ISO 27001:2022' },
        { value: 'NIS2', fields: { entity_type: 'Important' } },
        { fields: [] },
        { value: 'NIS2' },
      ],
      nis2_sector: 'acqua potabile',
      industries: ['Higher Education/Academia'],
      sectors: ['Energy', 'Media', 'energy'],
      logo: 'logo.png',
      website: 'https://me:secret@acme.example',
      number_employees: -1,
      description: 'd'.repeat(10_001),
      name: ' ',
    };
    expect(organizationErrors(broken)).toEqual([
      'name is required',
      'description must not be longer than 10000 characters',
      'number_employees must be an integer of 0 or more',
      'website must be an absolute http or https URL without credentials',
      'logo must be an absolute http or https URL without credentials',
      'sectors[2] must be one of the sectors of GET /api/v1/options',
      'industries[0] must be one of the industries of GET /api/v1/options',
      'nis2_sector must be one of the NIS 2 sectors of GET /api/v1/options',
      'compliance_frameworks[0].fields.extensions[1] must be one of ISO 27017:2021, ISO 27018:2020',
      'compliance_frameworks[0].fields.entity_type is required when value is NIS2',
      'compliance_frameworks[0].year is not a known field',
      'compliance_frameworks[1].value must be one of ISO 27001:2023, NIS2',
      'compliance_frameworks[1].fields is required',
      'compliance_frameworks[2].value must not be given twice',
      'compliance_frameworks[2].fields.entity_type must be one of important, essential',
      'compliance_frameworks[3].value is required',
      'compliance_frameworks[3].fields must be an object',
      'compliance_frameworks[4].value must not be given twice',
      'compliance_frameworks[4].fields is required',
      'compliance_frameworks[4].fields.entity_type is required when value is NIS2',
      'infrastructure must be one of cloud, on-prem, hybrid',
      'contacts[0].email must be set when phone is empty',
      'contacts[0].email must be set when email_report is true',
      'contacts[0].fax is not a known field',
      'contacts[1].name must be a string',
      'contacts[1].role must not be longer than 200 characters',
      'contacts[1].email must be an e-mail address',
      'contacts[1].phone must not be longer than 50 characters',
      'domains[1] must be a hostname',
      'ips[1] must be a dotted IPv4 address',
      'zeta is not a known field',
    ]);
  });

  test('a wrong type is reported for every field, with one sentence each', () => {
    const expected = {
      name: 'must be a string',
      description: 'must be a string',
      number_employees: 'must be an integer of 0 or more',
      website: 'must be a string',
      logo: 'must be a string',
      sectors: 'must be an array of strings',
      industries: 'must be an array of strings',
      nis2_sector: 'must be a string',
      compliance_frameworks: 'must be an array of objects',
      infrastructure: 'must be a string',
      contacts: 'must be an array of objects',
      domains: 'must be an array of strings',
      ips: 'must be an array of strings',
    };
    const sentences = Object.entries(expected).map(([key, sentence]) => `${key} ${sentence}`);
    const textFields = sentences.filter((sentence) => sentence.endsWith('must be a string'));
    expect(Object.keys(expected)).toEqual(Object.keys(WHOLE));
    for (const wrong of [true, { a: 1 }, 1.5]) {
      expect(organizationErrors(Object.fromEntries(Object.keys(expected).map((key) => [key, wrong])))).toEqual(
        sentences,
      );
    }
    const lists = Object.fromEntries(textFields.map((sentence) => [sentence.split(' ')[0], ['Acme']]));
    expect(organizationErrors(lists)).toEqual(textFields);
  });

  test('a wrong type is reported for every item and every field of an item', () => {
    expect(errorsOf({ sectors: [1, null, ['Energy']] })).toEqual(
      [0, 1, 2].map((at) => `sectors[${at}] must be a string`),
    );
    expect(errorsOf({ domains: [{}], ips: [3232235777] })).toEqual([
      'domains[0] must be a string',
      'ips[0] must be a string',
    ]);
    expect(contactErrors('ada@acme.example')).toEqual(['contacts[0] must be an object']);
    expect(contactErrors(null)).toEqual(['contacts[0] must be an object']);
    expect(contactErrors([])).toEqual(['contacts[0] must be an object']);
    expect(contactErrors({ name: 1, role: {}, email: 2, phone: 3, email_report: 'true' })).toEqual([
      'contacts[0].name must be a string',
      'contacts[0].role must be a string',
      'contacts[0].email must be a string',
      'contacts[0].phone must be a string',
      'contacts[0].email_report must be true or false',
    ]);
    expect(frameworkErrors('NIS2')).toEqual(['compliance_frameworks[0] must be an object']);
    expect(frameworkErrors({ value: 2, fields: { extensions: 'ISO 27017:2021', entity_type: 1 } })).toEqual([
      'compliance_frameworks[0].value must be a string',
      'compliance_frameworks[0].fields.extensions must be an array of strings',
      'compliance_frameworks[0].fields.entity_type must be a string',
    ]);
  });

  test.each([['Acme'], [7], [true], [[]], [[{ name: 'Acme' }]]])('%p is no organization', (input) => {
    expect(organizationErrors(input)).toEqual(['input must be an object']);
  });

  test('at most fifty errors are reported, whether items, fields or frameworks are wrong', () => {
    const many = Array.from({ length: 150 }, () => 'x');
    const keys = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key${at}`, at]));
    expect(errorsOf({ sectors: many, industries: many })).toHaveLength(MAX_ERRORS);
    expect(errorsOf(keys)).toHaveLength(MAX_ERRORS);
    expect(errorsOf({ sectors: many.slice(0, 49), zeta: 1 })).toHaveLength(50);
    expect(errorsOf({ sectors: many.slice(0, 50), zeta: 1 }).at(-1)).toMatch(/^sectors\[49\]/);
    expect(contactErrors(keys)).toHaveLength(MAX_ERRORS);
    expect(errorsOf({ sectors: many.slice(0, 50), infrastructure: 'x', ips: 'x' })).toHaveLength(MAX_ERRORS);
  });

  test('no error repeats what was sent', () => {
    const secret = 'hunter2-top-secret';
    const wrong = { ...WHOLE, name: { secret }, website: secret, number_employees: secret, sectors: [secret] };
    const nested = { contacts: [{ email: secret, phone: [secret] }], domains: [`_${secret}`], ips: [secret] };
    const frameworks = [{ value: secret, fields: { entity_type: secret, extensions: [secret] } }];
    const errors = organizationErrors({
      ...wrong,
      ...nested,
      compliance_frameworks: frameworks,
      infrastructure: secret,
    });
    expect(errors.length).toBeGreaterThan(9);
    expect(errors.filter((error) => error.includes('hunter2'))).toEqual([]);
  });
});

describe('unknown fields', () => {
  test('are named by their key when it is printable and of at most 64 characters', () => {
    const longest = 'k'.repeat(64);
    expect(errorsOf({ [longest]: 1, città: 1, 'a b': 1 })).toEqual([
      `${longest} is not a known field`,
      'città is not a known field',
      'a b is not a known field',
    ]);
  });

  test.each([['k'.repeat(65)], [''], ['a\u0000b'], ['a\nb'], ['\u202egpj'], ['\ud800'], ['k'.repeat(1_000_000)]])(
    'are reported without their key otherwise',
    (key) => {
      expect(errorsOf({ [key]: 1 })).toEqual(['a field is not known']);
      expect(contactErrors({ phone: '1', [key]: 1 })).toEqual(['a field of contacts[0] is not known']);
    },
  );

  test('__proto__ and constructor are fields like any other, and change no object', () => {
    const parsed: unknown = JSON.parse(
      '{"name":"A","__proto__":{"website":"https://evil.example"},"constructor":1,"contacts":[{"phone":"1","__proto__":{"x":1}}]}',
    );
    expect(organizationErrors(parsed)).toEqual([
      'contacts[0].__proto__ is not a known field',
      '__proto__ is not a known field',
      'constructor is not a known field',
    ]);
    expect(organizationErrors(JSON.parse('{"__proto__":{"name":"A"}}'))).toEqual([
      'name is required',
      '__proto__ is not a known field',
    ]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('the camelCase spelling is unknown', () => {
    expect(errorsOf({ numberEmployees: 5 })).toEqual([
      'numberEmployees is not a known field. Did you mean number_employees?',
    ]);
  });

  test('an input without a prototype is read like any other', () => {
    const bare: Record<string, unknown> = Object.create(null);
    bare.name = 'Acme';
    expect(organizationErrors(bare)).toEqual([]);
    expect(storedOrganization(bare).name).toBe('Acme');
  });
});

describe('limits', () => {
  const host = (length: number) => `${'a.'.repeat((length - 1) >> 1)}${length % 2 ? 'a' : 'aa'}`;
  const urlOf = (length: number) => 'https://acme.example/'.padEnd(length, 'x');
  const mailOf = (length: number) =>
    `${'m'.repeat(60)}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(length - 192)}.it`;
  const items = (length: number, of: (at: number) => unknown) => Array.from({ length }, (_, at) => of(at));
  const edges: [string, number, (size: number) => Record<string, unknown>][] = [
    ['name', 200, (size) => ({ name: 'n'.repeat(size) })],
    ['name', 200, (size) => ({ name: ` \n${'n'.repeat(size)}\t ` })],
    ['name', 200, (size) => ({ name: '😀'.repeat(size) })],
    ['name', 200, (size) => ({ name: `${'😀'.repeat(100)}${'n'.repeat(size - 100)}` })],
    ['description', 10_000, (size) => ({ description: 'é'.repeat(size) })],
    ['number_employees', 2_147_483_647, (size) => ({ number_employees: size })],
    ['website', 2_048, (size) => ({ website: urlOf(size) })],
    ['logo', 2_048, (size) => ({ logo: urlOf(size) })],
    ['sectors', 200, (size) => ({ sectors: items(size, () => 'Energy') })],
    ['industries', 200, (size) => ({ industries: items(size, () => 'Dairy') })],
    ['contacts', 100, (size) => ({ contacts: items(size, () => ({ phone: '1' })) })],
    ['domains', 1_000, (size) => ({ domains: items(size, (at) => `a${at}.example`) })],
    ['ips', 1_000, (size) => ({ ips: items(size, (at) => `10.0.${at >> 8}.${at & 255}`) })],
    ['domains[0]', 253, (size) => ({ domains: [host(size)] })],
    ['domains[0]', 63, (size) => ({ domains: [`${'l'.repeat(size)}.example`] })],
    ['contacts[0].name', 200, (size) => ({ contacts: [{ name: 'n'.repeat(size), phone: '1' }] })],
    ['contacts[0].role', 200, (size) => ({ contacts: [{ role: 'r'.repeat(size), phone: '1' }] })],
    ['contacts[0].email', 254, (size) => ({ contacts: [{ email: mailOf(size) }] })],
    ['contacts[0].phone', 50, (size) => ({ contacts: [{ phone: '1'.repeat(size) }] })],
    ['compliance_frameworks[0].fields', 16_384, (size) => iso({ note: 'x'.repeat(size - '{"note":""}'.length) })],
    [
      'compliance_frameworks[0].fields',
      16_384,
      (size) => iso({ note: `${'é'.repeat((size - 12) / 2)}x` + (size % 2 ? 'x' : '') }),
    ],
    ['compliance_frameworks[0].fields', 10, (size) => iso(deep(size))],
    [
      'compliance_frameworks[0].fields.extensions',
      20,
      (size) => iso({ extensions: items(size, () => 'ISO 27017:2021') }),
    ],
  ];
  const iso = (fields: unknown) => ({ compliance_frameworks: [{ value: 'ISO 27001:2023', fields }] });
  const deep = (levels: number): unknown =>
    levels === 0 ? 1 : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) };

  test.each(edges)('%s: %p is accepted and one more is refused', (path, most, input) => {
    expect(errorsOf(input(most))).toEqual([]);
    const errors = errorsOf(input(most + 1));
    expect(errors).toHaveLength(1);
    expect(errors[0]!.startsWith(`${path} must `)).toBe(true);
  });

  test('a hostname and an e-mail address have a maximum length of their own', () => {
    expect([host(253), host(254)].map(isHostname)).toEqual([true, false]);
    expect([mailOf(254), mailOf(255)].map(isEmailAddress)).toEqual([true, false]);
  });

  test('more than twenty frameworks are too many, though each could be named once only', () => {
    const many = items(21, () => ({ value: 'ISO 27001:2023', fields: {} }));
    const errors = errorsOf({ compliance_frameworks: many });
    expect(errors[0]).toBe('compliance_frameworks must not have more than 20 items');
    expect(errors).toHaveLength(20);
    expect(errorsOf({ compliance_frameworks: many.slice(0, 20) })[0]).toMatch(/\[1\]\.value must not be given twice$/);
  });

  test('of a list that is too long only the allowed number of items is looked at', () => {
    const long = [...items(200, () => 'Energy'), 'wrong'];
    expect(errorsOf({ sectors: long })).toEqual(['sectors must not have more than 200 items']);
  });

  test('megabytes of text are one sentence for each field', () => {
    const huge = 'x'.repeat(1_048_576);
    const errors = organizationErrors({
      ...{ name: huge, description: huge, number_employees: huge, website: `https://${huge}`, logo: huge },
      ...{ sectors: [huge], industries: [huge], nis2_sector: huge, infrastructure: huge, domains: [huge], ips: [huge] },
      contacts: [{ name: huge, role: huge, email: `${huge}@acme.example`, phone: huge, email_report: huge, [huge]: 1 }],
      ...iso({ extensions: [huge], entity_type: huge, note: huge }),
    });
    expect(errors).toHaveLength(20);
    expect(errors.filter((error) => error.length > 120)).toEqual([]);
  });

  test('JSON of a hundred thousand levels is refused without an exception', () => {
    const abyss: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    const errors = errorsOf({ sectors: abyss, ...iso({ note: abyss }), description: abyss });
    expect(errors).toEqual([
      'description must be a string',
      'sectors[0] must be a string',
      'compliance_frameworks[0].fields must not be nested deeper than 10 levels',
    ]);
  });
});

describe('number_employees', () => {
  test.each([[0], [5], [-0], [JSON.parse('5.0')], [JSON.parse('1e3')]])('%p is accepted', (number) => {
    expect(errorsOf({ number_employees: number })).toEqual([]);
  });

  test.each([[-1], [0.5], ['5'], [''], [true], [[5]], [JSON.parse('1e999')], [NaN]])('%p is refused', (number) => {
    expect(errorsOf({ number_employees: number })).toEqual(['number_employees must be an integer of 0 or more']);
  });
});

describe('website and logo', () => {
  const good = [
    'https://acme.example',
    'HTTP://ACME.example:8443/a%20b?c=@d#@e',
    'http://192.0.2.1/',
    'http://[2001:db8::1]/x',
  ];
  const intranet = ['http://localhost:4000/logo', 'https://münchen.example/straße', 'https://acme.example?x'];

  test.each([...good, ...intranet])('%p is accepted and stored as sent', (url) => {
    expect(errorsOf({ website: url, logo: url })).toEqual([]);
    expect(storedOrganization({ name: 'A', website: url }).website).toBe(url);
  });

  const relative = [
    'acme.example',
    '//acme.example',
    '/logo.png',
    'https:acme.example',
    'https:/acme.example',
    'https://',
  ];
  const schemes = [
    'ftp://acme.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'httpſ://a.example',
  ];
  const hosts = [
    'https:///acme.example',
    'https://?x',
    'https://a.example:99999',
    'https://[::1',
    'https://256.1.1.1.1.1',
  ];
  const spaces = [
    ' https://acme.example',
    'https://acme.example ',
    'https://acme.example/a b',
    'https://a\u00a0b.example',
  ];
  const users = [
    'https://u@a.example',
    'https://u:p@a.example',
    'https://@a.example',
    'https://good.example\\@bad.example',
  ];
  test.each([...relative, ...schemes, ...hosts, ...spaces, ...users, 'https://a.example/\u202egpj'])(
    '%p is refused',
    (url) => {
      const sentence = 'must be an absolute http or https URL without credentials';
      expect(errorsOf({ website: url, logo: url })).toEqual([`website ${sentence}`, `logo ${sentence}`]);
    },
  );
});

describe('domains and ips', () => {
  const names = [
    'acme.example',
    'localhost',
    'a',
    '3com.example',
    '1.2.3.a',
    'a--b.example',
    'r3---x.example',
    'ACME.Example',
  ];
  test.each([...names, 'xn--mnchen-3ya.de', 'XN--P1AI', 'a.xn--p1ai'])('the hostname %p is accepted', (domain) => {
    expect(errorsOf({ domains: [domain] })).toEqual([]);
  });

  const shapes = ['', '.', 'acme.example.', '.acme.example', 'a..example', '-a.example', 'a-.example', 'a.-example'];
  const letters = [
    'a_b.example',
    '*.acme.example',
    'münchen.de',
    'acme.example:80',
    'https://acme.example',
    'a b',
    'aſ.example',
  ];
  const numbers = ['1.2.3.4', '123', 'acme.42'];
  const labels = ['xn--', 'xn--a.example', 'www.xn--zz-99999999', 'xn--a-ecp.ru', 'xn--mnchen-3ya.xn--a'];
  test.each([...shapes, ...letters, ...numbers, ...labels])('the hostname %p is refused', (domain) => {
    expect(errorsOf({ domains: [domain] })).toEqual(['domains[0] must be a hostname']);
  });

  test.each(['0.0.0.0', '255.255.255.255', '10.0.0.1', '192.0.2.199', '1.20.200.249'])(
    'the address %p is accepted',
    (ip) => {
      expect(errorsOf({ ips: [ip] })).toEqual([]);
    },
  );

  const wrong = [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '01.2.3.4',
    '1.2.3.04',
    '1.2.3.4/24',
    '1.2.3.4 ',
    ' 1.2.3.4',
    '1..2.3',
  ];
  const notDotted = [
    '::1',
    '2001:db8:1111:2222:3333:4444:5555:6666',
    '0x7f.0.0.1',
    '2130706433',
    '-1.2.3.4',
    '1.2.3.a',
    '１.2.3.4',
  ];
  test.each([...wrong, ...notDotted])('the address %p is refused', (ip) => {
    expect(errorsOf({ ips: [ip] })).toEqual(['ips[0] must be a dotted IPv4 address']);
  });
});

describe('contacts', () => {
  const needsEmail = 'contacts[0].email must be set when phone is empty';
  const needsReport = 'contacts[0].email must be set when email_report is true';

  test.each([
    [{}],
    [{ email: '' }],
    [{ phone: '' }],
    [{ email: '', phone: '' }],
    [{ email: null, phone: '  ' }],
    [{ name: 'Ada' }],
  ])('%j has neither e-mail nor phone', (contact) => {
    expect(contactErrors(contact)).toEqual([needsEmail]);
  });

  test('a weekly report needs an e-mail, whether there is a phone or not', () => {
    expect(contactErrors({ phone: '1', email_report: true })).toEqual([needsReport]);
    expect(contactErrors({ email: ' ', phone: '1', email_report: true })).toEqual([needsReport]);
    expect(contactErrors({ email_report: true })).toEqual([needsEmail, needsReport]);
    expect(contactErrors({ email: 'a@b.example', email_report: true })).toEqual([]);
    expect(contactErrors({ phone: '1', email_report: false })).toEqual([]);
    expect(contactErrors({ phone: '1', email_report: 'true' })).toEqual([
      'contacts[0].email_report must be true or false',
    ]);
  });

  const mails = ['ada@acme.example', "o'hara+tag@mail.acme.example", 'A.B-c_d@xn--mnchen-3ya.de'];
  test.each(mails)('the e-mail %p is accepted', (email) => {
    expect(contactErrors({ email })).toEqual([]);
  });

  const wrongMails = [
    'ada',
    'ada@',
    '@acme.example',
    'a@b@c.example',
    'a b@acme.example',
    '.a@acme.example',
    'a..b@acme.example',
    'josé@acme.example',
    'a@acmé.example',
    '"a b"@acme.example',
    '"ab"@acme.example',
  ];
  const wrongHosts = [
    'a@acme',
    'a@-acme.example',
    'a@acme-.example',
    'a@acme..example',
    'a@acme.example.',
    'a@1.2.3.4',
    'Ada <a@b.example>',
  ];
  test.each([...wrongMails, ...wrongHosts, `${'m'.repeat(65)}@acme.example`])('the e-mail %p is refused', (email) => {
    expect(contactErrors({ email, phone: '1' })).toEqual(['contacts[0].email must be an e-mail address']);
  });

  test('the quick e-mail check accepts nothing that the general one refuses', () => {
    const parts = [
      'a',
      'B9',
      '.',
      '-',
      '_',
      '+',
      '@',
      '@',
      'x.it',
      'com',
      '1',
      "'",
      ' ',
      'é',
      '"',
      '.example',
      'm'.repeat(62),
    ];
    let seed = 7;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    let accepted = 0;
    for (let round = 0; round < 40_000; round++) {
      const email = Array.from({ length: 2 + (next() % 6) }, () => parts[next() % parts.length]).join('');
      const notified = isEmailAddress(email);
      if (notified) accepted++;
      const general = /^[!#-~]+$/.test(email) && validator.isEmail(email);
      if (notified !== general) throw new Error(`the checks disagree about ${email}`);
    }
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('compliance frameworks', () => {
  test('extra properties of fields are accepted, with line breaks in them', () => {
    const fields = { entity_type: 'essential', note: 'a\n\tb', 'Any Key': [{ deep: [null, true, 1.5] }], '': 0 };
    expect(frameworkErrors({ value: 'NIS2', fields })).toEqual([]);
  });

  test('ISO 27001 needs no entity type and refuses a wrong one', () => {
    const value = 'ISO 27001:2023';
    expect(frameworkErrors({ value, fields: {} })).toEqual([]);
    expect(frameworkErrors({ value, fields: { entity_type: null, extensions: null } })).toEqual([]);
    expect(frameworkErrors({ value, fields: { entity_type: 'huge' } })).toEqual([
      'compliance_frameworks[0].fields.entity_type must be one of important, essential',
    ]);
  });

  test.each([[{}], [{ entity_type: null }], [{ extensions: [] }]])(
    'NIS2 with fields %j lacks its entity type',
    (fields) => {
      expect(frameworkErrors({ value: 'NIS2', fields })).toEqual([
        'compliance_frameworks[0].fields.entity_type is required when value is NIS2',
      ]);
    },
  );

  test('a framework that is unknown twice is reported as unknown, not as given twice', () => {
    const unknown = { value: 'NIS3', fields: {} };
    expect(errorsOf({ compliance_frameworks: [unknown, unknown] })).toEqual([
      'compliance_frameworks[0].value must be one of ISO 27001:2023, NIS2',
      'compliance_frameworks[1].value must be one of ISO 27001:2023, NIS2',
    ]);
  });

  test('a number that JSON cannot represent is refused inside fields', () => {
    const fields: unknown = JSON.parse('{"big": [1e999]}');
    expect(frameworkErrors({ value: 'ISO 27001:2023', fields })).toEqual([
      'compliance_frameworks[0].fields must not contain numbers out of range',
    ]);
  });
});

describe('control characters', () => {
  const places: [string, (text: string) => Record<string, unknown>][] = [
    ['name', (text) => ({ name: text })],
    ['description', (text) => ({ description: text })],
    ['website', (text) => ({ website: `https://a.example/${text}` })],
    ['logo', (text) => ({ logo: `https://a.example/${text}` })],
    ['domains[0]', (text) => ({ domains: [text] })],
    ['ips[0]', (text) => ({ ips: [text] })],
    ['contacts[0].name', (text) => ({ contacts: [{ phone: '1', name: text }] })],
    ['contacts[0].role', (text) => ({ contacts: [{ phone: '1', role: text }] })],
    ['contacts[0].email', (text) => ({ contacts: [{ email: `"${text}"@a.example` }] })],
    ['contacts[0].phone', (text) => ({ contacts: [{ phone: text }] })],
    ['compliance_frameworks[0].fields', (text) => extra({ note: [text] })],
    ['compliance_frameworks[0].fields', (text) => extra({ [text]: 1 })],
  ];
  const extra = (fields: unknown) => ({ compliance_frameworks: [{ value: 'ISO 27001:2023', fields }] });

  test.each(places)('%s refuses every control character and half a character', (path, input) => {
    const manyLines = path === 'description' || path.endsWith('fields');
    const codes = Array.from({ length: 32 }, (_, code) => code).filter(
      (code) => !manyLines || ![9, 10, 13].includes(code),
    );
    for (const odd of [...codes, 0xd800, 0xdbff, 0xdc00, 0xdfff].map((code) => String.fromCharCode(code))) {
      expect(errorsOf(input(`a${odd}b`))).toEqual([`${path} must not contain control characters`]);
    }
  });

  test('a whole character outside the basic plane is accepted', () => {
    expect(errorsOf({ name: '😀', description: 'a\t\r\n😀', ...extra({ '😀': '😀\n' }) })).toEqual([]);
  });
});

describe('what is stored', () => {
  test('an organization is stored as sent: name trimmed, domains in lower case, repeated items once', () => {
    expect(storedOrganization(WHOLE)).toEqual({
      name: 'Acme S.p.A.',
      description: 'Makes things.\n\tSells them.',
      numberEmployees: 250,
      website: 'https://www.acme.example/it?x=1#top',
      logo: 'http://cdn.acme.example:8080/logo.png',
      sectors: ['Energy', 'Arts & Entertainment'],
      industries: ['Higher Education/Acadamia'],
      nis2Sector: "Trasporti - Vie d'acqua interne",
      complianceFrameworks: WHOLE.compliance_frameworks,
      infrastructure: 'on-prem',
      contacts: [
        { name: 'Ada', role: 'CISO', email: 'ada@acme.example', phone: '', emailReport: true },
        { name: '', role: '', email: '', phone: '+39 (02) 123.45-67 ext 8', emailReport: false },
      ],
      domains: ['acme.example', 'xn--mnchen-3ya.de'],
      ips: ['192.0.2.1', '0.0.0.0'],
      sandbox: false,
    });
  });

  test.each([[{ name: 'A' }], [Object.fromEntries([...Object.keys(WHOLE).map((key) => [key, null]), ['name', 'A']])]])(
    'what was not sent is stored as empty',
    (input) => {
      expect(storedOrganization(input)).toEqual({
        ...{ name: 'A', description: '', numberEmployees: null, website: '', logo: '', sectors: [], industries: [] },
        ...{ nis2Sector: '', complianceFrameworks: [], infrastructure: '', contacts: [], domains: [], ips: [] },
        sandbox: false,
      });
    },
  );

  test('zero is zero, also when it was sent as minus zero', () => {
    expect(storedOrganization({ name: 'A', number_employees: -0 }).numberEmployees).toBe(0);
  });

  test('an e-mail of white space is stored as empty', () => {
    expect(storedOrganization({ name: 'A', contacts: [{ email: '  ', phone: '1' }] }).contacts[0]!.email).toBe('');
  });

  test('the fields of a framework retain every key, __proto__ included, and what was sent is not changed', () => {
    const json =
      '{"name":"A","compliance_frameworks":[{"value":"ISO 27001:2023","fields":{"__proto__":{"x":1},"camelCase_Mixed":[]}}]}';
    const input: unknown = JSON.parse(json);
    expect(organizationErrors(input)).toEqual([]);
    const [framework] = storedOrganization(input).complianceFrameworks;
    expect(JSON.stringify(framework!.fields)).toBe('{"__proto__":{"x":1},"camelCase_Mixed":[]}');
    expect(JSON.stringify(input)).toBe(json);
  });
});
