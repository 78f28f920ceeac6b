import { ROLES } from '../values/enums.js';
import type { Language } from '../messages/language.js';
import type { KeyBelow, MessageKey } from '../messages/message-key.js';
import { bar, htmlPage, pagePolicy, type Page } from './page.js';
import { code, htmlOf, link } from './words.js';

interface PageOptions {
  explorer: boolean;
  language: Language;
}

/** Placeholder that a script fills with a value in a sentence. */
const GAP = '{0}';

/** Sentences of a script by the names that it has for them. */
function sentences(language: Language, keys: Readonly<Record<string, MessageKey>>): string {
  const values = { organization: GAP, name: GAP, minutes: GAP };
  const said = Object.entries(keys).map(([name, key]) => [name, language.text(key, values)]);
  return JSON.stringify(Object.fromEntries(said));
}

/** The page of `GET /invitation`, the target of the links in invitation mails. The server never receives the secret as an address. */
export function invitationPage({ explorer, language }: PageOptions): Page {
  const said = (key: KeyBelow<'web-page.invitation'>) => htmlOf(language, `invitation.${key}`);
  const links = {
    header: code('X-Service-Token'),
    reference: link('./docs', language.text('web-page.reference')),
    explorer: link('./graphql', language.text('web-page.explorer')),
  };
  return tokenPage({
    title: said('title'),
    path: 'invitation',
    ...{ explorer, language },
    form: `<p><button id="again" type="button" hidden>${said('tryAgain')}</button></p>
<form id="form" hidden>
<dl class="facts">
<dt>${said('organization')}</dt><dd id="organization"></dd>
<dt>${said('inviter')}</dt><dd id="inviter"></dd>
<dt>${said('role')}</dt><dd id="role"></dd>
<dt>${said('email')}</dt><dd id="email"></dd>
<dt>${said('until')}</dt><dd id="until"></dd>
</dl>
<p>${said('beforeAccepting')}</p>
<label class=\"field\"><span>${said('firstName')}</span><input id="first" name="first" autocomplete="given-name"></label>
<label class=\"field\"><span>${said('lastName')}</span><input id="last" name="last" autocomplete="family-name"></label>
<p><button>${said('accept')}</button></p>
</form>`,
    next: `<section id="next" aria-labelledby="next-title" hidden>
<h2 id="next-title">${said('next')}</h2>
<p>${htmlOf(language, explorer ? 'invitation.sendTokenExplorer' : 'invitation.sendToken', links)}</p>
</section>`,
    noscript: htmlOf(language, 'invitation.noScript', {
      body: code('{"secret": "inv_…"}'),
      preview: code('POST /api/v1/invitations/preview'),
      accept: code('POST /api/v1/invitations/accept'),
    }),
    script: invitationScript(language),
  });
}

/** Accepting waits for a click, because mail programs open the links that they find. */
const invitationScript = (language: Language) => `
var SENTENCES = ${sentences(language, {
  404: 'web-page.invitation.unusable',
  ALREADY_MEMBER: 'web-page.invitation.alreadyMember',
  MEMBER_LIMIT: 'web-page.invitation.memberLimit',
  ORGANIZATION_LIMIT: 'web-page.invitation.ownerLimit',
  SANDBOX_LIMIT: 'web-page.invitation.sandboxLimit',
  429: 'web-page.invitation.tooMany',
  503: 'web-page.token.busy',
  whole: 'web-page.invitation.wholeAddress',
  join: 'web-page.invitation.join',
  welcome: 'web-page.invitation.welcome',
  belong: 'web-page.invitation.belong',
  work: 'web-page.invitation.tokensWork',
})};
var ROLES = ${JSON.stringify(Object.fromEntries(([...ROLES, 'AUDITOR'] as const).map((role) => [role, language.text(`enums.Role.${role}`)])))};
if (!/^inv_[0-9A-Za-z]+$/.test(secret)) return status(SENTENCES.whole);
history.replaceState(null, '', location.pathname);
part('again').addEventListener('click', preview);
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
    write('title', fill(SENTENCES.join, offer.organization));
    write('organization', offer.organization);
    write('inviter', offer.inviter);
    write('role', ROLES[offer.role] || offer.role);
    write('email', offer.email);
    write('until', day(offer.expires_at));
    status('');
    show('form', true);
  });
}
function welcome(joined) {
  show('next', true);
  write('title', fill(SENTENCES.welcome, joined.username));
  status(fill(SENTENCES.belong, joined.organization) + (joined.token ? '' : ' ' + SENTENCES.work));
  if (joined.token) showToken(joined.token, joined.token_expires_at);
}`;

/** The page of `GET /recovery`: requests a link for a user who has lost every token, and is the target of that link. */
export function recoveryPage({ explorer, language }: PageOptions): Page {
  const said = (key: KeyBelow<'web-page.recovery'>) => htmlOf(language, `recovery.${key}`);
  return tokenPage({
    title: said('title'),
    path: 'recovery',
    ...{ explorer, language },
    form: `<form id="request" hidden>
<p>${said('lost')}</p>
<label class=\"field\"><span>${said('email')}</span><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required></label>
<p><button>${said('send')}</button></p>
</form>
<form id="recover" hidden>
<p>${said('oneClick')}</p>
<p><button>${said('make')}</button></p>
</form>`,
    next: `<p id="next" hidden>${htmlOf(language, 'recovery.next', {
      header: code('X-Service-Token'),
      list: code('GET /api/v1/tokens'),
      revoke: code('DELETE /api/v1/tokens/{id}'),
    })}</p>`,
    noscript: htmlOf(language, 'recovery.noScript', {
      email: code('{"email": "…"}'),
      request: code('POST /api/v1/recovery'),
      secret: code('{"secret": "rec_…"}'),
      accept: code('POST /api/v1/recovery/accept'),
    }),
    script: recoveryScript(language),
  });
}

/** Opening the page changes nothing, because mail programs open the links that they find. */
const recoveryScript = (language: Language) => `
if (secret) history.replaceState(null, '', location.pathname);
var SENTENCES = ${sentences(language, {
  404: 'web-page.recovery.unusable',
  429: 'web-page.recovery.tooMany',
  503: 'web-page.token.busy',
  sent: 'web-page.recovery.onItsWay',
  welcome: 'web-page.recovery.welcome',
})};
form('request', 'recovery', function () { return { email: part('email').value }; }, function (data) {
  status(fill(SENTENCES.sent, data.link_minutes));
}, SENTENCES);
form('recover', 'recovery/accept', function () { return { secret: secret }; }, function (data) {
  status(fill(SENTENCES.welcome, data.username));
  showToken(data.token, data.token_expires_at);
  show('next', true);
}, SENTENCES);
show(/^rec_[0-9A-Za-z]+$/.test(secret) ? 'recover' : 'request', true);`;

const POLICY = pagePolicy({ 'script-src': ["'self'"], 'connect-src': ["'self'"] });

interface TokenPageParts extends PageOptions {
  /** HTML. */
  title: string;
  /** The path of the page without its slash; its script is `./<path>/assets/page.js`. */
  path: string;
  /** The part of the page before there is a token. */
  form: string;
  /** The part of the page below the token. */
  next: string;
  noscript: string;
  /** Runs in the browser, after the part that such pages share. */
  script: string;
}

/** A page that ends with a new token: the pages of invitations and of recovery. */
function tokenPage({ title, path, explorer, language, form, next, noscript, script }: TokenPageParts): Page {
  const said = (key: KeyBelow<'web-page.token'>) => htmlOf(language, `token.${key}`);
  const head = `<meta name="robots" content="noindex">
<script defer src="./${path}/assets/page.js"></script>`;
  const body = `${bar({ explorer, language })}
<main id="content" class="narrow message">
<section class="card prose">
<h1 id="title">${title}</h1>
<p id="status" role="status"></p>
${form}
<section id="token" class="secret" aria-labelledby="token-title" hidden>
<h2 id="token-title">${said('title')}</h2>
<p>${said('once')}</p>
<pre tabindex="0" role="group" aria-label="${said('title')}"><code id="secret"></code></pre>
<p><button id="copy" type="button">${said('copy')}</button> <span id="copied" role="status"></span></p>
<p>${htmlOf(language, 'token.validUntil', {
    when: { html: '<strong id="expires"></strong>' },
    route: code('POST /api/v1/tokens/{id}/rotate'),
    mutation: code('rotateApiToken'),
  })}</p>
</section>
${next}
<noscript><p>${noscript}</p></noscript>
</section>
</main>`;
  const whole = `(function () {\n'use strict';\n${sharedScript(language)}\n${script}\n})();\n`;
  return {
    html: htmlPage({ lang: language.tag, title, head, body }),
    policy: POLICY,
    files: { 'page.js': whole },
  };
}

/**
 * `secret` is what the address has behind the #; the script of the page takes it out of the address before anything
 * else, so that neither the history nor a screenshot keeps it.
 */
const sharedScript = (language: Language) => `
var SHARED = ${sentences(language, {
  wait: 'web-page.token.wait',
  unreachable: 'web-page.token.unreachable',
  wrong: 'web-page.token.wrong',
  copied: 'web-page.token.copied',
  selected: 'web-page.token.selected',
})};
var api = new URL('../../api/v1/', document.currentScript.src).href;
var secret = location.hash.slice(1);
// A link that is opened in the tab of this page changes the part behind the # alone.
addEventListener('hashchange', function () {
  if (/^#(inv|rec)_/.test(location.hash)) location.reload();
});
function part(id) { return document.getElementById(id); }
function show(id, shown) { part(id).hidden = !shown; }
function write(id, text) { part(id).textContent = text; }
function status(text) { write('status', text); }
function fill(sentence, value) { return sentence.split('${GAP}').join(value); }
function day(instant) {
  return new Date(instant).toLocaleString('${language.locale}', { dateStyle: 'long', timeStyle: 'short' });
}
// The code is the status, or the reason of a conflict.
function post(path, body, done) {
  status(SHARED.wait);
  fetch(api + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).then(function (response) {
    return response.json().then(function (answer) { done(response.headers.get('Conflict-Reason') || response.status, answer); });
  }).catch(function () {
    done(0, { messages: [SHARED.unreachable] });
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
  status(sentences[code] || answer.messages.join(' ') || SHARED.wrong);
}
function showToken(token, expiresAt) {
  write('secret', token);
  write('expires', day(expiresAt));
  show('token', true);
  part('copy').addEventListener('click', copy);
}
function copy() {
  getSelection().selectAllChildren(part('secret'));
  function copied(done) { write('copied', done ? SHARED.copied : SHARED.selected); }
  // Browsers offer the clipboard only over HTTPS and on this machine.
  if (!navigator.clipboard) return copied(document.execCommand('copy'));
  navigator.clipboard.writeText(part('secret').textContent).then(
    function () { copied(true); },
    function () { copied(false); });
}`;
