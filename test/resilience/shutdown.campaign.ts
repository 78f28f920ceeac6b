import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { startCollector } from '../support/collector.js';
import { RawSocket, webSocketUrl } from '../support/live.js';
import { buildWorkflow, seedTestData, type TestData } from '../support/test-data.js';
import { rowsWithoutTheirBytes, stagedFiles, versionRows } from './support/evidence.js';
import { connectTo, type GatewayProcess } from './support/gateway-process.js';
import { Installation } from './support/installation.js';
import { RawUpload } from './support/raw-upload.js';
import { until } from '../support/until.js';

let installation: Installation;
let testData: TestData;
let gateway: GatewayProcess;

beforeAll(async () => {
  installation = await Installation.create('shutdown');
  testData = await seedTestData(installation.database);
  await buildWorkflow(installation.database, testData.organizationId);
});

beforeEach(async () => {
  gateway = await installation.start({ METRICS_PUBLIC: '1' });
});

afterAll(() => installation?.clear());

function get(agent: Agent, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Service-Token': testData.owner.token };
    request(gateway.url + path, { agent, headers }, resolve)
      .once('error', reject)
      .end();
  });
}

/** Without the disconnection of open connections ten seconds after the signal. */
async function expectEndByItself(): Promise<void> {
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.out).not.toContain('cutting off');
}

test('SIGTERM resets no connection of clients that never pause, and waits for none that never sends', async () => {
  const silent = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  const half = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
  silent.on('error', () => undefined);
  half.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: gate');
  await until('both are connected', () => !silent.connecting && !half.connecting);
  const path = `/api/v1/organizations/${testData.organizationId}/users`;
  const failures: string[] = [];
  let answered = 0;
  let closing = 0;
  const clients = Array.from({ length: 16 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      for (;;) {
        const response = await get(agent, path);
        await text(response);
        if (response.statusCode !== 200) failures.push(`status ${response.statusCode}`);
        answered += 1;
        if (response.headers.connection === 'close') closing += 1;
      }
    } catch (error) {
      // The end of the port: it accepts no connection any more.
      const { code = String(error) } = error as NodeJS.ErrnoException;
      if (code !== 'ECONNREFUSED') failures.push(code);
    } finally {
      agent.destroy();
    }
  });
  await until('the clients are at work', () => answered > 200);
  gateway.signal('SIGTERM');
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect(closing).toBe(16);
  expect(await gateway.ended).toEqual({ code: 0, signal: null });
  expect(gateway.complaint).toBe('');
  for (const socket of [silent, half]) socket.destroy();
});

test('SIGTERM sends the last spans, and does not wait long for a collector that does not answer', async () => {
  const collector = await startCollector();
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Nothing is sent before the end.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
  };
  for (const answers of [true, false]) {
    await gateway.end();
    if (!answers) collector.answer = () => undefined;
    gateway = await installation.start({ ...variables, LOG_LEVEL: 'info' });
    await text(await get(new Agent(), `/api/v1/organizations/${testData.organizationId}`));
    expect(collector.spans).toEqual([]);
    const begun = performance.now();
    gateway.signal('SIGTERM');
    await expectEndByItself();
    expect(performance.now() - begun).toBeLessThan(9_000);
    const request = collector.spans.find(({ name }) => name === 'GET /api/v1/organizations/{id}');
    expect(gateway.out).toContain(`"traceId":"${request?.traceId}"`);
    expect(collector.resource).toMatchObject({ 'service.name': 'compliance-gateway' });
    collector.spans.length = 0;
  }
  await collector.close();
});

test('SIGTERM lets an upload end, refuses connections, closes idle ones with an answer, and may come twice', async () => {
  const { database, files } = installation;
  const agent = new Agent({ keepAlive: true });
  const place = { organizationId: testData.organizationId, artifactId: 'A.5.7', token: testData.analyst.token };
  const bytes = Buffer.from('half-way\n'.repeat(250_000));
  const upload = new RawUpload(gateway.url, place, { name: 'log.txt', type: 'text/plain', bytes }, agent);
  await upload.send(0.5);
  await until('the file is being received', async () => (await stagedFiles(files)).length > 0);
  // A request in progress leaves its connection open during the stop.
  const begun = connect(gateway.port, '127.0.0.1');
  begun.write('GET /health/ready HTTP/1.1\r\nHost: gateway\r\n');
  const idle = connect(gateway.port, '127.0.0.1');
  let heard = '';
  idle.on('data', (chunk) => (heard += chunk.toString()));
  const closed = new Promise<void>((done) => idle.once('close', () => done()));
  const call = () => idle.write('GET /health/ready HTTP/1.1\r\nHost: gateway\r\n\r\n');
  // Later requests have a response, so earlier ones have been read.
  call();
  await until('it is answered', () => heard.includes('"status":"ready"'));
  gateway.signal('SIGTERM');
  await until('new connections are refused', async () => (await connectTo(gateway.port)) === 'refused');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) gateway.signal(signal);
  heard = '';
  call();
  begun.write('Connection: close\r\n\r\n');
  await closed;
  for (const answer of [heard, await text(begun)]) {
    expect(answer).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(answer).toContain('{"status":"not ready","draining":true,"checks":{"database":"up","storage":"up"}}');
  }
  const { status, text: answer } = await upload.finish();
  expect(status).toBe(201);
  await expectEndByItself();
  agent.destroy();
  const { id } = (JSON.parse(answer) as { data: { id: number } }).data;
  expect((await versionRows(database)).map((row) => row.id)).toContain(id);
  expect(await rowsWithoutTheirBytes(database, files)).toEqual([]);
  expect(await stagedFiles(files)).toEqual([]);
});

test('SIGTERM sends live clients elsewhere, and waits for none that is idle or has fallen silent', async () => {
  const { token } = testData.owner;
  const agent = new Agent({ keepAlive: true });
  await text(await get(agent, '/health/live'));
  await until('its connection is idle', () => Object.keys(agent.freeSockets).length === 1);
  const url = webSocketUrl(gateway.url);
  const [polite, silent] = [await RawSocket.as(url, token), await RawSocket.as(url, token)];
  for (const socket of [polite, silent])
    socket.send({
      type: 'subscribe',
      id: '1',
      payload: { query: 'subscription { notificationAdded { id: databaseId } }' },
    });
  silent.socket.pause();
  const events = await fetch(`${gateway.url}/graphql/stream?query=subscription{notificationAdded{id:databaseId}}`, {
    headers: { 'X-Service-Token': token },
  });
  const headers = { 'X-Service-Token': token };
  const waiting = fetch(`${gateway.url}/api/v1/events?after=latest&types=incident.opened&wait=30`, { headers });
  await until('a request waits', async () =>
    (await (await fetch(`${gateway.url}/metrics`)).text()).includes('gateway_live{what="waiting"} 1'),
  );
  gateway.signal('SIGTERM');
  const answer = await waiting;
  expect([answer.status, await answer.json()]).toEqual([200, { error: 0, messages: [], data: [] }]);
  expect((await polite.closed).code).toBe(1001);
  expect(await events.text()).not.toContain('complete');
  await expectEndByItself();
  silent.socket.terminate();
  agent.destroy();
});
