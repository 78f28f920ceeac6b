import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Duplex, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mock } from 'node:test';
import pino from 'pino';
import type { Logger } from '../../src/logger.js';
import { LIMITS } from '../../src/values/limits.js';
import { HIGH_RATE_LIMITS, startGateway } from '../support/gateway.js';
import { follow, RawSocket, take, TRANSPORTS, webSocketUrl } from '../support/live.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';
import { buildOrganization, buildPerson, join, type Person } from '../support/test-data.js';

let person: Person;
let lines = '';
const log = pino({ level: 'debug' }, new Writable({ write: (chunk, _encoding, done) => ((lines += chunk), done()) }));
const { gateway, testData } = await startSeededGateway({ log: log as Logger });
const NAME = 'X-Service-Token';
const ADDED =
  'subscription ($afterDatabaseId: SafeInt) { notificationAdded(afterDatabaseId: $afterDatabaseId) { id: databaseId title } }';
const socketUrl = () => webSocketUrl(gateway.url);
const sql = <Row extends object>(text: string, values: unknown[] = []) => gateway.app.database.rows<Row>(text, values);

afterEach(() => void mock.timers.reset());
beforeEach(async () => {
  person = await buildPerson(gateway.app.database, 'follower');
  await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
});

const notify = (title: string, { id } = person, message = '') =>
  sql<{ id: number }>(
    `insert into notification (user_id, organization_id, title, message, type, action) values ($1, $2, $3, $4, 'SYSTEM', 'NONE') returning id`,
    [id, testData.organizationId, title, message],
  );
const subscribe = (id: string, query = ADDED, variables: object = {}) => ({
  type: 'subscribe',
  id,
  payload: { query, variables },
});

/** An upgrade as the server passes it on, of a client that sends nothing more. */
function upgraded(): { socket: Duplex; written: () => string } {
  let written = '';
  const socket = new Duplex({ read() {}, write: (chunk, _encoding, done) => ((written += chunk), done()) });
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    'sec-websocket-version': '13',
    'sec-websocket-protocol': 'graphql-transport-ws',
  };
  const request = { method: 'GET', url: '/graphql', headers, socket } as unknown as IncomingMessage;
  gateway.app.upgrade(request, socket, Buffer.alloc(0));
  return { socket, written: () => written };
}

describe('a WebSocket', () => {
  test.each([
    ['what is no JSON', 'nonsense', 4400, 'Invalid message received'],
    ['a message of no known type', { type: 'hello' }, 4400, 'Invalid message received'],
    ['a subscription before it is said who calls', subscribe('1'), 4401, 'Unauthorized'],
    ['no token', { type: 'connection_init' }, 4401, 'Unauthorized'],
    ['a token that is none', { type: 'connection_init', payload: { [NAME]: 7 } }, 4401, 'Unauthorized'],
    [
      'an authorization that is no text',
      { type: 'connection_init', payload: { Authorization: { toString: 1 } } },
      4401,
      'Unauthorized',
    ],
  ])('is closed for %s', async (_what, message, code, reason) => {
    const raw = await RawSocket.open(socketUrl());
    raw.send(message);
    expect(await raw.closed).toEqual({ code, reason });
  });

  test.each(['connection_init', 'ping', 'pong', 'complete'])(
    'is closed for a message of the type %s with a name that stands in it twice',
    async (type) => {
      const raw = await (type === 'connection_init'
        ? RawSocket.open(socketUrl())
        : RawSocket.as(socketUrl(), person.token));
      raw.send(`{"type":"${type}","id":"1","payload":{"${NAME}":"","${NAME}":"${person.token}"}}`);
      // An accepted one would be closed with another code here.
      raw.send({ type: 'connection_init' });
      expect(await raw.closed).toEqual({ code: 4400, reason: 'Invalid message received' });
    },
  );

  test('answers a subscription with a member that it does not know by its name', async () => {
    const raw = await RawSocket.as(socketUrl(), person.token);
    raw.send({ ...subscribe('1'), payload: { query: ADDED, variabels: { afterDatabaseId: 0 } } });
    expect(await raw.message('error', '1')).toMatchObject({
      payload: [{ extensions: { code: 'BAD_USER_INPUT', messages: ['variabels is not a known field'] } }],
    });
    raw.socket.close();
  });

  test('is closed for a bad token, whatever is bad about it, in one and the same way', async () => {
    const { expired, revoked } = testData.tokens;
    for (const token of ['', 'scp_x', `${person.token}x`, expired, revoked]) {
      const raw = await RawSocket.open(socketUrl());
      raw.send({ type: 'connection_init', payload: { [NAME]: token } });
      expect(await raw.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
    }
  });

  test('takes the token from the payload, the header or the address, and from several where it is the same', async () => {
    const { token } = person;
    const withToken = `${socketUrl()}?${NAME}=${token}`;
    for (const [url, headers, payload] of [
      [socketUrl(), {}, { [NAME]: token }],
      [socketUrl(), {}, { 'x-service-token': token, other: 1 }],
      [socketUrl(), { [NAME]: token }, undefined],
      [withToken, {}, undefined],
      [withToken, { [NAME]: token }, { [NAME]: token }],
      [socketUrl(), {}, { Authorization: `Bearer ${token}` }],
      [socketUrl(), { Authorization: `Bearer ${token}` }, { [NAME]: token }],
    ] as [string, Record<string, string>, object | undefined][]) {
      const raw = await RawSocket.open(url, { headers });
      raw.send({ type: 'connection_init', ...(payload && { payload }) });
      await raw.message('connection_ack');
      raw.socket.close();
    }
  });

  test('takes none where two differ', async () => {
    for (const [headers, payload] of [
      [{ [NAME]: person.token }, { [NAME]: testData.owner.token }],
      [{ [NAME]: person.token }, { [NAME]: '' }],
      [{}, { [NAME]: person.token, 'x-service-token': testData.owner.token }],
      [{ [NAME]: person.token }, { authorization: `Bearer ${testData.owner.token}` }],
    ] as [Record<string, string>, object][]) {
      const raw = await RawSocket.open(socketUrl(), { headers });
      raw.send({ type: 'connection_init', payload });
      expect((await raw.closed).code).toBe(4401);
    }
  });

  test('gives nothing of an organization that takes no tokens in addresses, where it came in one', async () => {
    const [row] = await notify('hidden');
    const other = await buildOrganization(gateway.app.database, 'Another');
    await join(gateway.app.database, person, other, 'VIEWER');
    await sql('update organization set query_token_allowed = false where id = $1', [testData.organizationId]);
    await sql(
      `insert into notification (user_id, organization_id, title, message, type, action) values ($1, $2, 'shown', '', 'SYSTEM', 'NONE')`,
      [person.id, other],
    );
    for (const [url, title] of [
      [`${socketUrl()}?${NAME}=${person.token}`, 'shown'],
      [socketUrl(), 'hidden'],
    ] as const) {
      const raw = await RawSocket.open(url);
      raw.send({ type: 'connection_init', payload: { [NAME]: person.token } });
      await raw.message('connection_ack');
      raw.send(subscribe('1', ADDED, { afterDatabaseId: row!.id - 1 }));
      expect(await raw.message('next', '1')).toMatchObject({ payload: { data: { notificationAdded: { title } } } });
      raw.socket.close();
    }
    await sql('update organization set query_token_allowed = true where id = $1', [testData.organizationId]);
  });

  test('is closed when it uses another protocol, initialises twice, or uses an id twice', async () => {
    const other = await RawSocket.open(socketUrl(), { protocol: 'graphql-ws' }).catch((error: Error) => error.message);
    expect(other).toBe('Server sent no subprotocol');
    const twice = await RawSocket.as(socketUrl(), person.token);
    twice.send({ type: 'connection_init' });
    expect((await twice.closed).code).toBe(4429);
    const sameId = await RawSocket.as(socketUrl(), person.token);
    const long = 'x'.repeat(200);
    sameId.send(subscribe(long));
    sameId.send(subscribe(long));
    expect((await sameId.closed).code).toBe(4409);
    const waiting = await RawSocket.as(socketUrl(), person.token);
    waiting.send(subscribe('1'));
    waiting.send({ type: 'complete', id: '1' });
    waiting.send(subscribe('1'));
    waiting.send(subscribe('1'));
    expect((await waiting.closed).code).toBe(4409);
  });

  test.each([
    ['waits for its next result', true],
    ['is being begun', false],
  ])('begins an operation under the id of one that is completed while it %s', async (_what, isBegun) => {
    const first = (await notify('first'))[0]!.id;
    const raw = await RawSocket.as(socketUrl(), person.token);
    const titlesOf = (id: string) =>
      raw.messages.flatMap((message) =>
        message.type === 'next' && message.id === id
          ? [(message.payload as { data: { notificationAdded: { title: string } } }).data.notificationAdded.title]
          : [],
      );
    raw.send(subscribe('1', ADDED, { afterDatabaseId: first - 1 }));
    if (isBegun) await raw.message('next');
    const before = titlesOf('1');
    raw.send({ type: 'complete', id: '1' });
    raw.send(subscribe('1', ADDED, { afterDatabaseId: first }));
    raw.send({ type: 'complete', id: '1' });
    raw.send(subscribe('1', ADDED, { afterDatabaseId: first }));
    await notify('second');
    await notify('third');
    await until(async () => titlesOf('1').includes('third'));
    expect(titlesOf('1')).toEqual([...before, 'second', 'third']);
    raw.send({ type: 'complete', id: '1' });
    raw.send(subscribe('2', ADDED, { afterDatabaseId: first }));
    await until(async () => titlesOf('2').includes('third'));
    await notify('fourth');
    await until(async () => titlesOf('2').includes('fourth'));
    expect(titlesOf('1')).toEqual([...before, 'second', 'third']);
    expect(raw.messages.filter(({ type }) => type === 'complete')).toEqual([]);
    raw.socket.close();
  });

  test('is closed for bytes that are no text, and takes text in a binary frame', async () => {
    const raw = await RawSocket.as(socketUrl(), person.token);
    const ping = (text: Buffer) =>
      raw.socket.send(Buffer.concat([Buffer.from('{"type":"ping","payload":{"text":"'), text, Buffer.from('"}}')]));
    ping(Buffer.from('ü'));
    expect(await raw.message('pong')).toMatchObject({ payload: { text: 'ü' } });
    ping(Buffer.from([0xff]));
    expect(await raw.closed).toEqual({ code: 4400, reason: 'Invalid message received' });
  });

  test('is closed when no connection_init comes for five seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const raw = await RawSocket.open(socketUrl());
    mock.timers.tick(4_999);
    expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    mock.timers.tick(1);
    expect(await raw.closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
  });

  test('takes a message as large as the limit and none that is larger', async () => {
    const raw = await RawSocket.as(socketUrl(), person.token);
    const ping = { type: 'ping', payload: { text: '' } };
    ping.payload.text = 'x'.repeat(LIMITS.live.messageBytes - JSON.stringify(ping).length);
    raw.send(ping);
    await raw.message('pong');
    ping.payload.text += 'x';
    raw.send(ping);
    expect((await raw.closed).code).toBe(1009);
  });

  test.each([
    ['pings of the protocol', async (raw) => raw.send({ type: 'ping' })],
    // The library disconnects clients that do not wait for the pongs.
    ['pings of WebSocket', (raw) => new Promise((done) => raw.socket.once('pong', done).ping())],
    ['pongs of WebSocket', async (raw) => raw.socket.pong()],
    ['ends of subscriptions that there are not', async (raw) => raw.send({ type: 'complete', id: 'none' })],
  ] as [string, (raw: RawSocket) => Promise<unknown>][])(
    'counts %s for the caller, and is closed after 600 messages in a minute',
    async (_what, send) => {
      const raw = await RawSocket.as(socketUrl(), person.token);
      const left = async () => {
        const query = '{ rateLimit { policies { name remaining } } }';
        const { rateLimit } = await gateway.graphql.data(query, { token: person.token });
        return rateLimit.policies.find(({ name }: { name: string }) => name.toLowerCase() === 'graphql')
          .remaining as number;
      };
      const before = await left();
      // One message was `connection_init`.
      for (let sent = 1; sent < LIMITS.live.messagesPerMinute; sent += 1) await send(raw);
      raw.send({ type: 'ping' });
      expect(await raw.closed).toEqual({ code: 4429, reason: 'Too many messages' });
      expect(before - (await left())).toBe(LIMITS.live.messagesPerMinute - 1);
    },
  );

  test('is not for other paths, and other upgrades are passed over', async () => {
    for (const path of ['/graphql/stream', '/api/v1/notifications', '/'])
      await expect(RawSocket.open(gateway.url.replace('http', 'ws') + path)).rejects.toThrow(
        'Unexpected server response',
      );
    const status = await new Promise((resolve) =>
      httpRequest(`${gateway.url}/api/v1/notifications`, {
        headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', [NAME]: person.token },
      })
        .once('response', (response) => resolve(response.resume().statusCode))
        .end(),
    );
    expect(status).toBe(200);
  });

  test('has 20 subscriptions and no more, and one more when one is completed', async () => {
    const raw = await RawSocket.as(socketUrl(), person.token);
    const [row] = await notify('before');
    const ids = Array.from({ length: LIMITS.live.subscriptionsPerConnection }, (_, index) => `s${index}`);
    for (const id of ids) raw.send(subscribe(id, ADDED, { afterDatabaseId: row!.id - 1 }));
    for (const id of ids) await raw.message('next', id);
    raw.send(subscribe('more'));
    expect((await raw.message('error', 'more')).payload).toEqual([
      { message: expect.any(String), extensions: { code: 'RATE_LIMITED', messages: [1029] } },
    ]);
    raw.send({ type: 'complete', id: 's0' });
    raw.send(subscribe('again', ADDED, { afterDatabaseId: row!.id - 1 }));
    await raw.message('next', 'again');
    raw.socket.close();
  });

  test('is answered with a request id, which the log has, whether it is opened or refused', async () => {
    const HANDSHAKE = { 'Sec-WebSocket-Key': Buffer.alloc(16).toString('base64'), 'Sec-WebSocket-Version': '13' };
    const handshake = (headers: Record<string, string>, method = 'GET') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const upgrade = {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Protocol': 'graphql-transport-ws',
        };
        const request = httpRequest(`${gateway.url}/graphql`, { method, headers: { ...upgrade, ...headers } });
        request.on('upgrade', (answer, socket) => resolve((socket.destroy(), answer)));
        request.on('response', resolve).on('error', reject).end();
      });
    const opened = await handshake(HANDSHAKE);
    expect(opened.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    await until(async () => lines.includes(`"requestId":"${String(opened.headers['x-request-id'])}"`));
    const named = await handshake({ ...HANDSHAKE, 'X-Request-Id': 'of-a-proxy-in-front' });
    expect(named.headers['x-request-id']).toBe('of-a-proxy-in-front');

    const refused = [
      await handshake({ ...HANDSHAKE, 'Sec-WebSocket-Key': 'x' }),
      await handshake({ ...HANDSHAKE, 'Sec-WebSocket-Version': '7' }),
      await handshake(HANDSHAKE, 'POST'),
    ];
    const answers = await Promise.all(
      refused.map(async (answer) => [answer.statusCode, JSON.parse(await text(answer)).errors[0].extensions]),
    );
    expect(answers).toEqual([
      [400, { code: 'BAD_USER_INPUT', messages: [expect.stringContaining('Sec-WebSocket-Key')] }],
      [400, { code: 'BAD_USER_INPUT', messages: [expect.stringContaining('Sec-WebSocket-Version')] }],
      [405, { code: 'METHOD_NOT_ALLOWED', messages: [1005] }],
    ]);
    for (const { headers } of refused) expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(refused.map(({ headers }) => [headers['sec-websocket-version'], headers.allow])).toEqual([
      ['13', undefined],
      ['13', undefined],
      [undefined, 'GET'],
    ]);
  });

  test('is one of 2,000 that are not initialised yet', async () => {
    const switched = /^HTTP\/1\.1 101 /;
    const silent = Array.from({ length: LIMITS.live.newConnections }, upgraded);
    try {
      for (const { written } of silent) expect(written()).toMatch(switched);
      expect(upgraded().written()).toMatch(
        /^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 10\r\n(?:.*\r\n)*X-Request-Id: /,
      );
      silent.pop()!.socket.destroy();
      await until(async () => switched.test(silent[silent.push(upgraded()) - 1]!.written()));
    } finally {
      for (const { socket } of silent) socket.destroy();
    }
    const raw = () => RawSocket.as(socketUrl(), person.token).then(({ socket }) => socket.close());
    await until(() =>
      raw().then(
        () => true,
        () => false,
      ),
    );
  });

  test('is one of 50 of a token', async () => {
    const open: RawSocket[] = [];
    for (let count = 0; count < LIMITS.live.connectionsPerToken; count += 1)
      open.push(await RawSocket.as(socketUrl(), person.token));
    const refused = await RawSocket.open(socketUrl());
    refused.send({ type: 'connection_init', payload: { [NAME]: person.token } });
    expect(await refused.closed).toEqual({ code: 4429, reason: 'Too many connections or wrong tokens' });
    (await RawSocket.as(socketUrl(), testData.owner.token)).socket.close();
    open[0]!.socket.close();
    await open[0]!.closed;
    open.push(await RawSocket.as(socketUrl(), person.token));
    for (const { socket } of open) socket.terminate();
  });
});

describe('an event stream', () => {
  const execute = (init: RequestInit = {}, search = '') =>
    fetch(`${gateway.url}/graphql/stream${search}`, {
      ...init,
      headers: { accept: 'text/event-stream', [NAME]: person.token, ...(init.headers as object) },
    });
  const post = (body: unknown, headers = {}) =>
    execute({
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const codeOf = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { errors: { extensions: object }[] }).errors[0]?.extensions,
  ];

  test('is requested by GET or POST, and only with a valid token', async () => {
    const query = '?query=subscription{notificationAdded(organizationId:0){id:databaseId}}';
    for (const answer of [
      await execute({}, query),
      await post({ query: 'subscription { notificationAdded(organizationId: 0) { id: databaseId } }' }),
    ]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(await answer.text()).toMatch(
        /^:\n\nevent: next\ndata: \{"errors":\[.*"NOT_FOUND".*\n\nevent: complete\ndata: \n\n$/,
      );
    }
    const refusal = [401, { code: 'UNAUTHENTICATED', messages: [1001] }];
    for (const token of ['', 'scp_x', testData.tokens.expired, testData.tokens.revoked])
      expect(await codeOf(await execute({ headers: { [NAME]: token } }, query))).toEqual(refusal);
    expect((await execute({ method: 'PUT' })).status).toBe(405);
    expect((await execute({ method: 'OPTIONS' })).status).toBe(204);
  });

  test('names what is wrong with the request', async () => {
    const refusal = (message: string) => [400, { code: 'BAD_USER_INPUT', messages: [message] }];
    expect(await codeOf(await execute())).toEqual(refusal('query is required'));
    expect(await codeOf(await post({ query: 1 }))).toEqual(refusal('query is required'));
    expect(await codeOf(await post({ query: ADDED, variables: [] }))).toEqual(refusal('variables must be an object'));
    expect(await codeOf(await post({ query: ADDED, variables: { text: '\0' } }))).toEqual(
      refusal('variables.text must not contain a NUL character'),
    );
    expect(await codeOf(await post([]))).toEqual(refusal('The body must be a JSON object'));
    expect(await codeOf(await post({}, { 'content-type': 'text/plain' }))).toEqual(
      refusal('Content-Type must be application/json'),
    );
    const large = { query: ADDED, variables: { text: 'x'.repeat(LIMITS.live.messageBytes) } };
    expect(await codeOf(await post(large))).toEqual(
      refusal(`The body must not be larger than ${LIMITS.live.messageBytes} bytes`),
    );
  });
});

describe.each(TRANSPORTS)('an operation over %s', (transport) => {
  /** Errors of an operation: one transport rejects with them, the other delivers them as a result. */
  async function refusalOf(query: string, variables: Record<string, unknown> = {}): Promise<unknown[]> {
    const results = follow(gateway, transport, { query, variables, token: person.token });
    const errors = await take(results, 2).then(
      ([result]) => result?.errors,
      (thrown: unknown) => thrown,
    );
    return (errors as { extensions: { code: string; messages: string[] } }[]).map(({ extensions }) => [
      extensions.code,
      ...extensions.messages,
    ]);
  }

  test.each([
    [
      'a query',
      '{ viewer { user { id: databaseId } } }',
      'Only subscriptions are served here; send queries and mutations to /graphql',
    ],
    ['what is no GraphQL', 'subscription {', 'The document is not valid GraphQL (line 1, column 15)'],
    [
      'two root fields',
      'subscription { notificationAdded { id: databaseId } b: notificationAdded { id: databaseId } }',
      'Anonymous Subscription must select only one top level field.',
    ],
    [
      'fields that there are not',
      'subscription { notificationAdded { nopeNope } }',
      'Cannot query field "nopeNope" on type "Notification".',
    ],
    [
      'too many levels',
      `subscription { notificationAdded { organization { ${'workflows { nodes { organization { '.repeat(6)} id: databaseId ${'} } }'.repeat(6)} } } }`,
      'The document exceeds the limit of 15 levels',
    ],
    [
      'a field too often',
      `subscription { notificationAdded { ${'id '.repeat(52)} } }`,
      'The document exceeds the limit of 50 repeated fields',
    ],
  ])('is refused when it is %s', async (_what, query, message) => {
    expect(await refusalOf(query)).toEqual([['BAD_USER_INPUT', message]]);
  });

  test('is counted for each of its results, and ends where nothing is left for another one', async () => {
    const perToken = { ...HIGH_RATE_LIMITS.perToken, graphql: 3 };
    const limited = await startGateway({
      database: gateway.database,
      config: { rateLimits: { ...HIGH_RATE_LIMITS, perToken } },
    });
    try {
      const [first] = await notify('first');
      for (const title of ['second', 'third', 'fourth', 'fifth']) await notify(title);
      const variables = { afterDatabaseId: first!.id - 1 };
      const results = await take(follow(limited, transport, { query: ADDED, variables, token: person.token }), 6);
      const shown = results.map(({ data, errors }) => errors?.[0]?.extensions.code ?? data.notificationAdded.title);
      expect(shown).toEqual(['first', 'second', 'third', 'RATE_LIMITED']);
    } finally {
      await limited.close();
    }
  });

  test('is refused for what it would cost', async () => {
    const users = 'users(first: 100) { nodes { id: databaseId username email role } }';
    const nested = `workflows(first: 100) { nodes { controls(first: 100) { nodes { id: databaseId label status } } } }`;
    const [refusal] = await refusalOf(`subscription { notificationAdded { organization { ${users} ${nested} } } }`);
    expect(refusal).toEqual([
      'BAD_USER_INPUT',
      'The operation exceeds the cost limit of 30000: ask for fewer fields or smaller pages',
    ]);
  });

  test.each([
    'subscription { notificationAdded @include(if: false) { id } }',
    'subscription { ... @skip(if: true) { notificationAdded { id } } }',
    'subscription { ...f @include(if: false) } fragment f on Subscription { notificationAdded { id } }',
    'subscription { ...f } fragment f on Subscription { notificationAdded @skip(if: true) { id } }',
    'subscription ($no: Boolean!) { notificationAdded @include(if: $no) { id } }',
  ])('refuses a condition on what it would wait for: %s', async (query) => {
    const sentence = 'The field of a subscription must not have @skip or @include';
    expect(await refusalOf(query)).toEqual([['BAD_USER_INPUT', sentence]]);
  });

  test('names values that are wrong by their wire path, and never repeats them', async () => {
    expect(await refusalOf(ADDED, { afterDatabaseId: 'secret' })).toEqual([
      ['BAD_USER_INPUT', 'afterDatabaseId must be an integer from -9007199254740991 to 9007199254740991'],
    ]);
    if (transport === 'SSE') return;
    expect(await refusalOf(ADDED, { afterDatabaseId: 1, other: '\0' })).toEqual([
      ['BAD_USER_INPUT', 'payload.variables.other must not contain a NUL character'],
    ]);
  });

  test('is one of 100 of a token', async () => {
    const [row] = await notify('before');
    const raws = await Promise.all(Array.from({ length: 5 }, () => RawSocket.as(socketUrl(), person.token)));
    for (const raw of raws) {
      for (let index = 0; index < 20; index += 1)
        raw.send(subscribe(String(index), ADDED, { afterDatabaseId: row!.id - 1 }));
      for (let index = 0; index < 20; index += 1) await raw.message('next', String(index));
    }
    const [result] = await take(follow(gateway, transport, { query: ADDED, token: person.token }), 1);
    expect(result?.errors?.[0]?.extensions).toEqual({ code: 'RATE_LIMITED', messages: [1029] });
    for (const { socket } of raws) socket.terminate();
  });

  test.each([
    ['revoked', 'update api_token set revoked_at = now() where user_id = $1'],
    ['deleted', 'delete from api_token where user_id = $1'],
    ['kept to other addresses', `update api_token set allowed_ips = '{192.0.2.0/24}' where user_id = $1`],
    ['cut short', 'update api_token set expires_at = now() where user_id = $1'],
    ["a deactivated user's", 'update app_user set deactivated_at = now() where id = $1'],
  ])(
    'is cut off soon when its token is %s',
    async (_what, statement) => {
      const [row] = await notify('before');
      const results = follow(gateway, transport, {
        query: ADDED,
        variables: { afterDatabaseId: row!.id - 1 },
        token: person.token,
      });
      await take(results, 1);
      await sql(statement, [person.id]);
      const end = await take(results, 1).catch((closed: { code: number }) => closed);
      if (transport === 'WebSocket') expect(end).toMatchObject({ code: 4401, reason: 'Unauthorized' });
      else expect(end).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED', messages: [1001] } }] }]);
      // Half of the period after which tokens are looked up again.
    },
    30_000,
  );
});

test('a slow subscriber misses nothing, and neither does a fast one', async () => {
  const raw = await RawSocket.as(socketUrl(), person.token);
  const [row] = await notify('before');
  const since = row!.id;
  const whole =
    'subscription ($afterDatabaseId: SafeInt) { notificationAdded(afterDatabaseId: $afterDatabaseId) { id: databaseId title message } }';
  raw.send(subscribe('slow', whole, { afterDatabaseId: since - 1 }));
  await raw.message('next', 'slow');
  raw.socket.pause();
  const prompt = follow(gateway, 'SSE', { query: ADDED, variables: { afterDatabaseId: since }, token: person.token });
  const first = take(prompt, 1);
  await notify('first');
  await first;
  const made = await sql<{ id: number }>(
    `insert into notification (user_id, organization_id, title, message, type, action)
     select $1, $2, n::text, repeat('x', 100000), 'SYSTEM', 'NONE' from generate_series(1, 150) n returning id`,
    [person.id, testData.organizationId],
  );
  const ids = made.map(({ id }) => id);
  // The hub has dispatched all of it when another subscriber has the last result.
  const seen = (await take(prompt, 150)).map(({ data }) => data.notificationAdded.id);
  expect(seen).toEqual(ids);
  raw.socket.resume();
  const [after] = await notify('after');
  await until(async () => JSON.stringify(raw.messages.at(-1)).includes(`"id":${after!.id},`));
  const slow = raw.messages.filter(({ type }) => type === 'next').map(({ payload }) => payload) as {
    data: AddedData;
  }[];
  expect(slow.map(({ data }) => data.notificationAdded.id).slice(2)).toEqual([...ids, after!.id]);
  await prompt.return?.();
  raw.socket.close();
});

interface AddedData {
  notificationAdded: { id: number };
}

test('POST /graphql says where subscriptions are served', async () => {
  const answer = await gateway.graphql.call(ADDED, { token: person.token });
  expect([answer.status, answer.body.errors?.[0]?.extensions.messages]).toEqual([
    400,
    [
      'Subscriptions are served over WebSocket at /graphql (graphql-transport-ws) and as server-sent events at /graphql/stream',
    ],
  ]);
});

test('a token of a subscriber that cannot be checked is a warning in the log', async () => {
  const raw = await RawSocket.as(socketUrl(), person.token);
  await sql('alter table token_block rename to token_block_away');
  // Nothing that is cached is valid any more.
  await sql(`select pg_notify('access', 'x:')`);
  const warning = /"level":40.*tokens of subscribers cannot be checked/;
  await until('the token is checked', async () => warning.test(lines));
  await sql('alter table token_block_away rename to token_block');
  raw.socket.close();
  await raw.closed;
});

test('nothing stays behind of what was connected, and no token is in the logs', async () => {
  await until(async () => {
    const figures = await gateway.app.metrics.text();
    return ['connections', 'subscriptions'].every((what) => figures.includes(`gateway_live{what="${what}"} 0`));
  });
  expect(lines).toContain('WS /graphql');
  expect(lines).not.toMatch(/scp_\w/);
});

test('when the instance goes away, each line is closed so that its client comes back', async () => {
  const own = await startGateway({ database: gateway.database });
  try {
    const url = webSocketUrl(own.url);
    const raw = await RawSocket.as(url, person.token);
    const late = await RawSocket.open(url);
    const [row] = await notify('before');
    const stream = () =>
      fetch(
        `${own.url}/graphql/stream?query=${encodeURIComponent(`subscription { notificationAdded(afterDatabaseId: ${row!.id - 1}) { id: databaseId } }`)}`,
        { headers: { [NAME]: person.token } },
      );
    const events = await stream();
    own.app.drain();
    expect(await raw.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect((await late.closed).code).toBe(1001);
    expect(await events.text()).not.toContain('complete');
    await expect(RawSocket.open(url)).rejects.toThrow('503');
    const refused = await stream();
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      503,
      '10',
      { errors: [{ extensions: { code: 'UNAVAILABLE' } }] },
    ]);
  } finally {
    await own.close();
  }
});

test('an instance that goes away ends also for a client whose WebSocket is refused and that leaves its side open', async () => {
  const own = await startGateway({ database: gateway.database });
  own.app.drain();
  const { port, hostname } = new URL(own.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  try {
    const headers = ['Connection: Upgrade', 'Upgrade: websocket', `Sec-WebSocket-Key: ${btoa('x'.repeat(16))}`];
    socket.write(
      ['GET /graphql HTTP/1.1', 'Host: gateway', ...headers, 'Sec-WebSocket-Version: 13\r\n\r\n'].join('\r\n'),
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 503 /);
    await until('the gateway has closed the connection', async () => (await own.connections()) === 0);
  } finally {
    socket.destroy();
    await own.close();
  }
});
