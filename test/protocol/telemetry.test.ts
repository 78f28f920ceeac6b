import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { registerHooks } from 'node:module';
import pino from 'pino';
import { startTelemetry } from '../../src/app/telemetry.js';
import { openSpan, traceId } from '../../src/common/tracing.js';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { traceOf } from '../../src/services/audit/record.js';
import { APIS, dataOf, type Api } from '../support/apis.js';
import { startCollector, startTelemetryTo } from '../support/collector.js';
import { readEvents } from '../support/events.js';
import { postedMails, workDue } from '../support/jobs.js';
import { postMcp } from '../support/mcp.js';
import { familiesIn, FORMATS } from '../support/metrics.js';
import { newMember } from '../support/people.js';
import { startSharedReceiver } from '../support/receivers.js';
import { provisionedOrganization } from '../support/scim.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { settled } from '../support/settled.js';
import { until } from '../support/until.js';
import { callWebhooks } from '../support/webhooks.js';

const SDK = '@opentelemetry/sdk-node';
let loads = 0;
let isAbsent = false;
const hooks = registerHooks({
  resolve(specifier, context, next) {
    if (specifier === SDK) loads += 1;
    return next(isAbsent && specifier === SDK ? '@opentelemetry/absent' : specifier, context);
  },
});

const lines: string[] = [];
const log = createLogger('info', true);
Object.assign(log, { [pino.symbols.streamSym]: { write: (line: string) => void lines.push(line) } });
const { gateway, testData } = await startSeededGateway({ log, config: { metricsPublic: true } });
const { database } = gateway.app;
const collector = await startCollector();
const receiver = await startSharedReceiver();

await startTelemetry({ otlpEndpoint: undefined, unusedEndpoints: [], serviceName: 'gateway-test' }, log);
const loadsWhileUnset = loads;
const telemetry = await startTelemetryTo(collector, log);

afterAll(async () => {
  await telemetry.close();
  await collector.close();
  hooks.deregister();
});

beforeEach(() => {
  lines.length = 0;
  collector.spans.length = 0;
});

/** A trace that a caller has begun. */
function callersTrace({ sampled = true } = {}) {
  const [trace, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { trace, span, headers: { traceparent: `00-${trace}-${span}-${sampled ? '01' : '00'}` } };
}

const spansOf = (trace: string) => collector.spans.filter((each) => each.traceId === trace);
const spanOf = (trace: string, name: string | RegExp) => {
  const isIt = (found: string) => (typeof name === 'string' ? found === name : name.test(found));
  return until(`there is a span ${name}`, () => spansOf(trace).find((each) => isIt(each.name)), 20_000);
};
const logged = (message: string) => lines.filter((line) => line.includes(`"msg":"${message}"`));
const loggedTrace = async () => {
  const [line = ''] = await until('the line is written', () => logged('request').length > 0 && logged('request'));
  return (JSON.parse(line) as { traceId?: string }).traceId;
};

/** Spans of a trace by name, each with the name of its parent; the caller's is `caller`. */
function tree(trace: string, callersSpan: string): [string, string | undefined][] {
  const spans = spansOf(trace);
  const nameOf = (id?: string) => (id === callersSpan ? 'caller' : spans.find(({ spanId }) => spanId === id)?.name);
  return spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]);
}

const QUERY = `query Reads($id: ID!, $text: String!) {
  organization(id: $id) { name } search(query: $text, organizationId: $id) { totalCount } }`;

function read(api: Api, headers: Record<string, string> = {}) {
  const { owner, organizationId } = testData;
  const { token } = owner;
  if (api === 'REST') return gateway.rest.get(`/api/v1/organizations/${organizationId}`, { token, headers });
  const variables = { id: organizationId, text: 'a searched text' };
  return gateway.graphql.call(QUERY, { token, variables, headers });
}

function openIncident(api: Api, token: string, headers: Record<string, string>) {
  const { organizationId } = testData;
  const incident = { title: 'An incident', description: 'What happened', severity: 'LOW' };
  if (api === 'REST')
    return gateway.rest.post(`/api/v1/v-ciso/incidents/${organizationId}`, { token, headers, body: incident });
  const mutation = 'mutation ($input: OpenIncidentInput!) { openIncident(input: $input) { incident { id } } }';
  return gateway.graphql.call(mutation, { token, headers, variables: { input: { organizationId, ...incident } } });
}

describe.each(APIS)('a request through %s', (api) => {
  test("continues the caller's trace: the request, its operation, each root field, each statement", async () => {
    const { trace, span, headers } = callersTrace();
    expect((await read(api, headers)).status).toBe(200);
    const route = api === 'REST' ? 'GET /api/v1/organizations/{id}' : 'POST /graphql';
    const server = await spanOf(trace, route);
    expect(server).toMatchObject({ kind: 2, parentSpanId: span });
    expect(server.attributes).toEqual({
      'http.request.method': route.split(' ')[0],
      'http.route': route.split(' ')[1],
      'http.response.status_code': 200,
    });
    const parents = tree(trace, span);
    const operation = api === 'REST' ? 'query getOrganization' : 'query Reads';
    expect(parents).toContainEqual([operation, route]);
    expect(parents).toContainEqual(['Query.organization', operation]);
    if (api === 'GraphQL') expect(parents).toContainEqual(['Query.search', operation]);
    expect(parents).toContainEqual([expect.stringMatching(/^select (\w+ )*organization\b/), 'Query.organization']);
    expect(parents.filter(([, parent]) => parent === undefined)).toEqual([]);
  });

  test('begins a trace of its own without a traceparent, and with one that is none', async () => {
    const zero = `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`;
    const given: Record<string, string>[] = [{}, { traceparent: 'a trace' }, { traceparent: zero }];
    for (const headers of given) {
      lines.length = 0;
      await read(api, headers);
      const id = (await loggedTrace()) ?? '';
      expect(id).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
      expect((await spanOf(id, /^(GET|POST) /)).parentSpanId ?? '').toBe('');
    }
  });

  test('of a trace that is not sampled sends no span, and has its id in the log all the same', async () => {
    const { trace, headers } = callersTrace({ sampled: false });
    await read(api, headers);
    expect(await loggedTrace()).toBe(trace);
    const after = callersTrace();
    await read(api, after.headers);
    await spanOf(after.trace, /^(GET|POST) /);
    expect(spansOf(trace)).toEqual([]);
  });

  test('is the exemplar of its duration in the metrics, where its trace is stored', async () => {
    const [sampled, other] = [callersTrace(), callersTrace({ sampled: false })];
    await read(api, sampled.headers);
    await spanOf(sampled.trace, /^(GET|POST) /);
    await read(api, other.headers);
    await until('the line is written', () => lines.some((line) => line.includes(other.trace)));
    const answer = await fetch(`${gateway.url}/metrics`, { headers: { accept: FORMATS.OpenMetrics.accept } });
    const samples = familiesIn(await answer.text(), 'OpenMetrics').flatMap((family) => family.samples);
    const ids = samples.flatMap(({ exemplar }) => (exemplar === undefined ? [] : [exemplar.labels['trace_id']]));
    expect(ids).not.toContain(other.trace);
    const route = api === 'REST' ? 'GET /api/v1/organizations/{id}' : 'POST /graphql';
    const ours = samples.filter(({ exemplar }) => exemplar?.labels['trace_id'] === sampled.trace);
    expect(ours).toMatchObject([{ name: 'gateway_request_duration_seconds_bucket', labels: { route, status: '200' } }]);
    const [{ exemplar }] = ours as [(typeof samples)[number]];
    expect(exemplar?.labels).toEqual({ trace_id: sampled.trace });
    expect(Math.abs(Date.now() / 1000 - (exemplar?.timestamp ?? 0))).toBeLessThan(60);
  });

  test('hands its trace on to the webhook deliveries that follow from it', async () => {
    const { trace, headers } = callersTrace();
    const manager = await newMember(database, testData.organizationId, 'ORGANIZATION_MANAGER');
    const input = { organization_id: testData.organizationId, url: receiver.url, event_types: ['incident.opened'] };
    dataOf(await callWebhooks(api, gateway, 'create', input, manager.token));
    await settled(database, 'events');
    receiver.received = [];
    await openIncident(api, manager.token, headers);
    await settled(database, 'events');
    await gateway.app.webhooks.sendDue();
    const delivery = await spanOf(trace, 'POST webhook');
    const sent = receiver.received.map((each) => each.headers['traceparent']);
    expect(sent).toEqual([`00-${trace}-${delivery.spanId}-01`]);
    expect(delivery).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': 204 } });
    await spanOf(trace, /^POST \//);
    expect(spansOf(trace).map(({ spanId }) => spanId)).toContain(delivery.parentSpanId);
    await database.rows('delete from webhook_endpoint');
  });
});

test('a tool of MCP and a directory continue the trace of their request as well', async () => {
  const { token } = testData.owner;
  const tool = callersTrace();
  const params = { name: 'graphql', arguments: { query: '{ viewer { user { username } } }' } };
  const headers = { ...tool.headers, authorization: `Bearer ${token}` };
  await postMcp(gateway, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
  await spanOf(tool.trace, 'POST /mcp');
  expect(tree(tool.trace, tool.span)).toEqual(
    expect.arrayContaining([
      ['POST /mcp', 'caller'],
      ['query', 'POST /mcp'],
      ['Query.viewer', 'query'],
    ]),
  );
  const { directory } = await provisionedOrganization(gateway);
  const { trace, span, headers: sent } = callersTrace();
  await directory.get('Users', { headers: sent });
  const request = await spanOf(trace, /^GET \/scim/);
  expect(request).toMatchObject({ parentSpanId: span, attributes: { 'http.response.status_code': 200 } });
  expect(tree(trace, span)).toContainEqual([expect.stringMatching(/^select /), request.name]);
});

test('entries of an audit trail have the trace of their request, from the first one on, and verify', async () => {
  const { trace, headers } = callersTrace();
  const { token } = testData.owner;
  const body = { name: 'An organization named "subject":{"id":"7"' };
  const made = await gateway.rest.post('/api/v1/organizations', { token, headers, body });
  const { id } = made.body.data as { id: number };
  const path = `/api/v1/organizations/${id}`;
  await gateway.rest.patch(`${path}/settings`, { token, headers, body: { language: 'it' } });
  const entries = await database.rows<{ entry: string }>(
    `select e.entry from audit_entry e join audit_log l on l.id = e.log_id
      where l.organization_id = $1 order by e.position`,
    [id],
  );
  expect(entries.length).toBeGreaterThanOrEqual(2);
  for (const { entry } of entries) {
    expect((JSON.parse(entry) as { subject: { id: string } }).subject.id).toBe(String(id));
    expect(traceOf(entry)).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  }
  const verified = await gateway.rest.get(`${path}/audit-trail/verification`, { token });
  expect(verified.body.data).toMatchObject({ valid: true });
});

test('the line of a request whose client has left has its trace as well', async () => {
  const { trace, headers } = callersTrace();
  await settled(database, 'events');
  const { next } = await readEvents('REST', gateway, { after: 'latest' }, testData.owner.token);
  lines.length = 0;
  const leaving = new AbortController();
  const url = `${gateway.url}/api/v1/events?wait=20&after=${next}`;
  const answer = fetch(url, {
    headers: { ...headers, 'x-service-token': testData.owner.token },
    signal: leaving.signal,
  });
  await until('it waits', () => gateway.app.services.eventWakes.figures.waiting > 0);
  leaving.abort();
  await expect(answer).rejects.toThrow();
  expect(await loggedTrace()).toBe(trace);
  expect(logged('request').join()).toContain('"aborted":true');
});

test('what several requests have led to is linked to each of them', async () => {
  const [first, second] = [callersTrace(), callersTrace()];
  const span = openSpan(() => ({ name: 'of both', causes: [first, second].map((each) => each.headers.traceparent) }));
  span?.span.end();
  const { links, traceId: own } = await until('it is sent', () =>
    collector.spans.find((each) => each.name === 'of both'),
  );
  expect(links.map((link) => link.traceId)).toEqual([first.trace, second.trace]);
  expect([first.trace, second.trace]).not.toContain(own);
});

test('a mail has the trace of the request that it was posted in, and its delivery belongs to it', async () => {
  const { trace, headers } = callersTrace();
  const { organizationId, owner } = testData;
  const body = { email: 'traced@example.com', role: 'VIEWER' };
  const path = `/api/v1/organizations/${organizationId}/invitations`;
  expect((await gateway.rest.post(path, { token: owner.token, headers, body })).status).toBe(201);
  const mail = (await postedMails(database)).find(({ recipient }) => recipient === body.email);
  expect(mail?.content?.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  await workDue(gateway.app, 'mail');
  const sent = await spanOf(trace, 'send mail');
  const job = await until('there is the job', () =>
    collector.spans.find((each) => each.name === 'process mail' && each.traceId === sent.links[0]?.traceId),
  );
  expect(job).toMatchObject({ kind: 5, attributes: { 'messaging.destination.name': 'mail' } });
});

test('an unexpected error has its trace in GraphQL, and in the log through both APIs', async () => {
  const { trace, headers } = callersTrace();
  await database.rows('alter table organization rename column name to nome');
  const { body } = (await read('GraphQL', headers)) as { body: { errors?: { extensions: object }[] } };
  const { status } = await read('REST', headers);
  await database.rows('alter table organization rename column nome to name');
  const internal = { code: 'INTERNAL', messages: [], traceId: trace };
  expect(body.errors?.map(({ extensions }) => extensions)).toContainEqual(internal);
  expect(status).toBe(500);
  const traces = logged('unexpected error').map((line) => (JSON.parse(line) as { traceId?: string }).traceId);
  expect(traces.length).toBeGreaterThanOrEqual(2);
  expect([...new Set(traces)]).toEqual([trace]);
  const failed = await spanOf(trace, 'Query.organization');
  expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': '42703' } });
  expect(await spanOf(trace, 'GET /api/v1/organizations/{id}')).toMatchObject({ status: { code: 2 } });
});

test('a refusal does not fail a span', async () => {
  const { trace, headers } = callersTrace();
  const query = '{ organization(id: 999999) { name } }';
  await gateway.graphql.call(query, { token: testData.owner.token, headers });
  const field = await spanOf(trace, 'Query.organization');
  expect(field.attributes).toEqual({ 'error.type': 'NOT_FOUND' });
  expect(field.status.code ?? 0).toBe(0);
});

test('a figure of the metrics that cannot be read is not there, and the log says why', async () => {
  await database.rows('alter table audit_fault rename to audit_fault_away');
  const figures = await (await fetch(`${gateway.url}/metrics`)).text();
  await database.rows('alter table audit_fault_away rename to audit_fault');
  expect(figures).not.toMatch(/^gateway_audit_faults /m);
  expect(figures).toMatch(/^gateway_idempotency_stored_bytes /m);
  expect(logged('a figure of the metrics cannot be read')).toEqual([
    expect.stringMatching(/"metric":"gateway_audit_faults".*audit_fault/),
  ]);
});

test('requests for health and metrics have no span', async () => {
  await fetch(`${gateway.url}/health/live`);
  const { trace, headers } = callersTrace();
  await read('REST', headers);
  await spanOf(trace, /^GET /);
  expect(collector.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
});

test('no text, value, token, address or name of a person is ever sent', async () => {
  const { owner, organizationId } = testData;
  const { token } = owner;
  const { trace, headers } = callersTrace();
  await read('GraphQL', { ...headers, baggage: 'secret=baggage-of-a-caller', 'x-request-id': 'an-id-of-a-caller' });
  await gateway.graphql.call(`query ${token} { viewer { user { email } } }`, { token, headers });
  await fetch(`${gateway.url}/api/v1/organizations/${organizationId}/${token}?X-Service-Token=${token}`, { headers });
  await openIncident('REST', token, headers);
  await spanOf(trace, 'Mutation.openIncident');
  await spanOf(trace, /^POST \/api/);
  await spanOf(trace, 'Query.viewer');
  const sent = collector.bodies.join('\n');
  expect(collector.bodies.every((body) => body.startsWith('/v1/traces '))).toBe(true);
  for (const secret of [
    ...[token, 'a searched text', 'baggage-of-a-caller', 'an-id-of-a-caller', 'What happened', 'traced@example.com'],
    ...[
      owner.username,
      'secret-path',
      receiver.url,
      'query Reads($id',
      'where \\"',
      '$1',
      '127.0.0.1',
      'process.owner',
    ],
  ])
    expect([secret, sent.includes(secret)]).toEqual([secret, false]);
});

test('spans say which service sends them, and nothing of its process', () => {
  expect(collector.resource).toMatchObject({
    'service.name': 'gateway-test',
    'service.version': '0.1.0',
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(Object.keys(collector.resource).filter((name) => name.startsWith('process.'))).toEqual([]);
});

test('a collector that hangs delays neither a request nor the end, and is reported once', async () => {
  await telemetry.close();
  const hanging = await startCollector();
  hanging.answer = () => undefined;
  const late = await startTelemetryTo(hanging, log);
  const begun = performance.now();
  for (let round = 0; round < 20; round += 1) expect((await read('REST')).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(20_000);
  await until('it has something', () => hanging.bodies.length > 0);
  await until('the failure is reported', () => logged('telemetry has an error').length > 0);
  await read('REST');
  const ending = performance.now();
  await late.close();
  expect(performance.now() - ending).toBeLessThan(9_000);
  expect(logged('telemetry has an error').map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual([
    // Its sentence, without the surrounding JSON and stack.
    expect.stringMatching(/^[^{"]*time[^{"]*$/i),
  ]);
  await hanging.close();
});

test('an endpoint for traces alone is used as it is, before the one for all signals', async () => {
  await telemetry.close();
  const own = await startCollector();
  const { otlpEndpoint } = readConfig({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${own.url}/own/path`,
    SECRET_KEY: gateway.config.secretKey,
  });
  process.env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] = otlpEndpoint;
  const toIt = await startTelemetryTo({ url: collector.url }, log);
  try {
    await read('REST');
    await until('it has something', () => own.bodies.length > 0);
    expect(own.bodies[0]).toMatch(/^\/own\/path \{/);
    expect(collector.spans).toEqual([]);
  } finally {
    delete process.env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
    await toIt.close();
    await own.close();
  }
});

test('endpoints for metrics and logs, which are not sent, are named at the start', async () => {
  const { unusedEndpoints } = readConfig({
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://collector:4318/v1/metrics',
    SECRET_KEY: gateway.config.secretKey,
  });
  await startTelemetry({ otlpEndpoint: undefined, unusedEndpoints, serviceName: '' }, log);
  expect(logged('metrics and logs are not sent to a collector: /metrics has the metrics')).toEqual([
    expect.stringContaining('"variables":["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"]'),
  ]);
});

test('without OTEL_EXPORTER_OTLP_ENDPOINT nothing is loaded and no span is made', async () => {
  expect(loadsWhileUnset).toBe(0);
  expect(loads).toBeGreaterThan(0);
  await read('REST', callersTrace().headers);
  expect(await loggedTrace()).toBeUndefined();
  expect(traceId()).toBeUndefined();
});

test('where the SDK is not installed, the start is refused with the command that installs it', async () => {
  isAbsent = true;
  const settings = { otlpEndpoint: 'http://localhost:4318', unusedEndpoints: [], serviceName: '' };
  await expect(startTelemetry(settings, log)).rejects.toThrow(
    /^OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set, but @opentelemetry\/sdk-node is not installed\. Install it with "npm install --no-save --save-prod --omit=dev @opentelemetry\/sdk-node@\d+\.\d+\.\d+", or unset the variable\.$/,
  );
  isAbsent = false;
});
