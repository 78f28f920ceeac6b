/**
 * The ladder of decisions 2: a role's rank in one organization. Each role has all privileges of those ranked below it,
 * therefore ranks are compared and never listed.
 */
export const ROLE_RANKS = Object.freeze({
  VIEWER: 1,
  SECURITY_ANALYST: 2,
  SECURITY_OFFICER: 3,
  ORGANIZATION_MANAGER: 4,
  ORGANIZATION_OWNER: 5,
} as const);

export type Role = keyof typeof ROLE_RANKS;

/** Every role, lowest rank first. */
export const ROLES = Object.freeze(Object.keys(ROLE_RANKS) as Role[]);
