import type { Page } from './page.js';
import { tokenPage } from './token-page.js';

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
    script: SCRIPT,
  });
}

/** Accepting waits for a click, because mail programs open the links that they find. */
const SCRIPT = `
if (!/^inv_[0-9A-Za-z]+$/.test(secret)) return status('This page needs the whole address of the mail.');
history.replaceState(null, '', location.pathname);
part('again').addEventListener('click', preview);
part('form').addEventListener('submit', function (event) {
  event.preventDefault();
  accept();
});
var SENTENCES = {
  404: 'This invitation cannot be used: it was used already, has expired, was cancelled, or a newer mail has replaced it. Ask for a new one.',
  409: 'You belong to the organization already.',
  429: 'Too many requests came from here. Try again in a minute.',
  503: 'The service is busy. Try again in a moment.',
};
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
function accept() {
  var button = part('form').querySelector('button');
  button.disabled = true;
  var body = { secret: secret, first_name: part('first').value, last_name: part('last').value };
  post('invitations/accept', body, function (code, answer) {
    if (code === 201) return welcome(answer.data);
    button.disabled = code === 404 || code === 409;
    explain(code, answer, SENTENCES);
  });
}
function welcome(joined) {
  show('form', false);
  show('next', true);
  write('title', 'Welcome, ' + joined.username);
  status('You belong to ' + joined.organization + ' now.' + (joined.token ? '' : ' Your tokens work there as well.'));
  if (joined.token) showToken(joined.token, joined.token_expires_at);
}`;
