import type { Scope } from '../values/enums.js';
import type { Membership } from './access-cache.js';
import { isExempt, type TokenForm, type UserCaller } from './caller.js';
import { FOR_PERSONS, PRIVILEGES, roleHas, type Privilege } from './roles.js';
import type { TokenRecord } from './token-lookup.js';

/** The organization of an engagement, and whether it accepts tokens of auditors in addresses. */
export interface AuditedEngagement {
  readonly organizationId: number;
  readonly queryTokens: boolean;
}

/**
 * Whether a token reaches an organization: one of a service account only its own, one of a sign-in only that of its
 * provider. An organization that requires a provider accepts only tokens of that one and `isExempt` ones.
 */
export function reaches(caller: UserCaller, organizationId: number, { requiredProviderId }: Membership): boolean {
  const { serviceOf = organizationId, signIn } = caller;
  if (serviceOf !== organizationId || (signIn ?? { organizationId }).organizationId !== organizationId) return false;
  return requiredProviderId === null || requiredProviderId === signIn?.providerId || isExempt(caller);
}

/**
 * A token narrows the rights of its user's role and never widens them. It is refused where the organization has
 * blocked it, or does not accept tokens in addresses.
 */
export function grants(
  caller: UserCaller,
  organizationId: number,
  membership: Membership,
  privilege: Privilege,
): boolean {
  const { scopes, form, blockedIn, serviceOf } = caller;
  if (form === 'query' && !membership.queryTokens) return false;
  if (serviceOf !== undefined && FOR_PERSONS.has(privilege)) return false;
  return (
    roleHas(membership.role, privilege) && scopes.has(PRIVILEGES[privilege].scope) && !blockedIn.has(organizationId)
  );
}

/** As `grants`, for auditors. */
export function takes({ organizationId, queryTokens }: AuditedEngagement, caller: UserCaller, scope: Scope): boolean {
  const { scopes, form, blockedIn } = caller;
  return scopes.has(scope) && (form === 'header' || queryTokens) && !blockedIn.has(organizationId);
}

export function callerOf(record: TokenRecord, form: TokenForm): UserCaller {
  const { id: tokenId, userId, username, scopes, blockedIn, personalKey, serviceOf, origin } = record;
  const { providerId, providerOrganizationId: organizationId } = record;
  const documentsOnly = scopes.includes('documents');
  return Object.freeze({
    ...{ kind: 'user', userId, username, tokenId, form, personalKey },
    ...(serviceOf !== null && { serviceOf }),
    // The operator decides what registered documents may do.
    scopes: new Set(documentsOnly ? (['read', 'write'] as const) : (scopes as Scope[])),
    ...(documentsOnly && { documentsOnly }),
    blockedIn: new Set(blockedIn),
    ...(providerId !== null && organizationId !== null && { signIn: { providerId, organizationId } }),
    ...(origin === 'OPERATOR' && { byOperator: true }),
  });
}
