import { rolesWith } from '../../auth/roles.js';
import { insertSelect, sql, table, type Expression } from '../../database/sql.js';
import type { EventAction } from '../../values/events.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';

const e = table('audit_entry', 'e');
const o = table('organization', 'o');
const w = table('webhook_endpoint', 'w');
const [m, u] = [table('membership', 'm'), table('app_user', 'u')];

const [DELETED, TESTED] = ['ORGANIZATION_DELETED', 'WEBHOOK_TESTED'] satisfies EventAction[];

/** Of an organization `o`: while it is deleted, nothing is sent but that it was. */
export const maySend = (action: Expression) =>
  sql<boolean>`(${o.deleted_at} is null or ${action} = ${sql.lit(DELETED)})`;

/**
 * Deliveries of events to the endpoints that want them; an endpoint always gets its own tests, and no other gets these. `events` names
 * rows with the columns of events. Those who manage endpoints read the whole trail, so that no event is kept from one.
 */
export function deliveriesOf(events: Expression): Expression {
  const of = (column: string) => sql`${events}.${sql.id(column)}`;
  const action = of('action');
  const ordered = sql`coalesce(about.subject -> 'parent', about.subject)`;
  const insert = insertSelect('webhook_delivery', {
    endpoint_id: w.id,
    organization_id: of('organization_id'),
    seq: of('seq'),
    log_id: of('log_id'),
    position: of('position'),
    action,
    subject: sql`(${ordered} ->> 'type') || '/' || (${ordered} ->> 'id')`,
  });
  return sql`${insert} from ${events}
      join ${w.table} on ${w.organization_id} = ${of('organization_id')} and ${w.status} = 'ENABLED' and ${w.deleted_at} is null
      join ${o.table} on ${o.id} = ${w.organization_id} and ${maySend(action)}
      join ${e.table} on ${e.log_id} = ${of('log_id')} and ${e.position} = ${of('position')}
      cross join lateral (select ${e.entry}::json -> 'subject' as subject) about
     where case when ${action} = ${sql.lit(TESTED)} then about.subject ->> 'id' = ${w.id}::text
                else ${w.actions} = '{}' or ${action} = any(${w.actions}) end`;
}

/** Whether a user may manage webhooks of an organization. */
export const mayManage = (user: Expression, organization: Expression) => sql<boolean>`exists (
  select from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
   where ${m.user_id} = ${user} and ${m.organization_id} = ${organization} and ${ACTIVE_MEMBER}
     and ${m.role} in (${sql.join(rolesWith('MANAGE_WEBHOOKS').map((role) => sql.lit(role)))}))`;

/** The channel on which endpoints with new deliveries are announced at COMMIT (database/announcement-feed.ts). */
const CHANNEL = 'delivery';

/** Endpoints of one announcement, whose text is at most 8,000 bytes long. */
const ANNOUNCED = sql.lit(400);

export function announced(deliveries: Expression): Expression {
  return sql`select pg_notify(${sql.lit(CHANNEL)}, string_agg(endpoint_id::text, ' ')) from (
      select endpoint_id, row_number() over () / ${ANNOUNCED} as part from (select distinct endpoint_id from ${deliveries}) one) endpoint
     group by part`;
}
