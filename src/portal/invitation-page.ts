import { makeAsset, type Asset } from './asset.js';
import { contentPolicy } from './content-policy.js';
import { CSS_TYPE, HTML_TYPE, htmlPage, SCRIPT_TYPE } from './html-page.js';
import { bar, THEME_STYLE, type BarLinks } from './theme.js';

export const INVITATION_POLICY = contentPolicy({
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
});

/** The page of `GET /invitation`, where the mails of invitations lead. The secret never reaches the server as an address. */
export function invitationPage(links: BarLinks): Promise<Asset> {
  const head = [
    '<meta name="robots" content="noindex">',
    '<link rel="stylesheet" href="./invitation/assets/page.css">',
    '<script defer src="./invitation/assets/page.js"></script>',
  ].join('\n');
  const body = `${bar(links)}
<main>
<h1>You are invited</h1>
<form id="form" hidden>
<p>Accept the invitation with one click. If you are new here, tell us your name.</p>
<p><label>First name <input id="first" name="first" autocomplete="given-name" maxlength="200"></label></p>
<p><label>Last name <input id="last" name="last" autocomplete="family-name" maxlength="200"></label></p>
<p><button>Accept the invitation</button></p>
</form>
<p id="told" role="status">This page needs the whole address of the mail.</p>
<div id="token" hidden>
<p>This is your token. It is shown here once: copy it to where you keep your passwords.</p>
<pre tabindex="0"><code id="secret"></code></pre>
<p>Send it as the header <code>X-Service-Token</code> of every request.</p>
</div>
<noscript><p>This page needs JavaScript. Without it, send the part of the address behind the # as
<code>{"secret": "inv_…"}</code> to <code>POST /api/v1/invitations/accept</code>.</p></noscript>
</main>`;
  return makeAsset(HTML_TYPE, htmlPage({ title: 'Invitation – Compliance Gateway', root: './', head, body }));
}

/** Files of `/invitation/assets/` by name. */
export const INVITATION_ASSETS: Readonly<Record<string, () => Promise<Asset>>> = Object.freeze({
  'page.css': () => makeAsset(CSS_TYPE, STYLE),
  'page.js': () => makeAsset(SCRIPT_TYPE, SCRIPT),
});

const STYLE = `${THEME_STYLE}
main { max-width: 36rem; margin: 0 auto; padding: clamp(2rem, 5vw, 3.5rem) clamp(1rem, 4vw, 2rem); }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.15; }
label { display: block; color: var(--quiet); }
input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .75rem; font: inherit; color: var(--ink);
  background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
button { padding: .7rem 1.4rem; font: inherit; font-weight: 650; color: #fff; background: #1f6feb; border: 0;
  border-radius: 6px; cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
pre { padding: 1rem 1.2rem; overflow-x: auto; background: var(--code); color: var(--code-ink); border-radius: 10px; }
`;

/**
 * Runs in the browser. The secret leaves the address bar before anything else happens, so that neither the history nor
 * a screenshot keeps it; accepting waits for a person, because mail programs open the addresses that they find.
 */
const SCRIPT = `
(function () {
  'use strict';
  var accept = new URL('../../api/v1/invitations/accept', document.currentScript.src).href;
  var secret = location.hash.slice(1);
  function part(id) { return document.getElementById(id); }
  function tell(text) { part('told').textContent = text; }
  if (!/^inv_[0-9A-Za-z]+$/.test(secret)) return;
  history.replaceState(null, '', location.pathname);
  part('form').hidden = false;
  tell('');
  part('form').addEventListener('submit', function (event) {
    event.preventDefault();
    var button = part('form').querySelector('button');
    button.disabled = true;
    tell('One moment …');
    fetch(accept, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secret: secret, first_name: part('first').value, last_name: part('last').value }),
    }).then(function (response) {
      return response.json().then(function (answer) { told(response.status, answer); });
    }).catch(function () {
      button.disabled = false;
      tell('The service cannot be reached. Try again.');
    });
    function told(status, answer) {
      button.disabled = status < 400 || status === 404 || status === 409;
      if (status >= 400) return tell(SENTENCES[status] || answer.messages.join(' ') || 'Something went wrong. Try again later.');
      part('form').hidden = true;
      tell('Welcome, ' + answer.data.username + '. You belong to ' + answer.data.organization + ' now.' +
        (answer.data.token ? '' : ' Your tokens work there as well.'));
      if (!answer.data.token) return;
      part('secret').textContent = answer.data.token;
      part('token').hidden = false;
    }
  });
  var SENTENCES = {
    404: 'This invitation cannot be used: it was used already, has expired, was cancelled, or a newer mail has replaced it. Ask for a new one.',
    409: 'You belong to the organization already.',
    503: 'The service is busy. Try again in a moment.',
  };
})();
`;
