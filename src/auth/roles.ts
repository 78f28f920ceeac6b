import { ROLE_RANKS, ROLES, type Role, type Scope } from '../values/enums.js';

/**
 * What each privilege requires: the lowest role that has it, and the scope of the token. Reading a device requires
 * ORGANIZATION_MANAGER, like deleting it.
 */
export const PRIVILEGES = {
  READ_ORGANIZATION: { role: 'VIEWER', scope: 'read' },
  READ_WORKFLOWS: { role: 'VIEWER', scope: 'read' },
  READ_DOCUMENTS: { role: 'VIEWER', scope: 'read' },
  READ_INCIDENTS: { role: 'VIEWER', scope: 'read' },
  READ_BRANDING: { role: 'VIEWER', scope: 'read' },
  LEAVE_ORGANIZATION: { role: 'VIEWER', scope: 'write' },
  SET_OWN_ALERTS: { role: 'VIEWER', scope: 'write' },
  UPLOAD_DOCUMENTS: { role: 'SECURITY_ANALYST', scope: 'write' },
  EDIT_INCIDENTS: { role: 'SECURITY_ANALYST', scope: 'write' },
  ATTACH_FILES: { role: 'SECURITY_ANALYST', scope: 'write' },
  SET_CONTROL_STATUS: { role: 'SECURITY_ANALYST', scope: 'write' },
  LIST_MEMBERS: { role: 'SECURITY_OFFICER', scope: 'read' },
  DELETE_EVIDENCE: { role: 'SECURITY_OFFICER', scope: 'write' },
  CORRECT_REPORTS: { role: 'SECURITY_OFFICER', scope: 'write' },
  REOPEN_INCIDENTS: { role: 'SECURITY_OFFICER', scope: 'write' },
  READ_AUDIT_TRAIL: { role: 'SECURITY_OFFICER', scope: 'read' },
  READ_REPORTS: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  READ_DEVICES: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  MANAGE_DEVICES: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  REPORT_CHECKS: { role: 'ORGANIZATION_MANAGER', scope: 'telemetry' },
  MANAGE_WORKFLOWS: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  MANAGE_BRANDING: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  MANAGE_SETTINGS: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  READ_WEBHOOKS: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  MANAGE_WEBHOOKS: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  MANAGE_MEMBERS: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  READ_IDENTITY_PROVIDERS: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  READ_SCIM: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  MANAGE_SCIM: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  LIST_INVITATIONS: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  LIST_SERVICE_ACCOUNTS: { role: 'ORGANIZATION_MANAGER', scope: 'read' },
  MANAGE_SERVICE_ACCOUNTS: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  READ_ENGAGEMENTS: { role: 'SECURITY_ANALYST', scope: 'read' },
  ANSWER_REQUESTS: { role: 'SECURITY_ANALYST', scope: 'write' },
  MANAGE_ENGAGEMENTS: { role: 'ORGANIZATION_MANAGER', scope: 'write' },
  MANAGE_OWNERS: { role: 'ORGANIZATION_OWNER', scope: 'write' },
  LIST_TOKENS: { role: 'ORGANIZATION_OWNER', scope: 'read' },
  BLOCK_TOKENS: { role: 'ORGANIZATION_OWNER', scope: 'write' },
  TRANSFER_ORGANIZATION: { role: 'ORGANIZATION_OWNER', scope: 'write' },
  DELETE_ORGANIZATION: { role: 'ORGANIZATION_OWNER', scope: 'write' },
  RESTORE_ORGANIZATION: { role: 'ORGANIZATION_OWNER', scope: 'write' },
  MANAGE_IDENTITY_PROVIDERS: { role: 'ORGANIZATION_OWNER', scope: 'write' },
  SET_AUDIT_RETENTION: { role: 'ORGANIZATION_OWNER', scope: 'write' },
} as const satisfies Record<string, { role: Role; scope: Scope }>;

export type Privilege = keyof typeof PRIVILEGES;

/** What is a person's alone: a service account has none of them, whatever its role. */
export const FOR_PERSONS: ReadonlySet<Privilege> = new Set<Privilege>(['LEAVE_ORGANIZATION', 'SET_OWN_ALERTS']);

/** Whether a role has a privilege: it does when it is ranked no lower than the role that first has it. */
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

/** The ladder as data, lowest rank first. What auditors may do follows from their engagements, and not from a privilege. */
export const ROLE_LADDER: readonly RoleDescription[] = (Object.keys(ROLE_RANKS) as Role[]).map((role) => ({
  role,
  rank: ROLE_RANKS[role],
  privileges: (Object.keys(PRIVILEGES) as Privilege[]).filter((privilege) => roleHas(role, privilege)),
}));

/** Everything a role may do, its lower ranks included. */
export function privilegesOf(role: Role): readonly Privilege[] {
  return ROLE_LADDER[ROLE_RANKS[role]]?.privileges ?? [];
}
