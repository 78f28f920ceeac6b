import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../common/escape-html.js';
import { readBytes } from '../http/request-body.js';
import { pathOf, queryOf } from '../http/target.js';
import type { SignInRefusal } from '../services/identity/sign-in-refusals.js';
import type { SignInOutcome } from '../services/identity/sign-in.service.js';
import { sendMessagePage, sendMethodNotAllowed, sendMissingPage } from './message-page.js';
import type { Language } from '../messages/language.js';
import type { KeyBelow } from '../messages/message-key.js';
import { pagePolicy, type Site } from './page.js';
import { answerIn, code, htmlOf, strong } from './words.js';

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
  /** The application of a sign-in that was refused. */
  applicationOf(error: unknown): Application | null;
}

export const SIGN_IN_PATH = '/sign-in';
const MAX_BODY = 64 * 1024;
const FLOW_SECONDS = 600;
/** At most as long as a window of the limits. */
const RETRY_SECONDS = 60;

/** Each has a sentence among the messages. */
const REFUSALS: Record<SignInRefusal, number> = {
  NO_PROVIDER: 404,
  PROVIDER_AWAY: 502,
  PROVIDER_WRONG: 502,
  PROVIDER_DECLINED: 403,
  PROVIDER_STOPPED: 403,
  PROVIDER_FAILED: 502,
  PROVIDER_MISCONFIGURED: 502,
  NO_FLOW: 400,
  REDIRECT_NOT_REGISTERED: 400,
  PKCE_MISSING: 400,
  STATE_TOO_LONG: 400,
  PARAMETER_TWICE: 400,
  UNKNOWN_PERSON: 403,
  NO_MEMBER: 403,
  DEACTIVATED: 403,
  WRONG_TOKEN: 403,
  LINKED_TO_ANOTHER: 409,
  NO_PLACE: 409,
  BAD_FORM: 400,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

const POLICY = pagePolicy({ 'form-action': ["'self'"] });

/** Answers the pages below `/sign-in`. They have no scripts, and refuse a form of another site's page. */
export async function answerSignIn(
  request: IncomingMessage,
  response: ServerResponse,
  signingIn: SigningIn,
  site: Site,
): Promise<void> {
  response.setHeader('cache-control', 'no-store');
  const page = new SignInPages(request, response, signingIn, site);
  const part = pathOf(request).slice(SIGN_IN_PATH.length);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const methods = PAGES[part];
  if (methods === undefined) return sendMissingPage(request, response, site);
  const answer = methods[method as 'GET' | 'POST'];
  if (answer === undefined) return sendMethodNotAllowed(request, response, Object.keys(methods).join(', '));
  try {
    signingIn.charge(request);
    await answer(page);
  } catch (error) {
    const reason = error instanceof RefusedRequest ? error.reason : signingIn.reasonOf(error);
    if (reason === undefined) throw error;
    page.refuse(reason, signingIn.applicationOf(error));
  }
}

class RefusedRequest extends Error {
  constructor(readonly reason: SignInRefusal) {
    super(`The request was refused: ${reason}`);
  }
}

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
  private readonly language: Language;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly signingIn: SigningIn,
    private readonly site: Site,
  ) {
    this.language = answerIn(request, response);
  }

  /**
   * An application sends people here; with the name of a provider they are sent on at once, as it compares its `state` when they come back.
   * Without an application the person has to go on: a link of others would put another session in the place of the one here.
   */
  async start(): Promise<void> {
    const query = queryOf(this.request);
    // RFC 6749, 3.1: which of two would count is a guess.
    if (['organization', ...PASSED_ON].some((name) => query.getAll(name).length > 1))
      throw new RefusedRequest('PARAMETER_TWICE');
    const who = query.get('organization') ?? '';
    const isOfApplication = query.has('redirect_uri');
    if (who !== '' && isOfApplication) return this.leave(who, query, true);
    const name =
      who !== '' || isOfApplication ? undefined : await this.signingIn.current(this.cookie('session'), this.request);
    if (name === undefined) return this.send(200, 'title', question(query, this.language));
    return this.send(200, 'signedIn', signedIn(name, this.language));
  }

  async startByForm(): Promise<void> {
    const form = await this.form();
    return this.leave(form.get('who') ?? '', form, false);
  }

  /** A form may not be answered by a redirect to another site (Content-Security-Policy): a page leads there. */
  private async leave(who: string, query: URLSearchParams, atOnce: boolean): Promise<void> {
    const begun = await this.begin(who, query);
    if (begun === undefined) return;
    const { url, sealed, organization } = begun;
    this.setCookie('flow', sealed, FLOW_SECONDS);
    if (atOnce) return this.redirect(url);
    const to = escapeHtml(url);
    const where = { organization: strong(organization), host: strong(new URL(url).host) };
    const content = `<p>${this.html('goingTo', where)}</p>
<p><a href="${to}">${this.html('goOn')}</a></p>`;
    this.send(200, 'moment', content, `<meta http-equiv="refresh" content="0; url=${to}">`);
  }

  private async begin(who: string, query: URLSearchParams) {
    try {
      return await this.signingIn.begin(who, applicationOf(query));
    } catch (error) {
      const reason = this.signingIn.reasonOf(error);
      if (reason !== 'NO_PROVIDER' && reason !== 'PROVIDER_AWAY') throw error;
      query.set('organization', who);
      this.refuseAbove(question(query, this.language), reason);
      return undefined;
    }
  }

  /** For errors that another name, token or attempt may resolve: the form has the return address. */
  private refuseAbove(form: string, reason: SignInRefusal): void {
    const sentence = `<p role="alert">${this.html(`refusal.${reason}`)}</p>`;
    this.send(REFUSALS[reason], 'notSignedIn', sentence + form);
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
    const outcome = await this.confirm(form.get('token') ?? '');
    if (outcome === undefined) return;
    this.setCookie('link', '', 0);
    if (outcome.kind !== 'APPLICATION') return this.enter(outcome);
    const to = escapeHtml(outcome.redirect);
    const refresh = `<meta http-equiv="refresh" content="0; url=${to}">`;
    this.send(200, 'signedIn', `<p><a href="${to}">${this.html('toApplication')}</a></p>`, refresh);
  }

  private async confirm(token: string): Promise<SignInOutcome | undefined> {
    try {
      return await this.signingIn.confirm(token, this.cookie('link'), this.request);
    } catch (error) {
      if (this.signingIn.reasonOf(error) !== 'WRONG_TOKEN') throw error;
      this.refuseAbove(linkForm(this.language), 'WRONG_TOKEN');
      return undefined;
    }
  }

  private enter(outcome: SignInOutcome): void {
    if (outcome.kind === 'APPLICATION') return this.redirect(outcome.redirect);
    if (outcome.kind === 'CONFIRM') {
      this.setCookie('link', outcome.sealed, FLOW_SECONDS);
      const sentence = `<p>${this.html('link', { organization: strong(outcome.organization) })}</p>`;
      return this.send(200, 'isItYou', sentence + linkForm(this.language));
    }
    this.setCookie('session', outcome.token, outcome.seconds);
    this.redirect('../sign-in');
  }

  async showToken(): Promise<void> {
    await this.form();
    const token = this.cookie('session');
    if ((await this.signingIn.current(token, this.request)) === undefined) return this.redirect('../sign-in');
    const content = `<p>${this.html('sendToken', { header: code('X-Service-Token') })}</p>
<p><code>${escapeHtml(token ?? '')}</code></p><p><a href="../sign-in">${this.html('back')}</a></p>`;
    this.send(200, 'token', content);
  }

  async signOut(): Promise<void> {
    await this.form();
    await this.signingIn.end(this.cookie('session'), this.request);
    this.setCookie('session', '', 0);
    this.send(200, 'signedOut', `<p>${this.html('revoked')} <a href="../sign-in">${this.html('again')}</a></p>`);
  }

  /** OpenID Connect Back-Channel Logout 1.0, 2.8: a provider sends it, and no browser. */
  async endByProvider(): Promise<void> {
    try {
      const body = new URLSearchParams((await readBytes(this.request, MAX_BODY)).toString());
      await this.signingIn.endByProvider(body.get('logout_token') ?? '');
      this.response.writeHead(200).end();
    } catch (error) {
      const reason = this.signingIn.reasonOf(error);
      if (reason === undefined) throw error;
      // It may be sent again later.
      const status = reason === 'UNAVAILABLE' || reason === 'PROVIDER_AWAY' ? 503 : 400;
      const text = JSON.stringify({ error: status === 503 ? 'temporarily_unavailable' : 'invalid_request' });
      this.response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(text);
    }
  }

  /** To begin again leads back to the application that has begun. */
  refuse(reason: SignInRefusal, application: Application | null): void {
    const status = REFUSALS[reason];
    const sentence = this.html(`refusal.${reason}`);
    if (status === 429 || status === 503) this.response.setHeader('retry-after', RETRY_SECONDS);
    const back = pathOf(this.request) === SIGN_IN_PATH ? './sign-in' : '../sign-in';
    const to = escapeHtml(`${back}${application === null ? '' : `?${queryFor(application)}`}`);
    this.send(status, 'notSignedIn', `<p>${sentence}</p><p><a href="${to}">${this.html('beginAgain')}</a></p>`);
  }

  private html(key: KeyBelow<'web-page.signIn'>, values?: Parameters<typeof htmlOf>[2]): string {
    return htmlOf(this.language, `signIn.${key}`, values);
  }

  private send(status: number, title: KeyBelow<'web-page.signIn'>, content: string, head = ''): void {
    const root = pathOf(this.request) === SIGN_IN_PATH ? './' : '../';
    const { language, site } = this;
    const page = { language, title: this.html(title), content, root, policy: POLICY, head };
    sendMessagePage(this.response, status, site, page);
  }

  private redirect(location: string): void {
    this.response.writeHead(303, { location, 'referrer-policy': 'no-referrer' }).end();
  }

  /** Rejects the form of another site's page, though no cookie comes with one (SameSite=Lax). */
  private async form(): Promise<URLSearchParams> {
    const body = await readBytes(this.request, MAX_BODY);
    const site = this.request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new RefusedRequest('NO_FLOW');
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

function queryFor({ redirectUri, codeChallenge, state }: Application): URLSearchParams {
  return new URLSearchParams({
    ...{ redirect_uri: redirectUri, code_challenge: codeChallenge, code_challenge_method: 'S256' },
    ...(state !== null && { state }),
  });
}

const PASSED_ON = ['redirect_uri', 'code_challenge', 'code_challenge_method', 'state'];

function question(query: URLSearchParams, language: Language): string {
  const hidden = PASSED_ON.filter((name) => query.has(name)).map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? '')}">`,
  );
  return `<p>${htmlOf(language, 'signIn.provider')}</p>
<form method="post" action="./sign-in">${hidden.join('')}
<label class="field"><span>${htmlOf(language, 'signIn.who')}</span>
<input name="who" autocomplete="username" required maxlength="254" value="${escapeHtml(query.get('organization') ?? '')}" autofocus></label>
<p><button>${htmlOf(language, 'signIn.goOn')}</button></p>
</form>
<p>${htmlOf(language, 'signIn.withoutProvider')} <a href="./docs">${htmlOf(language, 'signIn.sendEach')}</a>.</p>`;
}

function signedIn(name: string, language: Language): string {
  return `<p>${htmlOf(language, 'signIn.as', { name: strong(name) })}</p>
<form method="post" action="./sign-in/token"><p><button>${htmlOf(language, 'signIn.show')}</button></p></form>
<form method="post" action="./sign-in/out"><p><button>${htmlOf(language, 'signIn.out')}</button></p></form>`;
}

function linkForm(language: Language): string {
  return `<form method="post" action="../sign-in/link">
<label class="field"><span>Token</span><input name="token" type="password" autocomplete="off" required maxlength="100" autofocus></label>
<p><button>${htmlOf(language, 'signIn.linkAccount')}</button></p>
</form>`;
}
