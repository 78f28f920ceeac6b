import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazily, makeAsset, sendAsset, type Asset } from './asset.js';
import { sendJsonError, sendMethodNotAllowed, sendMissingPage, sendTokenRequired } from './error-page.js';
import { GRAPHIQL_ASSETS, GRAPHIQL_POLICY, graphiqlPage } from './graphiql-page.js';
import { INVITATION_ASSETS, invitationPage } from './invitation-page.js';
import { LOGO_PATH, sendLogo, type OpenLogo } from './logo.js';
import { contentPolicy, MARK, pagePolicy } from './page.js';
import { RECOVERY_ASSETS, recoveryPage } from './recovery-page.js';
import { REFERENCE_ASSETS, REFERENCE_POLICY, referencePage } from './reference-page.js';
import { startPage } from './start-page.js';
import { TOKEN_PAGE_POLICY } from './token-page.js';
import { answerUnsubscribe, UNSUBSCRIBE_PATH, type Unsubscribing } from './unsubscribe-page.js';

export interface PortalOptions {
  /** What absolute addresses begin with, without a slash at the end. */
  publicUrl: string;
  /** Whether GraphiQL is served and the explorer linked. */
  explorer: boolean;
  /** Served as text at `/schema.graphql`; left out where introspection is off. */
  schema?: GraphQLSchema;
  /** Whether the sender of a request may see the schema; everybody may when absent. */
  mayReadSchema?: (request: IncomingMessage) => Promise<boolean>;
  /** Opens a stored logo by the last part of its path; without it `/logos/` is not the portal's. */
  openLogo?: OpenLogo;
  /** Ends reports by the links in their mails; without it `/unsubscribe` is not the portal's. */
  unsubscribing?: Unsubscribing;
  /** Receives unexpected errors, of which the client learns no more than 500. */
  onError?: (error: unknown) => void;
}

/** Answers the requests of its own pages; passes others to `next`, or answers 404 where there is none. */
export type Portal = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

interface Page {
  policy: string;
  load: () => Promise<Asset>;
  /** Who may see it; everybody when absent. */
  mayRead?: ((request: IncomingMessage) => Promise<boolean>) | undefined;
}

/** Serves everything that a person sees in a browser, except for the explorer's own page. */
export function createPortal(options: PortalOptions): Portal {
  const pages = createPages(options);
  return (request, response, next) => {
    answer(pages, options, request, response, next).catch((error: unknown) => {
      if (next && !response.headersSent) return next(error);
      options.onError?.(error);
      if (response.headersSent) return void response.destroy();
      if (sendJsonError(request, response, 500)) return;
      response.statusCode = 500;
      response.end();
    });
  };
}

async function answer(
  pages: ReadonlyMap<string, Page>,
  { openLogo, unsubscribing }: PortalOptions,
  request: IncomingMessage,
  response: ServerResponse,
  next: ((error?: unknown) => void) | undefined,
): Promise<void> {
  // Never decoded: a path exists only as it is written in the table.
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (unsubscribing && path === UNSUBSCRIBE_PATH) return answerUnsubscribe(request, response, unsubscribing);
  const page = pages.get(path);
  const logo = openLogo !== undefined && path.startsWith(LOGO_PATH);
  const slash = page === undefined && path.endsWith('/') && pages.has(path.slice(0, -1));
  if (page === undefined && !logo && !slash) {
    if (next && !OWN_FOLDERS.some((folder) => path.startsWith(folder))) return next();
    return sendMissingPage(request, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendMethodNotAllowed(request, response, 'GET, HEAD');
  }
  if (page?.mayRead && !(await page.mayRead(request))) return sendTokenRequired(request, response);
  if (page) return sendAsset(request, response, await page.load(), page.policy);
  if (logo) return sendLogo(request, response, openLogo);
  // Relative, because a proxy may have put the site under a path; the query string may hold a token and is left out.
  response.writeHead(308, { location: `../${path.slice(0, -1).split('/').at(-1)}` }).end();
}

const OWN_FOLDERS = ['/docs/', '/graphiql/', '/invitation/', '/recovery/'];
const NO_POLICY = contentPolicy();

function createPages({ publicUrl, explorer, schema, mayReadSchema }: PortalOptions): ReadonlyMap<string, Page> {
  const favicon = lazily(() => makeAsset('image/svg+xml', MARK));
  const pages = new Map<string, Page>([
    [
      '/',
      { policy: pagePolicy(), load: lazily(() => startPage({ publicUrl, explorer, schema: schema !== undefined })) },
    ],
    // Browsers request the second name where a page names none, such as a JSON answer.
    ['/favicon.svg', { policy: NO_POLICY, load: favicon }],
    ['/favicon.ico', { policy: NO_POLICY, load: favicon }],
    ['/docs', { policy: REFERENCE_POLICY, load: lazily(() => referencePage({ explorer })) }],
    ...folder('/docs/assets/', REFERENCE_ASSETS),
    ['/invitation', { policy: TOKEN_PAGE_POLICY, load: lazily(() => invitationPage({ explorer })) }],
    ...folder('/invitation/assets/', INVITATION_ASSETS),
    ['/recovery', { policy: TOKEN_PAGE_POLICY, load: lazily(() => recoveryPage({ explorer })) }],
    ...folder('/recovery/assets/', RECOVERY_ASSETS),
  ]);
  if (schema) {
    const text = () => makeAsset('text/plain; charset=utf-8', `${printSchema(lexicographicSortSchema(schema))}\n`);
    pages.set('/schema.graphql', { policy: NO_POLICY, load: lazily(text), mayRead: mayReadSchema });
  }
  if (!explorer) return pages;
  pages.set('/graphiql', { policy: GRAPHIQL_POLICY, load: lazily(graphiqlPage) });
  for (const [path, page] of folder('/graphiql/assets/', GRAPHIQL_ASSETS, GRAPHIQL_POLICY)) pages.set(path, page);
  return pages;
}

function folder(
  path: string,
  assets: Readonly<Record<string, () => Promise<Asset>>>,
  policy = NO_POLICY,
): [string, Page][] {
  return Object.entries(assets).map(([name, make]) => [path + name, { policy, load: lazily(make) }]);
}
