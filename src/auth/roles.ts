import { ROLE_RANKS, ROLES, type Role, type Scope } from '../values/enums.js';

/**
 * Privileges: the lowest role that has each, the scope that a token needs for it, and a description.
 * Reading a device requires ORGANIZATION_MANAGER, like deleting it.
 */
export const PRIVILEGES = Object.freeze({
  ...from('VIEWER', 'read', {
    READ_ORGANIZATION: 'Read the organization itself.',
    READ_WORKFLOWS: 'Read the workflows of the organization and how far their controls are.',
    READ_DOCUMENTS: 'Read and download document versions.',
    READ_INCIDENTS: 'Read incidents and their attachments.',
    // Specification 4.9.
    READ_BRANDING: 'Read the branding.',
  }),
  ...from('VIEWER', 'write', {
    LEAVE_ORGANIZATION: 'Leave the organization; its last owner cannot.',
    SET_OWN_ALERTS: 'Choose which alerts and mails of the organization one wants for oneself.',
  }),
  ...from('VIEWER', 'write', {
    ATTEST_CONTROLS: 'Attest controls that one answers for.',
  }),
  ...from('SECURITY_ANALYST', 'write', {
    // Specification 4.2.
    UPLOAD_DOCUMENTS: 'Upload document versions.',
    EDIT_INCIDENTS: 'Open and edit incidents.',
    // Specification 4.3.
    ATTACH_FILES: 'Attach files to incidents.',
    SET_CONTROL_STATUS: 'Set status, owner and due date of controls.',
  }),
  ...from('SECURITY_OFFICER', 'read', {
    // Specification 4.7.
    LIST_MEMBERS: 'List the users of the organization.',
  }),
  ...from('SECURITY_OFFICER', 'write', {
    DELETE_EVIDENCE: 'Delete document versions and files of incidents that others have uploaded.',
    CORRECT_REPORTS: 'Correct when a report of an incident was sent.',
    REOPEN_INCIDENTS: 'Open closed incidents again.',
    COUNTERSIGN_ATTESTATIONS: 'Countersign and withdraw attestations of others.',
  }),
  ...from('SECURITY_OFFICER', 'read', {
    READ_AUDIT_TRAIL: 'Read who did what.',
  }),
  ...from('ORGANIZATION_MANAGER', 'read', {
    READ_REPORTS: 'See the weekly report as it would go out, and what became of those that did.',
    // Specification 4.4.
    READ_DEVICES: 'Read device configurations.',
  }),
  ...from('ORGANIZATION_MANAGER', 'write', {
    // Specification 4.5, 4.6.
    MANAGE_DEVICES: 'Create, change, delete and restore device configurations.',
  }),
  ...from('ORGANIZATION_MANAGER', 'telemetry', {
    REPORT_CHECKS: 'Report the checks of devices, with a token for telemetry.',
  }),
  ...from('ORGANIZATION_MANAGER', 'write', {
    MANAGE_WORKFLOWS: 'Associate workflows with the organization and take them away.',
    MANAGE_BRANDING: 'Change the branding.',
    MANAGE_SETTINGS: 'Change the profile and the settings of the organization.',
  }),
  ...from('ORGANIZATION_MANAGER', 'read', {
    READ_WEBHOOKS: 'Read webhook endpoints, and what was sent to them.',
  }),
  ...from('ORGANIZATION_MANAGER', 'write', {
    MANAGE_WEBHOOKS: 'Manage webhooks.',
    MANAGE_MEMBERS: 'Invite, change and remove members below rank 4.',
  }),
  ...from('ORGANIZATION_MANAGER', 'read', {
    READ_IDENTITY_PROVIDERS: 'See which identity providers are connected.',
    READ_SCIM: 'See what a directory may do by SCIM, and its tokens.',
    LIST_INVITATIONS: 'List the invitations of the organization.',
    LIST_SERVICE_ACCOUNTS: 'List the service accounts of the organization and their tokens.',
  }),
  ...from('ORGANIZATION_MANAGER', 'write', {
    MANAGE_SCIM: 'Let a directory provision members by SCIM.',
    MANAGE_SERVICE_ACCOUNTS: 'Create, change and delete service accounts below rank 4, and their tokens.',
  }),
  ...from('SECURITY_ANALYST', 'read', {
    READ_ENGAGEMENTS: 'Read the engagements of auditors, their requests and their sign-offs.',
  }),
  ...from('SECURITY_ANALYST', 'write', {
    ANSWER_REQUESTS: 'Answer and close requests of auditors.',
  }),
  ...from('ORGANIZATION_MANAGER', 'write', {
    MANAGE_ENGAGEMENTS: 'Create, change and end engagements of auditors.',
  }),
  ...from('ORGANIZATION_OWNER', 'write', {
    MANAGE_OWNERS: 'Invite, change and remove members of any rank.',
  }),
  ...from('ORGANIZATION_OWNER', 'read', {
    LIST_TOKENS: 'List the tokens of members that may act in the organization.',
  }),
  ...from('ORGANIZATION_OWNER', 'write', {
    BLOCK_TOKENS: 'Block tokens of members in the organization.',
    TRANSFER_ORGANIZATION: 'Hand the ownership over.',
    DELETE_ORGANIZATION: 'Delete the organization.',
    RESTORE_ORGANIZATION: 'Restore the organization after it was deleted.',
    MANAGE_IDENTITY_PROVIDERS: 'Connect identity providers, and require them.',
    SET_AUDIT_RETENTION:
      'Set after how many days entries of the audit trail are removed, and who is mailed its checkpoints.',
  }),
});

interface Requirement {
  role: Role;
  scope: Scope;
  /** Description of the privilege, as the end of "may ...". */
  may: string;
}

function from<Name extends string>(role: Role, scope: Scope, privileges: Readonly<Record<Name, string>>) {
  const rows = Object.entries<string>(privileges).map(([name, may]) => [name, { role, scope, may }]);
  return Object.fromEntries(rows) as Readonly<Record<Name, Requirement>>;
}

export type Privilege = keyof typeof PRIVILEGES;

/** Privileges of persons: a service account has none of them, whatever its role. */
export const FOR_PERSONS: ReadonlySet<Privilege> = new Set<Privilege>([
  ...(['LEAVE_ORGANIZATION', 'SET_OWN_ALERTS', 'ATTEST_CONTROLS', 'COUNTERSIGN_ATTESTATIONS'] as const),
]);

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
