import { Int, ObjectType } from 'type-graphql';
import { Field } from './field.js';
import type { Privilege } from '../../auth/roles.js';
import type { Role } from '../../values/enums.js';
import { enumeration } from './enumeration.js';

export const RoleEnum = enumeration<Role>(
  'Role',
  'What a user is in one organization. Roles are ranked; each has all privileges of those ranked below it.',
  {
    VIEWER: 'Rank 1: reads the organization, its workflows, documents, incidents and branding.',
    SECURITY_ANALYST:
      'Rank 2: also uploads documents, edits incidents, attaches files and sets the status of controls.',
    SECURITY_OFFICER:
      'Rank 3: also lists the members (specification 4.7), reads the audit trail, deletes evidence, reopens incidents.',
    ORGANIZATION_MANAGER:
      'Rank 4: also manages the organization (specification 5): devices, workflows, branding, settings, webhooks, members.',
    ORGANIZATION_OWNER: 'Rank 5: also decides on owners, transfer, deletion and restoring (specification 4.1).',
  },
);

export const PrivilegeEnum = enumeration<Privilege>(
  'Privilege',
  'Something that a caller may do in an organization. It takes a role that is high enough and a token whose scopes allow it.',
  {
    READ_ORGANIZATION: 'Read the organization itself.',
    READ_WORKFLOWS: 'Read the workflows of the organization and how far their controls are.',
    READ_DOCUMENTS: 'Read and download document versions.',
    READ_INCIDENTS: 'Read incidents and their attachments.',
    READ_BRANDING: 'Read the branding (specification 4.9).',
    LEAVE_ORGANIZATION: 'Leave the organization; its last owner cannot.',
    SET_OWN_ALERTS: 'Choose which alerts and mails of the organization one wants for oneself.',
    UPLOAD_DOCUMENTS: 'Upload document versions (specification 4.2).',
    EDIT_INCIDENTS: 'Open and edit incidents.',
    ATTACH_FILES: 'Attach files to incidents (specification 4.3).',
    SET_CONTROL_STATUS: 'Set status, owner and due date of controls.',
    LIST_MEMBERS: 'List the users of the organization (specification 4.7).',
    DELETE_EVIDENCE: 'Delete document versions and files of incidents that others have uploaded.',
    CORRECT_REPORTS: 'Correct when a report of an incident was sent.',
    REOPEN_INCIDENTS: 'Open closed incidents again.',
    READ_AUDIT_TRAIL: 'Read who did what.',
    READ_REPORTS: 'See the weekly report as it would go out, and what became of those that did.',
    READ_DEVICES: 'Read device configurations (specification 4.4).',
    MANAGE_DEVICES: 'Create, change, delete and restore device configurations (specification 4.5, 4.6).',
    REPORT_CHECKS: 'Report the checks of devices, with a token for telemetry.',
    MANAGE_WORKFLOWS: 'Associate workflows with the organization and take them away.',
    MANAGE_BRANDING: 'Change the branding.',
    MANAGE_SETTINGS: 'Change the profile and the settings of the organization.',
    MANAGE_WEBHOOKS: 'Manage webhooks.',
    MANAGE_MEMBERS: 'Invite, change and remove members below rank 4.',
    LIST_INVITATIONS: 'List the invitations of the organization.',
    MANAGE_OWNERS: 'Invite, change and remove members of any rank.',
    LIST_TOKENS: 'List the tokens of members that may act in the organization.',
    BLOCK_TOKENS: 'Block tokens of members in the organization.',
    TRANSFER_ORGANIZATION: 'Hand the ownership over.',
    DELETE_ORGANIZATION: 'Delete the organization.',
    RESTORE_ORGANIZATION: 'Restore the organization after it was deleted.',
    SET_AUDIT_RETENTION: 'Set after how many days entries of the audit trail are removed.',
  },
);

@ObjectType({ description: 'One step of the ladder of roles (specification 5).' })
export class RoleDescription {
  @Field(() => RoleEnum, 'The role.')
  role!: Role;

  @Field(() => Int, 'Its rank, from 1 (lowest) to 5.')
  rank!: number;

  @Field(() => [PrivilegeEnum], 'All its privileges, those of lower ranks included.')
  privileges!: readonly Privilege[];
}
