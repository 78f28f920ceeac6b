import { sql, statement, table } from '../../database/sql.js';
import type { NotificationType } from '../../values/enums.js';

/** The most deferred notifications of one member; older ones are only in the application. */
export const MOST_DEFERRED = sql.lit(1_000);

const m = table('membership', 'm');
const n = table('notification', 'n');
const d = table('mail_digest', 'd');
const a = table('mail_allowance');

/** Defers, until the next daily mail, a member's unread notifications of some types that no daily mail has included. */
export const deferUnread = statement<{
  userId: string;
  organizationId: number;
  types: readonly NotificationType[];
  now: Date;
}>()(
  (p) => sql`
    insert into ${a.table} (membership_id, hour, mails, held)
    select ${m.id}, date_trunc('hour', ${p('now')}::timestamptz), 0, array(
             select ${n.created_at} from ${n.table}
              where ${n.user_id} = ${p('userId')} and ${n.organization_id} = ${p('organizationId')} and not ${n.read}
                and ${n.type} = any(${p('types')})
                and ${n.id} > coalesce((select ${d.notification_id} from ${d.table} where ${d.organization_id} = ${p('organizationId')}), 0)
              order by ${n.id} desc limit ${MOST_DEFERRED})
      from ${m.table} where ${m.organization_id} = ${p('organizationId')} and ${m.user_id} = ${p('userId')}
    on conflict (membership_id) do update set held = (excluded.held || ${a.held})[:${MOST_DEFERRED}]`,
);
