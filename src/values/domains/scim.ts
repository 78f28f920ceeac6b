import { ORGANIZATION, allows, toAuditors } from './domain.js';

export const SCIM = {
  privileges: {
    ...allows('ORGANIZATION_MANAGER', 'read', {
      READ_SCIM: 'See what a directory may do by SCIM, and its tokens.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_SCIM: 'Let a directory provision members by SCIM.',
    }),
  },
  subjects: {
    SCIM_TOKEN: { text: 'A token of a directory; its number.', path: `${ORGANIZATION}/scim/tokens/{id}` },
    SCIM_GROUP: { text: 'A group of a directory; its UUID.' },
  },
  actions: {
    SCIM_UPDATED: toAuditors('scim.updated', 'What a directory may do by SCIM was changed.'),
    SCIM_TOKEN_CREATED: toAuditors('scim_token.created', 'A token for a directory was made.'),
    SCIM_TOKEN_REVOKED: toAuditors('scim_token.revoked', 'A token of a directory was revoked.'),
    SCIM_GROUP_CREATED: toAuditors('scim_group.created', 'A directory created a group.'),
    SCIM_GROUP_UPDATED: toAuditors('scim_group.updated', 'A directory changed a group or its members.'),
    SCIM_GROUP_DELETED: toAuditors('scim_group.deleted', 'A directory deleted a group.'),
  },
} as const;
