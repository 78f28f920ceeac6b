import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../common/escape-html.js';
import { readBytes } from '../http/request-body.js';
import { pathOf, queryOf } from '../http/target.js';
import type { SignInOutcome, SignInRefusal } from '../services/identity/sign-in.service.js';
import { sendMessagePage, sendMethodNotAllowed, sendMissingPage } from './message-page.js';
import { pagePolicy } from './page.js';

/** An application that has sent the person here. */
interface Application {
  redirectUri: string;
  codeChallenge: string;
  state: string | null;
}

/** Use cases behind the pages; each rejects with an error whose `reason` has a sentence here. */
export interface SigningIn {
  /** Whether the site is served by https: its cookies say so. */
  secure: boolean;
  /** Counts a request. Throws RATE_LIMITED. */
  charge(request: IncomingMessage): void;
  begin(who: string, application: Application | null): Promise<{ url: string; sealed: string; organization: string }>;
  finish(query: string, sealed: string | undefined, request: IncomingMessage): Promise<SignInOutcome>;
  confirm(token: string, sealed: string | undefined, request: IncomingMessage): Promise<SignInOutcome>;
  /** The name of who the token of a sign-in is of. */
  current(token: string | undefined, request: IncomingMessage): Promise<string | undefined>;
  end(token: string | undefined, request: IncomingMessage): Promise<void>;
  endByProvider(logoutToken: string): Promise<void>;
  /** The reason of a refusal; undefined for another error. */
  reasonOf(error: unknown): SignInRefusal | undefined;
}

export const SIGN_IN_PATH = '/sign-in';
const MAX_BODY = 64 * 1024;
const FLOW_SECONDS = 600;
/** At most as long as a window of the limits. */
const RETRY_SECONDS = 60;

const REFUSALS: Record<SignInRefusal, readonly [status: number, sentence: string]> = {
  NO_PROVIDER: [404, 'No organization has connected an identity provider by this name or for this address.'],
  PROVIDER_AWAY: [502, 'The identity provider does not answer. Try again later.'],
  PROVIDER_WRONG: [502, 'The identity provider did not confirm the sign-in, or what it answered cannot be trusted.'],
  NO_FLOW: [400, 'This sign-in has ended, or was begun in another browser. Begin again.'],
  REDIRECT_NOT_REGISTERED: [400, 'The application that has sent you here is not registered for this sign-in.'],
  PKCE_MISSING: [400, 'The application that has sent you here did not send a PKCE challenge (S256).'],
  UNKNOWN_PERSON: [403, 'This account is linked to no user here.'],
  NO_MEMBER: [403, 'You are no member of the organization. Ask a manager there for an invitation.'],
  DEACTIVATED: [403, 'Your access to the organization was deactivated.'],
  WRONG_TOKEN: [403, 'The token is not valid, may not write, or came from a sign-in.'],
  LINKED_TO_ANOTHER: [409, 'This account is linked to another user.'],
  NO_PLACE: [409, 'The organization has as many members as it may have.'],
  RATE_LIMITED: [429, 'There were too many requests from your network. Try again in a minute.'],
};

const POLICY = pagePolicy({ 'form-action': ["'self'"] });

/** Answers the pages below `/sign-in`. They have no scripts, and refuse a form of another site's page. */
export async function answerSignIn(
  request: IncomingMessage,
  response: ServerResponse,
  signingIn: SigningIn,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  const page = new SignInPages(request, response, signingIn);
  const part = pathOf(request).slice(SIGN_IN_PATH.length);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const methods = PAGES[part];
  if (methods === undefined) return sendMissingPage(request, response);
  const answer = methods[method as 'GET' | 'POST'];
  if (answer === undefined) return sendMethodNotAllowed(request, response, Object.keys(methods).join(', '));
  try {
    signingIn.charge(request);
    await answer(page);
  } catch (error) {
    const reason = error instanceof ForeignForm ? 'NO_FLOW' : signingIn.reasonOf(error);
    if (reason === undefined) throw error;
    page.refuse(reason);
  }
}

class ForeignForm extends Error {}

type Answer = (page: SignInPages) => Promise<void>;
const PAGES: Readonly<Record<string, Partial<Record<'GET' | 'POST', Answer>>>> = {
  '': { GET: (page) => page.start(), POST: (page) => page.startByForm() },
  '/callback': { GET: (page) => page.callback() },
  '/link': { POST: (page) => page.link() },
  '/token': { POST: (page) => page.showToken() },
  '/out': { POST: (page) => page.signOut() },
  '/backchannel-logout': { POST: (page) => page.endByProvider() },
};

class SignInPages {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly signingIn: SigningIn,
  ) {}

  /** An application sends people here; with the name of a provider they are sent on at once. */
  async start(): Promise<void> {
    const query = queryOf(this.request);
    const who = query.get('organization') ?? '';
    if (who !== '') return this.leave(who, query, true);
    const name = query.has('redirect_uri')
      ? undefined
      : await this.signingIn.current(this.cookie('session'), this.request);
    if (name === undefined) return this.send(200, 'Sign in', question(query));
    return this.send(200, 'Signed in', signedIn(name));
  }

  async startByForm(): Promise<void> {
    const form = await this.form();
    return this.leave(form.get('who') ?? '', form, false);
  }

  /** A form may not be answered by a redirect to another site (Content-Security-Policy): a page leads there. */
  private async leave(who: string, query: URLSearchParams, atOnce: boolean): Promise<void> {
    const { url, sealed, organization } = await this.signingIn.begin(who, applicationOf(query));
    this.setCookie('flow', sealed, FLOW_SECONDS);
    if (atOnce) return this.redirect(url);
    const [to, name] = [escapeHtml(url), escapeHtml(organization)];
    const content = `<p>You sign in to <strong>${name}</strong> at <strong>${escapeHtml(new URL(url).host)}</strong>.</p>
<p><a href="${to}">Go on</a></p>`;
    this.send(200, 'One moment', content, `<meta http-equiv="refresh" content="0; url=${to}">`);
  }

  async callback(): Promise<void> {
    const sealed = this.cookie('flow');
    this.setCookie('flow', '', 0);
    const { url = '' } = this.request;
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    this.enter(await this.signingIn.finish(query, sealed, this.request));
  }

  async link(): Promise<void> {
    const form = await this.form();
    const outcome = await this.signingIn.confirm(form.get('token') ?? '', this.cookie('link'), this.request);
    this.setCookie('link', '', 0);
    if (outcome.kind !== 'APPLICATION') return this.enter(outcome);
    const to = escapeHtml(outcome.redirect);
    const refresh = `<meta http-equiv="refresh" content="0; url=${to}">`;
    this.send(200, 'Signed in', `<p><a href="${to}">Go back to the application</a></p>`, refresh);
  }

  private enter(outcome: SignInOutcome): void {
    if (outcome.kind === 'APPLICATION') return this.redirect(outcome.redirect);
    if (outcome.kind === 'CONFIRM') {
      this.setCookie('link', outcome.sealed, FLOW_SECONDS);
      return this.send(200, 'Is it you?', linkForm(outcome.organization));
    }
    this.setCookie('session', outcome.token, outcome.seconds);
    this.redirect('../sign-in');
  }

  async showToken(): Promise<void> {
    await this.form();
    const token = this.cookie('session');
    if ((await this.signingIn.current(token, this.request)) === undefined) return this.redirect('../sign-in');
    const content = `<p>Send it as the header <code>X-Service-Token</code>. It ends with your sign-in.</p>
<p><code>${escapeHtml(token ?? '')}</code></p><p><a href="../sign-in">Back</a></p>`;
    this.send(200, 'Your token', content);
  }

  async signOut(): Promise<void> {
    await this.form();
    await this.signingIn.end(this.cookie('session'), this.request);
    this.setCookie('session', '', 0);
    this.send(200, 'Signed out', '<p>Your token was revoked. <a href="../sign-in">Sign in again</a></p>');
  }

  /** OpenID Connect Back-Channel Logout 1.0, 2.8: a provider sends it, and no browser. */
  async endByProvider(): Promise<void> {
    const body = new URLSearchParams((await readBytes(this.request, MAX_BODY)).toString());
    try {
      await this.signingIn.endByProvider(body.get('logout_token') ?? '');
      this.response.writeHead(200).end();
    } catch (error) {
      if (this.signingIn.reasonOf(error) === undefined) throw error;
      const text = JSON.stringify({ error: 'invalid_request' });
      this.response.writeHead(400, { 'content-type': 'application/json; charset=utf-8' }).end(text);
    }
  }

  refuse(reason: SignInRefusal): void {
    const [status, sentence] = REFUSALS[reason];
    if (status === 429) this.response.setHeader('retry-after', RETRY_SECONDS);
    const back = pathOf(this.request) === SIGN_IN_PATH ? './sign-in' : '../sign-in';
    this.send(status, 'Not signed in', `<p>${sentence}</p><p><a href="${back}">Begin again</a></p>`);
  }

  private send(status: number, title: string, content: string, head = ''): void {
    const root = pathOf(this.request) === SIGN_IN_PATH ? './' : '../';
    sendMessagePage(this.response, status, { title, content, root, policy: POLICY, head });
  }

  private redirect(location: string): void {
    this.response.writeHead(303, { location, 'referrer-policy': 'no-referrer' }).end();
  }

  /** Rejects the form of another site's page, though no cookie comes with one (SameSite=Lax). */
  private async form(): Promise<URLSearchParams> {
    const body = await readBytes(this.request, MAX_BODY);
    const site = this.request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ForeignForm();
    return new URLSearchParams(body.toString());
  }

  private name(cookie: Cookie): string {
    return this.signingIn.secure ? `__Host-${cookie}` : cookie;
  }

  private cookie(cookie: Cookie): string | undefined {
    const name = `${this.name(cookie)}=`;
    const pairs = (this.request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(name))?.slice(name.length);
  }

  private setCookie(cookie: Cookie, value: string, seconds: number): void {
    const secure = this.signingIn.secure ? '; Secure' : '';
    const text = `${this.name(cookie)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
    this.response.appendHeader('set-cookie', text);
  }
}

type Cookie = 'flow' | 'link' | 'session';

function applicationOf(query: URLSearchParams): Application | null {
  const redirectUri = query.get('redirect_uri');
  if (redirectUri === null) return null;
  const isS256 = query.get('code_challenge_method') === 'S256';
  const codeChallenge = isS256 ? (query.get('code_challenge') ?? '') : '';
  return { redirectUri, codeChallenge, state: query.get('state') };
}

const PASSED_ON = ['redirect_uri', 'code_challenge', 'code_challenge_method', 'state'];

function question(query: URLSearchParams): string {
  const hidden = PASSED_ON.filter((name) => query.has(name)).map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? '')}">`,
  );
  return `<p>Your organization’s identity provider signs you in.</p>
<form method="post" action="./sign-in">${hidden.join('')}
<p><label>E-mail address, or your organization’s sign-in name
<input name="who" autocomplete="username" required maxlength="254" autofocus></label></p>
<p><button>Go on</button></p>
</form>
<p>Without a provider, you have a token: <a href="./docs">send it with each request</a>.</p>`;
}

function signedIn(name: string): string {
  return `<p>You are signed in as <strong>${escapeHtml(name)}</strong>, for eight hours at most.</p>
<form method="post" action="./sign-in/token"><p><button>Show my token</button></p></form>
<form method="post" action="./sign-in/out"><p><button>Sign out</button></p></form>`;
}

function linkForm(organization: string): string {
  return `<p>The identity provider of <strong>${escapeHtml(organization)}</strong> has signed you in, and does not prove who you are
here. To link its account to yours, enter a token of yours that may write. This is asked once.</p>
<form method="post" action="../sign-in/link">
<p><label>Token <input name="token" type="password" autocomplete="off" required maxlength="100"></label></p>
<p><button>Link the account</button></p>
</form>`;
}
