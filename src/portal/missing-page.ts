import type { ServerResponse } from 'node:http';
import { setSafetyHeaders } from './asset.js';
import { contentPolicy, inlineSource } from './content-policy.js';
import { HTML_TYPE, htmlPage } from './html-page.js';
import { MARK, THEME_STYLE } from './theme.js';

/** Says 404 to a person. It does not repeat the address: an address may hold a token (specification 5.3). */
export function sendMissingPage(response: ServerResponse): void {
  setSafetyHeaders(response, POLICY);
  response.writeHead(404, { 'content-type': HTML_TYPE, 'content-length': Buffer.byteLength(PAGE) });
  response.end(PAGE);
}

const STYLE = `${THEME_STYLE}
body { min-height: 100vh; display: grid; place-content: center; padding: 1rem; text-align: center; }
svg { width: 3.5rem; height: 3.5rem; }
h1 { margin: .5rem 0; font-size: 1.5rem; }
`;

const PAGE = htmlPage({
  title: 'Not found – Compliance Gateway',
  root: '/',
  head: `<style>${STYLE}</style>`,
  body: `<main>${MARK}<h1>There is nothing at this address</h1><p><a href="/">To the start page</a></p></main>`,
});

const POLICY = contentPolicy({ 'style-src': [inlineSource(STYLE)], 'img-src': ["'self'"] });
