import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { escapeHtml } from '../common/escape-html.js';
import { hasCurrent, takesEncoding } from '../http/negotiation.js';
import { english, type Language } from '../messages/language.js';
import type { KeyBelow } from '../messages/message-key.js';

/** A page as it is served, and the files that it loads from `<its path>/assets/`. */
export interface Page {
  html: string;
  policy: string;
  /** The text of each file by its name. */
  files?: Readonly<Record<string, string>>;
  /** Names of files that `scripts/assets.js` has copied from development packages. */
  copied?: readonly string[];
  /** Of the files; allows nothing when absent. */
  filePolicy?: string;
}

interface PageParts {
  /** Tag of its language; English when absent. */
  lang?: string;
  /** Of a page other than the start page. */
  title?: string;
  /** From the page to the root of the site; a proxy may have put the site under a path. */
  root?: string;
  /** Of the files that `scripts/web.js` makes: the bar and the colours alone, for elements that a package brings. */
  look?: 'web.css' | 'look.css';
  /** Elements of the head beside those of every page. */
  head?: string;
  body: string;
}

/** A whole page. Its parts are trusted: foreign text has been through `escapeHtml`. */
export function htmlPage({ lang = 'en', title, root = './', look = 'web.css', head = '', body }: PageParts): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === undefined ? '' : `${escapeHtml(title)} – `}Compliance Gateway</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}pages/assets/${look}">
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/** The site that every page is a part of. */
export interface Site {
  /** The beginning of absolute addresses, without a slash at the end. */
  publicUrl: string;
  /** Whether GraphiQL is served. */
  explorer: boolean;
}

interface BarParts extends Pick<Site, 'explorer'> {
  root?: string;
  language?: Language;
  /** The one of its pages that is open. */
  here?: '' | 'guides' | 'docs' | 'graphiql';
}

/** The bar at the top of a page, with links to the other pages. `root` leads from the page to the root of the site. */
export function bar({ explorer, root = './', language = english, here }: BarParts): string {
  const text = (key: KeyBelow<'pages'>) => escapeHtml(language.text(`pages.${key}`));
  const opens = (path: string) => `href="${root}${path}"${path === here ? ' aria-current="page"' : ''}`;
  const graphiql = explorer ? `<a ${opens('graphiql')}>GraphiQL</a>` : '';
  return `<a class="skip" href="#content">${text('skip')}</a>
<header class="band"><div class="wide">
<a class="name" ${opens('')}>${markOf('fill="#fff"', 'class="mark-ink"')}${text('gateway')}</a>
<nav aria-label="${text('site')}">
<a ${opens('guides')}>${text('guides')}</a> <a ${opens('docs')}>${text('reference')}</a> ${graphiql} <a ${opens('portfolio')}>${text('portfolio.title')}</a>
</nav>
</div></header>`;
}

/** The text of a Content-Security-Policy that allows nothing beside the given sources. */
export function contentPolicy(sources: Readonly<Record<string, readonly string[]>> = {}): string {
  const directives = {
    'default-src': ["'none'"],
    'form-action': ["'none'"],
    ...sources,
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
}

/** The policy of a page of this template: styles and images of this site, and the given sources. */
export function pagePolicy(sources: Readonly<Record<string, readonly string[]>> = {}): string {
  return contentPolicy({ 'style-src': ["'self'"], 'img-src': ["'self'"], ...sources });
}

/** Allows one inline script with exactly this content. */
export function inlineSource(content: string): string {
  return `'sha256-${hash('sha256', content, 'base64')}'`;
}

export const HTML_TYPE = 'text/html; charset=utf-8';

/** A shield with a doorway, by the attributes of both. */
const markOf = (shield: string, doorway: string) =>
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">' +
  `<path ${shield} d="M16 1.5 28 5.6v9.9c0 7.2-5 12.5-12 15-7-2.5-12-7.8-12-15V5.6z"/>` +
  `<path ${doorway} d="M10.5 22.5V12.6a5.5 5.5 0 0 1 11 0v9.9h-3V12.6a2.5 2.5 0 0 0-5 0v9.9z"/>` +
  `<circle ${doorway} cx="16" cy="20.8" r="1.7"/></svg>`;

/** The logo, as a file as well. */
export const MARK = markOf('fill="#1f6feb"', 'fill="#fff"').replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');

/** Fixed content, stored only compressed: nearly every browser accepts it. */
interface Asset {
  readonly type: string;
  readonly gzipped: Buffer;
  /** Hash of the plain content, without the quotes of an ETag. */
  readonly hash: string;
}

/** Headers of every answer of the portal beside its policy. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  // An address may contain a token (specification 5.3).
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  // No window that opened a page, or that it opens, may reach into it.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': ['camera', 'geolocation', 'microphone', 'payment', 'usb']
    .map((name) => `${name}=()`)
    .join(', '),
});

/** Makes an asset at the first request. After a failure the next request tries again. */
export function lazyAsset(type: string, read: () => string | Promise<Buffer>): () => Promise<Asset> {
  let made: Asset | undefined;
  return async () => (made ??= await makeAsset(type, await read()));
}

async function makeAsset(type: string, content: string | Buffer): Promise<Asset> {
  const gzipped = await promisify(gzip)(content);
  return { type, gzipped, hash: hash('sha256', content, 'base64url').slice(0, 22) };
}

/**
 * Answers GET or HEAD with an asset, compressed if the client accepts that, or with 304. `no-cache` makes browsers
 * revalidate, so that they never mix the files of two releases. `language` is that of one which other clients get in others.
 */
export async function sendAsset(
  request: IncomingMessage,
  response: ServerResponse,
  asset: Asset,
  policy: string,
  language?: string,
): Promise<void> {
  const compressed = takesEncoding(request, 'gzip');
  const etag = compressed ? `"${asset.hash}-gzip"` : `"${asset.hash}"`;
  setSafetyHeaders(response, policy);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('ETag', etag);
  response.setHeader('Vary', language === undefined ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language');
  if (language !== undefined) response.setHeader('Content-Language', language);
  if (hasCurrent(request, etag)) {
    response.statusCode = 304;
    return void response.end();
  }
  const body = compressed ? asset.gzipped : await promisify(gunzip)(asset.gzipped);
  response.statusCode = 200;
  response.setHeader('Content-Type', asset.type);
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  // Node sends no body in answer to HEAD.
  response.end(body);
}

export function setSafetyHeaders(response: ServerResponse, policy: string): void {
  for (const [name, value] of Object.entries(SAFETY_HEADERS)) response.setHeader(name, value);
  response.setHeader('Content-Security-Policy', policy);
}

/** A page or file at one path. */
export interface Served {
  policy: string;
  /** In each language, where there are several: by tags. */
  load: ReturnType<typeof lazyAsset> | ReadonlyMap<string, ReturnType<typeof lazyAsset>>;
  /** Condition on the reader; any sender of a request when absent. */
  mayRead?: ((request: IncomingMessage) => Promise<boolean>) | undefined;
}
