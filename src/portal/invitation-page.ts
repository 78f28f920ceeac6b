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
  const explorer = links.explorer ? '<li><a href="./graphql">GraphQL explorer</a>: put it in “Headers”</li>' : '';
  const body = `${bar(links)}
<main>
<h1 id="title">Invitation</h1>
<p id="told" role="status">This page needs the whole address of the mail.</p>
<p><button id="again" type="button" hidden>Try again</button></p>
<form id="form" hidden>
<dl>
<div><dt>Organization</dt><dd id="organization"></dd></div>
<div><dt>Invited by</dt><dd id="inviter"></dd></div>
<div><dt>Your role</dt><dd id="role"></dd></div>
<div><dt>Your e-mail address</dt><dd id="email"></dd></div>
<div><dt>Open until</dt><dd id="until"></dd></div>
</dl>
<p>Nothing happens before you accept. If you are new here, enter your name.</p>
<p><label>First name <input id="first" name="first" autocomplete="given-name" maxlength="200"></label></p>
<p><label>Last name <input id="last" name="last" autocomplete="family-name" maxlength="200"></label></p>
<p><button>Accept the invitation</button></p>
</form>
<section id="token" aria-labelledby="token-title" hidden>
<h2 id="token-title">Your token</h2>
<p>It is shown here once. Copy it to where you keep your passwords.</p>
<pre tabindex="0" role="group" aria-label="Your token"><code id="secret"></code></pre>
<p class="copy"><button id="copy" type="button">Copy the token</button> <span id="copied" role="status"></span></p>
<p>It is valid until <strong id="expires"></strong>. Before then, make its successor with
<code>POST /api/v1/tokens/{id}/rotate</code> or the mutation <code>rotateApiToken</code>.</p>
</section>
<section id="next" aria-labelledby="next-title" hidden>
<h2 id="next-title">Next step</h2>
<p>Send your token as the header <code>X-Service-Token</code> of every request. Try it here:</p>
<ul>
<li><a href="./docs">REST reference</a>: put it in “Authorize”</li>
${explorer}
</ul>
</section>
<noscript><p>This page needs JavaScript. Without it, send the part of the address behind the # as
<code>{"secret": "inv_…"}</code> to <code>POST /api/v1/invitations/preview</code>, then to
<code>POST /api/v1/invitations/accept</code>.</p></noscript>
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
[hidden] { display: none; }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.15; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; font-size: 1.25rem; }
dl { margin: 1.5rem 0; padding: .25rem 1.2rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
dl div:last-child { border-bottom: 0; }
dt { flex: 0 0 10rem; color: var(--quiet); }
dd { flex: 1 1 12rem; margin: 0; font-weight: 600; overflow-wrap: anywhere; }
label { display: block; color: var(--quiet); }
input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .75rem; font: inherit; color: var(--ink);
  background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
button { padding: .7rem 1.4rem; font: inherit; font-weight: 650; color: #fff; background: #1f6feb; border: 0;
  border-radius: 6px; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--brand); outline-offset: 3px; }
button:disabled { opacity: .6; cursor: default; }
pre { padding: 1rem 1.2rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code);
  color: var(--code-ink); border-radius: 10px; }
`;

/**
 * Runs in the browser. The secret leaves the address bar before anything else happens, so that neither the history nor
 * a screenshot keeps it; accepting waits for a person, because mail programs open the addresses that they find.
 */
const SCRIPT = `
(function () {
  'use strict';
  var invitations = new URL('../../api/v1/invitations/', document.currentScript.src).href;
  var secret = location.hash.slice(1);
  function part(id) { return document.getElementById(id); }
  function show(id, shown) { part(id).hidden = !shown; }
  function write(id, text) { part(id).textContent = text; }
  function status(text) { write('told', text); }
  function day(instant) {
    return new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  }
  if (!/^inv_[0-9A-Za-z]+$/.test(secret)) return;
  history.replaceState(null, '', location.pathname);
  part('again').addEventListener('click', preview);
  part('form').addEventListener('submit', function (event) {
    event.preventDefault();
    accept();
  });
  part('copy').addEventListener('click', copy);
  preview();

  function send(name, body, done) {
    status('One moment …');
    fetch(invitations + name, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }).then(function (response) {
      return response.json().then(function (answer) { done(response.status, answer); });
    }).catch(function () {
      done(0, { messages: ['The service cannot be reached. Try again.'] });
    });
  }
  function sentence(code, answer) {
    return SENTENCES[code] || answer.messages.join(' ') || 'Something went wrong. Try again later.';
  }
  function preview() {
    show('again', false);
    send('preview', { secret: secret }, function (code, answer) {
      if (code !== 200) {
        show('again', code !== 404);
        return status(sentence(code, answer));
      }
      var offer = answer.data;
      write('title', 'Join ' + offer.organization);
      write('organization', offer.organization);
      write('inviter', offer.inviter);
      write('role', offer.role.charAt(0) + offer.role.slice(1).toLowerCase().replace(/_/g, ' '));
      write('email', offer.email);
      write('until', day(offer.expires_at));
      status('');
      show('form', true);
    });
  }
  function accept() {
    var button = part('form').querySelector('button');
    button.disabled = true;
    var body = { secret: secret, first_name: part('first').value, last_name: part('last').value };
    send('accept', body, function (code, answer) {
      if (code !== 201) {
        button.disabled = code === 404 || code === 409;
        return status(sentence(code, answer));
      }
      welcome(answer.data);
    });
  }
  function welcome(joined) {
    show('form', false);
    show('next', true);
    write('title', 'Welcome, ' + joined.username);
    status('You belong to ' + joined.organization + ' now.' + (joined.token ? '' : ' Your tokens work there as well.'));
    if (!joined.token) return;
    write('secret', joined.token);
    write('expires', day(joined.token_expires_at));
    show('token', true);
  }
  function copy() {
    getSelection().selectAllChildren(part('secret'));
    function copied(done) { write('copied', done ? 'Copied.' : 'It is selected: copy it with your keyboard.'); }
    // The clipboard is there only where the page came by HTTPS or from this machine.
    if (!navigator.clipboard) return copied(document.execCommand('copy'));
    navigator.clipboard.writeText(part('secret').textContent).then(
      function () { copied(true); },
      function () { copied(false); });
  }
  var SENTENCES = {
    404: 'This invitation cannot be used: it was used already, has expired, was cancelled, or a newer mail has replaced it. Ask for a new one.',
    409: 'You belong to the organization already.',
    429: 'Too many requests came from here. Try again in a minute.',
    503: 'The service is busy. Try again in a moment.',
  };
})();
`;
