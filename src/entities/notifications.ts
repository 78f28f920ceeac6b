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
    /** Not by a foreign key, which locks its row for each notification: triggers do what it would, for all of a statement. */
    organization: p.manyToOne(Organization).createForeignKeyConstraint(false),
    /** Not by a foreign key: the user's revision has it, and takes the notifications along. */
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
    // Pages and totals with any filter are found in this index alone.
    { properties: ['user', 'createdAt', 'id'], include: ['organization', 'type', 'read'] },
    { properties: ['user', 'id'] },
    // An organization that goes for good takes its notifications along.
    { properties: ['organization', 'id'] },
    // Unread ones are counted often and are few; each notification is in one of the two that find what is old.
    { name: 'notification_unread_index', properties: ['user', 'organization'], where: 'not read' },
    { name: 'notification_old_read_index', properties: ['createdAt'], where: 'read' },
    { name: 'notification_old_unread_index', properties: ['createdAt'], where: 'not read' },
  ],
});

/**
 * How often the notifications of a user have changed: kept by triggers, so that a poll that finds nothing new does not
 * read the notifications.
 */
export const NotificationRevision = defineEntity({
  name: 'NotificationRevision',
  properties: {
    user: p.oneToOne(User).primary().owner().updateRule('no action').deleteRule('cascade'),
    revision: p.bigint('number'),
  },
});

/** The newest daily mail of an organization's notifications: all of its members' are posted together. */
export const MailDigest = defineEntity({
  name: 'MailDigest',
  properties: {
    organization: p.oneToOne(Organization).primary().owner().updateRule('no action').deleteRule('cascade'),
    /** Of the organization's calendar, such as `2026-11-22`. */
    day: p.text(),
    /** The newest notification that it may have. */
    notificationId: p.bigint('number'),
  },
});

/** The mails that a member got at once in an hour, and what was held back for its next daily mail. */
export const MailAllowance = defineEntity({
  name: 'MailAllowance',
  properties: {
    membership: p.oneToOne(Membership).primary().owner().updateRule('no action').deleteRule('cascade'),
    /** Its beginning. */
    hour: instant(),
    mails: p.integer(),
    /** When the notifications were made that are held back, the newest first. */
    held: p.array().columnType('timestamptz[]'),
  },
  indexes: [{ name: 'mail_allowance_held_index', properties: ['membership'], where: `held <> '{}'` }],
});
