import { escapeHtml } from '../common/escape-html.js';
import { TOKEN_NAME } from '../http/context.js';
import { bar, contentPolicy, htmlPage, pagePolicy, type Page } from './page.js';

interface StartPageOptions {
  /** The beginning of the addresses of the examples, without a slash at the end. */
  publicUrl: string;
  explorer: boolean;
  /** Whether the schema is served as text. */
  schema: boolean;
}

/** The page of `GET /`: an introduction, and links to everything else. */
export function startPage({ publicUrl, explorer, schema }: StartPageOptions): Page {
  const url = escapeHtml(publicUrl);
  const text = schema ? ' The schema as text: <a href="./schema.graphql">schema.graphql</a>.' : '';
  const graphql = explorer
    ? tile(
        '<a href="./graphql">GraphQL explorer</a>',
        `<a href="./graphiql">GraphiQL</a>, or Apollo Sandbox from Apollo's servers. GraphiQL works offline; its documentation pane lists every type.${text}`,
      )
    : tile(
        'GraphQL',
        `Operations go to <code>POST /graphql</code>. The explorer is switched off on this server.${text}`,
      );
  const body = `${bar({ explorer, here: '' })}
<main id="content" class="wide">
<div class="title"><h1>Compliance Gateway</h1></div>
<p class="lead">Organizations and their members, compliance workflows and evidence, incidents, protected devices and notifications,
through GraphQL and REST. Both APIs run the same operations under the same rules.</p>
<div class="tiles">
${tile('<a href="./portfolio">Portfolio</a>', 'Pages for people, with a token or an identity provider: where your organizations stand, and what they owe next.')}
${tile('<a href="./guides">Guides</a>', 'A tour in twelve requests, recipes, errors, limits, and how to operate the gateway.')}
${graphql}
${tile(
  '<a href="./docs">REST reference</a>',
  `Every path under <code>/api/v1</code> with parameters, examples and code samples.
The OpenAPI document: <a href="./api/v1/openapi.json">openapi.json</a>.
To import: <a href="./postman.json" download>a collection for Postman</a>, <a href="./bruno.json" download>one for Bruno</a>.`,
)}
${tile('<a href="./regimes">Reporting regimes</a>', 'Which law asks for which report after an incident, by when, since when, and what has changed.')}
${tile('<a href="./health/ready">Health</a>', 'Whether the database and the file storage are available. <a href="./health/live">Whether the process runs</a>.')}
</div>
<section class="card prose">
<h2>First request</h2>
<p>Every request carries a service token in the header <code>${TOKEN_NAME}</code>. The demo prints a token when it
starts; elsewhere the operator or an invitation gives you one.</p>
<pre tabindex="0" role="group" aria-label="Read notifications through REST"><code>curl -H "${TOKEN_NAME}: $TOKEN" ${url}/api/v1/notifications</code></pre>
<pre tabindex="0" role="group" aria-label="Read notifications through GraphQL"><code>curl -H "${TOKEN_NAME}: $TOKEN" -H "Content-Type: application/json" \\
  -d '{"query": "{ notifications(first: 5) { nodes { title } } }"}' \\
  ${url}/graphql</code></pre>
</section>
</main>`;
  const head = '<meta name="description" content="GraphQL and REST for a security-compliance platform">';
  return { html: htmlPage({ head, body }), policy: pagePolicy() };
}

const tile = (title: string, text: string) => `<section class="card"><h2>${title}</h2><p>${text}</p></section>`;

/** The reference writes its own style elements and attributes. */
const POLICY = contentPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'connect-src': ["'self'"],
});

/** The page of `GET /docs`: Scalar over the OpenAPI document of the REST API. */
export function referencePage(links: { explorer: boolean }): Page {
  const head = `<script defer src="./docs/assets/settings.js"></script>
<script defer src="./docs/assets/scalar.js"></script>
<script defer src="./docs/assets/page.js"></script>
<link rel="stylesheet" href="./docs/assets/page.css">`;
  const body = `${bar({ ...links, here: 'docs' })}
<div id="content"><p class="wide">Loading the reference …</p></div>
<noscript><p class="wide">The reference needs JavaScript; <a href="./api/v1/openapi.json">openapi.json</a> does not.</p></noscript>`;
  const html = htmlPage({ title: 'REST reference', look: 'look.css', head, body });
  const files = { 'settings.js': SETTINGS, 'page.js': SCRIPT, 'page.css': STYLE };
  return { html, policy: POLICY, files, copied: ['scalar.js'] };
}

/** The bar stays visible if it has one row: the reference reserves its height. */
const STYLE = `
.band .wide { max-width: none; }
@media (min-width: 38rem) {
  :root { --scalar-custom-header-height: 4rem; }
  .band { position: sticky; top: 0; z-index: 10; height: 4rem; }
}
`;

/** Runs before the bundle, whose validation library would otherwise try `eval`, which the policy refuses. */
const SETTINGS = 'globalThis.__zod_globalConfig = { jitless: true };\n';

/** No request leaves this site: fonts, telemetry, proxy and the assistant are off. A token lives in the open page only. */
const OPTIONS = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  // Short words of the tables of the introduction stay on one line. The colours have a contrast of 4.5 at least.
  customCss: `.markdown th, .markdown td { word-break: normal !important; }
.light-mode, .dark-mode { --scalar-font: inherit; --scalar-color-1: var(--ink); --scalar-color-2: var(--quiet); --scalar-color-3: var(--quiet);
  --scalar-color-accent: var(--brand-ink); --scalar-background-1: var(--card); --scalar-background-2: var(--paper);
  --scalar-background-3: var(--quiet-paper); --scalar-border-color: var(--line); }
.light-mode { --scalar-color-blue: #0064a6; --scalar-color-green: #006e45;
  --scalar-color-yellow: #7d5a00; --scalar-color-red: #c40000; --scalar-color-orange: #a83a00; }
.dark-mode { --scalar-color-red: #ff6b6b; }`,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'direct',
  hiddenClients: {},
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'ServiceTokenHeader' },
};

/**
 * Runs in the browser. Requests go to the address by which the page was opened, which need not be the public one. Forms
 * begin with the examples of required parameters; those of filters and conditions are filled in but not sent.
 */
const SCRIPT = `
(function () {
  'use strict';
  var address = new URL('../../api/v1/openapi.json', document.currentScript.src).href;
  function local(server) {
    return Object.assign({}, server, { url: (location.origin + new URL(server.url, location.href).pathname).replace(/\\/$/, '') });
  }
  function optional(parameter) {
    if (parameter.required) return;
    var value = parameter.example === undefined ? '' : parameter.example;
    delete parameter.example;
    parameter.examples = { default: { value: value, 'x-disabled': true } };
  }
  function show(content) {
    if (content.servers) content.servers = content.servers.map(local);
    Object.values(content.paths).forEach(function (path) {
      Object.values(path).forEach(function (operation) { (operation.parameters || []).forEach(optional); });
    });
    document.getElementById('content').textContent = '';
    Scalar.createApiReference('#content', Object.assign({ content: content }, ${JSON.stringify(OPTIONS)}));
  }
  // What the reference leaves without a name, out of reach of the keyboard, or with an example that is no token.
  function repair() {
    document.querySelectorAll('.endpoints:not([tabindex])').forEach(function (list) { list.tabIndex = 0; });
    document.querySelectorAll('[role=combobox]:not([aria-expanded])').forEach(function (input) {
      input.setAttribute('aria-expanded', 'false');
      input.setAttribute('aria-label', input.dataset.placeholder || 'Value');
    });
    document.querySelectorAll('[placeholder^=QUxM]').forEach(function (input) { input.placeholder = 'scp_ and 36 characters'; });
  }
  new MutationObserver(repair).observe(document.getElementById('content'), { childList: true, subtree: true });
  function fail() {
    document.getElementById('content').textContent = 'The OpenAPI document cannot be loaded. Try again in a moment.';
  }
  fetch(address)
    .then(function (response) { return response.ok ? response.json().then(show) : fail(); })
    .catch(fail);
})();
`;
