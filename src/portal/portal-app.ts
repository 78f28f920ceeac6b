import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DAY } from '../common/time.js';
import { DomainError } from '../errors.js';
import { isBrokenOff } from '../http/request-body.js';
import { pathOf } from '../http/target.js';
import { languageOf, LANGUAGES } from '../messages/language.js';
import type { Regime } from '../services/incidents/reporting-regimes.js';
import { referencePage, startPage } from './api-pages.js';
import { application, APPLICATION_FILES } from './application.js';
import { brunoCollection, postmanCollection, type DescribedInterface } from './collections.js';
import { graphiqlPage } from './explorer-page.js';
import { guideFiles, llmsText } from './guides.js';
import {
  answerUnsubscribe,
  UNSUBSCRIBE_PATH,
  type Unsubscribing,
  sendJsonError,
  sendMethodNotAllowed,
  sendMissingPage,
  sendTokenRequired,
} from './message-page.js';
import {
  contentPolicy,
  HTML_TYPE,
  lazyAsset,
  MARK,
  pagePolicy,
  sendAsset,
  setSafetyHeaders,
  type Page,
  type Served,
  type Site,
} from './page.js';
import { regimesPage } from './regimes-page.js';
import { answerSignIn, SIGN_IN_PATH, type SigningIn } from './sign-in-pages.js';
import { invitationPage, recoveryPage } from './token-pages.js';
import { readingLanguage } from './words.js';

export interface PortalOptions extends Site {
  /** Served as text at `/schema.graphql`; left out where introspection is off. */
  schema?: GraphQLSchema;
  /** Whether the sender of a request may see the schema; any sender may when absent. */
  mayReadSchema?: (request: IncomingMessage) => Promise<boolean>;
  /** The OpenAPI document, of which collections for Postman and Bruno are made. */
  described: () => DescribedInterface;
  /** Where vulnerabilities are reported, as a URI; undefined is nowhere. */
  securityContact?: string | undefined;
  /** The keys that checkpoints of audit trails are signed with: a JSON Web Key Set. */
  auditKeys: object;
  /** Shown at `/regimes`. */
  regimes: readonly Regime[];
  openLogo: OpenLogo;
  /** Ends reports by the links in their mails. */
  unsubscribing: Unsubscribing;
  signingIn: SigningIn;
  /** Receives unexpected errors, of which the client learns no more than 500. */
  onError: (error: unknown) => void;
}

/** Serves everything that a person sees in a browser, except for the explorer's own page; any other path is 404. */
export function createPortal(options: PortalOptions): RequestListener {
  const paths = servedPaths(options);
  const ofApplication = application(options);
  const find = (path: string) => paths.get(path) ?? ofApplication(path);
  return (request, response) => {
    answer(find, options, request, response).catch((error: unknown) => {
      if (isBrokenOff(request, response)) return;
      options.onError(error);
      if (response.headersSent) return void response.destroy();
      if (sendJsonError(request, response, 500)) return;
      response.statusCode = 500;
      response.end();
    });
  };
}

async function answer(
  find: (path: string) => Served | undefined,
  options: PortalOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Never decoded: a path exists only as it is written in the table.
  const path = pathOf(request);
  if (path === UNSUBSCRIBE_PATH) return answerUnsubscribe(request, response, options.unsubscribing, options);
  if (path === SIGN_IN_PATH || path.startsWith(`${SIGN_IN_PATH}/`))
    return answerSignIn(request, response, options.signingIn, options);
  const served = find(path);
  const isLogo = path.startsWith(LOGO_PATH);
  const hasSlash = path.endsWith('/') && find(path.slice(0, -1)) !== undefined;
  if (served === undefined && !isLogo && !hasSlash) return sendMissingPage(request, response, options);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendMethodNotAllowed(request, response, 'GET, HEAD');
  }
  if (served?.mayRead && !(await served.mayRead(request))) return sendTokenRequired(request, response, options);
  if (served) return sendServed(request, response, served);
  if (isLogo) return sendLogo(request, response, options);
  // Relative, because a proxy may have put the site under a path; the query string may contain a token and is omitted.
  response.writeHead(308, { location: `../${path.slice(0, -1).split('/').at(-1)}` }).end();
}

async function sendServed(request: IncomingMessage, response: ServerResponse, { load, policy }: Served): Promise<void> {
  if (typeof load === 'function') return sendAsset(request, response, await load(), policy);
  const { tag } = readingLanguage(request);
  return sendAsset(request, response, await load.get(tag)!(), policy, tag);
}

const NO_POLICY = contentPolicy();
const FILE_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

function servedPaths(options: PortalOptions): ReadonlyMap<string, Served> {
  const { publicUrl, explorer, auditKeys, described, schema, mayReadSchema, securityContact, regimes } = options;
  const paths = new Map<string, Served>();
  const add = (path: string, type: string, read: () => string | Promise<Buffer>, rules: Partial<Served> = {}) =>
    paths.set(path, { policy: NO_POLICY, load: lazyAsset(type, read), ...rules });
  const addPage = (path: string, { html, policy, files = {}, copied = [], filePolicy = NO_POLICY }: Page) => {
    const addFile = (name: string, read: () => string | Promise<Buffer>) =>
      add(`${path}/assets/${name}`, FILE_TYPES[extname(name)] as string, read, { policy: filePolicy });
    add(path, HTML_TYPE, () => html, { policy });
    for (const [name, text] of Object.entries(files)) addFile(name, () => text);
    for (const name of copied) addFile(name, () => readFile(new URL(`../../assets/${name}`, import.meta.url)));
  };
  addPage('/', startPage({ publicUrl, explorer, schema: schema !== undefined }));
  addPage('/docs', referencePage({ explorer }));
  for (const [path, collection] of [
    ['/postman.json', postmanCollection] as const,
    ['/bruno.json', brunoCollection] as const,
  ])
    add(path, 'application/json', () => JSON.stringify(collection(described(), publicUrl), null, 2));
  for (const { path, type, policy, read } of guideFiles({ publicUrl, explorer })) add(path, type, read, { policy });
  add('/llms.txt', 'text/plain; charset=utf-8', () => llmsText(publicUrl));
  const regimesIn = (tag: string) =>
    lazyAsset(HTML_TYPE, () => regimesPage({ regimes, explorer, language: languageOf(tag) }));
  paths.set('/regimes', { policy: pagePolicy(), load: new Map(LANGUAGES.map((tag) => [tag, regimesIn(tag)])) });
  for (const [path, pageOf] of [['/invitation', invitationPage] as const, ['/recovery', recoveryPage] as const]) {
    const pages = LANGUAGES.map((tag) => [tag, pageOf({ explorer, language: languageOf(tag) })] as const);
    const inEach = (type: string, text: (page: Page) => string) =>
      new Map(pages.map(([tag, page]) => [tag, lazyAsset(type, () => text(page))]));
    paths.set(path, { policy: pages[0]![1].policy, load: inEach(HTML_TYPE, ({ html }) => html) });
    const script = inEach(FILE_TYPES['.js']!, ({ files }) => files!['page.js']!);
    paths.set(`${path}/assets/page.js`, { policy: NO_POLICY, load: script });
  }
  if (explorer) addPage('/graphiql', graphiqlPage());
  for (const name of APPLICATION_FILES)
    add(`/pages/assets/${name}`, FILE_TYPES[extname(name)]!, () =>
      readFile(new URL(`../../assets/${name}`, import.meta.url)),
    );
  // Browsers request the second name where a page names none, such as a JSON answer.
  for (const path of ['/favicon.svg', '/favicon.ico']) add(path, 'image/svg+xml', () => MARK);
  add('/.well-known/audit-keys.json', 'application/jwk-set+json', () => JSON.stringify(auditKeys));
  add('/.well-known/api-catalog', API_CATALOG_TYPE, () => JSON.stringify(apiCatalog(publicUrl, schema !== undefined)));
  if (securityContact !== undefined)
    add('/.well-known/security.txt', 'text/plain; charset=utf-8', () => securityText(publicUrl, securityContact));
  if (schema) {
    const text = () => `${printSchema(lexicographicSortSchema(schema))}\n`;
    add('/schema.graphql', 'text/plain; charset=utf-8', text, { mayRead: mayReadSchema });
  }
  return paths;
}

const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Both APIs with where they are described, for programs that look for APIs (RFC 9727). */
function apiCatalog(publicUrl: string, hasSchema: boolean): object {
  const link = (path: string, type: string) => [{ href: `${publicUrl}${path}`, type }];
  const status = link('/health/ready', 'application/json');
  return {
    linkset: [
      {
        anchor: `${publicUrl}/api/v1`,
        'service-desc': link('/api/v1/openapi.json', 'application/json'),
        'service-doc': link('/docs', 'text/html'),
        status,
      },
      {
        anchor: `${publicUrl}/graphql`,
        ...(hasSchema && { 'service-desc': link('/schema.graphql', 'text/plain') }),
        'service-doc': link('/guides/graphql', 'text/html'),
        status,
      },
    ],
  };
}

/** Days for which readers may cache the contact; the file is generated by each start. */
const CONTACT_DAYS = 330;

/** RFC 9116. */
function securityText(publicUrl: string, contact: string): string {
  const expires = new Date(Date.now() + CONTACT_DAYS * DAY);
  const canonical = `${publicUrl}/.well-known/security.txt`;
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en\nCanonical: ${canonical}\n`;
}

/** Opens a stored logo by the last part of its path; rejects with NOT_FOUND or UNAVAILABLE. */
type OpenLogo = (name: string) => Promise<{ content: Readable; mediaType: string }>;

const LOGO_PATH = '/logos/';

/** Answers with the logo of an organization. It needs no token: mails and other sites show logos. */
async function sendLogo(request: IncomingMessage, response: ServerResponse, options: PortalOptions): Promise<void> {
  const logo = await options
    .openLogo(pathOf(request).slice(LOGO_PATH.length))
    .catch((error: unknown) => refusalOf(error));
  if (logo === 'NOT_FOUND') return sendMissingPage(request, response, options);
  if (logo === 'UNAVAILABLE') {
    setSafetyHeaders(response, contentPolicy());
    response.setHeader('retry-after', '5');
    if (sendJsonError(request, response, 503)) return;
    return void response.writeHead(503).end();
  }
  try {
    setSafetyHeaders(response, contentPolicy());
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    // The name is the hash of the content.
    response.setHeader('Cache-Control', 'public, max-age=86400');
    response.setHeader('Content-Type', logo.mediaType);
    if (request.method === 'HEAD') return void response.end();
    await pipeline(logo.content, response);
  } catch (error) {
    // The client closed the connection: meanwhile, or before the first byte.
    if (!LEFT.has((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    // Where nothing was read, nothing else closes the content.
    logo.content.destroy();
  }
}

const LEFT = new Set<string | undefined>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

function refusalOf(error: unknown): 'NOT_FOUND' | 'UNAVAILABLE' {
  if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'UNAVAILABLE')) return error.code;
  throw error;
}
