import { TOKEN_NAME } from '../context.js';
import { SAFETY_HEADERS } from './asset.js';
import { STARTER_DOCUMENT } from './graphiql-page.js';
import { htmlPage, inlineSource, pagePolicy } from './page.js';

const SANDBOX_HOST = 'https://embeddable-sandbox.cdn.apollographql.com';
const SANDBOX_FRAME = 'https://sandbox.embed.apollographql.com';

const SETTINGS = {
  endpoint: '/graphql',
  graphiql: '/graphiql',
  script: `${SANDBOX_HOST}/_latest/embeddable-sandbox.umd.production.min.js`,
  frame: SANDBOX_FRAME,
  scriptTimeoutMs: 3_000,
  frameTimeoutMs: 10_000,
  document: STARTER_DOCUMENT,
  headers: { [TOKEN_NAME]: '' },
};

/** Runs in the browser. A firewall may let the script pass and stop the frame: a frame that stays silent counts as missing. */
const LOADER = `
(function () {
  'use strict';
  var settings = JSON.parse(document.getElementById('settings').textContent);
  // A token in the address must not reach the history or the framed page.
  if (location.search || location.hash) history.replaceState(null, '', location.pathname);
  var timer;
  var settled = false;
  function settle() {
    if (settled) return false;
    return (settled = true);
  }
  function goOffline() {
    if (settle()) location.replace(settings.graphiql);
  }
  function show(event) {
    if (event.origin === settings.frame && settle()) document.getElementById('waiting').hidden = true;
  }
  function open() {
    if (settled) return;
    clearTimeout(timer);
    timer = setTimeout(goOffline, settings.frameTimeoutMs);
    addEventListener('message', show);
    try {
      new window.EmbeddedSandbox({
        target: '#sandbox',
        initialEndpoint: new URL(settings.endpoint, location.href).href,
        initialState: { document: settings.document, headers: settings.headers, includeCookies: false, pollForSchemaUpdates: false },
        allowDynamicStyles: false,
        runTelemetry: false,
      });
    } catch (error) {
      goOffline();
    }
  }
  var script = document.createElement('script');
  script.src = settings.script;
  script.onload = open;
  script.onerror = goOffline;
  timer = setTimeout(goOffline, settings.scriptTimeoutMs);
  document.head.append(script);
})();
`;

/** The page of `GET /graphql`: Apollo Sandbox where the browser can reach it, else GraphiQL of this server. */
export const EXPLORER_PAGE = htmlPage({
  title: 'GraphQL explorer – Compliance Gateway',
  body: `<div id="sandbox"></div>
<main id="waiting" class="page" role="status">
<p><strong>Loading Apollo Sandbox …</strong></p>
<p>It comes from Apollo's servers. <a href="${SETTINGS.graphiql}">GraphiQL</a> comes from this one and works offline.</p>
<noscript><p>Both need JavaScript. The reference of REST is at <a href="./docs">/docs</a>.</p></noscript>
</main>
<script type="application/json" id="settings">${JSON.stringify(SETTINGS).replaceAll('<', '\\u003c')}</script>
<script>${LOADER}</script>`,
});

const POLICY = pagePolicy({
  'script-src': [inlineSource(LOADER), SANDBOX_HOST],
  'connect-src': ["'self'"],
  'frame-src': [SANDBOX_FRAME],
});

/** Headers of the explorer, the only page that may load something from another host. */
export const EXPLORER_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...SAFETY_HEADERS,
  'Content-Security-Policy': POLICY,
});
