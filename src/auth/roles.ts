import type { Requirement } from '../values/domains/domain.js';
import { DECLARED_PRIVILEGES } from '../values/domains/index.js';
import { ROLE_RANKS, ROLES, type Role } from '../values/enums.js';

/**
 * Privileges with the lowest role that has them, as declared by each domain (values/domains);
 * test/members/rest-and-graphql.test.ts lists them all. Reading a device requires ORGANIZATION_MANAGER, like deleting
 * it.
 */
export const PRIVILEGES = Object.freeze(
  Object.fromEntries(
    Object.entries<Requirement>(DECLARED_PRIVILEGES).toSorted(
      ([, one], [, other]) => ROLE_RANKS[one.role] - ROLE_RANKS[other.role],
    ),
  ),
) as { readonly [Name in keyof typeof DECLARED_PRIVILEGES]: Requirement };

export type Privilege = keyof typeof PRIVILEGES;

/** Privileges of persons: service accounts have none of them, and never the role of an owner. */
export const FOR_PERSONS: ReadonlySet<Privilege> = new Set<Privilege>([
  ...(['LEAVE_ORGANIZATION', 'SET_OWN_ALERTS', 'ATTEST_CONTROLS', 'COUNTERSIGN_ATTESTATIONS'] as const),
  ...(Object.keys(PRIVILEGES) as Privilege[]).filter((each) => PRIVILEGES[each].role === 'ORGANIZATION_OWNER'),
]);

/** Whether a role is ranked at least as high as the lowest role with the privilege. */
export function roleHas(role: Role, privilege: Privilege): boolean {
  return ROLE_RANKS[role] >= ROLE_RANKS[PRIVILEGES[privilege].role];
}

/**
 * Whether a member with the role `actor` may give the role `subject`, and change or remove a member who has it:
 * ORGANIZATION_MANAGER manages the roles below its own, ORGANIZATION_OWNER all roles.
 */
export function manages(actor: Role, subject: Role): boolean {
  if (roleHas(actor, 'MANAGE_OWNERS')) return true;
  return roleHas(actor, 'MANAGE_MEMBERS') && !roleHas(subject, 'MANAGE_MEMBERS');
}

/** The roles that have a privilege, lowest rank first. */
export function rolesWith(privilege: Privilege): Role[] {
  return rolesFrom(PRIVILEGES[privilege].role);
}

/** This role and those above it. */
export function rolesFrom(lowest: Role): Role[] {
  return ROLES.filter((role) => ROLE_RANKS[role] >= ROLE_RANKS[lowest]);
}

export interface RoleDescription {
  role: Role;
  rank: number;
  privileges: readonly Privilege[];
}

/** The ladder as data, lowest rank first. Rights of auditors follow from their engagements, not from privileges. */
export const ROLE_LADDER: readonly RoleDescription[] = (Object.keys(ROLE_RANKS) as Role[]).map((role) => ({
  role,
  rank: ROLE_RANKS[role],
  privileges: (Object.keys(PRIVILEGES) as Privilege[]).filter((privilege) => roleHas(role, privilege)),
}));

/** All privileges of a role, including those of lower ranks. */
export function privilegesOf(role: Role): readonly Privilege[] {
  return ROLE_LADDER[ROLE_RANKS[role]]?.privileges ?? [];
}
