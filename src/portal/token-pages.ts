import { bar, htmlPage, pagePolicy, type Page } from './page.js';

/** The page of `GET /invitation`, the target of the links in invitation mails. The server never receives the secret as an address. */
export function invitationPage({ explorer }: { explorer: boolean }): Page {
  return tokenPage({
    title: 'Invitation',
    path: 'invitation',
    explorer,
    form: `<p><button id="again" type="button" hidden>Try again</button></p>
<form id="form" hidden>
<dl>
<dt>Organization</dt><dd id="organization"></dd>
<dt>Invited by</dt><dd id="inviter"></dd>
<dt>Your role</dt><dd id="role"></dd>
<dt>Your e-mail address</dt><dd id="email"></dd>
<dt>Open until</dt><dd id="until"></dd>
</dl>
<p>Nothing happens before you accept. If you are new here, enter your name.</p>
<p><label>First name <input id="first" name="first" autocomplete="given-name" maxlength="200"></label></p>
<p><label>Last name <input id="last" name="last" autocomplete="family-name" maxlength="200"></label></p>
<p><button>Accept the invitation</button></p>
</form>`,
    next: `<section id="next" aria-labelledby="next-title" hidden>
<h2 id="next-title">Next step</h2>
<p>Send your token as the header <code>X-Service-Token</code> with every request. Try it in the
<a href="./docs">REST reference</a>${explorer ? ' or the <a href="./graphql">GraphQL explorer</a>' : ''}.</p>
</section>`,
    noscript: `This page needs JavaScript. Without it, send the part of the address behind the # as
<code>{"secret": "inv_…"}</code> to <code>POST /api/v1/invitations/preview</code>, then to
<code>POST /api/v1/invitations/accept</code>.`,
    script: INVITATION_SCRIPT,
  });
}

/** Accepting waits for a click, because mail programs open the links that they find. */
const INVITATION_SCRIPT = `
if (!/^inv_[0-9A-Za-z]+$/.test(secret)) return status('This page needs the whole address of the mail.');
history.replaceState(null, '', location.pathname);
part('again').addEventListener('click', preview);
var SENTENCES = {
  404: 'This invitation cannot be used: it was used already, has expired, was cancelled, or a newer mail has replaced it. Ask for a new one.',
  ALREADY_MEMBER: 'You belong to the organization already.',
  QUOTA_EXCEEDED: 'The organization has as many members as it may have, or you own as many organizations as you may. Nothing was changed.',
  429: 'Too many requests came from here. Try again in a minute.',
  503: 'The service is busy. Try again in a moment.',
};
form('form', 'invitations/accept', function () {
  return { secret: secret, first_name: part('first').value, last_name: part('last').value };
}, welcome, SENTENCES);
preview();

function preview() {
  show('again', false);
  post('invitations/preview', { secret: secret }, function (code, answer) {
    if (code !== 200) {
      show('again', code !== 404);
      return explain(code, answer, SENTENCES);
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
function welcome(joined) {
  show('next', true);
  write('title', 'Welcome, ' + joined.username);
  status('You belong to ' + joined.organization + ' now.' + (joined.token ? '' : ' Your tokens work there as well.'));
  if (joined.token) showToken(joined.token, joined.token_expires_at);
}`;

/** The page of `GET /recovery`: requests a link for a user who has lost every token, and is the target of that link. */
export function recoveryPage({ explorer }: { explorer: boolean }): Page {
  return tokenPage({
    title: 'Recover your access',
    path: 'recovery',
    explorer,
    form: `<form id="request" hidden>
<p>Have you lost every token? A link for a new one is mailed to the address at which you were invited.</p>
<p><label>E-mail address <input id="email" name="email" type="email" autocomplete="email" maxlength="254" required></label></p>
<p><button>Send the link</button></p>
</form>
<form id="recover" hidden>
<p>Make a new token with one click. The owners of your organizations are notified.</p>
<p><button>Make a new token</button></p>
</form>`,
    next: `<p id="next" hidden>Send it as the header <code>X-Service-Token</code> with every request. Then revoke the tokens that you have
lost: <code>GET /api/v1/tokens</code> lists them, <code>DELETE /api/v1/tokens/{id}</code> revokes one.</p>`,
    noscript: `This page needs JavaScript. Without it, send <code>{"email": "…"}</code> to
<code>POST /api/v1/recovery</code>, and the part of the mailed address behind the # as <code>{"secret": "rec_…"}</code>
to <code>POST /api/v1/recovery/accept</code>.`,
    script: RECOVERY_SCRIPT,
  });
}

/** Opening the page changes nothing, because mail programs open the links that they find. */
const RECOVERY_SCRIPT = `
if (secret) history.replaceState(null, '', location.pathname);
var SENTENCES = {
  404: 'This link cannot be used: it was used already, has expired, or a later one was used. Request a new one.',
  429: 'There were too many requests. Try again in an hour.',
  503: 'The service is busy. Try again in a moment.',
};
form('request', 'recovery', function () { return { email: part('email').value }; }, function (data) {
  status('If this is the verified address of a user, a mail is on its way. Its link is valid for ' +
    data.link_minutes + ' minutes.');
}, SENTENCES);
form('recover', 'recovery/accept', function () { return { secret: secret }; }, function (data) {
  status('Welcome back, ' + data.username + '.');
  showToken(data.token, data.token_expires_at);
  show('next', true);
}, SENTENCES);
show(/^rec_[0-9A-Za-z]+$/.test(secret) ? 'recover' : 'request', true);`;

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
function tokenPage({ title, path, explorer, form, next, noscript, script }: TokenPageParts): Page {
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
    html: htmlPage({ title, head, body }),
    policy: POLICY,
    files: { 'page.js': whole },
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
// The code is the status, or the reason of a conflict.
function post(path, body, done) {
  status('One moment …');
  fetch(api + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).then(function (response) {
    return response.json().then(function (answer) { done(response.headers.get('Conflict-Reason') || response.status, answer); });
  }).catch(function () {
    done(0, { messages: ['The service cannot be reached. Try again.'] });
  });
}
// Posts what is entered. A form that cannot succeed any more stays disabled.
function form(id, path, body, done, sentences) {
  part(id).addEventListener('submit', function (event) {
    event.preventDefault();
    var button = part(id).querySelector('button');
    button.disabled = true;
    post(path, body(), function (code, answer) {
      if (code >= 200 && code < 300) {
        show(id, false);
        return done(answer.data);
      }
      button.disabled = code === 404 || code === 'ALREADY_MEMBER';
      explain(code, answer, sentences);
    });
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
