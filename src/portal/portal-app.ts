import type { GraphQLSchema } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazily, makeAsset, sendAsset, setSafetyHeaders, type Asset } from './asset.js';
import { contentPolicy } from './content-policy.js';
import { GRAPHIQL_ASSETS, GRAPHIQL_POLICY, graphiqlPage } from './graphiql-page.js';
import { SVG_TYPE } from './html-page.js';
import { INVITATION_ASSETS, INVITATION_POLICY, invitationPage } from './invitation-page.js';
import { LOGO_PATH, sendLogo, type OpenLogo } from './logo.js';
import { sendMissingPage, sendTokenRequired } from './missing-page.js';
import { sendJsonError } from './portal-error.js';
import { RECOVERY_ASSETS, recoveryPage } from './recovery-page.js';
import { REFERENCE_ASSETS, REFERENCE_POLICY, referencePage } from './reference-page.js';
import { SCHEMA_POLICY, schemaPage, schemaText } from './schema-page.js';
import { START_POLICY, startPage } from './start-page.js';
import { MARK } from './theme.js';
import { answerUnsubscribe, UNSUBSCRIBE_PATH, type Unsubscribing } from './unsubscribe.js';

export interface PortalOptions {
  /** What absolute addresses begin with, without a slash at the end. */
  publicUrl: string;
  /** Whether GraphiQL is served and the explorer linked. */
  explorer: boolean;
  /** Shown as a map at `/schema`, and as its text at `/schema.graphql`; leave it out where introspection is off. */
  schema?: GraphQLSchema;
  /** Whether the sender of a request may see the schema; everybody may when absent. */
  mayReadSchema?: (request: IncomingMessage) => Promise<boolean>;
  /** Opens a stored logo by the last part of its path; leave it out and `/logos/` is not the portal's. */
  openLogo?: OpenLogo;
  /** Ends reports by the links in their mails; leave it out and `/unsubscribe` is not the portal's. */
  unsubscribing?: Unsubscribing;
  /** Told of what went wrong in the middle of an answer; the client is told only that something did. */
  onFault?: (error: unknown) => void;
}

/** Answers what is the portal's; hands everything else to `next`, or says 404 itself where there is none. */
export type Portal = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

interface Page {
  policy: string;
  load: () => Promise<Asset>;
  /** Who may see it; everybody when absent. */
  mayRead?: ((request: IncomingMessage) => Promise<boolean>) | undefined;
}

/** Everything that a person sees in a browser beside the explorer's own page, all of it from files of ours. */
export function createPortal(options: PortalOptions): Portal {
  const pages = pagesOf(options);
  return (request, response, next) => {
    answer(pages, options, request, response, next).catch((error: unknown) => {
      if (next && !response.headersSent) return next(error);
      options.onFault?.(error);
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
  // Compared as it stands, never decoded: a path that is not in the table to the letter does not exist.
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (unsubscribing && path === UNSUBSCRIBE_PATH) return answerUnsubscribe(request, response, unsubscribing);
  const page = pages.get(path);
  const logo = openLogo !== undefined && path.startsWith(LOGO_PATH);
  const slash = page === undefined && path.endsWith('/') && pages.has(path.slice(0, -1));
  if (page === undefined && !logo && !slash) {
    if (next && !OWN_FOLDERS.some((folder) => path.startsWith(folder))) return next();
    return sendMissingPage(request, response);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(request, response);
  if (page?.mayRead && !(await page.mayRead(request))) return sendTokenRequired(request, response);
  if (page) return sendAsset(request, response, await page.load(), page.policy);
  if (logo) return sendLogo(request, response, openLogo);
  // Relative addresses inside a page need it to be where we say it is; the query string is left behind.
  response.writeHead(308, { location: `../${path.slice(0, -1).split('/').at(-1)}` }).end();
}

const OWN_FOLDERS = ['/docs/', '/graphiql/', '/invitation/', '/recovery/', '/schema/'];

const NO_POLICY = contentPolicy();

function pagesOf({ publicUrl, explorer, schema, mayReadSchema: mayRead }: PortalOptions): ReadonlyMap<string, Page> {
  const links = { root: './', explorer, schema: schema !== undefined };
  const favicon = lazily(() => makeAsset(SVG_TYPE, MARK));
  const pages = new Map<string, Page>([
    ['/', { policy: START_POLICY, load: lazily(() => startPage({ ...links, publicUrl })) }],
    ['/docs', { policy: REFERENCE_POLICY, load: lazily(() => referencePage(links)) }],
    // Browsers ask for the second name where a page is not ours, such as a JSON answer.
    ['/favicon.svg', { policy: NO_POLICY, load: favicon }],
    ['/favicon.ico', { policy: NO_POLICY, load: favicon }],
    ...folder('/docs/assets/', REFERENCE_ASSETS),
    ['/invitation', { policy: INVITATION_POLICY, load: lazily(() => invitationPage(links)) }],
    ...folder('/invitation/assets/', INVITATION_ASSETS),
    ['/recovery', { policy: INVITATION_POLICY, load: lazily(() => recoveryPage(links)) }],
    ...folder('/recovery/assets/', RECOVERY_ASSETS),
  ]);
  if (schema) {
    pages.set('/schema', { policy: SCHEMA_POLICY, load: lazily(() => schemaPage(schema, links)), mayRead });
    pages.set('/schema.graphql', { policy: NO_POLICY, load: lazily(() => schemaText(schema)), mayRead });
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

function refuseMethod(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD');
  if (sendJsonError(request, response, 405)) return;
  setSafetyHeaders(response, NO_POLICY);
  response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('Method not allowed\n');
}
