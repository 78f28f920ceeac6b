import { Consumer, reading } from './audit/consumer.js';
import { engagementNotifications } from './engagements/notifications.js';
import { NotificationMails } from './notifications/notification-mails.js';
import { eventsOf, notify, type NotificationRules } from './notifications/notifier.js';
import { deviceNotifications } from './devices/device-monitor.js';
import { documentNotifications } from './documents/notifications.js';
import { incidentNotifications } from './incidents/notifications.js';
import { memberNotifications } from './members/notifications.js';
import { tokenNotifications } from './tokens/notifications.js';
import { workflowNotifications } from './workflows/notifications.js';
import { organizationNotifications } from './organizations/notifications.js';
import { webhookNotifications } from './webhooks/notifications.js';
import { appendEvents } from './events/event-records.js';
import { UnsubscribeLinks } from './shared/unsubscribe-links.js';
import { EVENT_ACTIONS } from '../values/events.js';
import type { Foundation } from './foundation.js';

/** Rules of notifications, in all domains. */
const NOTIFICATION_RULES: NotificationRules = {
  ...organizationNotifications,
  ...memberNotifications,
  ...tokenNotifications,
  ...engagementNotifications,
  ...workflowNotifications,
  ...documentNotifications,
  ...incidentNotifications,
  ...deviceNotifications,
  ...webhookNotifications,
};

/** The consumers that follow the audit trails of organizations. */
export function createConsumers(
  { database, mails, config, log, now }: Foundation,
  links: UnsubscribeLinks,
): Consumer[] {
  const deps = { mails, links, publicUrl: config.publicUrl, appUrl: config.appUrl ?? config.publicUrl };
  const notificationMails = new NotificationMails(NOTIFICATION_RULES, deps, now);
  const actions = Object.keys(NOTIFICATION_RULES);
  return [
    new Consumer({
      ...{ database, log, actions: EVENT_ACTIONS, name: 'events', pause: 50, maxHandled: 256 },
      handle: appendEvents,
    }),
    new Consumer({
      ...{ database, log, actions, name: 'notifications', pause: 50 },
      handle: reading((tx, entries) => notify(tx, eventsOf(NOTIFICATION_RULES, entries))),
    }),
    new Consumer({
      ...{ database, log, actions, name: 'mails', pause: 1_000 },
      handle: reading((tx, entries) => notificationMails.post(tx, entries)),
    }),
  ];
}
