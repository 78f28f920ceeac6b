import { makeAsset, type Asset } from './asset.js';
import { contentPolicy } from './content-policy.js';
import { CSS_TYPE, HTML_TYPE, htmlPage, SCRIPT_TYPE } from './html-page.js';
import { STARTER_DOCUMENT, TOKEN_HEADER } from './starter-document.js';
import { MARK } from './theme.js';

/** The editor writes its own style elements while it runs; scripts and workers are files of ours and nothing else is. */
export const GRAPHIQL_POLICY = contentPolicy({
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ['data:'],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
});

/**
 * The page of `GET /graphiql`. The package's own page carries 9 MB inline; its parts are served beside ours instead, so
 * that a browser keeps them and no inline script has to be allowed.
 */
export function graphiqlPage(): Promise<Asset> {
  const head = [
    '<link rel="stylesheet" href="./graphiql/assets/graphiql.css">',
    '<link rel="stylesheet" href="./graphiql/assets/page.css">',
    '<script defer src="./graphiql/assets/graphiql.js"></script>',
    '<script defer src="./graphiql/assets/page.js"></script>',
  ].join('\n');
  const body = `<div id="root"><p id="waiting">Loading GraphiQL …</p></div>
<noscript>GraphiQL needs JavaScript.</noscript>`;
  return makeAsset(HTML_TYPE, htmlPage({ title: 'GraphiQL – Compliance Gateway', root: './', head, body }));
}

/** Files of `/graphiql/assets/` by name. The large ones are parts of one module, which is loaded when one is asked for. */
export const GRAPHIQL_ASSETS: Readonly<Record<string, () => Promise<Asset>>> = Object.freeze({
  'graphiql.js': async () => makeAsset(SCRIPT_TYPE, (await parts()).js),
  'graphiql.css': async () => makeAsset(CSS_TYPE, (await parts()).css),
  'editor.worker.js': async () => makeAsset(SCRIPT_TYPE, (await parts()).editorWorkerService),
  'json.worker.js': async () => makeAsset(SCRIPT_TYPE, (await parts()).jsonWorker),
  'graphql.worker.js': async () => makeAsset(SCRIPT_TYPE, (await parts()).graphqlWorker),
  'page.css': () => makeAsset(CSS_TYPE, STYLE),
  'page.js': () => makeAsset(SCRIPT_TYPE, SCRIPT),
});

const parts = () => import('@graphql-yoga/render-graphiql/graphiql');

/** The editor lets its widgets, and with them the length of the document in it, stand out of its frame. */
const STYLE = `
html, body, #root { height: 100%; margin: 0; }
body { overflow: hidden; }
#waiting { display: grid; place-content: center; height: 100%; margin: 0; font: 1rem system-ui, sans-serif; }
`;

const OPTIONS = {
  title: 'Compliance Gateway',
  logo: MARK,
  defaultQuery: STARTER_DOCUMENT,
  headers: JSON.stringify({ [TOKEN_HEADER]: '' }, null, 2),
  defaultHeaders: JSON.stringify({ [TOKEN_HEADER]: '' }, null, 2),
  defaultEditorToolsVisibility: 'headers',
  // A token lives in the open page only: the editor would keep headers in the browser's storage.
  shouldPersistHeaders: false,
};

/**
 * Runs in the browser. The package's own `onEditQuery` copies what is typed into the address, from where it would reach
 * history and logs: ours takes its place and does nothing. The editor adds an empty tab unless what it opens with is in one
 * of the tabs that it has kept: it opens with the tab that was used last.
 */
const SCRIPT = `
(function () {
  'use strict';
  var folder = new URL('.', document.currentScript.src);
  var workers = {
    editorWorkerService: 'editor.worker.js',
    json: 'json.worker.js',
    graphql: 'graphql.worker.js',
  };
  if (location.search || location.hash) history.replaceState(null, '', location.pathname);
  self.MonacoEnvironment = {
    globalAPI: false,
    getWorkerUrl: function (moduleId, label) {
      return new URL(workers[label], folder).href;
    },
  };
  var options = ${JSON.stringify(OPTIONS).replaceAll('<', '\\u003c')};
  options.endpoint = new URL('../../graphql', folder).href;
  options.subscriptionsEndpoint = new URL('../../graphql/stream', folder).href;
  options.onEditQuery = function () {};
  try {
    var kept = JSON.parse(localStorage.getItem('graphiql:tabState'));
    var tab = kept.tabs[kept.activeTabIndex];
    options.query = tab.query || '';
    options.variables = tab.variables || '';
  } catch (error) {
    options.query = options.defaultQuery;
  }
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), options);
})();
`;
