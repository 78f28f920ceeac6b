import { DomainError, forbidden, forPersons, notBySignIn, notFound, unauthenticated } from '../errors.js';
import type { Role, Scope, TokenScope } from '../values/enums.js';
import type { AccessCache, Freshness, KnownToken, Membership } from './access-cache.js';
import { AccessReader, type AccessRecords } from './access-reader.js';
import { ANONYMOUS, userOf, type Caller, type Credential, type CredentialOrigin, type UserCaller } from './caller.js';
import { organizationIdsOf, UsedRights, type AuditorRight, type Right } from './rights.js';
import { FOR_PERSONS, roleHas, type Privilege } from './roles.js';
import { digestToken, isWellFormedToken } from './token.js';
import { type AuditedEngagement, grants, reaches, takes } from './token-reach.js';

/** A refusal of a member in its organization, or of a user's token in the user's own affairs. */
export type Refusal = {
  caller: UserCaller;
  /** `ROLE`: the role lacks the privilege, or it is reserved for persons. `TOKEN`: the token may not use it. */
  by: 'ROLE' | 'TOKEN';
} & ({ organizationId: number; privilege: Privilege } | { organizationId?: undefined; scope: TokenScope });

/**
 * Decides about all access. Missing and inaccessible objects are alike: a non-member gets NOT_FOUND, as for an id
 * that never existed.
 */
export class Access {
  readonly cache: AccessCache;
  private readonly reader: AccessReader;

  constructor(
    private readonly records: AccessRecords,
    freshness: Freshness,
    private readonly used: (caller: UserCaller) => void,
    private readonly now: () => number = Date.now,
    private readonly refused: (refusal: Refusal) => void = () => undefined,
  ) {
    this.reader = new AccessReader(records, freshness);
    this.cache = this.reader.cache;
  }

  /**
   * The caller of a token. Missing, malformed, unknown, expired and revoked tokens, and those used from a disallowed
   * address, are all anonymous.
   */
  async authenticate(
    token: string | undefined,
    origin: CredentialOrigin = { form: 'header', address: undefined },
  ): Promise<Caller> {
    if (token === undefined || !isWellFormedToken(token)) return ANONYMOUS;
    const digest = digestToken(token);
    const known = this.cache.token(digest) ?? (await this.reader.token(digest, origin.isSuspect === true));
    return this.callerBy(known, { digest, origin }) ?? ANONYMOUS;
  }

  /** The callers of valid tokens; invalid ones are missing. One statement reads those that are not cached. */
  async revalidateTokens<Known extends Credential>(tokens: readonly Known[]): Promise<ReadonlyMap<Known, UserCaller>> {
    const known = await this.reader.tokens(tokens.map(({ digest }) => digest));
    const callers = tokens.map(
      (credential) => [credential, this.callerBy(known.get(credential.digest), credential)] as const,
    );
    return new Map(callers.filter((entry): entry is [Known, UserCaller] => entry[1] !== undefined));
  }

  /**
   * The caller according to its current token, before each part of a long request: throws UNAUTHENTICATED when it was
   * revoked; an organization that has blocked it refuses it. Usually cached.
   */
  async renewed<Known extends Caller>(caller: Known): Promise<Known | UserCaller> {
    if (caller.kind !== 'user' || caller.credential === undefined) return caller;
    const { credential, origin, rights } = caller;
    const known = (await this.reader.tokens([credential.digest])).get(credential.digest);
    const now = this.callerBy(known, credential);
    if (now === undefined) throw unauthenticated();
    return { ...now, ...(origin && { origin }), ...(rights && { rights }) };
  }

  /**
   * The same for connected clients. For an invalid token it returns the caller unchanged: nothing more is sent, and
   * its connection ends (graphql/subscriptions/live-sessions.ts).
   */
  async connected(caller: Caller): Promise<Caller> {
    return this.renewed(caller).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'UNAUTHENTICATED') return caller;
      throw error;
    });
  }

  /** Throws UNAUTHENTICATED, NOT_FOUND (no member) or FORBIDDEN (role or scope too low). */
  async authorize(caller: Caller, privilege: Privilege, organizationId: number): Promise<void> {
    if (caller.kind === 'system') return;
    if (caller.kind === 'anonymous') throw unauthenticated();
    const membership = await this.membership(caller, organizationId);
    if (membership === undefined) throw notFound();
    if (grants(caller, organizationId, membership, privilege)) return caller.rights?.add({ privilege, organizationId });
    this.refuse(caller, privilege, organizationId, roleHas(membership.role, privilege) ? 'TOKEN' : 'ROLE');
  }

  /** For changes by users. Throws as `authorize`, and UNAUTHENTICATED where the caller is not a user. */
  async authorizeWrite(caller: Caller, privilege: Privilege, organizationId: number): Promise<UserCaller> {
    await this.authorize(caller, privilege, organizationId);
    return this.authorizeToken(caller, 'write');
  }

  /** Throws FORBIDDEN for a member, and reports the refusal. */
  refuse(caller: Caller, privilege: Privilege, organizationId: number, by: Refusal['by'] = 'ROLE'): never {
    if (caller.kind !== 'user') throw forbidden();
    const isForPersons = caller.serviceOf !== undefined && FOR_PERSONS.has(privilege);
    this.refused({ caller, organizationId, privilege, by: isForPersons ? 'ROLE' : by });
    throw isForPersons ? forPersons() : forbidden();
  }

  /** Whether `authorize` would succeed. */
  async allows(caller: Caller, privilege: Privilege, organizationId: number): Promise<boolean> {
    return (await this.granted(caller, organizationId))(privilege);
  }

  /** The decision of `authorize` for any privilege, with one read of the membership: for `viewerCan`. */
  async granted(caller: Caller, organizationId: number): Promise<(privilege: Privilege) => boolean> {
    if (caller.kind !== 'user') return () => caller.kind === 'system';
    const membership = await this.membership(caller, organizationId);
    return (privilege) => {
      if (membership === undefined || !grants(caller, organizationId, membership, privilege)) return false;
      caller.rights?.add({ privilege, organizationId });
      return true;
    };
  }

  /** Records the rights that the caller uses from now on, for `lost` and `confirm`. */
  noteRights(caller: UserCaller): UsedRights {
    return (caller.rights ??= new UsedRights());
  }

  /** The rights that the caller has lost. */
  async lost(caller: UserCaller, rights: readonly Right[]): Promise<Right[]> {
    const granted = new Map<number, (privilege: Privilege) => boolean>();
    for (const id of organizationIdsOf(rights)) granted.set(id, await this.granted(caller, id));
    const lost: Right[] = [];
    for (const right of rights) {
      const isGranted =
        'privilege' in right
          ? granted.get(right.organizationId)?.(right.privilege) === true
          : 'engagementId' in right
            ? await this.audits(caller, right)
            : caller.scopes.has(right.scope);
      if (!isGranted) lost.push(right);
    }
    return lost;
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller has lost one of these rights. */
  async confirm(caller: UserCaller, rights: readonly Right[]): Promise<void> {
    const [lost] = await this.lost(caller, rights);
    if (lost === undefined) return;
    if ('privilege' in lost) return this.authorize(caller, lost.privilege, lost.organizationId);
    if ('engagementId' in lost) await this.authorizeAuditor(caller, lost.scope, lost.engagementId);
    else this.refuseSelf(caller, lost.scope);
  }

  /** The same during a long answer. Throws UNAUTHENTICATED when the token is not valid any more. */
  async revalidate(credential: Credential, rights: UsedRights): Promise<void> {
    const caller = (await this.revalidateTokens([credential])).get(credential);
    if (caller === undefined) throw unauthenticated();
    await this.confirm(caller, rights.all());
  }

  /**
   * For auditors of an engagement, who are not members: nothing else grants them access. Read from the database each
   * time, so that an engagement ends to the millisecond. Throws UNAUTHENTICATED, NOT_FOUND for others and after its end, and
   * FORBIDDEN.
   */
  async authorizeAuditor(caller: Caller, scope: Scope, engagementId: number): Promise<UserCaller> {
    const user = userOf(caller);
    const engagement = await this.audited(user, engagementId);
    if (engagement === undefined) throw notFound();
    if (!takes(engagement, user, scope)) this.refuseSelf(user, scope);
    user.rights?.add({ scope, engagementId, organizationId: engagement.organizationId });
    return user;
  }

  /** Whether a user is an auditor of an engagement now. */
  async isAuditor(userId: string, engagementId: number): Promise<boolean> {
    return (await this.records.engagement(userId, engagementId, new Date(this.now()))) !== undefined;
  }

  /**
   * For signed addresses, read without a token: whether the member they were made for has these privileges by its
   * role. Usually cached.
   */
  async isMemberWith(userId: string, privileges: readonly Privilege[], organizationId: number): Promise<boolean> {
    const membership = await this.reader.membership(userId, organizationId);
    return membership !== undefined && privileges.every((privilege) => roleHas(membership.role, privilege));
  }

  /**
   * For a person's own affairs, without an organization. Throws UNAUTHENTICATED, and FORBIDDEN without the scope and
   * for service accounts.
   */
  authorizeSelf(caller: Caller, scope: Scope): UserCaller {
    const user = userOf(caller);
    if (user.serviceOf !== undefined) this.refuseSelf(user, scope, 'ROLE', forPersons());
    return this.authorizeToken(user, scope);
  }

  /** For operations open to every token with the scope, also of service accounts. Throws as `authorizeSelf`. */
  authorizeToken(caller: Caller, scope: Scope): UserCaller {
    const user = userOf(caller);
    if (!user.scopes.has(scope)) this.refuseSelf(user, scope);
    user.rights?.add({ scope });
    return user;
  }

  /**
   * For a person's data across organizations. Tokens of a sign-in are refused, because an organization's provider
   * decides who gets one (docs/sign-in.md). Throws as `authorizeSelf`.
   */
  authorizeOwn(caller: Caller, scope: Scope): UserCaller {
    this.authorizeSelf(caller, scope);
    return this.authorizeTokens(caller, scope);
  }

  /** For managing the tokens of a person or a service account: `authorizeToken`, without tokens of a sign-in. */
  authorizeTokens(caller: Caller, scope: Scope): UserCaller {
    const user = this.authorizeToken(caller, scope);
    if (user.signIn !== undefined) this.refuseSelf(user, scope, 'TOKEN', notBySignIn());
    return user;
  }

  /** Throws FORBIDDEN, for a token without the scope unless the reason is another, and reports the refusal. */
  refuseSelf(caller: UserCaller, scope: TokenScope, by: Refusal['by'] = 'TOKEN', error = forbidden()): never {
    this.refused({ caller, scope, by });
    throw error;
  }

  /** The caller's role in an organization, regardless of its token's scopes; undefined for non-members. */
  async roleIn(caller: UserCaller, organizationId: number): Promise<Role | undefined> {
    return (await this.membership(caller, organizationId))?.role;
  }

  private async audits(caller: UserCaller, { engagementId, scope }: AuditorRight): Promise<boolean> {
    const engagement = await this.audited(caller, engagementId);
    return engagement !== undefined && takes(engagement, caller, scope);
  }

  /**
   * An engagement that the caller's token reaches: a token of a sign-in reaches that of its provider's organization
   * only.
   */
  private async audited(caller: UserCaller, engagementId: number): Promise<AuditedEngagement | undefined> {
    const engagement = await this.records.engagement(caller.userId, engagementId, new Date(this.now()));
    const { signIn } = caller;
    return signIn === undefined || signIn.organizationId === engagement?.organizationId ? engagement : undefined;
  }

  /** Membership of the caller, if its token reaches the organization. */
  private async membership(caller: UserCaller, organizationId: number): Promise<Membership | undefined> {
    const membership = await this.reader.membership(caller.userId, organizationId);
    return membership !== undefined && reaches(caller, organizationId, membership) ? membership : undefined;
  }

  private callerBy(known: KnownToken | undefined, credential: Credential): UserCaller | undefined {
    const { form, address, requestId } = credential.origin;
    if (known === undefined || known.expiresAt <= this.now() || !known.allowed.allows(address)) return undefined;
    const { digest, origin } = credential;
    const caller = { ...known.callers[form], origin: { address, requestId }, credential: { digest, origin } };
    this.used(caller);
    return caller;
  }
}
