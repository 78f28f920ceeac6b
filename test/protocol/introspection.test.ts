import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, buildSchema, getIntrospectionQuery } from 'graphql';
import type { Config } from '../../src/config.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seedTestData, type TestData } from '../support/test-data.js';

const gateways = new Map<Config['introspection'], TestGateway>();
let testData: TestData;

const of = (setting: Config['introspection']) => gateways.get(setting) as TestGateway;
const UNAUTHENTICATED = { code: 'UNAUTHENTICATED', messages: [1001] };
const TYPE = '{ __type(name: "Organization") { name } }';

beforeAll(async () => {
  const open = await startGateway();
  testData = await seedTestData(open.app.database);
  gateways.set('open', open);
  for (const introspection of ['token', 'off'] as const)
    gateways.set(introspection, await startGateway({ config: { introspection }, database: open.database }));
});

afterAll(async () => {
  for (const setting of ['off', 'token', 'open'] as const) await gateways.get(setting)?.close();
});

function page(setting: Config['introspection'], path: string, token?: string) {
  return fetch(of(setting).url + path, { headers: token === undefined ? {} : { 'X-Service-Token': token } });
}

function get(setting: Config['introspection'], query: string, headers: Record<string, string> = {}) {
  const search = new URLSearchParams({ query }).toString();
  return fetch(`${of(setting).url}/graphql?${search}`, { headers: { 'apollo-require-preflight': '1', ...headers } });
}

describe('a gateway whose schema is open', () => {
  test('answers the whole description of the schema to every caller, as code generators request it', async () => {
    const source = getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true });
    const data = await of('open').graphql.data(source);
    expect(buildClientSchema(data as never).getType('Organization')).toBeDefined();
  });

  test('serves the text of the schema without a token', async () => {
    const text = await page('open', '/schema.graphql');
    expect([text.status, text.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(buildSchema(await text.text()).getType('Organization')).toBeDefined();
  });
});

describe('a gateway whose schema is for callers with a token', () => {
  test('answers the whole description of the schema to them', async () => {
    const { token } = testData.viewer;
    for (let time = 0; time < 2; time += 1) {
      const data = await of('token').graphql.data(getIntrospectionQuery(), { token });
      expect(buildClientSchema(data as never).getType('Organization')).toBeDefined();
    }
  });

  test('refuses every other caller, also what was answered to a caller before, in any place of the document', async () => {
    const { token } = testData.viewer;
    for (const query of [
      TYPE,
      '{ ...F } fragment F on Query { __schema { queryType { name } } }',
      '{ ... { __typename x: __schema { queryType { name } } } }',
      'query A { __typename } query B { __schema { queryType { name } } }',
    ]) {
      await of('token').graphql.call(query, { token });
      const { status, body } = await of('token').graphql.call(query);
      expect([status, body.errors?.[0]?.extensions, body.data]).toEqual([401, UNAUTHENTICATED, undefined]);
    }
  });

  test('refuses every other caller by GET, and shows a browser no schema, nor any page where the explorer is off', async () => {
    expect((await get('token', TYPE)).status).toBe(401);
    const browser = await get('token', TYPE, { accept: 'text/html' });
    expect(await browser.text()).not.toContain('__type');
    const closed = await startGateway({
      config: { introspection: 'token', explorer: false },
      database: of('open').database,
    });
    try {
      const search = new URLSearchParams({ query: TYPE }).toString();
      const headers = { accept: 'text/html,application/json', 'apollo-require-preflight': '1' };
      const answer = await fetch(`${closed.url}/graphql?${search}`, { headers });
      expect(await answer.text()).not.toContain('"Organization"');
      const page = await fetch(`${closed.url}/graphql`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([400, expect.stringContaining('json')]);
    } finally {
      await closed.close();
    }
  });

  test('suggests no names to other callers', async () => {
    const query = 'mutation { acceptInvitation(inputt: 1) { tokn } }';
    const { text, status } = await of('token').graphql.call(query);
    expect(status).toBe(400);
    expect(text).not.toMatch(/did you mean/i);
  });

  test('answers the name of a type to every caller', async () => {
    expect((await of('token').graphql.call('{ __typename }')).body.data).toEqual({ __typename: 'Query' });
  });

  test.each(['/schema.graphql'])('serves %s to callers with a token only', async (path) => {
    expect((await page('token', path)).status).toBe(401);
    expect((await page('token', path, `${testData.viewer.token}x`)).status).toBe(401);
    expect((await page('token', path, testData.viewer.token)).status).toBe(200);
  });
});

describe('a gateway whose schema is closed', () => {
  test('refuses callers with a token as well', async () => {
    const { status, body } = await of('off').graphql.call(TYPE, { token: testData.owner.token });
    expect([status, body.errors?.[0]?.message]).toEqual([400, 'Introspection is switched off']);
    expect((await of('off').graphql.call(TYPE)).status).toBe(401);
  });

  test.each(['/schema.graphql'])('does not serve %s', async (path) => {
    expect((await page('off', path, testData.owner.token)).status).toBe(404);
  });
});

describe('the cost of a description of the schema', () => {
  test('is refused when it is requested again and again, with a token and without', async () => {
    const types = Array.from(
      { length: 15 },
      (_, n) => `a${n}: types { name kind fields { name type { name kind } args { name } } }`,
    ).join(' ');
    const { token } = testData.owner;
    for (const caller of [{}, { token }]) {
      const { status, body } = await of('open').graphql.call(`{ __schema { ${types} } }`, caller);
      expect([status, body.errors?.[0]?.message]).toEqual([
        400,
        'The operation exceeds the cost limit of 30000: ask for fewer fields or smaller pages',
      ]);
    }
    const more = Array.from({ length: 51 }, (_, n) => `a${n}: description`).join(' ');
    const { body } = await of('open').graphql.call(`{ __schema { ${more} } }`);
    expect(body.errors?.[0]?.message).toBe('The document exceeds the limit of 50 aliases');
  });
});
