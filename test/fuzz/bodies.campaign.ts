import { describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import type { Answer, GraphQLResult } from '../support/clients.js';
import { expectBadInput, expectComposed, expectInvalid, expectRefused, fingerprint, MARKER } from './answers.js';

const { gateway, testData } = await startSeededGateway();

async function post(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer<GraphQLResult>> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Service-Token': testData.owner.token, ...headers },
    body: body as BodyInit,
  });
  const text = await response.text();
  const story = `> ${String(body).slice(0, 400)}\n< ${response.status} ${text.slice(0, 1_000)}`;
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text), requestId: '', story };
}

const CREATE =
  'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { organization { id: databaseId complianceFrameworks { fields } } } }';
const SEARCH = 'query ($x: String) { organization(id: 1) { users(filter: { search: $x }) { totalCount } } }';
const operation = (query: string, variables: string) => `{"query":${JSON.stringify(query)},"variables":${variables}}`;
const arrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('depth', () => {
  // Twice: interpreted, then compiled.
  test.each([100, 100_000])('of %i levels breaks nothing, wherever it stands', async (levels) => {
    const before = await fingerprint(gateway.app.database);
    for (const deep of [arrays(levels), objects(levels)]) {
      for (const variables of [
        `{"input":${deep}}`,
        `{"input":{"name":${deep}}}`,
        `{"input":{"name":"a","sectors":${deep}}}`,
        `{"input":{"name":"a","contacts":${deep}}}`,
        `{"input":{"name":"a","contacts":[{"phone":"1","name":${deep}}]}}`,
        `{"input":{"name":"a","complianceFrameworks":${deep}}}`,
        `{"input":{"name":"a","complianceFrameworks":[{"value":"NIS2","fields":${deep}}]}}`,
        `{"input":{"name":"a","complianceFrameworks":[{"value":"ISO_27001_2023","fields":{"a":${deep}}}]}}`,
        `{"input":{"name":"a","unknown":${deep}}}`,
      ]) {
        expectInvalid(await post(operation(CREATE, variables)));
        expectInvalid(await post(operation(CREATE, variables)));
      }
      expectBadInput(await post(operation(SEARCH, `{"unknown":${deep}}`)));
      expectBadInput(await post(operation(SEARCH, `{"x":${deep}}`)));
      expectBadInput(await post(operation('{ __typename }', deep === arrays(levels) ? deep : `[${deep}]`)));
      expectBadInput(await post(`[${deep}]`));
      expectBadInput(await post(`{"query":${deep}}`));
      expectComposed(await post(`{"query":"{ __typename }","extensions":${objects(levels)}}`));
    }
    expect(await fingerprint(gateway.app.database)).toBe(before);
  });

  test('of a document is refused by its tokens', async () => {
    expectBadInput(await post(operation('{a'.repeat(20_000), '{}')));
    expectBadInput(await post(operation(`{ workflow(id: ${'['.repeat(30_000)}`, '{}')));
    expectBadInput(await post(operation(`query ($a: ${'['.repeat(3_000)}Int${']'.repeat(900)}) { __typename }`, '{}')));
  });
});

describe('length', () => {
  const items = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`;

  test('of a list breaks nothing, also where a character needs a second look', async () => {
    for (const last of ['"a"', '"\\u0000"', '"\\\\u0000"', '"\\ud83d\\ude00"']) {
      const list = items(100_000, '1').replace(/1\]$/, `${last}]`);
      expectBadInput(await post(operation(SEARCH, `{"unknown":${list}}`)));
      expectInvalid(await post(operation(CREATE, `{"input":{"name":"a","domains":${list}}}`)));
      expectInvalid(await post(operation(CREATE, `{"input":{"name":"a","contacts":${list}}}`)));
    }
  });

  test('of a list takes little processor time, whatever its caller', async () => {
    const list = items(300_000, '1');
    for (const token of ['', '', testData.owner.token]) {
      const before = process.cpuUsage();
      const answer = await post(
        operation(CREATE, `{"input":{"name":"a","contacts":${list},"domains":${list.slice(0, 150_000)}1]}}`),
        { 'X-Service-Token': token },
      );
      const { user, system } = process.cpuUsage(before);
      expect([400, 401]).toContain(answer.status);
      // Seconds of processor time for one request; reading the body takes a small part of it.
      expect((user + system) / 1e6).toBeLessThan(1.5);
    }
  });

  test('of an object breaks nothing, also where a character needs a second look', async () => {
    const keys = Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',');
    for (const last of ['"a"', '"\\ud83d\\ude00"']) {
      expectInvalid(await post(operation(CREATE, `{"input":{"name":${last},${keys}}}`)));
      expectBadInput(await post(operation(SEARCH, `{"x":${last},${keys}}`)));
    }
  });

  test('never makes the response longer than the request: fifty errors are reported at most', async () => {
    const answer = await post(operation(CREATE, `{"input":{"name":"a","domains":${items(1_000, '"-"')}}}`));
    expectInvalid(answer);
    expect(answer.body.errors?.[0]?.extensions.messages).toHaveLength(50);
  });

  test('of 500,000 values is accepted and one value more is refused, other than of texts with as many commas', async () => {
    // The body itself has the query, the variables, the list and its first item.
    for (const value of [items(499_997, '1'), `"${'{[,'.repeat(500_000)}"`]) {
      const answer = await post(operation(SEARCH, `{"unknown":${value}}`));
      expectBadInput(answer);
      expect(answer.text).toContain('unknown is not a variable of the document');
    }
    for (const list of [items(499_998, '1'), arrays(499_998), items(499_998, '""')]) {
      const answer = await post(operation(SEARCH, `{"unknown":${list}}`));
      expectBadInput(answer);
      expect(answer.text).toContain('The body must not have more than 500000 values');
    }
  });

  test('beyond what a body may have is refused while it is being read', async () => {
    const large = operation(SEARCH, `{"x":"${'a'.repeat(1_100_000)}"}`);
    // Without a token, a body of this size is not read.
    const unknown = await post(large, { 'X-Service-Token': '' });
    expectRefused(unknown);
    expect(unknown.status).toBe(401);
    expectComposed(await post(large));
    expectBadInput(await post('x'.repeat(15_100_000)));
  });
});

describe('names of properties', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'])(
    '%s is a key like any other',
    async (key) => {
      expectInvalid(await post(operation(CREATE, `{"input":{"name":"a","${key}":{"polluted":"${MARKER}"}}}`)));
      expectInvalid(
        await post(operation(CREATE, `{"input":{"name":"a","contacts":[{"phone":"1","${key}":{"polluted":1}}]}}`)),
      );
      expectBadInput(await post(operation(SEARCH, `{"${key}":{"polluted":1},"x":"a"}`)));
      expectComposed(
        await post(`{"query":"{ __typename }","${key}":{"polluted":1},"extensions":{"${key}":{"polluted":1}}}`),
      );
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  test('in an object of the sender they are stored as they were sent', async () => {
    const fields = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
    const query = operation(
      CREATE,
      `{"input":{"name":"a","complianceFrameworks":[{"value":"ISO_27001_2023","fields":${fields}}]}}`,
    );
    for (let time = 0; time < 2; time += 1) {
      const answer = await post(query);
      expectComposed(answer);
      expect(answer.text).toContain(`"fields":${fields}`.replaceAll(' ', ''));
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('given twice are refused by name', async () => {
    const answer = await post(
      operation('query ($a: ID!) { organization(id: $a) { id } }', `{"a":2147483647,"a":${testData.organizationId}}`),
    );
    expect(answer.body.errors?.[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      messages: ['variables.a must not be given twice'],
    });
  });
});

describe('bytes', () => {
  test.each([
    ['that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['of UTF-16', Buffer.from('{"query":"{ __typename }"}', 'utf16le')],
    ['with a raw NUL', Buffer.from('{"query":"{ __typename }\0"}')],
    ['with a surrogate in UTF-8', Buffer.from('7b227175657279223a22eda080227d', 'hex')],
    ['of a compressed body', Buffer.from('1f8b0800000000000003', 'hex')],
    ['of noise', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256))],
  ])('%s are refused', async (_what, bytes) => {
    expectBadInput(await post(bytes));
  });
});

describe('multipart requests', () => {
  const send = (parts: [string, string | File][], headers: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, part] of parts) form.append(name, part as string);
    return fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'X-Service-Token': testData.owner.token, 'apollo-require-preflight': '1', ...headers },
      body: form,
    });
  };
  const OPERATIONS = JSON.stringify({ query: '{ __typename }', variables: {} });
  const file = () => new File(['a'], 'a.txt');

  test.each<[string, [string, string | File][]]>([
    ['nothing', []],
    ['no operations', [['map', '{}']]],
    [
      'operations that are no JSON',
      [
        ['operations', MARKER],
        ['map', '{}'],
      ],
    ],
    [
      'operations that are null',
      [
        ['operations', 'null'],
        ['map', '{}'],
      ],
    ],
    [
      'a batch',
      [
        ['operations', `[${OPERATIONS}]`],
        ['map', '{}'],
      ],
    ],
    [
      'a map that is no JSON',
      [
        ['operations', OPERATIONS],
        ['map', MARKER],
      ],
    ],
    [
      'a map that is a list',
      [
        ['operations', OPERATIONS],
        ['map', '[]'],
      ],
    ],
    [
      'a map of numbers',
      [
        ['operations', OPERATIONS],
        ['map', '{"0":1}'],
      ],
    ],
    [
      'a map to nowhere',
      [
        ['operations', OPERATIONS],
        ['map', '{"0":["variables.a.b.c"]}'],
        ['0', file()],
      ],
    ],
    [
      'a map to a prototype',
      [
        ['operations', OPERATIONS],
        ['map', '{"0":["__proto__.polluted"]}'],
        ['0', file()],
      ],
    ],
    [
      'a map to a constructor',
      [
        ['operations', OPERATIONS],
        ['map', '{"0":["constructor.prototype.polluted"]}'],
        ['0', file()],
      ],
    ],
    [
      'a map to the query',
      [
        ['operations', OPERATIONS],
        ['map', '{"0":["query"]}'],
        ['0', file()],
      ],
    ],
    [
      'more files than are taken',
      [
        ['operations', OPERATIONS],
        [
          'map',
          '{"0":["variables.a"],"1":["variables.b"],"2":["variables.c"],"3":["variables.d"],"4":["variables.e"],"5":["variables.f"]}',
        ],
      ],
    ],
    [
      'parts in the wrong order',
      [
        ['0', file()],
        ['operations', OPERATIONS],
      ],
    ],
  ])('with %s is composed with', async (_what, parts) => {
    const response = await send(parts);
    const text = await response.text();
    expectComposed({
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text),
      requestId: '',
      story: text,
    });
    expect(text).not.toContain(MARKER);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('a file where another value belongs is refused', async () => {
    for (const [query, path, variables] of [
      [CREATE, 'variables.input.name', { input: { name: null } }],
      [
        CREATE,
        'variables.input.complianceFrameworks.0.fields',
        { input: { name: 'a', complianceFrameworks: [{ value: 'ISO_27001_2023', fields: null }] } },
      ],
      [
        CREATE,
        'variables.input.complianceFrameworks.0.fields.a',
        { input: { name: 'a', complianceFrameworks: [{ value: 'ISO_27001_2023', fields: { a: null } }] } },
      ],
      [CREATE, 'variables.input.contacts', { input: { name: 'a', contacts: null } }],
      [SEARCH, 'variables.x', { x: null }],
    ] as const) {
      const before = await fingerprint(gateway.app.database);
      const response = await send([
        ['operations', JSON.stringify({ query, variables })],
        ['map', JSON.stringify({ 0: [path] })],
        ['0', file()],
      ]);
      const text = await response.text();
      expectInvalid({
        status: response.status,
        headers: response.headers,
        text,
        body: JSON.parse(text),
        requestId: '',
        story: `${path}\n${text}`,
      });
      expect(await fingerprint(gateway.app.database)).toBe(before);
    }
  });
});

test('afterwards the gateway lives and answers', async () => {
  const { viewer } = await gateway.graphql.data('{ viewer { user { id: databaseId } } }', {
    token: testData.owner.token,
  });
  expect(viewer.user.id).toBe(testData.owner.id);
});
