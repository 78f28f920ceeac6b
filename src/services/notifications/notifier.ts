import { rolesWith, type Privilege } from '../../auth/roles.js';
import type { Queryable } from '../../database/database.js';
import { insertSelect, sql, statementPerList, table } from '../../database/sql.js';
import type { NotificationAction, NotificationType, Role } from '../../values/enums.js';

/** Alert preferences of a member, by product (specification 2.8). */
export type Alerts = keyof typeof ALERT_COLUMNS;

/** An event that members are notified of. */
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
  /** The user who did it. */
  except?: string | undefined;
}

/**
 * Writes one notification to each member that role and alert preferences select, in the transaction of the event, so
 * that both are stored or none. Call it last in the transaction.
 */
export async function notify(tx: Queryable, event: NotifiableEvent): Promise<void> {
  const { organizationId, type, title, message, at, href = '', except = null, to, alerts } = event;
  const action = event.action ?? (href === '' ? 'NONE' : 'OPEN');
  const values = {
    ...{ organizationId, type, title, message, action, href, except, at },
    icon: event.icon ?? NOTIFICATION_ICONS[type],
  };
  const wanted = alerts === undefined ? [] : [alerts];
  if ('privilege' in to) await insert(['roles', ...wanted]).all(tx, { ...values, roles: rolesWith(to.privilege) });
  else await insert(['users', ...wanted]).all(tx, { ...values, users: to.users });
}

interface Written {
  organizationId: number;
  type: NotificationType;
  title: string;
  message: string;
  action: NotificationAction;
  href: string;
  icon: string;
  except: string | null;
  at: Date;
  /** One of the two. */
  roles?: readonly Role[];
  users?: readonly string[];
}

const m = table('membership', 'm');
const u = table('app_user', 'u');

const insert = statementPerList<'roles' | 'users' | Alerts, Written>()((p, [recipients, alerts]) => {
  const notification = insertSelect('notification', {
    user_id: m.user_id,
    organization_id: p('organizationId'),
    type: p('type'),
    title: p('title'),
    message: p('message'),
    action: p('action'),
    href: p('href'),
    icon: p('icon'),
    created_at: p('at'),
  });
  const isRecipient =
    recipients === 'roles'
      ? sql`${m.role} = any(${p('roles')}::text[])`
      : sql`${m.user_id} = any(${p('users')}::uuid[])`;
  const wantsAlerts = alerts === undefined ? sql`true` : m[ALERT_COLUMNS[alerts as Alerts]];
  return sql`${notification}
    from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
   where ${m.organization_id} = ${p('organizationId')} and ${m.deactivated_at} is null
     and ${m.user_id} is distinct from ${p('except')}::uuid and ${isRecipient} and ${wantsAlerts}`;
});

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
