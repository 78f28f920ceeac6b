import { describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { startSeededGateway } from '../support/seeded-gateway.js';

const { gateway, testData } = await startSeededGateway();

const TYPES = { json: 'application/json', graphql: 'application/graphql-response+json' };

/** `duplex` is required for streamed bodies; the types of `fetch` lack it. */
async function send(init: RequestInit & { search?: string; headers?: Record<string, string>; duplex?: 'half' }) {
  const { search = '', headers, ...rest } = init;
  const response = await fetch(`${gateway.url}/graphql${search}`, {
    ...rest,
    headers: { 'X-Service-Token': testData.owner.token, ...headers },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const post = (body: string, headers: Record<string, string> = { 'content-type': TYPES.json }) =>
  send({ method: 'POST', headers, body });
const get = (
  parameters: Record<string, string>,
  headers: Record<string, string> = { 'apollo-require-preflight': 'yes' },
) => send({ method: 'GET', search: `?${new URLSearchParams(parameters).toString()}`, headers });
const errorIn = ({ text }: { text: string }) => JSON.parse(text).errors[0].extensions;

describe('GraphQL over HTTP', () => {
  const fetchFn = (url: string, init: RequestInit = {}) =>
    fetch(url, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        'X-Service-Token': testData.owner.token,
        'apollo-require-preflight': 'yes',
      },
    });

  /** They expect 200 for requests that did not run; here bad input is 400 in either media type. */
  const OTHERWISE = ['572B', 'FDE2', '7B9B'];

  test('breaks no audit of the GraphQL over HTTP specification', async () => {
    const audits = serverAudits({ url: `${gateway.url}/graphql`, fetchFn });
    const broken: string[] = [];
    for (const audit of audits) {
      const result = await audit.fn();
      if (result.status === 'ok' || result.status === 'notice' || OTHERWISE.includes(audit.id)) continue;
      broken.push(`${audit.id} ${audit.name}: ${result.reason}`);
    }
    expect(broken).toEqual([]);
  });
});

describe('GET', () => {
  test('answers a query from a client that cannot be a foreign page', async () => {
    for (const headers of [{ 'apollo-require-preflight': '1' }, { 'x-apollo-operation-name': 'A' }]) {
      const { status, text } = await get({ query: '{ __typename }' }, headers as unknown as Record<string, string>);
      expect([status, text]).toEqual([200, '{"data":{"__typename":"Query"}}\n']);
    }
  });

  test('answers a query with the token as a header, which a foreign page cannot send unasked', async () => {
    expect((await get({ query: '{ __typename }' }, {})).status).toBe(200);
  });

  test.each(['without a token', 'with the token in the address'])(
    'is refused %s and without a header that makes a browser ask first',
    async (form) => {
      const token = form === 'without a token' ? '' : `&X-Service-Token=${testData.owner.token}`;
      const answer = await fetch(`${gateway.url}/graphql?query={__typename}${token}`);
      expect(answer.status).toBe(400);
      expect(errorIn({ text: await answer.text() }).code).toBe('BAD_USER_INPUT');
    },
  );

  test('runs no mutation', async () => {
    const query = 'mutation { createApiToken(input: { name: "by GET" }) { token } }';
    const answer = await get({ query });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(errorIn(answer)).toEqual({ code: 'METHOD_NOT_ALLOWED', messages: [1005] });
    expect(await gateway.app.database.rows(`select 1 from api_token where name = 'by GET'`)).toEqual([]);
  });

  test('takes variables and the name of the operation', async () => {
    const { text } = await get({
      query: 'query A($id: ID!) { workflow(id: $id) { name } } query B { formOptions { revision } }',
      operationName: 'A',
      variables: '{"id":"nis2-directive"}',
    });
    expect(JSON.parse(text)).toEqual({ data: { workflow: { name: 'NIS 2 Directive' } } });
  });

  test.each(['{', '[]', '"x"', '5'])('refuses %j for variables', async (variables) => {
    const answer = await get({ query: '{ __typename }', variables });
    expect(answer.status).toBe(400);
    expect(errorIn(answer).code).toBe('BAD_USER_INPUT');
  });
});

describe('a GET of a library that prefers HTML', () => {
  const accept = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';

  test.each([
    ['with a query', '?query={__typename}', { 'apollo-require-preflight': '1' }],
    ['with a query and a token', '?query={__typename}', { 'x-service-token': testData.owner.token }],
  ])('%s gets data and no page', async (_what, search, headers) => {
    const answer = await fetch(`${gateway.url}/graphql${search}`, { headers: { accept, ...headers } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual({ data: { __typename: 'Query' } });
  });

  test('with a token alone gets an error that names what is missing', async () => {
    const headers = { accept, 'x-service-token': testData.owner.token };
    const answer = await fetch(`${gateway.url}/graphql`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      expect.stringMatching(/^application\/json/),
    ]);
  });

  test('with neither gets the explorer', async () => {
    const answer = await fetch(`${gateway.url}/graphql`, { headers: { accept } });
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('POST', () => {
  test.each([
    ['an empty body', ''],
    ['what is no JSON', '{"query":'],
    ['JSON after which something follows', '{"query":"{ __typename }"} x'],
    ['a list of operations', '[{"query":"{ __typename }"}]'],
    ['an empty list', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['an object without a query', '{"variables":{}}'],
    ['a query that is no text', '{"query":{"a":1}}'],
    ['variables that are a list', '{"query":"{ __typename }","variables":[]}'],
    ['variables that are a text', '{"query":"{ __typename }","variables":"{}"}'],
    ['an operation name that is a number', '{"query":"{ __typename }","operationName":1}'],
    ['extensions that are a text', '{"query":"{ __typename }","extensions":"{}"}'],
    ['a query that is not there', '{"query":""}'],
    ['a query that is no GraphQL', '{"query":"{"}'],
    ['a field that is not there', '{"query":"{ nothing }"}'],
  ])('refuses %s', async (_what, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(errorIn(answer)).toEqual({ code: 'BAD_USER_INPUT', messages: [expect.any(String)] });
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['errors']);
  });

  const TYPE_MISSING = 'Content-Type must be application/json or multipart/form-data';
  test.each([
    ['text/plain', TYPE_MISSING],
    ['application/x-www-form-urlencoded', TYPE_MISSING],
    ['multipart/form-data; boundary=x', 'The body is not valid multipart form data'],
    ['application/xml', TYPE_MISSING],
    ['', TYPE_MISSING],
  ])('refuses the type %j', async (type, sentence) => {
    const answer = await post('{"query":"{ __typename }"}', { 'content-type': type });
    expect([answer.status, errorIn(answer)]).toEqual([400, { code: 'BAD_USER_INPUT', messages: [sentence] }]);
  });

  test.each([
    [undefined, 'The document must have one operation; of several, operationName has to name one'],
    ['C', 'The document has no operation with the name in operationName'],
  ])('refuses a document of two operations with the name %j', async (operationName, sentence) => {
    const answer = await post(
      JSON.stringify({ query: 'query A { __typename } query B { __typename }', operationName }),
    );
    expect([answer.status, errorIn(answer).messages]).toEqual([400, [sentence]]);
  });

  test('refuses to answer in a media type that it does not know', async () => {
    const answer = await post('{"query":"{ __typename }"}', { 'content-type': TYPES.json, accept: 'image/png' });
    expect(answer.status).toBe(406);
    expect(errorIn(answer).code).toBe('BAD_USER_INPUT');
  });

  test('answers in the media type that is requested', async () => {
    for (const accept of Object.values(TYPES)) {
      const answer = await post('{"query":"{ __typename }"}', { 'content-type': TYPES.json, accept });
      expect(answer.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    }
  });

  test.each([
    [undefined, 'json'],
    ['application/*', 'json'],
    ['image/png', 'json'],
    ['application/json, application/graphql-response+json', 'json'],
    ['application/graphql-response+json;q=0.5, */*', 'json'],
    ['application/graphql-response+json,application/json;q=0.9', 'graphql'],
    ['application/graphql-response+json, application/graphql+json, application/json', 'graphql'],
    ['application/json;q=0.5, APPLICATION/GraphQL-Response+JSON', 'graphql'],
    ['*/*, application/graphql-response+json; charset=utf-8', 'graphql'],
  ] as const)('refuses in the media type that is requested by %j', async (accept, expected) => {
    const headers = { 'content-type': TYPES.json, ...(accept && { accept }) };
    const query = JSON.stringify({ query: '{ viewer { id } }' });
    const refusals = [
      await post(query, { ...headers, 'X-Service-Token': '' }),
      await post(query, { ...headers, 'X-Service-Token': 'scp_wrong' }),
      await post('{"query":', headers),
      await post('{"query":"{ __typename }","variabels":{}}', headers),
      await post(query, { ...headers, 'content-type': 'text/plain' }),
      await post(query, { ...headers, 'if-match': '"1"' }),
      await send({ method: 'PUT', headers, body: query }),
    ];
    expect(refusals.map(({ status, headers: sent }) => [status, sent.get('content-type')])).toEqual(
      [401, 401, 400, 400, 400, 400, 405].map((status) => [status, `${TYPES[expected]}; charset=utf-8`]),
    );
  });

  test('repeats an answer for its key in the media type that is requested now', async () => {
    const body = JSON.stringify({ query: 'mutation { createApiToken(input: { name: "Once" }) { apiToken { id } } }' });
    const answers = [];
    for (const accept of [TYPES.json, TYPES.graphql, TYPES.json])
      answers.push(await post(body, { 'content-type': TYPES.json, accept, 'idempotency-key': '"of-two-types"' }));
    expect(answers.map(({ headers }) => [headers.get('content-type'), headers.get('idempotency-replayed')])).toEqual([
      [`${TYPES.json}; charset=utf-8`, null],
      [`${TYPES.graphql}; charset=utf-8`, 'true'],
      [`${TYPES.json}; charset=utf-8`, 'true'],
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('takes no operation for another: an unknown name is refused, and nothing is executed', async () => {
    const query = 'mutation A { createApiToken(input: { name: "not asked for" }) { token } }';
    const answer = await post(JSON.stringify({ query, operationName: 'B' }));
    expect(answer.status).toBe(400);
    expect(errorIn(answer).code).toBe('BAD_USER_INPUT');
    expect(await gateway.app.database.rows(`select 1 from api_token where name = 'not asked for'`)).toEqual([]);
  });

  test('requires a name where there are several operations', async () => {
    const answer = await post(JSON.stringify({ query: 'query A { __typename } query B { __typename }' }));
    expect(answer.status).toBe(400);
    expect(errorIn(answer).code).toBe('BAD_USER_INPUT');
  });

  test('marks the answer as not to be stored, and with its request id', async () => {
    const { headers } = await post('{"query":"{ viewer { user { id: databaseId } } }"}');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

test.each(['PUT', 'PATCH', 'DELETE', 'HEAD'])('%s is no method of this place', async (method) => {
  const { status, headers } = await send({ method });
  expect(status).toBe(405);
  expect(headers.get('allow')).toBe('GET, POST');
});

describe.each(['declared', 'not declared'])('a body whose length is %s', (length) => {
  const MEBIBYTE = 1_048_576;
  const answered = async (bytes: number, token: string) => {
    const headers = { 'content-type': TYPES.json, 'X-Service-Token': token };
    const whole = '{"query":"{ __typename }"}'.padEnd(bytes, ' ');
    const body = length === 'declared' ? whole : new Blob([whole]).stream();
    const { status, text } = await send({ method: 'POST', headers, body, duplex: 'half' });
    return [status, JSON.parse(text).errors?.[0].extensions ?? JSON.parse(text).data];
  };
  const refusal = (most: number) => [
    400,
    { code: 'BAD_USER_INPUT', messages: [`The body must not be larger than ${most} bytes`] },
  ];
  const answer = [200, { __typename: 'Query' }];

  test('is 16 KB at most from a caller without a token', async () => {
    expect(await answered(16_384, '')).toEqual(answer);
    expect(await answered(16_385, '')).toEqual([401, { code: 'UNAUTHENTICATED', messages: [1001] }]);
  });

  test('may be a document as base64 from a known caller, and 1 MB beside it', async () => {
    const most = Math.ceil((10 * MEBIBYTE * 4) / 3) + MEBIBYTE;
    expect(await answered(most, testData.viewer.token)).toEqual(answer);
    expect(await answered(most + 1, testData.viewer.token)).toEqual(refusal(most));
  });
});

test.each(['"1"', '"1", "2"', 'W/"1"', 'none', ''])(
  'If-Match %j is refused, since it would guard nothing',
  async (tag) => {
    const answer = await post('{"query":"{ __typename }"}', { 'content-type': TYPES.json, 'if-match': tag });
    expect([answer.status, errorIn(answer).messages]).toEqual([
      400,
      ['If-Match is no header of this path: send version in the input of the mutation'],
    ]);
  },
);

test('If-None-Match is refused by POST, and not used by GET, whose answer has no tag', async () => {
  const sent = { 'content-type': TYPES.json, 'if-none-match': '*' };
  const answer = await post('{"query":"{ __typename }"}', sent);
  expect([answer.status, errorIn(answer).messages]).toEqual([
    400,
    ['If-None-Match is no header of this path: send version in the input of the mutation'],
  ]);
  const got = await get({ query: '{__typename}' }, { 'apollo-require-preflight': 'yes', 'if-none-match': '*' });
  expect(got.status).toBe(200);
});

test('If-Match * is any state', async () => {
  const answer = await post('{"query":"{ __typename }"}', { 'content-type': TYPES.json, 'if-match': '*' });
  expect(answer.status).toBe(200);
});

test('a field of a multipart request has 1 MB at most', async () => {
  const sendOperations = (bytes: number) => {
    const form = new FormData();
    form.set('operations', '{"query":"{ __typename }"}'.padEnd(bytes, ' '));
    form.set('map', '{}');
    return send({ method: 'POST', body: form, headers: { 'apollo-require-preflight': 'yes' } });
  };
  expect(JSON.parse((await sendOperations(1_048_576)).text)).toEqual({ data: { __typename: 'Query' } });
  expect(errorIn(await sendOperations(1_048_577))).toEqual({
    code: 'BAD_USER_INPUT',
    messages: ['operations must not exceed 1024 KB'],
  });
});

test('a multipart request without the header that makes a browser send a preflight request is not even read', async () => {
  const form = new FormData();
  form.set('operations', JSON.stringify({ query: 'mutation { createApiToken(input: { name: "forged" }) { token } }' }));
  form.set('map', '{}');
  const search = `?X-Service-Token=${testData.owner.token}`;
  const answer = await fetch(`${gateway.url}/graphql${search}`, { method: 'POST', body: form });
  expect(answer.status).toBe(400);
  expect(await gateway.app.database.rows(`select 1 from api_token where name = 'forged'`)).toEqual([]);
});

test('a browser is shown the explorer, other clients are not', async () => {
  const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
});

describe('what a request does not have', () => {
  const query = '{ __typename }';
  const refusal = (sentence: string) => ({ code: 'BAD_USER_INPUT', messages: [sentence] });

  test('is refused by name in a body, small, large and in a form', async () => {
    const misspelt = JSON.stringify({ query, variabels: { first: 1 } });
    const form = new FormData();
    form.set('operations', misspelt);
    form.set('map', '{}');
    const large = JSON.stringify({ query, variabels: 'x'.repeat(1_100_000) });
    for (const answer of [await post(misspelt), await post(large), await send({ method: 'POST', body: form })]) {
      expect(answer.status).toBe(400);
      expect(errorIn(answer)).toEqual(refusal('variabels is not a known field'));
    }
  });

  test('is refused by name in an address, and so is what is in it twice', async () => {
    for (const [search, sentence] of [
      ['?query={__typename}&variabels={}', 'variabels is not a parameter of this path'],
      ['?query={__typename}&query={__typename}', 'query must not be given twice'],
    ] as const) {
      const answer = await send({ search });
      expect([answer.status, errorIn(answer)]).toEqual([400, refusal(sentence)]);
    }
    const answer = await send({
      ...{ method: 'POST', search: '?query={__typename}', body: JSON.stringify({ query }) },
      headers: { 'content-type': TYPES.json },
    });
    expect([answer.status, errorIn(answer)]).toEqual([400, refusal('query is not a parameter of this path')]);
    expect((await send({ search: '?query={__typename}&_=1' })).status).toBe(200);
  });

  test('is what is empty in an address', async () => {
    const { owner } = testData;
    const named = encodeURIComponent('query Named { __typename }');
    for (const search of [
      `?query=${named}&operationName=`,
      `?query=${named}&operationName=&variables=&extensions=&documentId=`,
      `?query=${named}&operationName=Named`,
    ]) {
      const answer = await send({ search });
      expect([search, answer.status]).toEqual([search, 200]);
      const target = `${gateway.url}/graphql/stream${search}`;
      const stream = await fetch(target, { headers: { 'X-Service-Token': owner.token } });
      expect(await stream.text()).toContain('Only subscriptions are served here');
    }
    const changing = encodeURIComponent('mutation { eraseMe(input: { username: "a" }) { userId } }');
    expect((await send({ search: `?query=${changing}&operationName=` })).status).toBe(405);
  });

  test('is refused by name among the variables, wherever they come from', async () => {
    const list = 'query List($first: Int) { notifications(first: $first) { totalCount } }';
    const variables = { frist: 1 };
    const sentence = 'frist is not a variable of the document';
    const form = new FormData();
    form.set('operations', JSON.stringify({ query: list, variables }));
    form.set('map', '{}');
    for (const answer of [
      await post(JSON.stringify({ query: list, variables })),
      // Compiled when it is repeated.
      await post(JSON.stringify({ query: list, variables })),
      await post(JSON.stringify({ query: list, variables: { ...variables, first: 'x'.repeat(1_100_000) } })),
      await send({ method: 'POST', body: form }),
      await send({ search: `?${new URLSearchParams({ query: list, variables: JSON.stringify(variables) })}` }),
    ])
      expect([answer.status, errorIn(answer)]).toEqual([400, refusal(sentence)]);
    const body = JSON.stringify({ query: list, variables });
    const headers = { 'X-Service-Token': testData.owner.token, 'content-type': TYPES.json };
    const streamed = await fetch(`${gateway.url}/graphql/stream`, { method: 'POST', headers, body });
    expect(await streamed.text()).toContain(JSON.stringify(refusal(sentence)));
  });

  test('is nothing that another operation of the document declares: editors send the variables of all of them', async () => {
    const query = 'query A($first: Int) { notifications(first: $first) { totalCount } } query B { __typename }';
    const answer = await post(JSON.stringify({ query, operationName: 'B', variables: { first: 1 } }));
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { data: { __typename: 'Query' } }]);
  });

  test('is refused by name of a subscription', async () => {
    const stream = `${gateway.url}/graphql/stream`;
    const headers = { 'X-Service-Token': testData.owner.token, 'content-type': TYPES.json };
    const body = JSON.stringify({ query, variabels: {} });
    for (const [target, init, sentence] of [
      [stream, { method: 'POST', body }, 'variabels is not a known field'],
      [`${stream}?query={__typename}&variabels={}`, {}, 'variabels is not a parameter of this path'],
      [`${stream}?query={a}&query={__typename}`, {}, 'query must not be given twice'],
    ] as const) {
      const answer = await fetch(target, { headers, ...init });
      expect([answer.status, errorIn({ text: await answer.text() })]).toEqual([400, refusal(sentence)]);
    }
  });

  test.each([
    [{ 'content-encoding': 'gzip' }, 'The body must not have a Content-Encoding'],
    [{ 'content-range': 'bytes 0-3/10' }, 'The body must not have a Content-Range'],
    [{ 'content-type': `${TYPES.json}; charset=iso-8859-1` }, 'The charset of Content-Type must be utf-8'],
  ])('is no decoding of a body, and no part of one: %j', async (headers, sentence) => {
    const large = JSON.stringify({ query, variables: { x: 'x'.repeat(1_100_000) } });
    for (const body of [JSON.stringify({ query }), large]) {
      const answer = await post(body, { 'content-type': TYPES.json, ...headers });
      expect([answer.status, errorIn(answer)]).toEqual([400, refusal(sentence)]);
    }
  });
});
