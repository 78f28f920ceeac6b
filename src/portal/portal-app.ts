import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pathOf } from '../http/target.js';
import { lazily, makeAsset, sendAsset, type Asset } from './asset.js';
import { sendJsonError, sendMethodNotAllowed, sendMissingPage, sendTokenRequired } from './error-page.js';
import { graphiqlPage } from './graphiql-page.js';
import { LOGO_PATH, sendLogo, type OpenLogo } from './logo.js';
import { contentPolicy, HTML_TYPE, MARK, type Page } from './page.js';
import { referencePage } from './reference-page.js';
import { startPage } from './start-page.js';
import { invitationPage, recoveryPage } from './token-pages.js';
import { answerUnsubscribe, UNSUBSCRIBE_PATH, type Unsubscribing } from './unsubscribe-page.js';

export interface PortalOptions {
  /** What absolute addresses begin with, without a slash at the end. */
  publicUrl: string;
  /** Whether GraphiQL is served and the explorer linked. */
  explorer: boolean;
  /** Served as text at `/schema.graphql`; left out where introspection is off. */
  schema?: GraphQLSchema;
  /** Whether the sender of a request may see the schema; any sender may when absent. */
  mayReadSchema?: (request: IncomingMessage) => Promise<boolean>;
  /** The keys that checkpoints of audit trails are signed with: a JSON Web Key Set. */
  auditKeys: object;
  openLogo: OpenLogo;
  /** Ends reports by the links in their mails. */
  unsubscribing: Unsubscribing;
  /** Receives unexpected errors, of which the client learns no more than 500. */
  onError: (error: unknown) => void;
}

/** What is served at one path. */
interface Served {
  policy: string;
  load: () => Promise<Asset>;
  /** Who may see it; any sender when absent. */
  mayRead?: ((request: IncomingMessage) => Promise<boolean>) | undefined;
}

/** Serves everything that a person sees in a browser, except for the explorer's own page; any other path is 404. */
export function createPortal(options: PortalOptions): RequestListener {
  const paths = servedPaths(options);
  return (request, response) => {
    answer(paths, options, request, response).catch((error: unknown) => {
      options.onError(error);
      if (response.headersSent) return void response.destroy();
      if (sendJsonError(request, response, 500)) return;
      response.statusCode = 500;
      response.end();
    });
  };
}

async function answer(
  paths: ReadonlyMap<string, Served>,
  { openLogo, unsubscribing }: PortalOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Never decoded: a path exists only as it is written in the table.
  const path = pathOf(request);
  if (path === UNSUBSCRIBE_PATH) return answerUnsubscribe(request, response, unsubscribing);
  const served = paths.get(path);
  const isLogo = path.startsWith(LOGO_PATH);
  const hasSlash = path.endsWith('/') && paths.has(path.slice(0, -1));
  if (served === undefined && !isLogo && !hasSlash) return sendMissingPage(request, response);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendMethodNotAllowed(request, response, 'GET, HEAD');
  }
  if (served?.mayRead && !(await served.mayRead(request))) return sendTokenRequired(request, response);
  if (served) return sendAsset(request, response, await served.load(), served.policy);
  if (isLogo) return sendLogo(request, response, openLogo);
  // Relative, because a proxy may have put the site under a path; the query string may hold a token and is left out.
  response.writeHead(308, { location: `../${path.slice(0, -1).split('/').at(-1)}` }).end();
}

const NO_POLICY = contentPolicy();

function servedPaths(options: PortalOptions): ReadonlyMap<string, Served> {
  const { publicUrl, explorer, auditKeys, schema, mayReadSchema } = options;
  const paths = new Map<string, Served>();
  const add = (path: string, make: () => Promise<Asset>, policy = NO_POLICY) =>
    paths.set(path, { policy, load: lazily(make) });
  const addPage = (path: string, { html, policy, files, filePolicy }: Page) => {
    add(path, () => makeAsset(HTML_TYPE, html), policy);
    for (const [name, make] of Object.entries(files)) add(`${path}/assets/${name}`, make, filePolicy);
  };
  addPage('/', startPage({ publicUrl, explorer, schema: schema !== undefined }));
  addPage('/docs', referencePage({ explorer }));
  addPage('/invitation', invitationPage({ explorer }));
  addPage('/recovery', recoveryPage({ explorer }));
  if (explorer) addPage('/graphiql', graphiqlPage());
  // Browsers request the second name where a page names none, such as a JSON answer.
  for (const path of ['/favicon.svg', '/favicon.ico']) add(path, () => makeAsset('image/svg+xml', MARK));
  add('/.well-known/audit-keys.json', () => makeAsset('application/jwk-set+json', JSON.stringify(auditKeys)));
  if (schema) {
    const text = () => makeAsset('text/plain; charset=utf-8', `${printSchema(lexicographicSortSchema(schema))}\n`);
    paths.set('/schema.graphql', { policy: NO_POLICY, load: lazily(text), mayRead: mayReadSchema });
  }
  return paths;
}
