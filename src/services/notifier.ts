import { rolesWith, type Privilege } from '../access/roles.js';
import type { Queryable } from '../database/database.js';
import type { NotificationAction } from '../vocabulary/notification-actions.js';
import type { NotificationType } from '../vocabulary/notification-types.js';

/** Alert preferences of a member, by product (specification 2.8). */
export type Alerts = keyof typeof ALERT_COLUMNS;

/** Something that members should hear of (decisions §10). */
export interface NotifiableEvent {
  organizationId: number;
  type: NotificationType;
  title: string;
  message: string;
  /** When it happened. */
  at: Date;
  /** `OPEN` when absent and there is a link, `NONE` without. */
  action?: NotificationAction;
  /** Relative link to what it is about. */
  href?: string;
  /** Icon class names; those of the type when absent. */
  icon?: string;
  /** Members with this privilege, or these users as far as they are members. */
  to: { privilege: Privilege } | { users: readonly string[] };
  /** Only those who want alerts of this product. */
  alerts?: Alerts;
  /** Who did it knows it already. */
  except?: string | undefined;
}

/**
 * Writes one notification to each member whom role and alert preferences name, in the transaction of the event itself:
 * what did not happen is not told, and what happened is never untold. Call it last in the transaction.
 */
export async function notify(tx: Queryable, event: NotifiableEvent): Promise<void> {
  const { organizationId, type, title, message, at, href = '', except = null, to, alerts } = event;
  const action = event.action ?? (href === '' ? 'NONE' : 'OPEN');
  const values = [
    organizationId,
    type,
    title,
    message,
    action,
    href,
    event.icon ?? NOTIFICATION_ICONS[type],
    except,
    at,
  ];
  const wanted = alerts === undefined ? '' : `and m.${ALERT_COLUMNS[alerts]}`;
  if ('privilege' in to)
    await tx.rows(`${INSERT} and m.role = any($10::text[]) ${wanted}`, [...values, rolesWith(to.privilege)]);
  else await tx.rows(`${INSERT} and m.user_id = any($10::uuid[]) ${wanted}`, [...values, to.users]);
}

const ALERT_COLUMNS = { atb: 'alert_atb', cloud_defender: 'alert_cloud_defender', v_ciso: 'alert_v_ciso' } as const;

/** Class names of Font Awesome's free set, as the specification's example of `icon` has them. */
export const NOTIFICATION_ICONS: Readonly<Record<NotificationType, string>> = {
  INCIDENT: 'fa fa-exclamation-triangle',
  DOCUMENT: 'fa fa-file',
  DEVICE: 'fa fa-shield',
  WORKFLOW: 'fa fa-tasks',
  MEMBER: 'fa fa-user',
  TOKEN: 'fa fa-key',
  SYSTEM: 'fa fa-info-circle',
};

const INSERT = `
  insert into notification (user_id, organization_id, type, title, message, action, href, icon, created_at)
  select m.user_id, $1, $2, $3, $4, $5, $6, $7, $9
    from membership m join app_user u on u.id = m.user_id and u.deactivated_at is null
   where m.organization_id = $1 and m.deactivated_at is null and m.user_id is distinct from $8::uuid`;
