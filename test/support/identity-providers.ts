import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import Provider from 'oidc-provider';

export interface RunningProvider {
  issuer: string;
  close(): Promise<void>;
}

async function listen(handler: (issuer: string) => RequestListener): Promise<RunningProvider & { server: Server }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', handler(issuer));
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { server, issuer, close };
}

/** Claims of people of `startProvider`, by the name they sign in with. */
export type Accounts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A real identity provider, with one client and pages to sign in at. */
export async function startProvider(callback: string, accounts: Accounts): Promise<RunningProvider> {
  return listen((issuer) => {
    const provider: Provider = new Provider(issuer, {
      clients: [
        {
          ...{ client_id: 'gateway', client_secret: 'a secret of the client', redirect_uris: [callback] },
          ...{ response_types: ['code'], grant_types: ['authorization_code'] },
        },
      ],
      scopes: ['openid', 'email', 'profile'],
      claims: {
        openid: ['sub', 'sid'],
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name', 'groups'],
      },
      cookies: { keys: ['keys of cookies in tests'] },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...accounts[id] }),
      }),
      // Consent is given without a question.
      loadExistingGrant: async ({
        oidc,
      }: {
        oidc: Record<'client', { clientId: string }> & { session: { accountId: string } };
      }) => {
        const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    return provider.callback();
  });
}

/** Differences between the answers of a `LyingProvider` and those of an honest one. */
export interface Lie {
  /** Of the discovery document. */
  metadata?: object;
  /** Of the ID token, and of userinfo. */
  claims?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  /** Of the answer that has the tokens. */
  tokens?: object;
  algorithm?: 'none' | 'HS256' | 'other key';
  /** The name of the key of the ID token. */
  kid?: string;
  /** A path that it sends on to another one, which answers as that would. */
  redirects?: string;
  /** A path whose answer has 10 MB more. */
  floods?: string;
  /** Never answers when it is asked for its description, or never ends its answer. */
  hangs?: 'at once' | 'in its answer';
}

export interface LyingProvider extends RunningProvider {
  lie: Lie;
  /** The nonce of the sign-in that is under way. */
  nonce: string;
  logoutToken(claims: Record<string, unknown>): Promise<string>;
  /** From now on it signs with another key, and publishes that one alone. */
  rotateKey(): Promise<void>;
}

const CLIENT = 'gateway';
/** Below it everything is as above. */
const MOVED = '/moved';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider that answers what a test wants. */
export async function startLyingProvider(): Promise<LyingProvider> {
  const [first, otherKey] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  let [key, kid] = [first, 'k'];
  const jwk = async () => ({ ...(await exportJWK(key.publicKey)), kid, alg: 'RS256', use: 'sig' });
  const sign = (claims: Record<string, unknown>, privateKey = key.privateKey) => {
    const { iat, ...rest } = claims;
    const header = { alg: 'RS256', kid: state.lie.kid ?? kid };
    return new SignJWT(rest)
      .setProtectedHeader(header)
      .setIssuedAt(iat as number | undefined)
      .sign(privateKey);
  };
  const state: { lie: Lie; nonce: string } = { lie: {}, nonce: '' };
  const idToken = async (issuer: string) => {
    const expires = Math.floor(Date.now() / 1000) + 300;
    const claims = { iss: issuer, aud: CLIENT, sub: 's1', exp: expires, nonce: state.nonce, ...state.lie.claims };
    const { algorithm } = state.lie;
    if (algorithm === 'none') return `${encode({ alg: 'none' })}.${encode({ ...claims, iat: expires - 300 })}.`;
    if (algorithm === 'HS256')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .sign(new TextEncoder().encode('a secret of the client'));
    return sign(claims, algorithm === 'other key' ? otherKey.privateKey : key.privateKey);
  };
  const running = await listen((issuer) => (request, response) => {
    const path = request.url?.split('?')[0]?.replace(MOVED, '');
    const send = (body: object) => {
      const padding = path === state.lie.floods ? { padding: 'a'.repeat(10 * 1024 * 1024) } : {};
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...body, ...padding }));
    };
    request.resume();
    if (request.url === state.lie.redirects) return void response.writeHead(307, { location: MOVED + path }).end();
    if (state.lie.hangs === 'at once') return;
    if (state.lie.hangs === 'in its answer') return void response.writeHead(200).write('{');
    if (path === '/.well-known/openid-configuration')
      return send({
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/me` },
        ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
        ...{ id_token_signing_alg_values_supported: ['RS256'] },
        ...state.lie.metadata,
      });
    if (path === '/jwks') return void jwk().then((each) => send({ keys: [each] }));
    if (path === '/me') return send({ sub: 's1', ...state.lie.claims, ...state.lie.userinfo });
    if (path === '/token')
      return void idToken(issuer).then((token) =>
        send({ access_token: 'a', token_type: 'Bearer', id_token: token, ...state.lie.tokens }),
      );
  });
  return Object.assign(state, {
    issuer: running.issuer,
    close: running.close,
    rotateKey: async () => {
      [key, kid] = [await generateKeyPair('RS256'), `${kid}k`];
    },
    logoutToken: (claims: Record<string, unknown>) =>
      sign({
        ...{ iss: running.issuer, aud: CLIENT, jti: 'j', exp: Math.floor(Date.now() / 1000) + 100 },
        ...{ events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, ...claims },
      }),
  });
}

/** A browser without scripts: it keeps cookies by origin, follows redirects and pages that lead on. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** One request, without following. */
  async request(address: string | URL, form?: Record<string, string>): Promise<Response> {
    const url = new URL(address);
    const jar = this.cookies.get(url.origin) ?? new Map<string, string>();
    this.cookies.set(url.origin, jar);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(text) as unknown as [string, string, string];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Begins a sign-in as a person does who enters `who`: where the provider is, or the page that says why there is none. */
  async begin(gateway: string, who: string): Promise<{ url: URL; status: number; text: string }> {
    const response = await this.request(`${gateway}/sign-in`, { who });
    const text = await response.text();
    const [, to = `${gateway}/sign-in`] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text) ?? [];
    return { url: new URL(to.replaceAll('&#38;', '&')), status: response.status, text };
  }

  cookie(origin: string, name: string): string | undefined {
    return this.cookies.get(origin)?.get(name);
  }

  setCookie(origin: string, name: string, value: string): void {
    this.cookies.get(origin)?.set(name, value);
  }

  /** Follows redirects until a page is shown. */
  async visit(
    address: string | URL,
    form?: Record<string, string>,
  ): Promise<{ url: URL; status: number; text: string }> {
    let url = new URL(address);
    let response = await this.request(url, form);
    for (let steps = 0; steps < 12; steps += 1) {
      const location = response.headers.get('location');
      if (location === null) break;
      url = new URL(location, url);
      response = await this.request(url);
    }
    return { url, status: response.status, text: await response.text() };
  }
}
