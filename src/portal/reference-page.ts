import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makeAsset, type Asset } from './asset.js';
import { contentPolicy } from './content-policy.js';
import { CSS_TYPE, HTML_TYPE, htmlPage, SCRIPT_TYPE } from './html-page.js';
import { bar, THEME_STYLE, type BarLinks } from './theme.js';

export const REFERENCE_POLICY = contentPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
});

/** The page of `GET /docs`: Swagger UI over our own description of the REST interface (decisions §11). */
export function referencePage(links: BarLinks): Promise<Asset> {
  const head = [
    '<link rel="stylesheet" href="./docs/assets/swagger-ui.css">',
    '<link rel="stylesheet" href="./docs/assets/page.css">',
    '<script defer src="./docs/assets/swagger-ui-bundle.js"></script>',
    '<script defer src="./docs/assets/page.js"></script>',
  ].join('\n');
  const body = `${bar(links)}
<main id="reference"><p class="waiting">Loading the reference …</p></main>
<noscript><p class="waiting">The reference needs JavaScript; <a href="./api/v1/openapi.json">openapi.json</a> does not.</p></noscript>`;
  return makeAsset(HTML_TYPE, htmlPage({ title: 'REST reference – Compliance Gateway', root: './', head, body }));
}

/** Files of `/docs/assets/` by name: these and no other of the package. */
export const REFERENCE_ASSETS: Readonly<Record<string, () => Promise<Asset>>> = Object.freeze({
  'swagger-ui.css': async () => makeAsset(CSS_TYPE, await fileOfPackage('swagger-ui.css')),
  'swagger-ui-bundle.js': async () => makeAsset(SCRIPT_TYPE, await fileOfPackage('swagger-ui-bundle.js')),
  'page.css': () => makeAsset(CSS_TYPE, STYLE),
  'page.js': () => makeAsset(SCRIPT_TYPE, SCRIPT),
});

function fileOfPackage(name: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)));
}

const STYLE = `${THEME_STYLE}
.waiting { padding: 4rem 1rem; text-align: center; }
.swagger-ui .info { margin: 2rem 0; }
`;

/**
 * Runs in the browser. The description names the public address as its server; who reads it by another name of the
 * same machine could not try anything out from there, so the address of the reader takes its place. A form begins with
 * the examples of what it needs, and without those of filters and conditions, which it would send as well.
 */
const SCRIPT = `
(function () {
  'use strict';
  var description = new URL('../../api/v1/openapi.json', document.currentScript.src).href;
  var dark = matchMedia('(prefers-color-scheme: dark)');
  function followScheme() {
    document.documentElement.classList.toggle('dark-mode', dark.matches);
  }
  dark.addEventListener('change', followScheme);
  followScheme();
  function hereInsteadOf(server) {
    var url = new URL(server.url, location.href);
    return Object.assign({}, server, { url: (location.origin + url.pathname).replace(/\\/$/, '') });
  }
  function emptyForms(path) {
    Object.values(path).forEach(function (operation) {
      (operation.parameters || []).forEach(function (parameter) {
        if (!parameter.required) delete parameter.example;
      });
    });
  }
  function localize(response) {
    if (response.url !== description || !response.ok || !response.text) return response;
    var content = JSON.parse(response.text);
    if (Array.isArray(content.servers)) content.servers = content.servers.map(hereInsteadOf);
    Object.values(content.paths || {}).forEach(emptyForms);
    response.text = JSON.stringify(content);
    return response;
  }
  SwaggerUIBundle({
    url: description,
    dom_id: '#reference',
    presets: [SwaggerUIBundle.presets.apis],
    layout: 'BaseLayout',
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    persistAuthorization: false,
    responseInterceptor: localize,
  });
})();
`;
