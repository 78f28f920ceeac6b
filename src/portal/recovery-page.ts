import type { Page } from './page.js';
import { tokenPage } from './token-page.js';

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
    script: SCRIPT,
  });
}

/** Opening the page changes nothing, because mail programs open the links that they find. */
const SCRIPT = `
if (secret) history.replaceState(null, '', location.pathname);
var SENTENCES = {
  404: 'This link cannot be used: it was used already, has expired, or a later one was used. Request a new one.',
  429: 'There were too many requests. Try again in an hour.',
  503: 'The service is busy. Try again in a moment.',
};
form('request', 'recovery', function () { return { email: part('email').value }; }, function (data) {
  status('If this is the verified address of a user, a mail is on its way. Its link is valid for ' +
    data.link_minutes + ' minutes.');
});
form('recover', 'recovery/accept', function () { return { secret: secret }; }, function (data) {
  status('Welcome back, ' + data.username + '.');
  showToken(data.token, data.token_expires_at);
  show('next', true);
});
show(/^rec_[0-9A-Za-z]+$/.test(secret) ? 'recover' : 'request', true);

function form(id, path, body, done) {
  part(id).addEventListener('submit', function (event) {
    event.preventDefault();
    var button = part(id).querySelector('button');
    button.disabled = true;
    post(path, body(), function (code, answer) {
      if (code >= 200 && code < 300) {
        show(id, false);
        return done(answer.data);
      }
      button.disabled = code === 404;
      explain(code, answer, SENTENCES);
    });
  });
}`;
