import { defineEntity } from '@mikro-orm/core';
import { creationTime, instant, p, searchable } from './columns.js';
import type { NotificationAction, NotificationType } from '../values/enums.js';
import { Membership, User } from './members.js';
import { Organization } from './organizations.js';

/** A message to one user about one organization (specification 2.11). */
export const Notification = defineEntity({
  name: 'Notification',
  properties: {
    id: p.bigint('number').primary(),
    /** No foreign key, which would lock the organization for each notification: triggers replace it for a whole statement. */
    organization: p.manyToOne(Organization).createForeignKeyConstraint(false),
    /** No foreign key: the user's revision has one, and deletes its notifications. */
    user: p.manyToOne(User).createForeignKeyConstraint(false),
    title: p.text(),
    message: p.text(),
    searchable: searchable(`title || chr(10) || message`),
    type: p.text().$type<NotificationType>(),
    action: p.text().$type<NotificationAction>(),
    read: p.boolean().default(false),
    createdAt: creationTime(),
    icon: p.text().default(''),
    /** Relative link; the `extra.href` of the specification. */
    href: p.text().default(''),
  },
  indexes: [
    // Pages and totals with any filter need this index alone.
    { properties: ['user', 'createdAt', 'id'], include: ['organization', 'type', 'read'] },
    { properties: ['user', 'id'] },
    // Deleting an organization's row deletes its notifications.
    { properties: ['organization', 'id'] },
    // Unread ones are few and counted often; each notification is in one of the two indexes that find old ones.
    { name: 'notification_unread_index', properties: ['user', 'organization'], where: 'not read' },
    { name: 'notification_old_read_index', properties: ['createdAt'], where: 'read' },
    { name: 'notification_old_unread_index', properties: ['createdAt'], where: 'not read' },
  ],
});

/**
 * Number of changes of a user's notifications, maintained by triggers, so that a poll without news does not
 * read the notifications.
 */
export const NotificationRevision = defineEntity({
  name: 'NotificationRevision',
  properties: {
    user: p.oneToOne(User).primary().owner().updateRule('no action').deleteRule('cascade'),
    revision: p.bigint('number'),
  },
});

/** The newest daily mail of an organization's notifications: those of all members are posted together. */
export const MailDigest = defineEntity({
  name: 'MailDigest',
  properties: {
    organization: p.oneToOne(Organization).primary().owner().updateRule('no action').deleteRule('cascade'),
    /** Day of the organization's calendar, such as `2026-11-22`. */
    day: p.text(),
    /** The newest notification that it may contain. */
    notificationId: p.bigint('number'),
  },
});

/** The mails sent to a member at once in an hour, and the notifications deferred to the next daily mail. */
export const MailAllowance = defineEntity({
  name: 'MailAllowance',
  properties: {
    membership: p.oneToOne(Membership).primary().owner().updateRule('no action').deleteRule('cascade'),
    /** Start of the hour. */
    hour: instant(),
    mails: p.integer(),
    /** Creation times of the deferred notifications, newest first. */
    held: p.array().columnType('timestamptz[]'),
  },
  indexes: [{ name: 'mail_allowance_held_index', properties: ['membership'], where: `held <> '{}'` }],
});
