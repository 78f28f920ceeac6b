import type { EntityManager } from '@mikro-orm/postgresql';
import { Notification } from '../../entities/notification.js';
import type { Organization } from '../../entities/organization.js';
import { NOTIFICATION_ICONS } from '../../services/notifier.js';
import { MEMBERS_MESSAGES, OWNERS_MESSAGES, STRANGERS_MESSAGES, type Message, type Places } from './messages.js';
import type { People } from './people.js';
import type { Timeline } from './timeline.js';

export interface NotificationStage {
  people: People;
  timeline: Timeline;
  /** What messages link to; has to have ids. */
  places: Places;
}

export function createNotifications(
  em: EntityManager,
  organization: Organization,
  other: Organization,
  stage: NotificationStage,
): void {
  createMessages(em, organization, OWNERS_MESSAGES, stage);
  createMessages(em, organization, MEMBERS_MESSAGES, stage);
  createMessages(em, other, STRANGERS_MESSAGES, stage);
}

/** Oldest first, so that a newer message has a higher id as well. */
function createMessages(
  em: EntityManager,
  organization: Organization,
  messages: readonly Message[],
  { people, timeline, places }: NotificationStage,
): void {
  for (const { to, hoursAgo, type, title, message, read, link } of messages.toSorted(byAge)) {
    const notification = em.create(Notification, {
      user: people[to],
      organization,
      title,
      message,
      type,
      action: link === undefined ? 'NONE' : 'OPEN',
      read,
      createdAt: timeline.hoursAgo(hoursAgo),
      icon: NOTIFICATION_ICONS[type],
      href: link === undefined ? '' : link(places),
    });
    em.persist(notification);
  }
}

function byAge(a: Message, b: Message): number {
  return b.hoursAgo - a.hoursAgo;
}
