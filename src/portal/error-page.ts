import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHALLENGE } from '../context.js';
import { internal, methodNotAllowed, notFound, unauthenticated, unavailable, type DomainError } from '../errors.js';
import { setSafetyHeaders } from './asset.js';
import { contentPolicy, HTML_TYPE, htmlPage, MARK, pagePolicy } from './page.js';

/** Answers 404. The page does not repeat the address, which may hold a token (specification 5.3). */
export function sendMissingPage(request: IncomingMessage, response: ServerResponse): void {
  if (sendJsonError(request, response, 404)) return;
  const content = `<p>This page does not exist.</p>${START_LINK}`;
  sendMessagePage(response, 404, { title: 'Not found', content, root: '/' });
}

/** Answers 401: the page is for callers with a token. */
export function sendTokenRequired(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('www-authenticate', CHALLENGE);
  if (sendJsonError(request, response, 401)) return;
  const text = 'The schema is for callers with a token. Send the header <code>X-Service-Token</code>.';
  sendMessagePage(response, 401, { title: 'Token required', content: `<p>${text}</p>${START_LINK}`, root: '/' });
}

export function sendMethodNotAllowed(request: IncomingMessage, response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow);
  if (sendJsonError(request, response, 405)) return;
  setSafetyHeaders(response, contentPolicy());
  response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('Method not allowed\n');
}

const ERRORS = {
  401: unauthenticated(),
  404: notFound(),
  405: methodNotAllowed(),
  500: internal(),
  503: unavailable(),
} satisfies Record<number, DomainError>;

/** Answers with the envelope when the client wants JSON and no page; returns whether it did. */
export function sendJsonError(
  { headers: { accept = '' } }: IncomingMessage,
  response: ServerResponse,
  status: keyof typeof ERRORS,
): boolean {
  response.appendHeader('Vary', 'Accept');
  const types = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase());
  if (!types.includes('application/json') || types.includes('text/html')) return false;
  const body = JSON.stringify({ error: 1, messages: ERRORS[status].messages });
  setSafetyHeaders(response, contentPolicy());
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
  return true;
}

/** Sends a page that says one thing, under the mark. */
export function sendMessagePage(
  response: ServerResponse,
  status: number,
  { title, content, root = './', policy = pagePolicy() }: MessagePage,
): void {
  const page = htmlPage({
    title: `${title} – Compliance Gateway`,
    root,
    head: '<meta name="robots" content="noindex">',
    body: `<main class="page">${MARK}<h1>${title}</h1>${content}</main>`,
  });
  setSafetyHeaders(response, policy);
  response.writeHead(status, { 'content-type': HTML_TYPE, 'content-length': Buffer.byteLength(page) });
  // Node sends no body in answer to HEAD.
  response.end(page);
}

export interface MessagePage {
  title: string;
  /** HTML. */
  content: string;
  root?: string;
  policy?: string;
}

const START_LINK = '<p><a href="/">Start page</a></p>';
