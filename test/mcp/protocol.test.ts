import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { callTool, connectMcp, ERAS, postMcp } from '../support/mcp.js';
import { startGateway } from '../support/gateway.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident, seedTestData } from '../support/test-data.js';
import { until } from '../support/until.js';

const ALLOWED = 'https://app.example.com';
const { gateway, testData } = await startSeededGateway({ config: { corsOrigins: [ALLOWED] } });
const { database } = gateway.app;
const { owner } = testData;
const organizationId = String(testData.organizationId);
const incidentId = String(await buildIncident(database, testData.organizationId));
const auth = { authorization: `Bearer ${owner.token}` };
const post = (body: unknown, headers: Record<string, string> = {}) => postMcp(gateway, body, { ...auth, ...headers });
const message = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params !== undefined && { params }),
});
const notes = async () => (await database.rows('select 1 from incident_note')).length;

describe('what is no message', () => {
  test.each([
    ['nothing', '', -32700],
    ['no JSON', '{"jsonrpc":', -32700],
    ['no UTF-8', '"\\ud800"', -32700],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}', -32700],
    ['a text', '"ping"', -32600],
    ['null', 'null', -32600],
    ['another version', { jsonrpc: '1.0', method: 'ping' }, -32600],
    ['no method', { jsonrpc: '2.0' }, -32600],
    ['a batch', [message('ping'), message('ping')], -32600],
    ['an empty batch', [], -32600],
  ])('is refused: %s', async (_what, body, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  test('is refused as another media type or encoding', async () => {
    for (const header of [
      ['content-type', 'text/plain'],
      ['content-encoding', 'gzip'],
    ])
      expect((await post(message('ping'), Object.fromEntries([header]) as Record<string, string>)).status).toBe(400);
  });

  test('is refused when it is larger than a document of 1 MB, before it is read', async () => {
    const before = await notes();
    const text = JSON.stringify(
      message('tools/call', { name: 'add_note', arguments: { text: 'x'.repeat(1_463_640) } }),
    );
    expect((await post(text)).status).toBe(400);
    expect(await notes()).toBe(before);
  });
});

test.each(['nothing/here', 'tools/list2', 'prompts/get', 'completion/complete', 'logging/setLevel', '__proto__'])(
  'an unknown method %s is an error of JSON-RPC',
  async (method) => {
    expect(await (await post(message(method, {}))).json()).toMatchObject({ id: 7, error: { code: -32601 } });
  },
);

test.each(ERAS)(
  'an unknown tool, another page and an unknown resource are errors of JSON-RPC in %s, which has no templates',
  async (era) => {
    const client = await connectMcp(gateway, owner.token, { era });
    const code = -32602;
    await expect(client.callTool({ name: 'delete_everything', arguments: {} })).rejects.toMatchObject({ code });
    await expect(client.callTool({ name: '__proto__', arguments: {} })).rejects.toMatchObject({ code });
    await expect(client.readResource({ uri: 'guide://../../.env' })).rejects.toMatchObject({ code });
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list'] as const)
      await expect(client.request({ method, params: { cursor: 'x' } })).rejects.toMatchObject({ code });
    expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: [] });
  },
);

test.each(ERAS)('an unknown field of params is refused with its name in %s, and a task is passed over', async (era) => {
  const client = await connectMcp(gateway, owner.token, { era });
  for (const [method, params] of [
    ['tools/call', { name: 'portfolio' }],
    ['tools/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri: 'guide://incidents' }],
  ] as const) {
    const refused = client.request({ method, params: { ...params, argument: { first: 1 } } });
    const message = expect.stringContaining('params.argument is not a known field');
    await expect(refused).rejects.toMatchObject({ code: -32602, message });
    await client.request({ method, params: { ...params, task: { ttl: 1_000 } } });
  }
});

describe.each(ERAS)('a call that is answered without the package in the protocol of %s', (era) => {
  const execute = async (
    name: string,
    args: object,
    accept: string,
    more: object,
    beside: { message?: object; params?: object; meta?: object } = {},
  ) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const isNow = era === '2026-07-28';
    const own = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
    const sentMeta = { ...(isNow && meta), ...beside.meta };
    const params = { name, arguments: args, ...((isNow || beside.meta) && { _meta: sentMeta }), ...beside.params };
    const sent = { ...message('tools/call', params), ...beside.message };
    const answer = await post(sent, { ...(isNow && own), accept, ...more });
    return [answer.status, answer.headers.get('content-type'), await answer.json()];
  };

  test.each<[string, string, object, object]>([
    ['data', 'list_incidents', { organizationId }, {}],
    ['a refusal', 'list_incidents', { organizationId: '1' }, {}],
    ['wrong arguments', 'add_note', { text: 1, more: true }, {}],
    ['a query', 'graphql', { query: '{ viewer { user { username } } }' }, {}],
    ['data beside errors', 'graphql', { query: '{ viewer { user { username } } node(id: "Incident:1") { id } }' }, {}],
    ['an unknown tool', 'nothing', {}, {}],
    ['another tool in the header', 'list_incidents', { organizationId }, { 'mcp-name': 'portfolio' }],
    ['another method in the header', 'list_incidents', { organizationId }, { 'mcp-method': 'tools/list' }],
    ['another version in the header', 'list_incidents', { organizationId }, { 'mcp-protocol-version': '2020-01-01' }],
  ])('has the same answer: %s', async (_what, name, args, more) => {
    const direct = await execute(name, args, 'application/json, text/event-stream', more);
    // With the media types in this order, the package handles the request.
    expect(await execute(name, args, 'text/event-stream, application/json', more)).toEqual(direct);
  });

  const result = { message: { result: {} } };
  test.each<[string, Parameters<typeof execute>[4]]>([
    ['of the message', { message: { more: 1 } }],
    ['of the message that is one of an answer', result],
    ['of the parameters', { params: { more: 1 } }],
    ['of the parameters that means a task', { params: { task: { ttl: 1_000 } } }],
    ['of a client', { meta: { 'example.com/more': 1 } }],
    ['of the protocol', { meta: { 'io.modelcontextprotocol/more': 1 } }],
    ['of the protocol that is known', { meta: { 'io.modelcontextprotocol/clientCapabilities': 1 } }],
  ])('has the same answer with a key %s', async (_what, beside) => {
    const args = { organizationId };
    const direct = await execute('list_incidents', args, 'application/json, text/event-stream', {}, beside);
    expect(await execute('list_incidents', args, 'text/event-stream, application/json', {}, beside)).toEqual(direct);
    if (beside === result) expect(direct[0]).toBe(400);
  });
});

test('a key of the call is no header: it would be passed over', async () => {
  const before = await notes();
  const call = message('tools/call', { name: 'add_note', arguments: { organizationId, incidentId, text: 'Once' } });
  const answer = await post(call, { 'idempotency-key': 'one' });
  expect([answer.status, (await answer.json()).error.message]).toEqual([
    400,
    'Idempotency-Key is no header of this path: send idempotencyKey as an argument of the tool',
  ]);
  expect(await notes()).toBe(before);
});

test('neither a state nor a parameter in the address is passed over', async () => {
  const before = await notes();
  const call = message('tools/call', { name: 'add_note', arguments: { organizationId, incidentId, text: 'Once' } });
  for (const [header, tag] of [
    ['If-Match', '"1"'],
    ['If-Match', '*'],
    ['If-None-Match', '*'],
  ] as const) {
    const answer = await post(call, { [header]: tag });
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      400,
      `${header} is no header of this path: send version as an argument of the tool`,
    ]);
  }
  const at = (query: string) =>
    fetch(`${gateway.url}/mcp?${query}`, {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(message('ping')),
    });
  const answer = await at('organizationId=1&dry_run');
  expect([answer.status, (await answer.json()).error.data.messages]).toEqual([
    400,
    ['organizationId is not a parameter of this path', 'dry_run is not a parameter of this path'],
  ]);
  expect((await at('_=1')).status).toBe(200);
  expect(await notes()).toBe(before);
});

test('a stream of changes is refused, in place of one that never says anything', async () => {
  const answer = await post(message('subscriptions/listen', { filter: {} }));
  expect([answer.status, await answer.json()]).toMatchObject([404, { id: 7, error: { code: -32601 } }]);
});

test('other methods of HTTP are 405, and a preflight is answered without a token', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await fetch(`${gateway.url}/mcp`, { method, headers: auth });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS']);
  }
  const preflight = await fetch(`${gateway.url}/mcp`, { method: 'OPTIONS', headers: { origin: ALLOWED } });
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, ALLOWED]);
});

describe('a page', () => {
  const call = message('tools/call', {
    name: 'add_note',
    arguments: { organizationId, incidentId, text: 'From a page.' },
  });

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', `${ALLOWED}.evil.example`])(
    'of the origin %s is refused, and changes nothing',
    async (origin) => {
      const before = await notes();
      const answer = await post(call, { origin });
      expect(answer.status).toBe(403);
      expect((await answer.json()).error.message).toMatch(/^Pages of this origin may not call/);
      expect(answer.headers.get('access-control-allow-origin')).toBe(null);
      expect(await notes()).toBe(before);
    },
  );

  test('of the gateway or of an allowed origin may call', async () => {
    for (const origin of [gateway.url, ALLOWED]) expect((await post(call, { origin })).status).toBe(200);
  });
});

test('a token is taken from either header, and never from the address', async () => {
  const ping = message('ping');
  const { status, headers } = await postMcp(gateway, ping, { 'x-service-token': owner.token });
  expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
    ...[200, 'no-store', 'nosniff'],
  ]);
  expect((await postMcp(gateway, ping, { ...auth, 'x-service-token': testData.viewer.token })).status).toBe(401);
  const inAddress = await fetch(`${gateway.url}/mcp?X-Service-Token=${owner.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ping),
  });
  expect(inAddress.status).toBe(401);
});

describe('the audit trail', () => {
  const newest = async () => {
    const { data } = await gateway.rest
      .get(`/api/v1/organizations/${organizationId}/audit-trail?limit=1`, {
        token: owner.token,
      })
      .then(({ body }) => body);
    return data[0].actor;
  };

  test.each(ERAS)('says that an assistant has acted, by the name that it has given, in %s', async (era) => {
    const client = await connectMcp(gateway, owner.token, { era, name: 'Claude' });
    await callTool(client, 'add_note', { organizationId, incidentId, text: era });
    expect(await newest()).toMatchObject({
      type: 'USER',
      via: 'MCP',
      client: 'Claude',
      user: owner.username,
    });
    const { body } = await gateway.graphql.call(
      `query ($id: ID!) { organization(id: $id) { auditTrail(first: 1) { nodes { actor { via client } } } auditTrailVerification { valid } } }`,
      { token: owner.token, variables: { id: organizationId } },
    );
    expect(body.data.organization).toEqual({
      auditTrail: { nodes: [{ actor: { via: 'MCP', client: 'Claude' } }] },
      auditTrailVerification: { valid: true },
    });
  });

  test('says nothing of it where the user has called GraphQL or REST', async () => {
    await gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}/${incidentId}/notes`, {
      token: owner.token,
      body: { text: 'By hand.' },
    });
    expect(await newest()).toMatchObject({ via: null, client: null });
  });

  test.each([
    ['long', 'x'.repeat(5_000), 'x'.repeat(100)],
    [
      'with line breaks and control characters',
      'Claude\r\n\u0007owner deleted\u001b[2J everything\t',
      'Claude owner deleted [2J everything',
    ],
    ['with characters that are not seen', 'Cl\u202eaude\u200b', 'Claude'],
    ['of markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['empty', '   ', null],
  ])('has a name that is %s cleaned and cut off', async (_what, name, expected) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add_note' };
    const args = { organizationId, incidentId, text: 'Named.' };
    const params = { name: 'add_note', arguments: args, _meta: meta };
    expect((await post(message('tools/call', params), headers)).status).toBe(200);
    expect(await newest()).toMatchObject({ via: 'MCP', client: expected });
  });

  test('takes no name from a session id that is none', async () => {
    for (const session of ['', 'x', '.'.repeat(100), 'x'.repeat(5_000), 'x.8J8']) {
      const params = { name: 'add_note', arguments: { organizationId, incidentId, text: 'Session.' } };
      expect((await post(message('tools/call', params), { 'mcp-session-id': session })).status).toBe(200);
      expect((await newest()).via).toBe('MCP');
    }
  });
});

test('the guides and llms.txt are resources, and llms.txt is a page', async () => {
  const client = await connectMcp(gateway, testData.tokens.readOnly);
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  expect(uris).toEqual(expect.arrayContaining(['guide://llms.txt', 'guide://incidents', 'guide://mcp']));
  const textOf = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return (content as { text: string }).text;
  };
  for (const uri of uris) expect(await textOf(uri)).toMatch(/^# /);
  const page = await fetch(`${gateway.url}/llms.txt`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await page.text();
  expect(text).toBe(await textOf('guide://llms.txt'));
  for (const [, address] of text.matchAll(/\]\((\S+)\)/g)) expect((await fetch(address!)).status).toBe(200);
});

test('a client that leaves in the middle of a call is not awaited, and the change is made once or not at all', async () => {
  const before = await notes();
  const body = JSON.stringify(
    message('tools/call', { name: 'add_note', arguments: { organizationId, incidentId, text: 'Left.' } }),
  );
  for (const sent of [body.slice(0, 40), body]) {
    await new Promise<void>((left) => {
      const headers = {
        ...auth,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': body.length,
      };
      const leaving = request(`${gateway.url}/mcp`, { method: 'POST', headers });
      leaving.on('error', () => undefined).on('close', () => left());
      leaving.write(sent, () => leaving.destroy());
    });
  }
  await until(async () => ((await notes()) <= before + 1 ? true : undefined));
  expect((await post(message('ping'))).status).toBe(200);
});

describe('a large message', () => {
  const text = JSON.stringify(message('ping', { _meta: { 'example.com/more': 'x'.repeat(1_100_000) } }));
  const send = async (to: typeof gateway, body: unknown) => {
    const { status, headers } = await postMcp(to, body, auth);
    return [status, headers.get('ratelimit')?.includes('"uploads"'), headers.get('retry-after')];
  };

  test('counts as an upload, and gives its place back', async () => {
    expect(await send(gateway, message('ping'))).toEqual([200, false, null]);
    for (let count = 0; count < 4; count += 1) expect(await send(gateway, text)).toEqual([200, true, null]);
  });

  test('is refused while as many are sent as a token may send at once', async () => {
    const { rateLimits } = gateway.config;
    const concurrent = { ...rateLimits.concurrent, uploads: 1 };
    const busy = await startGateway({
      database: gateway.database,
      config: { rateLimits: { ...rateLimits, concurrent } },
    });
    try {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const slow = request(`${busy.url}/mcp`, {
        method: 'POST',
        headers: { ...auth, ...headers, 'content-length': text.length, expect: '100-continue' },
      });
      const answered = once(slow, 'response');
      slow.flushHeaders();
      await once(slow, 'continue');
      await until('the place is taken', async () => (await send(busy, text)).join() === '429,true,1');
      slow.end(text);
      const [{ statusCode }] = (await answered) as [IncomingMessage];
      expect(statusCode).toBe(200);
      await until('the place is free', async () => (await send(busy, text)).join() === '200,true,');
    } finally {
      await busy.close();
    }
  });
});

test('calls count as operations of GraphQL do, and the refusal says when to try again', async () => {
  const small = await startGateway({
    config: {
      rateLimits: { ...gateway.config.rateLimits, perToken: { ...gateway.config.rateLimits.perToken, graphql: 100 } },
    },
  });
  try {
    const people = await seedTestData(small.app.database);
    const client = await connectMcp(small, people.owner.token);
    // A search costs more than half of the points.
    expect((await callTool(client, 'find', { query: 'First' })).code).toBe('OK');
    const refused = await callTool(client, 'find', { query: 'First' });
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', errors: [{ messages: [1029] }] });
    expect((JSON.parse(refused.text) as { retryAfter: number }).retryAfter).toBeGreaterThan(0);
    const { status, headers } = await postMcp(small, message('ping'), {
      authorization: `Bearer ${people.owner.token}`,
    });
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"graphql";q=100;w=60']);
    // Free requests are refused once no points remain, too.
    const credentials = { authorization: `Bearer ${people.owner.token}` };
    const answers: Awaited<ReturnType<typeof postMcp>>[] = [];
    while (answers.length < 50) answers.push(await postMcp(small, message('tools/list'), credentials));
    const last = answers.at(-1)!;
    expect(last.status).toBe(429);
    const wait = Number(last.headers.get('retry-after'));
    expect(await last.json()).toMatchObject({ error: { data: { code: 'RATE_LIMITED', retryAfter: wait } } });
    const left = async (body: unknown, more: Record<string, string> = {}) => {
      const answer = await postMcp(small, body, { authorization: `Bearer ${people.officer.token}`, ...more });
      return /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1];
    };
    const ping = message('ping');
    // Refused messages also cost points.
    expect([
      await left(ping),
      await left('{'),
      await left([ping]),
      await left(ping, { 'if-match': '"1"' }),
      await left(ping, { 'content-type': 'text/plain' }),
      await left(message('nothing')),
    ]).toEqual(['99', '98', '97', '96', '95', '94']);
  } finally {
    await small.close();
  }
});
