import { TOKEN_NAME } from '../http/context.js';
import { bar, contentPolicy, htmlPage, inlineSource, MARK, pagePolicy, SAFETY_HEADERS, type Page } from './page.js';

/** First document of both explorers: runs unchanged with any person's token that reads, also on the demo data. */
export const STARTER_DOCUMENT = `# 1. Put your token between the quotes in
#    "Headers" below. The demo prints its
#    owner's token when it starts.
# 2. Put the cursor into a query and press
#    Ctrl+Enter (on a Mac: Cmd+Enter).
#
# Ctrl+Space suggests fields. The pane
# "Documentation" describes every type.

# The caller and its organizations.
query WhoAmI {
  viewer {
    user { username email }
    organizations(first: 10) {
      totalCount
      nodes {
        role
        privileges
        organization { id name }
      }
    }
  }
}

# Progress of the workflows.
query Progress {
  viewer {
    organizations(first: 5) {
      nodes {
        organization {
          name
          workflows(first: 10) {
            nodes {
              name
              progress { total done toDo }
            }
          }
        }
      }
    }
  }
}

# The newest notifications, of a person:
# service accounts have none.
query Latest {
  notifications(first: 5) {
    totalCount
    nodes { datetime title message read }
  }
}

# New notifications as they arrive.
subscription Live {
  notificationAdded { id title message }
}
`;

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

/**
 * Runs in the browser. Nothing foreign is loaded before the click: Apollo publishes no version of its script whose content
 * stays the same. A firewall may let the script pass and stop the frame: a frame that stays silent counts as missing.
 */
const LOADER = `
(function () {
  'use strict';
  var settings = JSON.parse(document.getElementById('settings').textContent);
  // A token in the address must not reach the history or the framed page.
  if (location.search || location.hash) history.replaceState(null, '', location.pathname);
  var choice = document.getElementById('choice');
  var waiting = document.getElementById('waiting');
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
    if (event.origin === settings.frame && settle()) waiting.hidden = true;
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
  document.getElementById('open').addEventListener('click', function () {
    choice.hidden = true;
    waiting.hidden = false;
    var script = document.createElement('script');
    script.src = settings.script;
    script.onload = open;
    script.onerror = goOffline;
    timer = setTimeout(goOffline, settings.scriptTimeoutMs);
    document.head.append(script);
  });
})();
`;

/** The page of `GET /graphql`: GraphiQL of this server, or Apollo Sandbox where the browser can reach it. */
export const EXPLORER_PAGE = htmlPage({
  title: 'GraphQL explorer',
  body: `${bar({ explorer: true })}
<div id="sandbox"></div>
<main id="content" class="narrow message">
<div id="choice" class="card prose">
<h1>GraphQL explorer</h1>
<p><a href="${SETTINGS.graphiql}"><strong>GraphiQL</strong></a> comes from this server and works offline.</p>
<p><button id="open" type="button">Open Apollo Sandbox</button></p>
<p>The Sandbox comes from Apollo's servers: a script of theirs runs in this page, and the token that you enter is in a page of
theirs.</p>
<noscript><p>Both need JavaScript. The reference of REST is at <a href="./docs">/docs</a>.</p></noscript>
</div>
<div id="waiting" class="card prose" role="status" hidden>
<p><strong>Loading Apollo Sandbox …</strong></p>
<p><a href="${SETTINGS.graphiql}">GraphiQL</a> opens when it cannot be reached.</p>
</div>
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

/** The editor writes its own style elements; scripts and workers are files of this server. */
const GRAPHIQL_POLICY = contentPolicy({
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ['data:'],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
});

export function graphiqlPage(): Page {
  const head = `<link rel="stylesheet" href="./graphiql/assets/graphiql.css">
<link rel="stylesheet" href="./graphiql/assets/page.css">
<script defer src="./graphiql/assets/graphiql.js"></script>
<script defer src="./graphiql/assets/page.js"></script>`;
  const body = `${bar({ explorer: true, here: 'graphiql' })}
<main id="narrow" class="wide">
<h1>GraphiQL</h1>
<p>GraphiQL shows its panes side by side and needs a window of at least 640 pixels: turn the telephone, or make the window wider.</p>
<p>The <a href="./guides/graphql">guide to GraphQL</a> and the <a href="./docs">reference of REST</a> fit into this one.</p>
</main>
<div id="content"><p class="wide">Loading GraphiQL …</p></div>
<noscript><p class="wide">GraphiQL needs JavaScript.</p></noscript>`;
  return {
    html: htmlPage({ title: 'GraphiQL', look: 'look.css', head, body }),
    policy: GRAPHIQL_POLICY,
    files: { 'page.css': STYLE, 'page.js': SCRIPT },
    copied: ['graphiql.js', 'graphiql.css', 'editor.worker.js', 'json.worker.js', 'graphql.worker.js'],
    filePolicy: GRAPHIQL_POLICY,
  };
}

/** The editor shows parts of itself outside of its frame, which would make the page scroll. */
const STYLE = `
body { display: flex; flex-direction: column; height: 100dvh; }
body { overflow: hidden; }
.band .wide { max-width: none; }
#content { flex: 1; min-height: 0; }
.graphiql-logo { display: none; }
button.graphiql-execute-button { background-color: var(--brand); }
#narrow { display: none; }
#narrow a { color: inherit; }
@media (max-width: 639px) {
  #narrow { display: block; }
  #content { display: none; }
}
`;

const HEADERS = JSON.stringify({ [TOKEN_NAME]: '' }, null, 2);
const OPTIONS = {
  title: 'Compliance Gateway',
  logo: MARK,
  defaultQuery: STARTER_DOCUMENT,
  headers: HEADERS,
  defaultHeaders: HEADERS,
  defaultEditorToolsVisibility: 'headers',
  // A token is only in the open page: the editor would store headers in the browser.
  shouldPersistHeaders: false,
  // Of a subscription as well, whose document would be in the address.
  method: 'POST',
};

/**
 * Runs in the browser. `onEditQuery` of the package would copy the text into the address, history and logs included. Its
 * `subscriptionsEndpoint` does not count beside an `endpoint` that is a text.
 * The editor opens with the tab that was used last, because it adds an empty one for any other document.
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
  var endpoint = new URL('../../graphql', folder).href;
  options.endpoint = function (request) {
    return request.operationType === 'subscription' ? endpoint + '/stream' : endpoint;
  };
  options.endpoint.toString = function () {
    return endpoint;
  };
  options.onEditQuery = function () {};
  try {
    var kept = JSON.parse(localStorage.getItem('graphiql:tabState'));
    var tab = kept.tabs[kept.activeTabIndex];
    options.query = tab.query || '';
    options.variables = tab.variables || '';
  } catch (error) {
    options.query = options.defaultQuery;
  }
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('content'), options);
})();
`;
