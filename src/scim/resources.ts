import type { ScimGroupRecord, ScimGroupValues, ScimUserRecord, ScimUserValues } from '../common/scim-resources.js';
import {
  attributesOf,
  booleanOf,
  emailsOf,
  GROUP_SCHEMA,
  isIgnoredOfUser,
  membersOf,
  nameOf,
  optionalText,
  READ_ONLY,
  requiredText,
  requireKnown,
  requireSchema,
  USER_SCHEMA,
} from './attributes.js';

/** A whole user as it was sent. `active` of one that does not say it stays as it is, and a new one is active. */
export function userFrom(body: unknown, { active }: Pick<ScimUserValues, 'active'> = { active: true }): ScimUserValues {
  const attributes = attributesOf(body);
  const known = ['username', 'externalid', 'name', 'displayname', 'emails', 'active'];
  requireKnown(attributes, known, 'The user', isIgnoredOfUser);
  requireSchema(attributes, USER_SCHEMA);
  const said = attributes.get('active');
  return {
    userName: requiredText(attributes.get('username'), 'userName'),
    externalId: optionalText(attributes.get('externalid'), 'externalId'),
    givenName: null,
    familyName: null,
    ...nameOf(attributes.get('name')),
    displayName: optionalText(attributes.get('displayname'), 'displayName'),
    emails: emailsOf(attributes.get('emails')),
    active: said === undefined || said === null ? active : booleanOf(said, 'active'),
  };
}

/** A whole group as it was sent. One that names no members has none: Keycloak sends the last one's removal so. */
export function groupFrom(body: unknown): ScimGroupValues {
  const attributes = attributesOf(body);
  requireKnown(attributes, ['displayname', 'externalid', 'members'], 'The group', (name) => READ_ONLY.has(name));
  requireSchema(attributes, GROUP_SCHEMA);
  return {
    displayName: requiredText(attributes.get('displayname'), 'displayName'),
    externalId: optionalText(attributes.get('externalid'), 'externalId'),
    members: membersOf(attributes.get('members')),
  };
}

export type Resource = Readonly<Record<string, unknown>>;

/** `url` is the address of SCIM of the organization. */
export function shownUser(user: ScimUserRecord, url: string): Resource {
  const { id, userName, externalId, givenName, familyName, displayName, emails, active, groups } = user;
  const hasName = givenName !== null || familyName !== null;
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(hasName && {
      name: {
        ...(givenName !== null && { givenName }),
        ...(familyName !== null && { familyName }),
        formatted: [givenName, familyName].filter((part) => part !== null).join(' '),
      },
    }),
    ...(displayName !== null && { displayName }),
    emails,
    active,
    groups: groups.map(({ value, display }) => ({ value, $ref: `${url}/Groups/${value}`, display, type: 'direct' })),
    meta: metaOf(user, 'User', `${url}/Users/${id}`),
  };
}

export function shownGroup(group: ScimGroupRecord, url: string): Resource {
  const { id, displayName, externalId, members } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members !== undefined && {
      members: members.map(({ value, display }) => ({ value, $ref: `${url}/Users/${value}`, display, type: 'User' })),
    }),
    meta: metaOf(group, 'Group', `${url}/Groups/${id}`),
  };
}

function metaOf(
  { createdAt, updatedAt, version }: Pick<ScimUserRecord, 'createdAt' | 'updatedAt' | 'version'>,
  resourceType: string,
  location: string,
) {
  return { resourceType, created: createdAt, lastModified: updatedAt, location, version: tagOf(version) };
}

export function tagOf(version: string): string {
  return `W/"${version}"`;
}
