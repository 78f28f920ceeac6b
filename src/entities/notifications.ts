import type { Opt, Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import type { NotificationAction, NotificationType } from '../values/enums.js';
import { Membership, User } from './members.js';
import { Organization, OrganizationRow } from './organizations.js';

/** A message to one user about one organization (specification 2.11). */
@Entity({ tableName: 'notification' })
// Pages and totals with any filter are found in this index alone.
@Index({ properties: ['user', 'createdAt', 'id'], include: ['organization', 'type', 'read'] })
@Index({ properties: ['user', 'id'] })
// An organization that goes for good takes its notifications along.
@Index({ properties: ['organization', 'id'] })
// Unread ones are counted often and are few; each notification is in one of the two that find what is old.
@Index({ name: 'notification_unread_index', properties: ['user', 'organization'], where: 'not read' })
@Index({ name: 'notification_old_read_index', properties: ['createdAt'], where: 'read' })
@Index({ name: 'notification_old_unread_index', properties: ['createdAt'], where: 'not read' })
export class Notification extends OrganizationRow {
  @ManyToOne(() => User, { deleteRule: 'cascade' })
  user!: Rel<User>;

  @Property({ type: 'text' })
  title!: string;

  @Property({ type: 'text' })
  message!: string;

  /** What search compares: the title on the first line, then further texts (docs/adr/0015). */
  @Property({ type: 'text', generated: `(search_text(title || chr(10) || message)) stored`, lazy: true })
  searchable!: Opt<string>;

  @Property({ type: 'text' })
  type!: NotificationType;

  @Property({ type: 'text' })
  action!: NotificationAction;

  @Property({ type: 'boolean', default: false })
  read: Opt<boolean> = false;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'text' })
  icon: Opt<string> = '';

  /** Relative link; the `extra.href` of the specification. */
  @Property({ type: 'text' })
  href: Opt<string> = '';
}

/**
 * How often the notifications of a user have changed: kept by triggers, so that a poll that finds nothing new does not
 * read the notifications.
 */
@Entity({ tableName: 'notification_revision' })
export class NotificationRevision {
  @OneToOne(() => User, { primary: true, owner: true, updateRule: 'no action', deleteRule: 'cascade' })
  user!: Rel<User>;

  @Property({ type: 'bigint' })
  revision!: number;
}

/** The newest daily mail of an organization's notifications: all of its members' are posted together. */
@Entity({ tableName: 'mail_digest' })
export class MailDigest {
  @OneToOne(() => Organization, { primary: true, owner: true, updateRule: 'no action', deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  /** Of the organization's calendar, such as `2026-11-22`. */
  @Property({ type: 'text' })
  day!: string;

  /** The newest notification that it may have. */
  @Property({ type: 'bigint' })
  notificationId!: number;
}

/** The mails that a member got at once in an hour, and what was held back for its next daily mail. */
@Entity({ tableName: 'mail_allowance' })
@Index({
  name: 'mail_allowance_held_index',
  expression: `create index "mail_allowance_held_index" on "mail_allowance" ("membership_id") where held <> '{}'`,
})
export class MailAllowance {
  @OneToOne(() => Membership, { primary: true, owner: true, updateRule: 'no action', deleteRule: 'cascade' })
  membership!: Rel<Membership>;

  /** Its beginning. */
  @Property({ type: 'datetime', length: 3 })
  hour!: Date;

  @Property({ type: 'integer' })
  mails!: number;

  /** When the notifications were made that are held back, the newest first. */
  @Property({ type: 'timestamptz[]', columnType: 'timestamptz[]' })
  held!: string[];
}
