import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHALLENGE, tokenOf, VARY_BY_TOKEN } from '../http/context.js';
import { internal, methodNotAllowed, notFound, unauthenticated, unavailable, type DomainError } from '../errors.js';
import { pathOf, queryOf } from '../http/target.js';
import { languageOf, type Language } from '../messages/language.js';
import type { KeyBelow } from '../messages/message-key.js';
import type { UnsubscribeService, UnsubscriptionView } from '../services/reports/unsubscribe.service.js';
import { bar, contentPolicy, HTML_TYPE, htmlPage, pagePolicy, setSafetyHeaders, type Site } from './page.js';
import { answerIn, code, htmlOf, strong } from './words.js';

/**
 * Answers 404; a path that would be one of the APIs but for its spelling, with a sentence that says so. The page does not repeat
 * the address, which may contain a token (specification 5.3).
 */
export function sendMissingPage(request: IncomingMessage, response: ServerResponse, site: Site): void {
  if (/^\/+(?:api|graphql)(?:\/|$)/i.test(pathOf(request))) return sendJson(response, 404, [MISSPELT_API]);
  sendErrorPage(request, response, site, 404, 'notFound');
}

/** Answers 401: the page is for callers with a token. */
export function sendTokenRequired(request: IncomingMessage, response: ServerResponse, site: Site): void {
  response.setHeader('www-authenticate', CHALLENGE);
  sendErrorPage(request, response, site, 401, 'tokenRequired');
}

function sendErrorPage(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
  status: 401 | 404,
  what: 'notFound' | 'tokenRequired',
): void {
  if (sendJsonError(request, response, status)) return;
  const language = answerIn(request, response);
  const text = htmlOf(language, `${what}.text`, { header: code('X-Service-Token') });
  const root = `${new URL(site.publicUrl).pathname.replace(/\/$/, '')}/`;
  const content = `<p>${text}</p><p><a href="${root}">${htmlOf(language, 'start')}</a></p>`;
  sendMessagePage(response, status, site, { language, title: htmlOf(language, `${what}.title`), content, root });
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

/** Answers a client with the envelope that wants JSON and no page, or sends a token; returns whether it did. */
export function sendJsonError(
  request: IncomingMessage,
  response: ServerResponse,
  status: keyof typeof ERRORS,
): boolean {
  response.appendHeader('Vary', `Accept, ${VARY_BY_TOKEN}`);
  const types = (request.headers.accept ?? '').split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase());
  const isProgram = types.includes('application/json') && !types.includes('text/html');
  if (!isProgram && tokenOf(request) === undefined) return false;
  sendJson(response, status, ERRORS[status].messages);
  return true;
}

const MISSPELT_API =
  'The APIs are at /graphql and below /api/v1: in lower case, with single slashes and none at the end';

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

/** Sends a page that says one thing. */
export function sendMessagePage(
  response: ServerResponse,
  status: number,
  { explorer }: Site,
  { language, title, content, root = './', policy = pagePolicy(), head = '' }: MessagePage,
): void {
  const page = htmlPage({
    lang: language.tag,
    title,
    root,
    head: `<meta name="robots" content="noindex">${head}`,
    body: `${bar({ explorer, root, language })}
<main id="content" class="narrow message"><section class="card prose"><h1>${title}</h1>${content}</section></main>`,
  });
  setSafetyHeaders(response, policy);
  response.setHeader('Content-Language', language.tag);
  response.writeHead(status, { 'content-type': HTML_TYPE, 'content-length': Buffer.byteLength(page) });
  // Node sends no body in answer to HEAD.
  response.end(page);
}

interface MessagePage {
  language: Language;
  /** HTML. */
  title: string;
  /** HTML. */
  content: string;
  root?: string;
  policy?: string;
  /** Further elements of the head. */
  head?: string;
}

export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** An address without a valid signature is answered like any page that does not exist. */
export type Unsubscribing = Pick<UnsubscribeService, 'find' | 'apply'>;

/**
 * Answers the unsubscribe links of mails: POST ends the mails at once, as mail programs do it (RFC 8058); GET shows a
 * button, because malware scanners follow links, too. The body is not read.
 */
export async function answerUnsubscribe(
  request: IncomingMessage,
  response: ServerResponse,
  unsubscribing: Unsubscribing,
  site: Site,
): Promise<void> {
  request.resume();
  const query = queryOf(request);
  const posted = request.method === 'POST';
  const found = await (posted ? unsubscribing.apply(query) : unsubscribing.find(query));
  if (found === undefined) return sendMissingPage(request, response, site);
  response.setHeader('cache-control', 'no-store');
  if (!posted && request.method !== 'GET' && request.method !== 'HEAD') {
    return sendMethodNotAllowed(request, response, 'GET, HEAD, POST');
  }
  const preferred = answerIn(request, response);
  const language = found.language === null ? preferred : languageOf(found.language);
  const page = posted ? done(found, language) : question(found, language);
  sendMessagePage(response, 200, site, { ...page, language, policy: UNSUBSCRIBE_POLICY });
}

const UNSUBSCRIBE_POLICY = pagePolicy({ 'form-action': ["'self'"] });

function question(subscription: UnsubscriptionView, language: Language) {
  const isReport = subscription.categories === undefined;
  const title = htmlOf(language, isReport ? 'unsubscribe.stopReport' : 'unsubscribe.stopMails');
  return {
    title: `${title}?`,
    content: `<p>${sentence(subscription, language, isReport ? 'unsubscribe.report' : 'unsubscribe.mails')}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${title}</button></form>`,
  };
}

function done(subscription: UnsubscriptionView, language: Language) {
  const isReport = subscription.categories === undefined;
  const ended = sentence(subscription, language, isReport ? 'unsubscribe.reportEnded' : 'unsubscribe.mailsEnded');
  const title = htmlOf(language, isReport ? 'unsubscribe.reportStopped' : 'unsubscribe.mailsStopped');
  return { title, content: `<p>${ended}</p>` };
}

function sentence(
  { email, organization, categories = [] }: UnsubscriptionView,
  language: Language,
  key: KeyBelow<'web-page'>,
): string {
  return htmlOf(language, key, {
    organization: strong(organization ?? language.text('web-page.unsubscribe.thisOrganization')),
    categories: categories.map((category) => language.text(`web-page.category.${category}`)).join(', '),
    reader: strong(email),
  });
}
