import type { IncomingMessage, ServerResponse } from 'node:http';
import { setSafetyHeaders } from './asset.js';
import { contentPolicy, inlineSource } from './content-policy.js';
import { escapeHtml, HTML_TYPE, htmlPage } from './html-page.js';
import { sendMissingPage } from './missing-page.js';
import { sendJsonError } from './portal-error.js';
import { MARK, THEME_STYLE } from './theme.js';

export const UNSUBSCRIBE_PATH = '/unsubscribe';

interface Subscription {
  email: string;
  organization: string | undefined;
}

/** Undefined is an address that nobody made: it looks like every other that is not there. */
export interface Unsubscribing {
  find(query: URLSearchParams): Promise<Subscription | undefined>;
  apply(query: URLSearchParams): Promise<Subscription | undefined>;
}

/**
 * The other end of the links in mails: POST ends the reports at once, as mail programs do it (RFC 8058); GET asks a
 * person first, because programs that look for harm follow links, too. What is posted is not read.
 */
export async function answerUnsubscribe(
  request: IncomingMessage,
  response: ServerResponse,
  { find, apply }: Unsubscribing,
): Promise<void> {
  request.resume();
  const [, text = ''] = (request.url ?? '').split('?', 2);
  const query = new URLSearchParams(text);
  const posted = request.method === 'POST';
  const found = posted ? await apply(query) : await find(query);
  if (found === undefined) return sendMissingPage(request, response);
  setSafetyHeaders(response, POLICY);
  response.setHeader('cache-control', 'no-store');
  if (!posted && request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD, POST');
    if (sendJsonError(request, response, 405)) return;
    response.writeHead(405, { 'content-type': 'text/plain; charset=utf-8' });
    return void response.end('Method not allowed\n');
  }
  const page = posted ? donePage(found) : questionPage(found);
  response.writeHead(200, { 'content-type': HTML_TYPE, 'content-length': Buffer.byteLength(page) });
  response.end(request.method === 'HEAD' ? undefined : page);
}

const STYLE = `${THEME_STYLE}
body { min-height: 100vh; display: grid; place-content: center; padding: 1rem; text-align: center; }
svg { width: 3.5rem; height: 3.5rem; }
h1 { margin: .5rem 0; font-size: 1.5rem; }
p { max-width: 34rem; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 650; padding: .6rem 1.4rem; border: 0; border-radius: 6px; cursor: pointer;
  background: var(--brand-ink); color: var(--card); }
button:focus-visible { outline: 3px solid var(--brand); outline-offset: 3px; }
`;

const POLICY = contentPolicy({
  'style-src': [inlineSource(STYLE)],
  'img-src': ["'self'"],
  'form-action': ["'self'"],
});

function questionPage({ email, organization = 'this organization' }: Subscription): string {
  return page(
    'Stop the weekly report?',
    `<p>The weekly security report of <strong>${escapeHtml(organization)}</strong> goes to <strong>${escapeHtml(email)}</strong>.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Stop the weekly report</button></form>`,
  );
}

function donePage({ email, organization = 'this organization' }: Subscription): string {
  return page(
    'The weekly report is stopped',
    `<p>The weekly security report of <strong>${escapeHtml(organization)}</strong> does not go to <strong>${escapeHtml(email)}</strong> any more. Those who manage the organization can switch it on again.</p>`,
  );
}

function page(title: string, content: string): string {
  return htmlPage({
    title: `${title} – Compliance Gateway`,
    root: './',
    head: `<meta name="robots" content="noindex">\n<style>${STYLE}</style>`,
    body: `<main>${MARK}<h1>${title}</h1>${content}</main>`,
  });
}
