import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { startTelemetry, type Telemetry } from '../../src/app/telemetry.js';
import { createLogger } from '../../src/logger.js';

/** A span as a collector receives it. */
export interface ReceivedSpan {
  name: string;
  /** 2 is that of a server, 3 of a client, 5 of a consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Record<string, unknown>;
  links: { traceId: string }[];
  status: { code?: number };
}

type Sent = { key: string; value: Record<string, unknown> }[];

/** A test server in place of an OpenTelemetry collector: OTLP over HTTP, as JSON. */
export interface Collector {
  url: string;
  spans: ReceivedSpan[];
  /** Headers of the last request. */
  resource: Record<string, unknown>;
  /** All received requests, in order. */
  bodies: string[];
  /** The status of its responses; 200 unless a test sets another. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      collector.bodies.push(`${request.url} ${body}`);
      for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
        collector.resource = valuesOf(resource.attributes);
        for (const { spans } of scopeSpans)
          for (const span of spans) collector.spans.push({ ...span, attributes: valuesOf(span.attributes) });
      }
      collector.answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans: [], resource: {}, bodies: [] },
    answer: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}

const valuesOf = (sent: Sent) => Object.fromEntries(sent.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Telemetry of this process, sent every few milliseconds; its variables are unset when it is closed. */
export async function startTelemetryTo(
  { url }: Pick<Collector, 'url'>,
  log = createLogger('silent'),
): Promise<Telemetry> {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    OTEL_BSP_SCHEDULE_DELAY: '20',
  };
  Object.assign(process.env, variables);
  const telemetry = (await startTelemetry(
    { otlpEndpoint: url, unusedEndpoints: [], serviceName: 'gateway-test' },
    log,
  ))!;
  return {
    async close() {
      await telemetry.close();
      for (const name of Object.keys(variables)) delete process.env[name];
    },
  };
}
