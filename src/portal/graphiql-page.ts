import { assetFile, makeAsset } from './asset.js';
import { TOKEN_NAME } from '../context.js';
import { contentPolicy, CSS_TYPE, htmlPage, MARK, SCRIPT_TYPE, type Page } from './page.js';

/** The editor writes its own style elements; scripts and workers are files of this server. */
const POLICY = contentPolicy({
  'script-src': ["'self'"],
  'worker-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ['data:'],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
});

/** The page of `GET /graphiql`. */
export function graphiqlPage(): Page {
  const head = `<link rel="stylesheet" href="./graphiql/assets/graphiql.css">
<link rel="stylesheet" href="./graphiql/assets/page.css">
<script defer src="./graphiql/assets/graphiql.js"></script>
<script defer src="./graphiql/assets/page.js"></script>`;
  const body = `<div id="root"><p class="page">Loading GraphiQL …</p></div>
<noscript>GraphiQL needs JavaScript.</noscript>`;
  return {
    html: htmlPage({ title: 'GraphiQL – Compliance Gateway', head, body }),
    policy: POLICY,
    files: FILES,
    filePolicy: POLICY,
  };
}

const FILES: Page['files'] = {
  'graphiql.js': () => assetFile(SCRIPT_TYPE, 'graphiql.js'),
  'graphiql.css': () => assetFile(CSS_TYPE, 'graphiql.css'),
  'editor.worker.js': () => assetFile(SCRIPT_TYPE, 'editor.worker.js'),
  'json.worker.js': () => assetFile(SCRIPT_TYPE, 'json.worker.js'),
  'graphql.worker.js': () => assetFile(SCRIPT_TYPE, 'graphql.worker.js'),
  'page.css': () => makeAsset(CSS_TYPE, STYLE),
  'page.js': () => makeAsset(SCRIPT_TYPE, SCRIPT),
};

/** The editor shows parts of itself outside of its frame, which would make the page scroll. */
const STYLE = `
html, body, #root { height: 100%; }
body { overflow: hidden; }
`;

/** What both explorers open with: runs unchanged with any token, also on the demo data. */
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

# The newest notifications.
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

const HEADERS = JSON.stringify({ [TOKEN_NAME]: '' }, null, 2);
const OPTIONS = {
  title: 'Compliance Gateway',
  logo: MARK,
  defaultQuery: STARTER_DOCUMENT,
  headers: HEADERS,
  defaultHeaders: HEADERS,
  defaultEditorToolsVisibility: 'headers',
  // A token lives in the open page only: the editor would keep headers in the browser's storage.
  shouldPersistHeaders: false,
};

/**
 * Runs in the browser. `onEditQuery` of the package would copy the text into the address, history and logs included.
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
