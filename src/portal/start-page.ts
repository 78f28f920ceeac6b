import { escapeHtml } from '../common/escape-html.js';
import { TOKEN_NAME } from '../context.js';
import { bar, htmlPage, pagePolicy, type Page } from './page.js';

interface StartPageOptions {
  /** What the addresses of the examples begin with, without a slash at the end. */
  publicUrl: string;
  explorer: boolean;
  /** Whether the schema is served as text. */
  schema: boolean;
}

/** The page of `GET /`: what this is, and links to everything else. */
export function startPage({ publicUrl, explorer, schema }: StartPageOptions): Page {
  const url = escapeHtml(publicUrl);
  const text = schema ? ' The schema as text: <a href="./schema.graphql">schema.graphql</a>.' : '';
  const graphql = explorer
    ? `<a href="./graphql">GraphQL explorer</a></dt>
<dd>Apollo Sandbox. <a href="./graphiql">GraphiQL</a> works offline; its documentation pane lists every type.${text}</dd>`
    : `GraphQL</dt><dd>Operations go to <code>POST /graphql</code>. The explorer is switched off on this server.${text}</dd>`;
  const body = `${bar({ explorer })}
<main class="page">
<h1>Compliance Gateway</h1>
<p>Organizations and their members, compliance workflows and evidence, incidents, protected devices and notifications,
through GraphQL and REST. Both APIs run the same operations under the same rules.</p>
<dl>
<dt>${graphql}
<dt><a href="./docs">REST reference</a></dt>
<dd>Every path under <code>/api/v1</code> with parameters, examples and code samples.
The OpenAPI document: <a href="./api/v1/openapi.json">openapi.json</a>.</dd>
<dt><a href="./health/ready">Health</a></dt>
<dd>Whether the database and the file storage are available. <a href="./health/live">Whether the process runs</a>.</dd>
</dl>
<h2>First request</h2>
<p>Every request carries a service token in the header <code>${TOKEN_NAME}</code>. The demo prints a token when it
starts; elsewhere the operator or an invitation gives you one.</p>
<pre tabindex="0" role="group" aria-label="Read notifications through REST"><code>curl -H "${TOKEN_NAME}: $TOKEN" ${url}/api/v1/notifications</code></pre>
<pre tabindex="0" role="group" aria-label="Read notifications through GraphQL"><code>curl -H "${TOKEN_NAME}: $TOKEN" -H "Content-Type: application/json" \\
  -d '{"query": "{ notifications(first: 5) { nodes { title } } }"}' \\
  ${url}/graphql</code></pre>
</main>`;
  const head = '<meta name="description" content="GraphQL and REST for a security-compliance platform">';
  return { html: htmlPage({ title: 'Compliance Gateway', head, body }), policy: pagePolicy(), files: {} };
}
