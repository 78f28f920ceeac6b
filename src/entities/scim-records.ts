import { defineEntity } from '@mikro-orm/core';
import { changeTime, creationTime, instant, p, version } from './columns.js';
import type { ScimEmail } from '../common/scim-resources.js';
import type { Role } from '../values/enums.js';
import type { GroupRole } from './identity.js';
import { Membership } from './members.js';
import { Organization, organizationRow } from './organizations.js';

/** Settings of SCIM in an organization (docs/scim.md); an organization without a row has the defaults. */
export const ScimSettings = defineEntity({
  name: 'ScimSettings',
  properties: {
    organization: p.oneToOne(Organization).primary().owner().updateRule('no action').deleteRule('cascade'),
    enabled: p.boolean(),
    /** Role of users whose groups have no role. */
    defaultRole: p.text().$type<Role>(),
    groupRoles: p.json<GroupRole[]>(),
    /** Whether members who joined otherwise are linked when the directory provisions them. */
    linkMembers: p.boolean(),
    updatedAt: changeTime(),
    version: version(),
  },
});

/** A token of a directory. Only its SHA-256 is stored. */
export const ScimToken = defineEntity({
  name: 'ScimToken',
  properties: {
    ...organizationRow(),
    name: p.text(),
    digest: p.text().unique(),
    prefix: p.text(),
    createdAt: creationTime(),
    expiresAt: instant(),
    lastUsedAt: instant().nullable(),
    revokedAt: instant().nullable(),
    version: version(),
  },
  indexes: [{ properties: ['organization', 'id'] }],
});

/** A member as provisioned by a directory; deleted with the membership. */
export const ScimUser = defineEntity({
  name: 'ScimUser',
  properties: {
    id: p.uuid().primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    membership: p.manyToOne(Membership).unique().deleteRule('cascade'),
    userName: p.text(),
    /** In lower case, for comparison. */
    userNameKey: p.text(),
    externalId: p.text().nullable(),
    givenName: p.text().nullable(),
    familyName: p.text().nullable(),
    displayName: p.text().nullable(),
    emails: p.json<ScimEmail[]>(),
    /** The primary address in lower case, of a verified domain. */
    email: p.text(),
    /**
     * False while the directory has withdrawn access, until it is restored, also manually. The membership decides about access:
     * one that is inactive while this is true was deactivated manually.
     */
    active: p.boolean(),
    /** The user was created for this row: the directory may change its names and its address. */
    madeUser: p.boolean(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    /** Since when the directory has deleted it; the member is deactivated, and restored when it is created again. */
    deletedAt: instant().nullable(),
    version: version(),
  },
  indexes: [{ properties: ['organization', 'createdAt', 'id'] }],
  uniques: [
    {
      name: 'scim_user_name_unique',
      properties: ['organization', 'userNameKey'],
      where: 'deleted_at is null',
    },
    {
      name: 'scim_user_external_unique',
      properties: ['organization', 'externalId'],
      where: 'deleted_at is null and external_id is not null',
    },
  ],
});

/** A group of a directory, which roles are derived from. */
export const ScimGroup = defineEntity({
  name: 'ScimGroup',
  properties: {
    id: p.uuid().primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    displayName: p.text(),
    /** In lower case, for comparison. */
    displayNameKey: p.text(),
    externalId: p.text().nullable(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    version: version(),
  },
  indexes: [{ properties: ['organization', 'createdAt', 'id'] }],
  uniques: [{ properties: ['organization', 'displayNameKey'] }],
});

export const ScimGroupMember = defineEntity({
  name: 'ScimGroupMember',
  properties: {
    group: p.manyToOne(ScimGroup).primary().deleteRule('cascade'),
    user: p.manyToOne(ScimUser).primary().deleteRule('cascade'),
  },
  indexes: [{ properties: ['user'] }],
});
