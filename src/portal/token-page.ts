import { makeAsset } from './asset.js';
import { bar, htmlPage, pagePolicy, SCRIPT_TYPE, type Page } from './page.js';

const POLICY = pagePolicy({ 'script-src': ["'self'"], 'connect-src': ["'self'"] });

interface TokenPageParts {
  title: string;
  /** The path of the page without its slash; its script is `./<path>/assets/page.js`. */
  path: string;
  explorer: boolean;
  /** What is shown before there is a token. */
  form: string;
  /** What is shown below the token. */
  next: string;
  noscript: string;
  /** Runs in the browser, after the part that such pages share. */
  script: string;
}

/** A page that ends with a new token: the pages of invitations and of recovery. */
export function tokenPage({ title, path, explorer, form, next, noscript, script }: TokenPageParts): Page {
  const head = `<meta name="robots" content="noindex">
<script defer src="./${path}/assets/page.js"></script>`;
  const body = `${bar({ explorer })}
<main class="page">
<h1 id="title">${title}</h1>
<p id="status" role="status"></p>
${form}
<section id="token" aria-labelledby="token-title" hidden>
<h2 id="token-title">Your token</h2>
<p>It is shown here once. Copy it to where you keep your passwords.</p>
<pre tabindex="0" role="group" aria-label="Your token"><code id="secret"></code></pre>
<p><button id="copy" type="button">Copy the token</button> <span id="copied" role="status"></span></p>
<p>It is valid until <strong id="expires"></strong>. Before then, replace it with
<code>POST /api/v1/tokens/{id}/rotate</code> or the mutation <code>rotateApiToken</code>.</p>
</section>
${next}
<noscript><p>${noscript}</p></noscript>
</main>`;
  const whole = `(function () {\n'use strict';\n${SHARED}\n${script}\n})();\n`;
  return {
    html: htmlPage({ title: `${title} – Compliance Gateway`, head, body }),
    policy: POLICY,
    files: { 'page.js': () => makeAsset(SCRIPT_TYPE, whole) },
  };
}

/**
 * `secret` is what the address has behind the #; the script of the page takes it out of the address before anything
 * else, so that neither the history nor a screenshot keeps it.
 */
const SHARED = `
var api = new URL('../../api/v1/', document.currentScript.src).href;
var secret = location.hash.slice(1);
function part(id) { return document.getElementById(id); }
function show(id, shown) { part(id).hidden = !shown; }
function write(id, text) { part(id).textContent = text; }
function status(text) { write('status', text); }
function day(instant) {
  return new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
}
function post(path, body, done) {
  status('One moment …');
  fetch(api + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).then(function (response) {
    return response.json().then(function (answer) { done(response.status, answer); });
  }).catch(function () {
    done(0, { messages: ['The service cannot be reached. Try again.'] });
  });
}
function explain(code, answer, sentences) {
  status(sentences[code] || answer.messages.join(' ') || 'Something went wrong. Try again later.');
}
function showToken(token, expiresAt) {
  write('secret', token);
  write('expires', day(expiresAt));
  show('token', true);
  part('copy').addEventListener('click', copy);
}
function copy() {
  getSelection().selectAllChildren(part('secret'));
  function copied(done) { write('copied', done ? 'Copied.' : 'It is selected: copy it with your keyboard.'); }
  // Browsers offer the clipboard only over HTTPS and on this machine.
  if (!navigator.clipboard) return copied(document.execCommand('copy'));
  navigator.clipboard.writeText(part('secret').textContent).then(
    function () { copied(true); },
    function () { copied(false); });
}`;
