import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { bytes, changeTime, creationTime, instant, p, searchIndex, searchable, version } from './columns.js';
import type { MailDelivery, NotificationType, Role, UserKind } from '../values/enums.js';
import { Organization, organizationRow } from './organizations.js';

/** As PostgreSQL prints it, so that the schema compares equal. */
const PERSONAL_KEY = `decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text)`;

const HAS_ROLE = {
  expression: `role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER')`,
};

/** A person or a service account. Its id is the UUID that integrators use (specification 2.8). */
export const User = defineEntity({
  name: 'User',
  tableName: 'app_user',
  properties: {
    id: p.uuid().primary(),
    kind: p.text().$type<UserKind>().default('PERSON'),
    username: p.text().unique(),
    /** Lower case, so that one mailbox is one user. A service account has no address: its id is here. */
    email: p.text().unique(),
    /** Since when the mailbox is verified: by an accepted invitation that was sent there. */
    emailVerifiedAt: instant().nullable(),
    firstName: p.text().default(''),
    lastName: p.text().default(''),
    searchable: searchable(`btrim(first_name || ' ' || last_name) || chr(10) || username || chr(10) || email`),
    deactivatedAt: instant().nullable(),
    /** Language tag of the user's texts; null for the language of each organization. */
    language: p.text().nullable(),
    /** Version of its names and its language. */
    version: version(),
    createdAt: creationTime(),
    /**
     * Encryption key of personal values in audit trails; deleted when the user is erased. 244 random bits
     * and the fixed ones of two UUIDs.
     */
    personalKey: bytes().nullable().defaultRaw(PERSONAL_KEY).lazy(),
  },
  indexes: [searchIndex('app_user')],
  checks: [
    {
      name: 'app_user_kind_check',
      expression: `case kind when 'PERSON' then true when 'SERVICE_ACCOUNT' then email = id::text else false end`,
    },
  ],
});
export type User = InferEntity<typeof User>;

/** By category of notifications. */
export type MailPreferences = Record<Lowercase<NotificationType>, MailDelivery>;

/** A user's role in an organization, with its alert preferences (specification 2.8). */
export const Membership = defineEntity({
  name: 'Membership',
  properties: {
    ...organizationRow(),
    user: p.manyToOne(User).deleteRule('cascade'),
    /** The user name, by which members are listed, maintained by a trigger; null for a service account. */
    personName: p.text().nullable(),
    role: p.text().$type<Role>(),
    alertAtb: p.boolean().default(true),
    alertCloudDefender: p.boolean().default(true),
    alertVCiso: p.boolean().default(true).fieldName('alert_v_ciso'),
    /** Explicitly chosen preferences; the default is in values/enums.ts. */
    mailPreferences: p.json<Partial<MailPreferences>>().nullable(),
    createdAt: creationTime(),
    /** Since when the member is deactivated; null while active. */
    deactivatedAt: instant().nullable(),
    /** Version of its role and activation. */
    version: version(),
    alertsVersion: version(),
    mailPreferencesVersion: version(),
  },
  uniques: [{ properties: ['organization', 'user'] }],
  indexes: [
    { properties: ['user', 'organization'] },
    {
      name: 'membership_person_index',
      expression:
        'create index "membership_person_index" on "membership" (organization_id, person_name, user_id) include (role) where person_name is not null',
    },
    {
      name: 'membership_manager_index',
      properties: ['organization', 'user'],
      where: `role in ('ORGANIZATION_MANAGER', 'ORGANIZATION_OWNER') and deactivated_at is null`,
    },
    {
      name: 'membership_daily_mail_index',
      properties: ['organization'],
      where: `mail_preferences @@ '$.* == "DAILY"'`,
    },
  ],
  checks: [HAS_ROLE],
});

/**
 * An offer to join an organization, sent to one mailbox. The table has only the SHA-256 of its secret, which is in the
 * mail alone.
 */
export const Invitation = defineEntity({
  name: 'Invitation',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    /** Lower case, as the addresses of users. */
    email: p.text(),
    role: p.text().$type<Role>(),
    /** The engagement that an auditor is invited to; null for a future member. */
    engagementId: p.bigint('number').nullable(),
    /** The member who sent its last mail. It can be accepted only while that member could still make it. */
    invitedBy: p.manyToOne(User).nullable().deleteRule('set null'),
    /** Lower-case hexadecimal SHA-256 of the newest secret; older secrets are invalid. */
    digest: p.text().unique(),
    /** When each of its mails was sent, in ISO 8601, oldest first: mails per address are rate-limited. */
    sentAt: p.array().columnType('timestamptz[]'),
    createdAt: creationTime(),
    expiresAt: instant(),
    acceptedAt: instant().nullable(),
    /** When it was cancelled, or replaced by a newer one after it had expired. */
    closedAt: instant().nullable(),
    version: version(),
  },
  uniques: [
    {
      name: 'invitation_open_unique',
      properties: ['organization', 'email'],
      where: 'accepted_at is null and closed_at is null',
    },
  ],
  indexes: [
    { properties: ['organization', 'id'] },
    { properties: ['email', 'expiresAt'] },
    { properties: ['invitedBy', 'expiresAt'] },
  ],
  checks: [
    {
      name: 'invitation_role_check',
      expression: `case role when 'AUDITOR' then engagement_id is not null else engagement_id is null and ${HAS_ROLE.expression} end`,
    },
  ],
});

/** Extension of a user row of the kind SERVICE_ACCOUNT: its organization, and its responsible member. */
export const ServiceAccount = defineEntity({
  name: 'ServiceAccount',
  properties: {
    user: p.manyToOne(User).primary().deleteRule('cascade'),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    description: p.text().default(''),
    /** A member; null when its membership has ended. */
    responsible: p.manyToOne(User).nullable().deleteRule('set null'),
    createdBy: p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    /** Since when it is deleted; the row stays as long as the organization. */
    deletedAt: instant().nullable(),
    version: version(),
  },
  indexes: [{ properties: ['organization', 'user'] }, { properties: ['responsible'] }],
});
