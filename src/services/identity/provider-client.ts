import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import * as oidc from 'openid-client';
import { entries } from '../../common/cache-bounds.js';
import { composed } from '../../common/composed-text.js';
import { isEmailAddress } from '../../common/formats.js';
import type { OutgoingRequests } from '../../common/outgoing-requests.js';
import { visibleText } from '../../common/visible-text.js';
import type { DatabaseClock } from '../../database/clock.js';
import type { Logger } from '../../logger.js';
import { LIMITS } from '../../values/limits.js';

/** Requests to a provider. */
export interface ProviderAccess {
  id: number;
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  groupsClaim: string | null;
  updatedAt: string;
}

/** Values that the callback of a sign-in must return. */
export interface FlowChecks {
  state: string;
  nonce: string;
  verifier: string;
}

/** A person just authenticated by the provider. */
export interface ProvenIdentity {
  subject: string;
  /** Ids of the person in its directory: the subject, and the object id of Entra ID. */
  directoryIds: readonly string[];
  /** In lower case, and only if the provider has verified it. */
  email: string | null;
  firstName: string;
  lastName: string;
  groups: readonly string[];
  /** The provider's `sid`. */
  session: string | null;
}

/**
 * Why the provider's part of a sign-in failed: it does not answer, its answer is not trusted, or it has redirected the
 * person back without a sign-in (DECLINED, STOPPED, FAILED, MISCONFIGURED).
 */
export type ProviderErrorKind = 'AWAY' | 'WRONG' | 'DECLINED' | 'STOPPED' | 'FAILED' | 'MISCONFIGURED';

export class ProviderError extends Error {
  constructor(
    readonly kind: ProviderErrorKind,
    cause: unknown,
  ) {
    super(`The part of the identity provider came to nothing: ${kind}`, { cause });
  }
}

/** Error codes of redirects (RFC 6749, 4.1.2.1; OpenID Connect Core 1.0, 3.1.2.6); others are errors of the registration. */
const SENT_BACK: ReadonlyMap<string, ProviderErrorKind> = new Map([
  ['access_denied', 'DECLINED'],
  // The person must first complete something at the provider.
  ['login_required', 'STOPPED'],
  ['interaction_required', 'STOPPED'],
  ['account_selection_required', 'STOPPED'],
  ['consent_required', 'STOPPED'],
  ['server_error', 'FAILED'],
  ['temporarily_unavailable', 'FAILED'],
]);
/** Characters of an error that are logged. */
const LOGGED = 100;

/** Milliseconds for which a provider's metadata and keys are cached. */
const CACHED = 10 * 60_000;
const SCOPE = 'openid email profile';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Maximum age in seconds of a logout token, and maximum clock skew. */
const LOGOUT_AGE = 300;
const CLOCK_SKEW = 30;
/** Precision in seconds of the machine's clock offset. */
const CLOCK_STEP = 5;
/** Error code of openid-client for an ID token signed by none of the provider's keys. */
const NO_SUCH_KEY = 'OAUTH_KEY_SELECTION_FAILED';

/** Calls identity providers through the guard of `OutgoingRequests`. Each method throws ProviderError. */
export class ProviderClient {
  private readonly known = new LRUCache<string, Promise<oidc.Configuration>>({ ...entries(500), ttl: CACHED });

  private readonly keys = new WeakMap<oidc.Configuration, JWTVerifyGetKey>();
  private readonly fetch: oidc.CustomFetch;

  constructor(
    outgoing: OutgoingRequests,
    private readonly clock: Pick<DatabaseClock, 'now'>,
    private readonly log: Logger,
  ) {
    this.fetch = providerFetch(outgoing);
  }

  /** The address of the provider's sign-in. */
  async authorizationUrl(provider: ProviderAccess, redirectUri: string, checks: FlowChecks): Promise<URL> {
    return this.trying(provider, async (configuration) =>
      oidc.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: SCOPE, response_type: 'code' },
        ...{ state: checks.state, nonce: checks.nonce },
        code_challenge: await oidc.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      }),
    );
  }

  /** The person who returned to `address` with a code: the ID token is verified, and userinfo is about the same subject. */
  async identify(provider: ProviderAccess, address: URL, checks: FlowChecks): Promise<ProvenIdentity> {
    return this.trying(provider, async (configuration) => {
      const tokens = await oidc.authorizationCodeGrant(configuration, address, {
        ...{ expectedState: checks.state, expectedNonce: checks.nonce, pkceCodeVerifier: checks.verifier },
        idTokenExpected: true,
      });
      const claims = tokens.claims() as oidc.IDToken;
      checkClaims(claims, provider, tokens, this.clock.now());
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const further: Partial<oidc.UserInfoResponse> = hasUserInfo
        ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : {};
      // `email_verified` is read from the same claims as the address.
      const verified = further.email === undefined ? {} : { email_verified: further.email_verified };
      return identityOf({ ...claims, ...further, ...verified, sub: claims.sub, sid: claims['sid'] }, provider);
    });
  }

  /** The session or the subject that a logout token ends (OpenID Connect Back-Channel Logout 1.0, 2.6). */
  async readLogoutToken(provider: ProviderAccess, token: string) {
    return this.trying(provider, async (configuration) => {
      const { id_token_signing_alg_values_supported: algorithms = ['RS256'] } = configuration.serverMetadata();
      const { payload } = await jwtVerify(token, this.keysOf(configuration), {
        ...{ issuer: provider.issuer, audience: provider.clientId },
        algorithms: algorithms.filter((name) => name !== 'none' && !name.startsWith('HS')),
        ...{ maxTokenAge: LOGOUT_AGE, clockTolerance: CLOCK_SKEW, currentDate: this.clock.now() },
        requiredClaims: ['iat', 'jti', 'events'],
      });
      const { events, nonce, sid, sub } = payload;
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
      const named = [sid, sub].filter((each) => each !== undefined);
      if (!isLogout || nonce !== undefined || named.length === 0 || !named.every(isIdentifier))
        throw new Error('It is no logout token');
      return { session: (sid as string | undefined) ?? null, subject: sub ?? null };
    });
  }

  /** Cached, and read again when a token names another key, at a bounded rate: senders of logout tokens are anonymous. */
  private keysOf(configuration: oidc.Configuration): JWTVerifyGetKey {
    let keys = this.keys.get(configuration);
    if (keys === undefined) {
      keys = createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri as string), {
        [customFetch]: (url, { headers }) =>
          this.fetch(url, { method: 'GET', headers: Object.fromEntries(headers), body: null, redirect: 'manual' }),
      });
      this.keys.set(configuration, keys);
    }
    return keys;
  }

  private async trying<Result>(
    provider: ProviderAccess,
    work: (configuration: oidc.Configuration) => Promise<Result>,
  ): Promise<Result> {
    // The library uses the machine's clock. Rounded, so that drift does not create a configuration for each sign-in.
    const behind = Math.round((this.clock.now().getTime() - Date.now()) / 1000 / CLOCK_STEP) * CLOCK_STEP;
    const key = `${provider.id} ${provider.updatedAt} ${behind}`;
    try {
      let configuration = this.known.get(key);
      if (configuration === undefined) this.known.set(key, (configuration = this.discover(provider, behind)));
      configuration.catch(() => this.known.delete(key));
      return await work(await configuration);
    } catch (cause) {
      // Signed with a key that was published after its keys were read: the next sign-in reads them again.
      if (causesOf(cause).some(({ code }) => code === NO_SUCH_KEY)) this.known.delete(key);
      const kind = errorKindOf(cause);
      // Without the causes, which contain tokens and codes.
      const reasons = causesOf(cause).map(({ name, message, code, error }) => ({
        ...{ name, message, code },
        ...(typeof error === 'string' && { error: error.slice(0, LOGGED) }),
      }));
      const level = kind === 'DECLINED' || kind === 'STOPPED' ? 'info' : 'warn';
      this.log[level]({ provider: provider.id, reasons: reasons.slice(0, 3) }, 'a sign-in was not accepted');
      throw new ProviderError(kind, cause);
    }
  }

  private async discover(
    { issuer, clientId, clientSecret }: ProviderAccess,
    behind: number,
  ): Promise<oidc.Configuration> {
    const isPlain = issuer.startsWith('http:');
    const client = { [oidc.clockSkew]: behind };
    const configuration = await oidc.discovery(new URL(issuer), clientId, client, authentication(clientSecret), {
      [oidc.customFetch]: this.fetch,
      // The guard allows plain http to loopback addresses only, where the operator permits them.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    });
    if (configuration.serverMetadata().issuer !== issuer) throw new Error('The issuer is another one');
    return configuration;
  }
}

/** The client authentication that the provider supports: in a header by default. */
function authentication(secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
    return authenticate(secret)(server, ...rest);
  };
}

const ENTRA = /^https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\//;

/**
 * Ids that a directory may have for the person of these claims. Entra ID has a separate subject for each application, and
 * one object id; at other providers, persons may be able to set such a claim.
 */
export function directoryIdsOf({ sub, oid }: Readonly<Record<string, unknown>>, issuer: string): string[] {
  const ids = ENTRA.test(issuer) ? [sub, oid] : [sub];
  return ids.filter(isIdentifier) as string[];
}

/** Whether a value may identify a person or a session (OpenID Connect Core 1.0, 2): not empty, at most 255 characters. */
const isIdentifier = (value: unknown) =>
  typeof value === 'string' && /^\P{Cc}{1,255}$/u.test(value) && value.isWellFormed();

/** Rules for ID tokens that openid-client leaves to its callers (OpenID Connect Core 1.0, 2 and 3.1.3). Throws. */
function checkClaims(
  { sub, sid, azp, iat, at_hash: bound }: oidc.IDToken,
  { clientId }: ProviderAccess,
  tokens: oidc.TokenEndpointResponse,
  now: Date,
): void {
  const { alg = '' } = decodeProtectedHeader(tokens.id_token as string);
  const digest = hash(`sha${/(?:256|384|512)$/.exec(alg)?.[0] ?? 512}`, tokens.access_token, 'buffer');
  const half = digest.subarray(0, digest.length / 2).toString('base64url');
  if (!isIdentifier(sub) || (sid !== undefined && !isIdentifier(sid))) throw new Error('sub or sid is no identifier');
  if (azp !== undefined && azp !== clientId) throw new Error('The ID token is for another client');
  if (iat > now.getTime() / 1000 + CLOCK_SKEW) throw new Error('The ID token was issued in the future');
  if (bound !== undefined && bound !== half) throw new Error('The ID token is about another access token');
}

function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim, issuer }: ProviderAccess,
): ProvenIdentity {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '');
  const email = text('email').toLowerCase();
  const groups = groupsClaim === null ? [] : claims[groupsClaim];
  return {
    subject: text('sub'),
    directoryIds: directoryIdsOf(claims, issuer),
    email: claims['email_verified'] === true && isEmailAddress(email) ? email : null,
    firstName: nameIn(text('given_name')),
    lastName: nameIn(text('family_name')),
    // A single group may be a string. Names are compared in the form in which those with a role are stored.
    groups: [groups].flat().flatMap((group) => (typeof group === 'string' ? composed(group).trim() : [])),
    session: text('sid') || null,
  };
}

/** A name as a profile has it. A longer one is cut, because a person could not sign in otherwise. */
function nameIn(text: string): string {
  const line = visibleText(composed(text.toWellFormed().replaceAll(/\p{Cc}/gu, ''))).trim();
  return [...line].slice(0, LIMITS.user.nameCharacters).join('').trimEnd();
}

/** `error` is the OAuth error of the provider's answer. */
type Cause = Error & { code?: unknown; error?: unknown };

function errorKindOf(cause: unknown): ProviderErrorKind {
  if (causesOf(cause).some((each) => each instanceof ProviderAway)) return 'AWAY';
  if (!(cause instanceof oidc.AuthorizationResponseError)) return 'WRONG';
  return SENT_BACK.get(cause.error) ?? 'MISCONFIGURED';
}

function causesOf(error: unknown): Cause[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

/** A request to a provider that was not sent or not answered. */
class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/** `fetch` through the guard of outgoing requests. Rejects with ProviderAway. */
function providerFetch(outgoing: OutgoingRequests): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`A provider is not called by ${method}`);
    const text = body == null ? {} : { body: String(body) };
    const answer = await outgoing.send({ method, url, headers, ...text }).catch((cause: unknown) => {
      throw new ProviderAway('The provider was not called, or does not answer', { cause });
    });
    const shown = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const each of [value ?? []].flat()) shown.append(name, each);
    const hasBody = ![204, 205, 304].includes(answer.status);
    return new Response(hasBody ? new Uint8Array(answer.body) : null, { status: answer.status, headers: shown });
  };
}
