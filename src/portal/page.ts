import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { escapeHtml } from '../common/escape-html.js';
import { hasCurrent, takesEncoding } from '../http/negotiation.js';
import { english, type Language } from '../messages/language.js';
import { htmlOf } from './words.js';

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
  /** Elements of the head beside those of every page. */
  head?: string;
  body: string;
}

/** A whole page. Its parts are trusted: foreign text has been through `escapeHtml`. */
export function htmlPage({ lang = 'en', title, root = './', head = '', body }: PageParts): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === undefined ? '' : `${escapeHtml(title)} – `}Compliance Gateway</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

interface BarParts {
  explorer: boolean;
  root?: string;
  language?: Language;
}

/** The bar at the top of a page, with links to the other pages. `root` leads from the page to the root of the site. */
export function bar({ explorer, root = './', language = english }: BarParts): string {
  const graphql = explorer ? `<a href="${root}graphql">GraphQL</a>` : '';
  const links = `${graphql}<a href="${root}docs">REST</a><a href="${root}guides">${htmlOf(language, 'guides')}</a>`;
  return `<header class="bar"><a href="${root}">${MARK}<span>Compliance </span>Gateway</a><nav aria-label="${htmlOf(language, 'pages')}">${links}</nav></header>`;
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

/** The policy of a page of this template: its style, images of this site, and the given sources. */
export function pagePolicy(sources: Readonly<Record<string, readonly string[]>> = {}): string {
  return contentPolicy({ 'style-src': [inlineSource(STYLE)], 'img-src': ["'self'"], ...sources });
}

/** Allows one inline script or style with exactly this content. */
export function inlineSource(content: string): string {
  return `'sha256-${hash('sha256', content, 'base64')}'`;
}

export const HTML_TYPE = 'text/html; charset=utf-8';

/** The logo: a shield with a doorway. */
export const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">' +
  '<path fill="#1f6feb" d="M16 1.5 28 5.6v9.9c0 7.2-5 12.5-12 15-7-2.5-12-7.8-12-15V5.6z"/>' +
  '<path fill="#fff" d="M10.5 22.5V12.6a5.5 5.5 0 0 1 11 0v9.9h-3V12.6a2.5 2.5 0 0 0-5 0v9.9z"/>' +
  '<circle cx="16" cy="20.8" r="1.7" fill="#fff"/></svg>';

/** Colours are the system's, light or dark. The reference keeps the height of the bar free, and may switch the scheme. */
const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, Canvas);
  --shade: color-mix(in srgb, CanvasText 6%, Canvas); --scalar-custom-header-height: 3.25rem; }
.dark-mode { color-scheme: dark; }
.light-mode { color-scheme: light; }
body { margin: 0; background: Canvas; color: CanvasText; font: 1rem/1.6 system-ui, sans-serif; }
[hidden] { display: none; }
.bar { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 3.25rem; padding: 0 1rem; display: flex;
  align-items: center; justify-content: space-between; gap: 1rem; white-space: nowrap; background: Canvas; color: CanvasText;
  border-bottom: 1px solid var(--line); }
.bar > a { display: flex; align-items: center; gap: .5rem; font-weight: 650; color: inherit; text-decoration: none; }
.bar svg { width: 1.75rem; height: 1.75rem; }
.bar nav { display: flex; gap: 1rem; }
@media (max-width: 30rem) { .bar { font-size: .9rem; } .bar span { display: none; } }
.bar nav a, .page a { color: LinkText; }
.page { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
.page > svg { width: 3.5rem; height: 3.5rem; }
.page h1 { line-height: 1.2; }
.page h2 { margin: 2rem 0 .5rem; }
.page code { font: .9em ui-monospace, Menlo, Consolas, monospace; }
.page pre { padding: 1rem; overflow-x: auto; background: var(--shade); border: 1px solid var(--line); border-radius: 8px; }
.page dt { font-weight: 650; }
.page dd { margin: 0 0 1rem; }
.page dd p { margin: 0; }
.guide h2, .guide h3 { scroll-margin-top: 4rem; }
.guide .table { overflow-x: auto; }
.guide table { border-collapse: collapse; }
.guide th, .guide td { padding: .35rem .6rem; text-align: left; vertical-align: top; border: 1px solid var(--line); }
.guide th, .guide td { overflow-wrap: normal; }
.page label, .page input { display: block; width: 100%; box-sizing: border-box; }
.page input { padding: .6rem; font: inherit; border: 1px solid var(--line); border-radius: 6px; }
.page button { padding: .6rem 1.4rem; font: inherit; font-weight: 650; color: #fff; background: #1f6feb; border: 0;
  border-radius: 6px; cursor: pointer; }
.page button:disabled { opacity: .6; cursor: default; }
#sandbox, #sandbox iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
`;

/** Fixed content, kept only compressed: nearly every browser takes it as it is. */
interface Asset {
  readonly type: string;
  readonly gzipped: Buffer;
  /** Hash of the plain content, without the quotes of an ETag. */
  readonly hash: string;
}

/** Headers of every answer of the portal beside its policy. */
export const SAFETY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'X-Content-Type-Options': 'nosniff',
  // An address may hold a token (specification 5.3).
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

/** What is served at one path. */
export interface Served {
  policy: string;
  /** In each language, where there are several: by tags. */
  load: ReturnType<typeof lazyAsset> | ReadonlyMap<string, ReturnType<typeof lazyAsset>>;
  /** Who may see it; any sender when absent. */
  mayRead?: ((request: IncomingMessage) => Promise<boolean>) | undefined;
}
