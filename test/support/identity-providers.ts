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

/** A real identity provider, with one client and sign-in pages. */
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
      // Consent is given without a prompt.
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

/** Differences between the responses of a `LyingProvider` and those of a correct one. */
export interface Lie {
  /** In the discovery document. */
  metadata?: object;
  /** In the ID token, and in userinfo. */
  claims?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  /** In the token response. */
  tokens?: object;
  algorithm?: 'none' | 'HS256' | 'other key';
  /** The `kid` of the ID token. */
  kid?: string;
  /** A path that redirects to another one with the regular response. */
  redirects?: string;
  /** A path whose response has 10 MB more. */
  floods?: string;
  /** Never responds to the discovery request, or never ends its response. */
  hangs?: 'at once' | 'in its answer';
}

export interface LyingProvider extends RunningProvider {
  lie: Lie;
  /** The nonce of the running sign-in. */
  nonce: string;
  logoutToken(claims: Record<string, unknown>): Promise<string>;
  /** Rotates the key: signs with another one, and publishes only that. */
  rotateKey(): Promise<void>;
}

const CLIENT = 'gateway';
/** Prefix of paths with the same responses as without it. */
const MOVED = '/moved';
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider whose responses a test sets. */
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

/** A browser without scripts: it stores cookies by origin, follows redirects and automatic forms. */
export class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  /** One request, without following redirects. */
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

  /**
   * Begins a sign-in by entering `who`: returns the address of the provider, or the page with the reason why there is
   * none.
   */
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
