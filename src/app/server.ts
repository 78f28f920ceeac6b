import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, type App } from './app.js';
import { escapeHtml } from '../common/escape-html.js';
import { readConfig, type Config } from '../config.js';
import { makeDataDir } from '../data-dir.js';
import { seedDemo, type DemoFacts } from '../demo/demo.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres.js';
import { migrate } from '../database/migrate.js';
import { requestTimeout, StartupError, unavailable, type DomainError } from '../errors.js';
import { formatDomainError } from '../graphql/errors.js';
import { answerMetrics } from './front.js';
import { pathOf } from '../http/target.js';
import type { JsonAnswer } from '../http/connections.js';
import { createHttpServer, type HttpServer } from '../http/http-server.js';
import { nameRequest } from '../http/request-context.js';
import { DEMO_REPORTS } from './jobs.js';
import { createLogger, type Logger } from '../logger.js';
import type { Language } from '../messages/language.js';
import { contentPolicy, HTML_TYPE, setSafetyHeaders } from '../portal/page.js';
import { answerIn } from '../portal/words.js';
import { startTelemetry } from './telemetry.js';
import { errorEnvelope, statusOf } from '../rest/answer/answer.js';
import { mcpErrorOf } from '../mcp/mcp-handler.js';
import { SCIM_TYPE, scimErrorOf } from '../scim/answer.js';
import { ReportingRegimes } from '../services/incidents/reporting-regimes.js';
import { WorkflowCatalog } from '../services/workflows/catalog.js';

export const CATALOG_DIR = fileURLToPath(new URL('../../catalog', import.meta.url));

/** From the environment to a listening gateway: database, migrations, demo data, server, signals. */
export async function serve(env: Record<string, string | undefined>): Promise<void> {
  const config = readConfig(env);
  const log = createLogger(config.logLevel, config.otlpEndpoint !== undefined);
  // Opened resources in the order of opening; closed in reverse order, also when the start fails.
  const open: (() => Promise<unknown>)[] = [];
  const stopping = stopOnSignals(log, open);
  endOnUnexpected(log);
  try {
    await start(config, log, open, stopping);
  } catch (error) {
    // It fails because its resources were closed, and the stop ends the process when all is closed.
    if (stopping.aborted) return;
    await closeAll(open);
    throw error;
  }
}

async function start(
  configured: Config,
  log: Logger,
  open: (() => Promise<unknown>)[],
  stopping: AbortSignal,
): Promise<void> {
  const http = createHttpServer(connectionLimits(configured), { log, tooSlow });
  const { server } = http;
  // The port first: if it is taken, nothing else has been started.
  await listen(server, configured.port, configured.host);
  const config = atPortOf(server, configured);
  const telemetry = await startTelemetry(config, log);
  if (telemetry !== undefined) open.push(() => telemetry.close());
  server.on('request', startingUpHandler);
  const databaseUrl = config.databaseUrl ?? (await startEmbedded(config, log, open));
  prepareDataDir(config.dataDir);
  await migrate(databaseUrl, config.migrationDatabaseUrl);
  const catalog = WorkflowCatalog.load(CATALOG_DIR);
  const regimes = ReportingRegimes.load(join(CATALOG_DIR, 'regimes'));
  const demo = config.demo ? await seedDemo({ databaseUrl, config, catalog }) : undefined;
  const app = await createApp({ config, databaseUrl, catalog, regimes, log });
  open.push(() => app.close());
  const metrics = await metricsServer(config, app, log);
  open.push(() => Promise.all([http.close(), metrics?.close()]));
  open.push(async () => app.drain());
  server.off('request', startingUpHandler);
  server.on('request', app.listener);
  server.on('upgrade', app.upgrade);
  // Before silent devices are detected: those of the demo were silent only because no gateway ran.
  if (config.jobs && config.demo)
    await app.jobs.run(DEMO_REPORTS).catch((err: unknown) => log.warn({ err }, 'the demo devices cannot report'));
  stopping.throwIfAborted();
  if (config.jobs) startJobs(app, log);
  welcome(config, demo);
}

function prepareDataDir(dataDir: string): void {
  try {
    makeDataDir(dataDir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`The data folder ${dataDir} cannot be written (${code}): set another DATA_DIR.`);
  }
}

/** Port 0 is replaced by the assigned port, with which addresses without PUBLIC_URL begin. */
function atPortOf(server: Server, configured: Config): Config {
  const { port } = server.address() as AddressInfo;
  return Object.freeze({
    ...configured,
    port,
    publicUrl: configured.publicUrl.replace(/^(http:\/\/localhost):0$/, `$1:${port}`),
  });
}

function startJobs({ jobs, services, webhooks }: App, log: Logger): void {
  jobs.start();
  webhooks.start();
  // In parallel with requests: after an upgrade there may be many.
  services.recordedStates
    .recordMissing()
    .catch((err: unknown) => log.warn({ err }, 'the states of organizations cannot be recorded'));
}

async function listen(server: Server, port: number, host: string, variable = 'PORT'): Promise<void> {
  const noAddress = `HOST ${host} is no address of this machine.`;
  const sentences: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken; set ${variable} to another one or stop the program that uses it.`,
    EACCES: `Port ${port} on ${host} may not be used by this user; set ${variable} to one above 1023.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
    // A link-local address without its interface.
    EINVAL: noAddress,
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const sentence = sentences[error.code ?? ''];
      reject(sentence === undefined ? error : new StartupError(sentence));
    });
    server.listen(port, host, resolve);
  });
}

/** Returns the address of the database. */
async function startEmbedded({ dataDir }: Config, log: Logger, open: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await startEmbeddedPostgres({ dataDir, log: (message) => log.warn(message) });
  open.push(() => embedded.stop());
  return embedded.url;
}

async function metricsServer(config: Config, app: App, log: Logger): Promise<HttpServer | undefined> {
  if (config.metricsPort === undefined) return undefined;
  const http = createHttpServer(config.connections, { log, tooSlow });
  http.server.on('request', (request, response) => {
    nameRequest(request, response);
    if (request.url === '/metrics') return void answerMetrics(app.metrics, request, response);
    response.writeHead(statusOf('NOT_FOUND')).end();
  });
  await listen(http.server, config.metricsPort, config.host, 'METRICS_PORT');
  return http;
}

/** Behind a proxy every connection has the proxy's address, which must not be capped. */
function connectionLimits({ connections, trustProxy }: Config) {
  return trustProxy > 0 ? { ...connections, maxConnectionsPerAddress: 0 } : connections;
}

/** Returns a signal that is aborted once a stop has begun. */
function stopOnSignals(log: Logger, open: (() => Promise<unknown>)[]): AbortSignal {
  const stopping = new AbortController();
  const stop = () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    log.info('stopping');
    closeAll(open).then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  // SIGHUP comes when the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  return stopping.signal;
}

/** In the log's format of errors: Node's own output may contain rows of the database. */
function endOnUnexpected(log: Logger): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'the gateway ends by an unexpected error');
    process.exit(1);
  });
}

async function closeAll(open: (() => Promise<unknown>)[]): Promise<void> {
  for (let close = open.pop(); close !== undefined; close = open.pop()) await close();
}

/** The first lines for a person, addresses and demo tokens, to standard output beside the log lines. */
function welcome({ publicUrl: base, dataDir }: Config, demo: DemoFacts | undefined): void {
  const lines = [
    '',
    `  Compliance gateway is ready.`,
    '',
    `  Pages     ${base}   (start here: guides, portfolio, links)`,
    `  GraphQL   ${base}/graphql   (open it in a browser to explore)`,
    `  REST      ${base}/api/v1    (reference: ${base}/docs)`,
    `  Health    ${base}/health/ready`,
  ];
  if (demo !== undefined) {
    lines.push(
      '',
      `  Owner's token   ${demo.tokens.owner}   (all tokens: ${dataDir}/demo.json)`,
      '',
      `  curl -H 'X-Service-Token: ${demo.tokens.owner}' ${base}/api/v1/organizations/${demo.organization_id}/users`,
    );
  }
  lines.push('', '  Ctrl+C stops it. The log follows, a line of JSON for each message.');
  // A full disk under the output does not end the process, as for the log.
  process.stdout.on('error', () => undefined).write(`${lines.join('\n')}\n\n`);
}

/** A start takes some seconds. */
const ERROR = unavailable(1);

/**
 * Answers during the start: health as alive, everything else with 503 and `Retry-After` in the form of the API that was
 * called, or as a page that reloads itself.
 */
export function startingUpHandler(request: IncomingMessage, response: ServerResponse): void {
  nameRequest(request, response);
  const path = pathOf(request);
  const isAlive = path === '/health/live';
  if (!isAlive) response.setHeader('retry-after', String(ERROR.retryAfter));
  const isPage = !OF_PROGRAMS.test(path) && request.headers.accept?.includes('text/html') === true;
  if (isPage) setSafetyHeaders(response, contentPolicy());
  const body = isPage
    ? startingPage(answerIn(request, response))
    : JSON.stringify(isAlive ? { status: 'live' } : errorFor(path));
  response.writeHead(isAlive ? 200 : statusOf(ERROR.code), {
    'content-type': isPage ? HTML_TYPE : typeOf(path),
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** Paths that are not pages: programs call them, and some HTTP clients, such as Java's, accept `text/html` by default. */
const OF_PROGRAMS = /^\/(?:api\/v1|graphql|health|mcp|metrics|scim\/v2)(?:\/|$)/;

/** Without the styles of other pages, which are not loaded yet. */
function startingPage(language: Language): string {
  const sentence = escapeHtml(language.sentence(formatDomainError(ERROR).message));
  return `<!doctype html>
<html lang="${language.tag}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${ERROR.retryAfter}"><title>${sentence}</title></head>
<body><p>${sentence}</p></body>
</html>`;
}

function errorFor(path: string): object {
  return path === '/health/ready' ? { status: 'not ready', starting: true } : errorBody(path, ERROR);
}

/** The answer to a request whose body arrives too slowly. */
export function tooSlow(request: IncomingMessage): JsonAnswer {
  const path = pathOf(request);
  return { type: typeOf(path), text: JSON.stringify(errorBody(path, requestTimeout())) };
}

const isScim = (path: string) => path.startsWith('/scim/v2/');
const typeOf = (path: string) => (isScim(path) ? SCIM_TYPE : 'application/json; charset=utf-8');

/** An error in the form of the API that the path belongs to. */
function errorBody(path: string, error: DomainError): object {
  if (path === '/graphql' || path.startsWith('/graphql/')) return { errors: [formatDomainError(error)] };
  if (path === '/mcp') return mcpErrorOf(error);
  return isScim(path) ? scimErrorOf(error) : errorEnvelope(error);
}
