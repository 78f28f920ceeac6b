import { makeAsset, type Asset } from './asset.js';
import { HTML_TYPE, htmlPage, SCRIPT_TYPE } from './html-page.js';
import { bar, type BarLinks } from './theme.js';

/**
 * The page of `GET /recovery`: it asks for the address of who has lost every token, and the links of the mails lead to
 * it as well. Opening it changes nothing: mail programs open the addresses that they find.
 */
export function recoveryPage(links: BarLinks): Promise<Asset> {
  const head = [
    '<meta name="robots" content="noindex">',
    '<link rel="stylesheet" href="./invitation/assets/page.css">',
    '<script defer src="./recovery/assets/page.js"></script>',
  ].join('\n');
  const body = `${bar(links)}
<main>
<h1>Recover your access</h1>
<form id="request" hidden>
<p>Have you lost every token? A link for a new one is mailed to the address at which you were invited.</p>
<p><label>E-mail address <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required></label></p>
<p><button>Send the link</button></p>
</form>
<form id="recover" hidden>
<p>Make a new token with one click. The owners of your organizations are told.</p>
<p><button>Make a new token</button></p>
</form>
<p id="status" role="status"></p>
<div id="token" hidden>
<p>This is your token. It is shown here once: copy it to where you keep your passwords.</p>
<pre tabindex="0"><code id="secret"></code></pre>
<p><button id="copy" type="button">Copy the token</button></p>
<p>Send it as the header <code>X-Service-Token</code> of every request. Then revoke the tokens that you have lost:
<code>GET /api/v1/tokens</code> lists them, <code>DELETE /api/v1/tokens/{id}</code> revokes one.</p>
</div>
<noscript><p>This page needs JavaScript. Without it, send <code>{"email": "…"}</code> to <code>POST /api/v1/recovery</code>,
and the part of the mailed address behind the # as <code>{"secret": "rec_…"}</code> to
<code>POST /api/v1/recovery/accept</code>.</p></noscript>
</main>`;
  return makeAsset(HTML_TYPE, htmlPage({ title: 'Recovery – Compliance Gateway', root: './', head, body }));
}

/** Files of `/recovery/assets/` by name. */
export const RECOVERY_ASSETS: Readonly<Record<string, () => Promise<Asset>>> = Object.freeze({
  'page.js': () => makeAsset(SCRIPT_TYPE, SCRIPT),
});

/** Runs in the browser. The secret leaves the address bar before anything else happens. */
const SCRIPT = `
(function () {
  'use strict';
  var base = new URL('../../api/v1/recovery', document.currentScript.src).href;
  var secret = location.hash.slice(1);
  var isLink = /^rec_[0-9A-Za-z]+$/.test(secret);
  function part(id) { return document.getElementById(id); }
  function say(text) { part('status').textContent = text; }
  if (secret) history.replaceState(null, '', location.pathname);
  part(isLink ? 'recover' : 'request').hidden = false;
  function post(form, path, body, done) {
    var button = form.querySelector('button');
    button.disabled = true;
    say('One moment …');
    fetch(base + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).then(function (response) {
      return response.json().then(function (answer) {
        if (response.status < 400) return done(answer.data);
        button.disabled = response.status === 404;
        say(SENTENCES[response.status] || answer.messages.join(' ') || 'Something went wrong. Try again later.');
      });
    }).catch(function () {
      button.disabled = false;
      say('The service cannot be reached. Try again.');
    });
  }
  part('request').addEventListener('submit', function (event) {
    event.preventDefault();
    post(part('request'), '', { email: part('email').value }, function (data) {
      part('request').hidden = true;
      say('If this is the verified address of a user, a mail is on its way. Its link is valid for ' +
        data.link_minutes + ' minutes.');
    });
  });
  part('recover').addEventListener('submit', function (event) {
    event.preventDefault();
    post(part('recover'), '/accept', { secret: secret }, function (data) {
      part('recover').hidden = true;
      say('Welcome back, ' + data.username + '. The token is valid until ' + data.token_expires_at.slice(0, 10) + '.');
      part('secret').textContent = data.token;
      part('token').hidden = false;
    });
  });
  part('copy').addEventListener('click', function () {
    navigator.clipboard.writeText(part('secret').textContent).then(function () { say('Copied.'); });
  });
  var SENTENCES = {
    404: 'This link cannot be used: it was used already, has expired, or a later one was used. Request a new one.',
    429: 'There were too many requests. Try again in an hour.',
    503: 'The service is busy. Try again in a moment.',
  };
})();
`;
