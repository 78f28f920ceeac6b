import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../common/escape-html.js';
import { CHALLENGE } from '../http/context.js';
import { internal, methodNotAllowed, notFound, unauthenticated, unavailable, type DomainError } from '../errors.js';
import { pathOf, queryOf } from '../http/target.js';
import { contentPolicy, HTML_TYPE, htmlPage, MARK, pagePolicy, setSafetyHeaders } from './page.js';

/**
 * Answers 404; a path that would be one of the API but for its spelling, with a sentence that says so. The page does not repeat
 * the address, which may hold a token (specification 5.3).
 */
export function sendMissingPage(request: IncomingMessage, response: ServerResponse): void {
  if (/^\/+api\/+v1(?:\/|$)/i.test(pathOf(request))) return sendJson(response, 404, [MISSPELT_API]);
  sendErrorPage(request, response, 404, { title: 'Not found', text: 'This page does not exist.' });
}

/** Answers 401: the page is for callers with a token. */
export function sendTokenRequired(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('www-authenticate', CHALLENGE);
  const text = 'The schema is for callers with a token. Send the header <code>X-Service-Token</code>.';
  sendErrorPage(request, response, 401, { title: 'Token required', text });
}

function sendErrorPage(
  request: IncomingMessage,
  response: ServerResponse,
  status: 401 | 404,
  { title, text }: { title: string; text: string },
): void {
  if (sendJsonError(request, response, status)) return;
  const content = `<p>${text}</p><p><a href="/">Start page</a></p>`;
  sendMessagePage(response, status, { title, content, root: '/' });
}

export function sendMethodNotAllowed(request: IncomingMessage, response: ServerResponse, allow: string): void {
  response.setHeader('allow', allow);
  if (sendJsonError(request, response, 405)) return;
  setSafetyHeaders(response, contentPolicy());
  const text = 'Method not allowed\n';
  response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length });
  response.end(text);
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
  sendJson(response, status, ERRORS[status].messages);
  return true;
}

const MISSPELT_API = 'The paths of the API begin with /api/v1, in lower case and with single slashes';

function sendJson(response: ServerResponse, status: number, messages: readonly unknown[]): void {
  const body = JSON.stringify({ error: 1, messages });
  setSafetyHeaders(response, contentPolicy());
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  response.end(body);
}

/** Sends a page that says one thing, under the mark. */
export function sendMessagePage(
  response: ServerResponse,
  status: number,
  { title, content, root = './', policy = pagePolicy(), head = '' }: MessagePage,
): void {
  const page = htmlPage({
    title,
    root,
    head: `<meta name="robots" content="noindex">${head}`,
    body: `<main class="page">${MARK}<h1>${title}</h1>${content}</main>`,
  });
  setSafetyHeaders(response, policy);
  response.writeHead(status, { 'content-type': HTML_TYPE, 'content-length': Buffer.byteLength(page) });
  // Node sends no body in answer to HEAD.
  response.end(page);
}

interface MessagePage {
  title: string;
  /** HTML. */
  content: string;
  root?: string;
  policy?: string;
  /** Further elements of the head. */
  head?: string;
}

export const UNSUBSCRIBE_PATH = '/unsubscribe';

interface Subscription {
  email: string;
  organization: string | undefined;
  /** Of notifications; weekly reports when absent. */
  categories?: readonly string[] | undefined;
}

/** Undefined is an address without a valid signature; it is answered like any page that does not exist. */
export interface Unsubscribing {
  find(query: URLSearchParams): Promise<Subscription | undefined>;
  apply(query: URLSearchParams): Promise<Subscription | undefined>;
}

/**
 * Answers the unsubscribe links of mails: POST ends the mails at once, as mail programs do it (RFC 8058); GET shows a
 * button, because malware scanners follow links, too. The body is not read.
 */
export async function answerUnsubscribe(
  request: IncomingMessage,
  response: ServerResponse,
  { find, apply }: Unsubscribing,
): Promise<void> {
  request.resume();
  const query = queryOf(request);
  const posted = request.method === 'POST';
  const found = posted ? await apply(query) : await find(query);
  if (found === undefined) return sendMissingPage(request, response);
  response.setHeader('cache-control', 'no-store');
  if (!posted && request.method !== 'GET' && request.method !== 'HEAD') {
    return sendMethodNotAllowed(request, response, 'GET, HEAD, POST');
  }
  sendMessagePage(response, 200, { ...(posted ? done(found) : question(found)), policy: UNSUBSCRIBE_POLICY });
}

const UNSUBSCRIBE_POLICY = pagePolicy({ 'form-action': ["'self'"] });

function question(subscription: Subscription): MessagePage {
  const title = subscription.categories === undefined ? 'Stop the weekly report' : 'Stop these mails';
  return {
    title: `${title}?`,
    content: `<p>${mailsOf(subscription, '')}.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${title}</button></form>`,
  };
}

function done(subscription: Subscription): MessagePage {
  const [title, undo] =
    subscription.categories === undefined
      ? ['The weekly report is stopped', 'A manager of the organization can switch it on again.']
      : ['These mails are stopped', 'The member can switch them on again.'];
  return { title, content: `<p>${mailsOf(subscription, 'no longer ')}. ${undo}</p>` };
}

function mailsOf({ email, organization = 'this organization', categories }: Subscription, ended: string): string {
  const [name, reader] = [organization, email].map((text) => `<strong>${escapeHtml(text)}</strong>`);
  if (categories === undefined) return `The weekly security report of ${name} ${ended}goes to ${reader}`;
  return `Notifications of ${name} in the categories ${categories.join(', ')} ${ended}go to ${reader}`;
}
