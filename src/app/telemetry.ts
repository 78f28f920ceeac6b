import { context, diag, DiagLogLevel, trace } from '@opentelemetry/api';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { seldom } from '../common/seldom.js';
import { useTracer } from '../common/tracing.js';
import type { Config } from '../config.js';
import { StartupError } from '../errors.js';
import type { Logger } from '../logger.js';

const SDK = '@opentelemetry/sdk-node';
/** Milliseconds that a stop waits for the last spans, unless OTEL_EXPORTER_OTLP_TIMEOUT is shorter. */
const GRACE = 5_000;

const { name, version, devDependencies } = createRequire(import.meta.url)('../../package.json') as {
  name: string;
  version: string;
  devDependencies: Record<string, string>;
};

export interface Telemetry {
  /** Sends remaining spans, for some seconds at most. */
  close(): Promise<void>;
}

/**
 * Sends traces if an endpoint is configured; otherwise loads nothing. The SDK reads its variables (OTEL_*) itself.
 * Throws StartupError if the SDK is not installed.
 */
export async function startTelemetry(
  { otlpEndpoint, unusedEndpoints, serviceName }: Pick<Config, 'otlpEndpoint' | 'unusedEndpoints' | 'serviceName'>,
  log: Pick<Logger, 'warn'>,
): Promise<Telemetry | undefined> {
  if (unusedEndpoints.length > 0)
    log.warn({ variables: unusedEndpoints }, 'metrics and logs are not sent to a collector: /metrics has the metrics');
  if (otlpEndpoint === undefined) return undefined;
  const { startNodeSdk } = await loadSdk();
  const service = { 'service.name': serviceName, 'service.version': version, 'service.instance.id': randomUUID() };
  const sdk = startNodeSdk({
    // The SDK's detectors would send the arguments and the user of the process.
    resourceDetectors: [{ detect: () => ({ attributes: { ...service, 'host.name': hostname() } }) }],
    // Traces alone: metrics are at /metrics, logs on the standard output. `common/tracing.ts` handles `traceparent`.
    ...{ metricReaders: [], logRecordProcessors: [], propagators: [] },
  });
  diag.setLogger(reporter(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  useTracer(trace.getTracerProvider().getTracer(name, version));
  return {
    async close() {
      useTracer(undefined);
      // A failure was reported when it happened.
      await Promise.race([sdk.shutdown().catch(() => undefined), sleep(GRACE, undefined, { ref: false })]);
      for (const api of [trace, context, diag]) api.disable();
    },
  };
}

/** Diagnostics of the SDK, one every few seconds while the collector is unavailable. */
function reporter(log: Pick<Logger, 'warn'>) {
  const report = seldom((...said: unknown[]) => {
    const text = said.map(String).join(' ');
    // An error is JSON with a stack.
    const reason = (/"message":"([^"]*)/.exec(text)?.[1] ?? text).slice(0, 200);
    log.warn({ reason }, 'telemetry has an error');
  });
  const nothing = () => undefined;
  return { error: report, warn: report, info: nothing, debug: nothing, verbose: nothing };
}

async function loadSdk() {
  try {
    return await import('@opentelemetry/sdk-node');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartupError(
      `OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set, but ${SDK} is not installed. Install it with ` +
        `"npm install --no-save --save-prod --omit=dev ${SDK}@${devDependencies[SDK]}", or unset the variable.`,
    );
  }
}
