import { beforeAll, describe, expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildThreatBlocker } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
const { token } = testData.owner;
const KEPT = 'must be a number that double precision keeps as it was sent';

let atb: number;
beforeAll(async () => {
  atb = await buildThreatBlocker(gateway.app.database, testData.organizationId);
});

const UPDATE = `mutation ($input: UpdateThreatBlockerInput!) { updateThreatBlocker(input: $input)
  { threatBlocker { plugin { config } } } }`;
const BOUNDARY = 'the-line';

interface Sent {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer<ArrayBuffer>;
}

async function send({ path, method = 'POST', headers = {}, body }: Sent): Promise<{ status: number; text: string }> {
  const url = `${gateway.url}${path}`;
  const init = { method, headers: { 'X-Service-Token': token, ...headers }, ...(body !== undefined && { body }) };
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'apollo-require-preflight': 'true' };

const form = (fields: Record<string, string | Buffer>) =>
  Buffer.concat([
    ...Object.entries(fields).flatMap(([name, text]) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(text),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

/** The same change with this text as `config`, in every form with JSON, and the beginning of an error path. */
const WAYS: Record<string, { at: string; sent: (config: string) => Sent }> = {
  'a body of REST': {
    at: 'plugin.config',
    sent: (config) => ({
      ...{ path: `/api/v1/atb/${atb}`, method: 'PATCH', headers: JSON_TYPE },
      body: `{"plugin": {"config": ${config}}}`,
    }),
  },
  'a body of GraphQL': {
    at: 'variables.input.plugin.config',
    sent: (config) => ({
      ...{ path: '/graphql', headers: JSON_TYPE },
      body: `{"query": ${JSON.stringify(UPDATE)}, "variables": {"input": ${inputWith(config)}}}`,
    }),
  },
  'a form of GraphQL': {
    at: 'variables.input.plugin.config',
    sent: (config) => ({
      ...{ path: '/graphql', headers: MULTIPART },
      body: form({
        operations: `{"query": ${JSON.stringify(UPDATE)}, "variables": {"input": ${inputWith(config)}}}`,
        map: '{}',
      }),
    }),
  },
};

function inputWith(config: string): string {
  return `{"threatBlockerId": ${atb}, "plugin": {"config": ${config}}}`;
}

describe.each(Object.entries(WAYS))('%s', (_way, { at, sent }) => {
  test.each([
    '9007199254740993',
    '1e-400',
    '1e400',
    '-1e400',
    '0.1000000000000000055511151231257827',
    '1.0000000000000000001',
  ])('is refused with the number %s, whose place is named', async (number) => {
    const answer = await send(sent(`{"a": [1, {"b": ${number}}]}`));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`${at}.a[1].b ${KEPT}`);
  });

  test('accepts numbers in whatever spelling they come', async () => {
    const numbers = '[-0, 0.1, 1.10, 1E+2, 9007199254740992, 1e21, 5e-324, 0.30000000000000004, 0e999]';
    const answer = await send(sent(`{"a": ${numbers}}`));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).toContain('{"a":[0,0.1,1.1,100,9007199254740992,1e+21,5e-324,0.30000000000000004,0]}');
  });

  test.each([
    ['c', '\\u0063'],
    ['c/d', 'c\\/d'],
  ])('is refused with the name %s that is given twice, once as %s', async (name, escaped) => {
    const answer = await send(sent(`{"a": 1, "b": {"${name}": 1, "${escaped}": 2}}`));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`${at}.b.${name} must not be given twice`);
  });

  test('is refused without what is wrong behind 2,000 other errors, which may all have one name', async () => {
    // A message includes 100 characters of a path.
    const long = 'x'.repeat(100);
    const wrong = (count: number) => `{"${long}": [${Array(count).fill('1e400').join(', ')}], "last": 1e400}`;
    const [some, many] = [await send(sent(wrong(1_999))), await send(sent(wrong(2_000)))];
    expect([some.status, many.status]).toEqual([400, 400]);
    expect(some.text).toContain(`${at}.last ${KEPT}`);
    expect(many.text).toContain(`${at}.xxx`);
    expect(many.text).not.toContain(`${at}.last`);
  });

  test('is refused when it is not UTF-8', async () => {
    const { body = '', ...request } = sent('{"a": "\u00ff"}');
    const bytes = Buffer.from(Buffer.from(body).toString('latin1').replace('\u00c3\u00bf', '\u00ff'), 'latin1');
    const answer = await send({ ...request, body: bytes });
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/The body is not valid UTF-8|operations must be valid UTF-8/);
  });
});

test.each(['a body of REST', 'a body of GraphQL'])('a byte order mark before %s is passed over', async (way) => {
  const { body, ...request } = WAYS[way]!.sent('{"bom": true}');
  const answer = await send({ ...request, body: Buffer.from(`\ufeff${String(body)}`) });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.text).toContain('{"bom":true}');
});

test.each([
  ['{a: 9007199254740993}', 'input.plugin.config.a'],
  ['{a: [1, 1e-400]}', 'input.plugin.config.a[1]'],
  ['{a: {b: 1e400}}', 'input.plugin.config.a.b'],
])('the document with the literal %s is refused, each time', async (config, place) => {
  const query = `mutation { updateThreatBlocker(input: { threatBlockerId: ${atb}, plugin: { config: ${config} } })
    { threatBlocker { id } } }`;
  for (let time = 0; time < 3; time += 1)
    expect(await gateway.graphql.error(query, { token })).toEqual({
      code: 'BAD_USER_INPUT',
      messages: [`${place} ${KEPT}`],
    });
});

test('an error far below all levels of a message, behind a long name, is named by the beginning of its place', async () => {
  const levels = 100_000;
  const body = `{"query": "{ __typename }", "variables": ${'{"a":'.repeat(levels)}1e400${'}'.repeat(levels)}}`;
  const answer = await send({ path: '/graphql', headers: JSON_TYPE, body });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`"variables${'.a'.repeat(45)}.… ${KEPT}"`);
});

test('a number of a form that a double does not represent is refused', async () => {
  const answer = await send({
    ...{ path: '/api/v1/organizations', headers: MULTIPART },
    body: form({ 'data[name]': 'Rossi', 'data[number_employees]': '240.00000000000000001' }),
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('number_employees must be an integer of 0 or more');
});

test('variables in the address of a query are read as those of a body are', async () => {
  const call = (variables: string) =>
    send({
      method: 'GET',
      path: `/graphql?query=${encodeURIComponent('query ($n: Int) { notifications(first: $n) { totalCount } }')}&variables=${encodeURIComponent(variables)}`,
      headers: { 'apollo-require-preflight': 'true' },
    });
  expect((await call('{"n": 1}')).status).toBe(200);
  for (const [variables, sentence] of [
    ['{"n": 1, "n": 2}', 'n must not be given twice'],
    ['{"n": 1.00000000000000000001}', `n ${KEPT}`],
    ['{"n": ', 'variables is not valid JSON'],
  ] as const) {
    const answer = await call(variables);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(sentence);
  }
});
