import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHALLENGE } from '../context.js';
import { setSafetyHeaders } from './asset.js';
import { contentPolicy, inlineSource } from './content-policy.js';
import { HTML_TYPE, htmlPage } from './html-page.js';
import { sendJsonError } from './portal-error.js';
import { MARK, THEME_STYLE } from './theme.js';

/** Says 404 to a person. It does not repeat the address: an address may hold a token (specification 5.3). */
export function sendMissingPage(request: IncomingMessage, response: ServerResponse): void {
  if (!sendJsonError(request, response, 404)) send(response, 404, MISSING);
}

/** Says 401 to a person: the page is for callers with a token. */
export function sendTokenRequired(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('www-authenticate', CHALLENGE);
  if (!sendJsonError(request, response, 401)) send(response, 401, TOKEN_REQUIRED);
}

function send(response: ServerResponse, status: number, page: string): void {
  setSafetyHeaders(response, POLICY);
  response.writeHead(status, { 'content-type': HTML_TYPE, 'content-length': Buffer.byteLength(page) });
  response.end(page);
}

const STYLE = `${THEME_STYLE}
body { min-height: 100vh; display: grid; place-content: center; padding: 1rem; text-align: center; }
svg { width: 3.5rem; height: 3.5rem; }
h1 { margin: .5rem 0; font-size: 1.5rem; }
`;

const MISSING = pageOf('Not found', 'There is nothing at this address', '');
const TOKEN_REQUIRED = pageOf(
  'Token required',
  'The schema is for callers with a token',
  '<p>Send the header <code>X-Service-Token</code> with the request.</p>',
);

function pageOf(title: string, heading: string, text: string): string {
  return htmlPage({
    title: `${title} – Compliance Gateway`,
    root: '/',
    head: `<style>${STYLE}</style>`,
    body: `<main>${MARK}<h1>${heading}</h1>${text}<p><a href="/">To the start page</a></p></main>`,
  });
}

const POLICY = contentPolicy({ 'style-src': [inlineSource(STYLE)], 'img-src': ["'self'"] });
