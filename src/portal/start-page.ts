import { makeAsset, type Asset } from './asset.js';
import { contentPolicy, inlineSource } from './content-policy.js';
import { escapeHtml, HTML_TYPE, htmlPage } from './html-page.js';
import { TOKEN_HEADER } from './starter-document.js';
import { bar, THEME_STYLE, type BarLinks } from './theme.js';

export interface StartPageOptions extends BarLinks {
  /** What the addresses of the examples begin with, without a slash at the end. */
  publicUrl: string;
}

/** The page of `GET /`: what this is, and the three ways on. */
export function startPage(options: StartPageOptions): Promise<Asset> {
  const body = `${bar(options)}
<main>
<section class="hero">
<h1>One compliance platform, two doors</h1>
<p>Organizations and their members, compliance workflows and the evidence for them, incidents, protected devices and
notifications: over GraphQL for what you build now, over REST for what you already run. Both doors answer from the same
operations, under the same rules.</p>
</section>
<section class="doors" aria-label="Ways in">
${graphqlDoor(options)}
${door({
  title: 'REST reference',
  path: 'docs',
  text: 'Every path under <code>/api/v1</code> with its fields, errors and examples, ready to try out.',
  more: [['api/v1/openapi.json', 'openapi.json']],
})}
${door({
  title: 'Health',
  path: 'health/ready',
  text: 'Whether this instance can serve: its database and its file storage.',
  more: [['health/live', 'Is it alive?']],
})}
</section>
${firstCall(options.publicUrl)}
</main>`;
  const head = `<meta name="description" content="GraphQL and REST for a security-compliance platform">\n<style>${STYLE}</style>`;
  return makeAsset(HTML_TYPE, htmlPage({ title: 'Compliance Gateway', root: options.root, head, body }));
}

interface Door {
  title: string;
  path: string;
  text: string;
  more: readonly (readonly [path: string, label: string])[];
}

function graphqlDoor({ explorer, schema }: BarLinks): string {
  const map = schema ? ([['schema', 'Schema map']] as const) : [];
  if (!explorer) {
    const more = map.map(([path, label]) => `<a href="./${path}">${label}</a>`).join('');
    return `<article class="door"><h2>GraphQL</h2>
<p>Send operations to <code>POST /graphql</code>. The explorer is switched off on this server.</p><p class="more">${more}</p></article>`;
  }
  return door({
    title: 'GraphQL explorer',
    path: 'graphql',
    text: 'Write queries with suggestions and documentation in Apollo Sandbox; offline, in GraphiQL.',
    more: [['graphiql', 'GraphiQL'], ...map],
  });
}

function door({ title, path, text, more }: Door): string {
  const links = more.map(([to, label]) => `<a href="./${to}">${label}</a>`).join('');
  return `<article class="door"><h2><a href="./${path}">${title}</a></h2><p>${text}</p><p class="more">${links}</p></article>`;
}

function firstCall(publicUrl: string): string {
  const url = escapeHtml(publicUrl);
  return `<section class="call" aria-labelledby="first-call">
<h2 id="first-call">A first call</h2>
<p>Every request carries a service token in the header <code>${TOKEN_HEADER}</code>. With <code>$TOKEN</code> set to yours:</p>
<pre tabindex="0" role="group" aria-label="Read notifications over REST"><code>curl -H "${TOKEN_HEADER}: $TOKEN" ${url}/api/v1/notifications</code></pre>
<p>The same through GraphQL:</p>
<pre tabindex="0" role="group" aria-label="Read notifications over GraphQL"><code>curl -H "${TOKEN_HEADER}: $TOKEN" -H "Content-Type: application/json" \\
  -d '{"query": "{ notifications(first: 5) { nodes { title datetime } } }"}' ${url}/graphql</code></pre>
<p class="quiet">No token yet? The demo prints one when it starts; elsewhere, whoever runs the platform gives you yours.</p>
</section>`;
}

const STYLE = `${THEME_STYLE}
main { max-width: 68rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem) 4rem; }
.hero { padding: clamp(2rem, 5vw, 3.5rem) 0 clamp(1.5rem, 3vw, 2.25rem); max-width: 48rem; }
h1 { margin: 0 0 1rem; font-size: clamp(1.9rem, 5vw, 3rem); line-height: 1.12; letter-spacing: -.025em; text-wrap: balance; }
.hero p { margin: 0; color: var(--quiet); font-size: 1.1rem; }
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; }
.door { position: relative; display: flex; flex-direction: column; padding: 1.4rem 1.5rem; background: var(--card);
  border: 1px solid var(--line); border-top: 3px solid var(--brand); border-radius: 10px; }
.door:has(h2 a:hover), .door:has(h2 a:focus-visible) { border-color: var(--brand); }
.door h2 { margin: 0 0 .4rem; font-size: 1.2rem; }
.door h2 a { color: inherit; text-decoration: none; }
.door h2 a::after { content: ""; position: absolute; inset: 0; border-radius: 10px; }
.door h2 a::before { content: "→"; float: right; color: var(--brand-ink); }
.door p { margin: 0; color: var(--quiet); }
.door .more { position: relative; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; align-self: start; margin-top: auto;
  padding-top: 1rem; font-size: .95rem; }
.call { margin-top: clamp(2rem, 4vw, 2.75rem); }
.call h2 { margin: 0 0 .5rem; font-size: 1.35rem; }
.call p { margin: 0 0 .6rem; }
.quiet { color: var(--quiet); font-size: .95rem; }
pre { margin: 0 0 1.2rem; padding: 1rem 1.2rem; overflow-x: auto; background: var(--code); color: var(--code-ink);
  border: 1px solid var(--line); border-radius: 10px; line-height: 1.55; }
p code { padding: .1em .35em; background: color-mix(in srgb, var(--brand) 12%, transparent); border-radius: 4px; }
`;

export const START_POLICY = contentPolicy({ 'style-src': [inlineSource(STYLE)], 'img-src': ["'self'"] });
