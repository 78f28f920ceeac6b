import { assetFile, makeAsset } from './asset.js';
import { bar, contentPolicy, htmlPage, SCRIPT_TYPE, type Page } from './page.js';

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
<script defer src="./docs/assets/page.js"></script>`;
  const body = `${bar(links)}
<div id="reference"><p class="page">Loading the reference …</p></div>
<noscript><p class="page">The reference needs JavaScript; <a href="./api/v1/openapi.json">openapi.json</a> does not.</p></noscript>`;
  return { html: htmlPage({ title: 'REST reference – Compliance Gateway', head, body }), policy: POLICY, files: FILES };
}

const FILES: Page['files'] = {
  'settings.js': () => makeAsset(SCRIPT_TYPE, SETTINGS),
  'scalar.js': () => assetFile(SCRIPT_TYPE, 'scalar.js'),
  'page.js': () => makeAsset(SCRIPT_TYPE, SCRIPT),
};

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
  // Short words of the tables of the introduction stay on one line.
  customCss: '.markdown th, .markdown td { word-break: normal !important; }',
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
    document.getElementById('reference').textContent = '';
    Scalar.createApiReference('#reference', Object.assign({ content: content }, ${JSON.stringify(OPTIONS)}));
  }
  function fail() {
    document.getElementById('reference').textContent = 'The OpenAPI document cannot be loaded. Try again in a moment.';
  }
  fetch(address)
    .then(function (response) { return response.ok ? response.json().then(show) : fail(); })
    .catch(fail);
})();
`;
