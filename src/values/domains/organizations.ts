import { ORGANIZATION, allows, toAuditors, toMembers } from './domain.js';

export const ORGANIZATIONS = {
  privileges: {
    ...allows('VIEWER', 'read', {
      READ_ORGANIZATION: 'Read the organization itself.',
      // Specification 4.9.
      READ_BRANDING: 'Read the branding.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_BRANDING: 'Change the branding.',
      MANAGE_SETTINGS: 'Change the profile and the settings of the organization.',
    }),
    ...allows('ORGANIZATION_OWNER', 'write', {
      TRANSFER_ORGANIZATION: 'Hand the ownership over.',
      DELETE_ORGANIZATION: 'Delete the organization.',
      RESTORE_ORGANIZATION: 'Restore the organization after it was deleted.',
    }),
  },
  subjects: {
    ORGANIZATION: { text: 'The organization; its id is the number.', path: ORGANIZATION },
  },
  actions: {
    ORGANIZATION_CREATED: toMembers('organization.created', 'The organization was created.'),
    ORGANIZATION_UPDATED: toMembers('organization.updated', 'Its profile, settings, branding or logo were changed.'),
    ORGANIZATION_DELETED: toMembers('organization.deleted', 'It was deleted; it can be restored for 30 days.'),
    ORGANIZATION_RESTORED: toMembers('organization.restored', 'It was restored after it was deleted.'),
    ORGANIZATION_PURGED: toMembers('organization.purged', 'It was deleted for good, with all but its audit trail.'),
    SANDBOX_RESET: toMembers('organization.reset', 'A sandbox was emptied, and filled with example data.'),
    OWNERSHIP_TRANSFERRED: toAuditors('organization.ownership_transferred', 'Another member became its owner.'),
  },
} as const;
