import { decodeJwt } from 'jose';
import { hash, randomBytes } from 'node:crypto';
import type { Actor, Caller, Origin, UserCaller } from '../../auth/caller.js';
import { HOUR, MINUTE } from '../../common/time.js';
import type { Queryable } from '../../database/database.js';
import { found } from '../../errors.js';
import { LIMITS } from '../../values/limits.js';
import { recordMember } from '../audit/subjects.js';
import type { Foundation } from '../foundation.js';
import { lockMembers } from '../members/members.service.js';
import { lockUser } from '../shared/present-users.js';
import { issueToken } from '../tokens/token-minting.js';
import {
  findProvider,
  openFlow,
  sealFlow,
  type Application,
  type ProviderRef,
  type KnownProvider,
  type PendingFlow,
  type PendingLink,
  type ProviderRow,
} from './flow.js';
import { secretSealer } from './identity-providers.service.js';
import { admit, BY_PROVIDER, decisiveGroup, linkTo } from './admit.js';
import { ProviderClient, ProviderError, type ProvenIdentity } from './provider-client.js';
import { Sealer } from '../shared/sealer.js';
import { lockOrganizationShared } from '../../database/change-locks.js';
import { SignInRefused } from './sign-in-refusals.js';
import {
  dropCodes,
  endSessions,
  insertCode,
  memberOf,
  organizationOfCode,
  providersBy,
  takeCode,
} from './sign-in-statements.js';

/** The outcome of a sign-in: a token for this browser, the application's address with a code, or a question. */
export type SignInOutcome =
  | { kind: 'TOKEN'; token: string; seconds: number }
  | { kind: 'APPLICATION'; redirect: string }
  | { kind: 'CONFIRM'; sealed: string; organization: string };

const { tokenHours, flowMinutes, codeSeconds, stateBytes } = LIMITS.signIn;

type Deps = Pick<Foundation, 'database' | 'access' | 'limits' | 'config' | 'clock' | 'now' | 'log' | 'outgoing'>;

/** Signing in through the identity provider of an organization (docs/sign-in.md). */
export class SignInService {
  private readonly client: ProviderClient;
  private readonly secrets: Sealer;
  private readonly flows: Sealer;
  private readonly links: Sealer;

  constructor(private readonly deps: Deps) {
    this.client = new ProviderClient(deps.outgoing, deps.clock, deps.log);
    this.secrets = secretSealer(deps.config);
    this.flows = new Sealer('sign-in flow', deps.config.secretKey);
    this.links = new Sealer('sign-in link', deps.config.secretKey);
  }

  /** The provider's address for an e-mail address or a provider's name, and the state that the browser stores meanwhile. */
  async begin(who: string, application: Application | null) {
    const text = who.trim().toLowerCase();
    if (!isStorable(text)) throw new SignInRefused('NO_PROVIDER');
    const at = text.lastIndexOf('@');
    const wanted = at < 0 ? { name: text, domain: null } : { name: null, domain: text.slice(at + 1) };
    const provider = this.known(await findProvider.first(this.deps.database, { id: null, ...wanted }));
    if (application !== null) this.checkApplication(provider, application);
    const random = () => randomBytes(32).toString('base64url');
    const checks = { state: random(), nonce: random(), verifier: random() };
    const url = await this.refusingProviderErrors(() =>
      this.client.authorizationUrl(provider, this.callback(), checks),
    );
    const until = this.deps.now().getTime() + flowMinutes * MINUTE;
    const sealed = sealFlow(this.flows, { ...checks, asked: providerRef(provider), application, until });
    return { url: url.href, sealed, organization: provider.organization };
  }

  /** Completes a sign-in with the query of the provider's redirect. */
  async finish(query: string, sealed: string | undefined, origin: Origin): Promise<SignInOutcome> {
    const flow = openFlow<PendingFlow>(this.flows, sealed ?? '', this.deps.now());
    if (flow === undefined) throw new SignInRefused('NO_FLOW');
    const address = new URL(`${this.callback()}${query}`);
    // State of another tab or browser.
    if (address.searchParams.get('state') !== flow.state) throw new SignInRefused('NO_FLOW');
    return refusingFor(flow, async () => {
      const provider = await this.provider(flow.asked);
      const identity = await this.refusingProviderErrors(() => this.client.identify(provider, address, flow));
      return this.enter(provider, identity, flow.application, origin);
    });
  }

  /** Links the person of a pending sign-in to the user of a token, and continues. */
  async confirm(token: string, sealed: string | undefined, origin: Origin): Promise<SignInOutcome> {
    const pending = openFlow<PendingLink>(this.links, sealed ?? '', this.deps.now());
    if (pending === undefined) throw new SignInRefused('NO_FLOW');
    return refusingFor(pending, () => this.link(pending, token, origin));
  }

  private async link(pending: PendingLink, token: string, origin: Origin): Promise<SignInOutcome> {
    const { database, now } = this.deps;
    const linking = () => this.callerOf(token.trim(), origin);
    const seen = await linking();
    const { identity, application, asked } = pending;
    const provider = await this.provider(asked);
    const { organizationId } = provider;
    requireLinking(seen, organizationId);
    await database.transaction(async (tx) => {
      await this.locked(tx, provider);
      // Again: the lock may have been waited for.
      const caller = requireLinking(await linking(), organizationId);
      const member = await memberOf.first(tx, { userId: caller.userId, organizationId });
      // The identity of a user erased in the meantime would remain.
      if (member === undefined || !(await lockUser(tx, caller.userId))) throw new SignInRefused('NO_MEMBER');
      const about = { provider, subject: identity.subject, username: member.username, now: now() };
      if (!(await linkTo(tx, caller, about))) throw new SignInRefused('LINKED_TO_ANOTHER');
    });
    return this.enter(provider, identity, application, origin);
  }

  /**
   * The token of a sign-in for the application that began it. NOT_FOUND, without saying why, for a code that is unknown, used,
   * expired, or not this application's.
   */
  async exchange(
    caller: Caller,
    { code, codeVerifier, redirectUri }: Record<'code' | 'codeVerifier' | 'redirectUri', string>,
  ) {
    const now = this.deps.now();
    const key = { digest: digestOf(code), redirectUri, codeChallenge: challengeOf(codeVerifier), now };
    return this.deps.database.transaction(async (tx) => {
      const place = found(await organizationOfCode.first(tx, key));
      await lockOrganizationShared(tx, place.organizationId);
      await lockMembers(tx, place.organizationId);
      const { userId, providerId, providerSession } = found(await takeCode.first(tx, key));
      const provider = this.known(found(await findProvider.first(tx, { id: providerId, name: null, domain: null })));
      const { organizationId } = provider;
      const { username, personalKey } = found(await memberOf.first(tx, { userId, organizationId }));
      const origin = caller.origin;
      const actor = { kind: 'user', userId, personalKey, ...(origin && { origin }) } as const;
      const { token, expiresAt } = await this.issue(tx, actor, { provider, username, session: providerSession, now });
      return { token, tokenExpiresAt: expiresAt, userId, organizationId };
    });
  }

  /** Ends the sessions that a provider's logout token names. Throws SignInRefused for an invalid one. */
  async endByProvider(logoutToken: string): Promise<void> {
    const { database, access, now } = this.deps;
    for (const named of await this.namedIn(logoutToken)) {
      const provider = await this.provider(named);
      const { id } = named;
      const ends = await this.refusingProviderErrors(() => this.client.readLogoutToken(provider, logoutToken));
      const { issuer, organizationId } = provider;
      const ended = await database.transaction(async (tx) => {
        const sessions = { ...ends, providerId: id, issuer };
        // Waits for sign-ins and exchanges of codes in progress: their tokens are seen below.
        await lockMembers(tx, organizationId);
        await dropCodes.all(tx, sessions);
        const tokens = await endSessions.all(tx, { ...sessions, now: now() });
        for (const { id: token, userId, username } of tokens) {
          const changes = { token: { before: token }, provider: { before: id } };
          const facts = { action: 'SIGNED_OUT', at: now(), changes } as const;
          await recordMember(tx, BY_PROVIDER, { organizationId, userId, username }, facts);
        }
        return tokens;
      });
      for (const { digest } of ended) access.cache.announced(`t:${digest}`);
    }
  }

  /** The possible providers of an unverified logout token. */
  private async namedIn(logoutToken: string) {
    const { issuer, clientIds } = partiesOf(logoutToken);
    const named = await providersBy.all(this.deps.database, { issuer, clientIds });
    if (named.length === 0) throw new SignInRefused('NO_PROVIDER');
    return named;
  }

  private async enter(
    known: KnownProvider,
    identity: ProvenIdentity,
    application: Application | null,
    origin: Origin,
  ): Promise<SignInOutcome> {
    const { database, config } = this.deps;
    const now = this.deps.now();
    const entered = await database.transaction(async (tx) => {
      const provider = await this.locked(tx, known);
      if (application !== null) this.checkApplication(provider, application);
      const member = await admit(tx, { provider, identity, now, origin }, config.quotas);
      if (member === 'UNKNOWN_PERSON') return member;
      // Thrown here, so that the sign-in is rolled back.
      if (typeof member === 'string') throw new SignInRefused(member);
      const { userId, actor, username } = member;
      const { session } = identity;
      if (application === null)
        return { ...(await this.issue(tx, actor, { provider, username, session, now })), userId };
      const code = randomBytes(32).toString('base64url');
      const { redirectUri, codeChallenge } = application;
      const expiresAt = new Date(now.getTime() + codeSeconds * 1000);
      const issued = { userId, providerId: provider.id, providerSession: session, redirectUri, codeChallenge };
      await insertCode.all(tx, { ...issued, digest: digestOf(code), expiresAt, now });
      return { code, userId };
    });
    if (entered === 'UNKNOWN_PERSON') return this.question(known, identity, application);
    this.deps.access.cache.announced(`m:${entered.userId}:${known.organizationId}`);
    if ('token' in entered) return { kind: 'TOKEN', token: entered.token, seconds: (tokenHours * HOUR) / 1000 };
    return { kind: 'APPLICATION', redirect: answerTo(application as Application, entered.code) };
  }

  private question(provider: KnownProvider, known: ProvenIdentity, application: Application | null): SignInOutcome {
    const until = this.deps.now().getTime() + flowMinutes * MINUTE;
    // A cookie has 4 KB, and a person may be in hundreds of groups.
    const identity = { ...known, groups: decisiveGroup(provider, known) };
    const sealed = sealFlow(this.links, { asked: providerRef(provider), identity, application, until });
    return { kind: 'CONFIRM', sealed, organization: provider.organization };
  }

  private async issue(
    tx: Queryable,
    actor: Actor & { kind: 'user' },
    about: { provider: KnownProvider; username: string; session: string | null; now: Date },
  ) {
    const { provider, username, session, now } = about;
    const { userId } = actor;
    const made = await issueToken(tx, {
      ...{ userId, name: `Sign-in through ${provider.name}`, scopes: ['read', 'write'], createdAt: now },
      expiresAt: new Date(now.getTime() + tokenHours * HOUR),
      ...{ origin: 'SIGN_IN', providerId: provider.id, providerSession: session },
    });
    const changes = { token: { after: made.id }, provider: { after: provider.id } };
    const member = { organizationId: provider.organizationId, userId, username };
    await recordMember(tx, actor, member, { action: 'SIGNED_IN', at: now, changes });
    return made;
  }

  /** The user that a browser is signed in as; undefined without one. */
  async current(token: string | undefined, origin: Origin): Promise<UserCaller | undefined> {
    if (token === undefined) return undefined;
    const caller = await this.callerOf(token, origin);
    return caller.kind === 'user' && caller.signIn !== undefined ? caller : undefined;
  }

  /** Throws RATE_LIMITED for a wrong token from an address that has sent many. */
  private async callerOf(token: string, { address, requestId }: Origin): Promise<Caller> {
    const { access, limits } = this.deps;
    const sent = { form: 'header', address, requestId, isSuspect: limits.isSuspect(address) } as const;
    const caller = await access.authenticate(token, sent);
    if (caller.kind === 'anonymous') limits.authenticationFailed(address);
    return caller;
  }

  /** The provider of the flow with its present settings. Throws if its issuer or client changed, or it was deleted. */
  private async provider(ref: ProviderRef, database: Queryable = this.deps.database): Promise<KnownProvider> {
    const provider = this.known(await findProvider.first(database, { id: ref.id, name: null, domain: null }));
    if (provider.issuer !== ref.issuer || provider.clientId !== ref.clientId) throw new SignInRefused('NO_FLOW');
    return provider;
  }

  /** As it is under the lock of the members, for the rest of the transaction: it may have changed since it was read. */
  private async locked(tx: Queryable, known: KnownProvider): Promise<KnownProvider> {
    await lockMembers(tx, known.organizationId);
    return this.provider(known, tx);
  }

  private known(row: ProviderRow | undefined): KnownProvider {
    if (row === undefined) throw new SignInRefused('NO_PROVIDER');
    const { sealedSecret, ...provider } = row;
    const clientSecret = sealedSecret === null ? null : this.secrets.open(sealedSecret);
    if (clientSecret === undefined)
      throw new Error('The secret of an identity provider was sealed under another SECRET_KEY');
    return { ...provider, clientSecret };
  }

  /** The gateway's own pages are an application without registration. */
  private checkApplication({ redirectUris }: KnownProvider, { redirectUri, codeChallenge, state }: Application): void {
    const isOwn = redirectUri === `${this.deps.config.publicUrl}/signed-in`;
    if (!isOwn && !redirectUris.includes(redirectUri)) throw new SignInRefused('REDIRECT_NOT_REGISTERED');
    if (!CHALLENGE.test(codeChallenge)) throw new SignInRefused('PKCE_MISSING');
    if (Buffer.byteLength(state ?? '') > stateBytes) throw new SignInRefused('STATE_TOO_LONG');
  }

  private callback(): string {
    return `${this.deps.config.publicUrl}/sign-in/callback`;
  }

  private async refusingProviderErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof ProviderError)) throw cause;
      throw new SignInRefused(`PROVIDER_${cause.kind}`, { cause });
    }
  }
}

/** Adds the application of the sign-in to a refusal. */
async function refusingFor<Result>(
  { application }: PendingFlow | PendingLink,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInRefused) error.application = application;
    throw error;
  }
}

/** Throws for a token that may not link its user. */
function requireLinking(caller: Caller, organizationId: number): UserCaller {
  // Read-only tokens, tokens for documents and tokens of another provider cannot link.
  if (caller.kind !== 'user' || caller.signIn !== undefined || caller.documentsOnly || !caller.scopes.has('write'))
    throw new SignInRefused('WRONG_TOKEN');
  // Nor can a token that the organization has blocked, which would regain access by it, or that of a service account.
  if (caller.serviceOf !== undefined || caller.blockedIn.has(organizationId)) throw new SignInRefused('WRONG_TOKEN');
  return caller;
}

function partiesOf(logoutToken: string) {
  try {
    const { iss, aud } = decodeJwt(logoutToken);
    const [issuer, ...clientIds] = [iss, aud].flat();
    if (![issuer, ...clientIds].every(isStorable)) throw new TypeError('iss and aud must be texts');
    return { issuer: issuer as string, clientIds: clientIds as string[] };
  } catch (cause) {
    throw new SignInRefused('PROVIDER_WRONG', { cause });
  }
}

const isStorable = (value: unknown) => typeof value === 'string' && !value.includes('\0');

const providerRef = ({ id, issuer, clientId }: ProviderRef): ProviderRef => ({ id, issuer, clientId });

/** Length of S256: 32 bytes. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

function answerTo({ redirectUri, state }: Application, code: string): string {
  const url = new URL(redirectUri);
  url.searchParams.set('code', code);
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

const digestOf = (code: string) => hash('sha256', code, 'hex');

const challengeOf = (verifier: string) => hash('sha256', verifier, 'base64url');
