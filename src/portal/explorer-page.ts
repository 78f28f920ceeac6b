import { SAFETY_HEADERS } from './asset.js';
import { contentPolicy, inlineSource } from './content-policy.js';
import { escapeHtml, htmlPage } from './html-page.js';
import { STARTER_DOCUMENT, TOKEN_HEADER } from './starter-document.js';
import { THEME_STYLE } from './theme.js';

export interface ExplorerOptions {
  /** Where operations are sent: absolute, or relative to the page. */
  endpoint: string;
  /** Where the editor is that needs nobody else's server. */
  graphiqlPath: string;
}

const SANDBOX_HOST = 'https://embeddable-sandbox.cdn.apollographql.com';
const SANDBOX_SCRIPT = `${SANDBOX_HOST}/_latest/embeddable-sandbox.umd.production.min.js`;
const SANDBOX_FRAME = 'https://sandbox.embed.apollographql.com';

/** How long to wait for the script, then for the first sign of life of the page that it frames; milliseconds. */
const SCRIPT_PATIENCE = 3_000;
const FRAME_PATIENCE = 10_000;

/**
 * The page of `GET /graphql`: Apollo Sandbox if the browser can reach it, else the browser goes on to our own GraphiQL.
 * Serve it with EXPLORER_HEADERS.
 */
export function explorerPage({ endpoint, graphiqlPath }: ExplorerOptions): string {
  const settings = {
    endpoint,
    graphiql: graphiqlPath,
    script: SANDBOX_SCRIPT,
    frame: SANDBOX_FRAME,
    scriptPatience: SCRIPT_PATIENCE,
    framePatience: FRAME_PATIENCE,
    document: STARTER_DOCUMENT,
    headers: { [TOKEN_HEADER]: '' },
  };
  return htmlPage({
    title: 'GraphQL explorer – Compliance Gateway',
    root: './',
    // The page stays guarded where only its text is passed on; frame-ancestors means nothing in a page.
    head: `<meta http-equiv="Content-Security-Policy" content="${POLICY.replace(/; frame-ancestors [^;]*/, '')}">
<meta name="referrer" content="no-referrer">
<style>${STYLE}</style>`,
    body: `<div id="sandbox"></div>
<main id="waiting" role="status">
<p><strong>Loading Apollo Sandbox …</strong></p>
<p>It comes from Apollo's servers. <a href="${escapeHtml(graphiqlPath)}">GraphiQL</a> comes from this one and works without a connection.</p>
<noscript><p>Both need JavaScript. Without it, <a href="./docs">the reference</a> tells what there is.</p></noscript>
</main>
<script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
<script>${LOADER}</script>`,
  });
}

const STYLE = `${THEME_STYLE}
body { height: 100vh; overflow: hidden; }
#sandbox, #sandbox iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
#waiting { position: absolute; inset: 0; display: grid; place-content: center; padding: 1rem; text-align: center;
  background: var(--paper); }
#waiting p { margin: .25rem; }
#waiting[hidden] { display: none; }
`;

/**
 * Runs in the browser. That the script has arrived does not mean that the page which it frames will: where a firewall
 * stops the frame, only its silence tells, so that the frame has to say something before it is shown.
 */
const LOADER = `
(function () {
  'use strict';
  var settings = JSON.parse(document.getElementById('settings').textContent);
  // A token in our address must not reach the history or the page that is framed.
  if (location.search || location.hash) history.replaceState(null, '', location.pathname);
  var patience;
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
    clearTimeout(patience);
    patience = setTimeout(goOffline, settings.framePatience);
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
  patience = setTimeout(goOffline, settings.scriptPatience);
  document.head.append(script);
})();
`;

const POLICY = contentPolicy({
  'script-src': [inlineSource(LOADER), SANDBOX_HOST],
  'style-src': [inlineSource(STYLE)],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-src': [SANDBOX_FRAME],
});

/** Headers of the explorer's page: it is the only one that may load something foreign. */
export const EXPLORER_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  ...SAFETY_HEADERS,
  'Content-Security-Policy': POLICY,
});
