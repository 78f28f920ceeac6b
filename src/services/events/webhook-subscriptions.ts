import { rolesWith } from '../../auth/roles.js';
import { insertSelect, sql, table, type Expression } from '../../database/sql.js';
import type { EventAction } from '../../values/events.js';
import { ACTIVE_MEMBER } from '../shared/accessible-organizations.js';

const b = table('token_block', 'b');
const e = table('audit_entry', 'e');
const o = table('organization', 'o');
const w = table('webhook_endpoint', 'w');
const [m, u] = [table('membership', 'm'), table('app_user', 'u')];

const [DELETED, TESTED] = ['ORGANIZATION_DELETED', 'WEBHOOK_TESTED'] satisfies EventAction[];

/** A condition on an organization `o`: of a deleted one, only its deletion is sent. */
export const maySend = (action: Expression) =>
  sql<boolean>`(${o.deleted_at} is null or ${action} = ${sql.lit(DELETED)})`;

/** A condition on an endpoint `w`. */
export const IS_ENABLED = sql<boolean>`${w.status} = 'ENABLED' and ${w.deleted_at} is null`;

/**
 * A condition on a membership `m` of an active user: it may manage webhooks. The index of managers has this
 * condition.
 */
export const IS_MANAGER = sql<boolean>`${ACTIVE_MEMBER}
  and ${m.role} in (${sql.join(rolesWith('MANAGE_WEBHOOKS').map((role) => sql.lit(role)))})`;

/**
 * A condition on an organization `o` that the user of an endpoint `w` manages: its events are sent there.
 * Organizations that require a sign-in send none to users.
 */
export const GOES_TO_USERS = sql<boolean>`(${o.user_webhooks_allowed} and ${o.required_provider_id} is null
  and not exists (select from ${b.table} where ${b.token_id} = ${w.token_id} and ${b.organization_id} = ${o.id}))`;

const COLUMNS = sql.join([w.id, w.user_id, w.actions]);

/** Endpoints `w` that receive events of an organization `o`: its own, and those of the users who manage it. */
const ENDPOINTS = sql`(
  select ${COLUMNS} from ${w.table} where ${w.organization_id} = ${o.id} and ${IS_ENABLED}
   union all
  select ${COLUMNS} from ${m.table}
    join ${w.table} on ${w.user_id} = ${m.user_id} and ${IS_ENABLED}
    join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
   where ${m.organization_id} = ${o.id} and ${IS_MANAGER} and ${GOES_TO_USERS}) as w`;

/**
 * Deliveries of events to subscribed endpoints; a test goes to its own endpoint only, also if that is not subscribed.
 * `events` names rows with the columns of events. Managers of endpoints may read the whole trail, so no event is withheld.
 */
export function deliveriesOf(events: Expression): Expression {
  const of = (column: string) => sql`${events}.${sql.id(column)}`;
  const action = of('action');
  const ordered = sql`coalesce(about.subject -> 'parent', about.subject)`;
  const subject = sql`(${ordered} ->> 'type') || '/' || (${ordered} ->> 'id')`;
  const insert = insertSelect('webhook_delivery', {
    endpoint_id: w.id,
    organization_id: of('organization_id'),
    seq: of('seq'),
    log_id: of('log_id'),
    position: of('position'),
    action,
    // Controls of several organizations have the same id.
    subject: sql`case when ${w.user_id} is null then ${subject} else ${of('organization_id')} || '/' || ${subject} end`,
  });
  return sql`${insert} from ${events}
      join ${o.table} on ${o.id} = ${of('organization_id')} and ${maySend(action)}
     cross join lateral ${ENDPOINTS}
      join ${e.table} on ${e.log_id} = ${of('log_id')} and ${e.position} = ${of('position')}
      cross join lateral (select ${e.entry}::json -> 'subject' as subject) about
     where case when ${action} = ${sql.lit(TESTED)} then about.subject ->> 'id' = ${w.id}::text
                else ${w.actions} = '{}' or ${action} = any(${w.actions}) end`;
}

/** Whether a user may manage webhooks of an organization. */
export const mayManage = (user: Expression, organization: Expression) => sql<boolean>`exists (
  select from ${m.table} join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
   where ${m.user_id} = ${user} and ${m.organization_id} = ${organization} and ${IS_MANAGER})`;

/** A condition on an endpoint `w`: the user who enabled it may manage it, or its own user is active. */
export const MAY_GO_ON = sql<boolean>`case when ${w.user_id} is null then ${mayManage(w.enabled_by_id, w.organization_id)}
  else exists (select from ${u.table} where ${u.id} = ${w.user_id} and ${u.deactivated_at} is null) end`;

/** The channel on which endpoints with new deliveries are announced at COMMIT (database/announcement-feed.ts). */
const CHANNEL = 'delivery';

/** Endpoints of one announcement, whose text is limited to 8,000 bytes. */
const ANNOUNCED = sql.lit(400);

export function announced(deliveries: Expression): Expression {
  return sql`select pg_notify(${sql.lit(CHANNEL)}, string_agg(endpoint_id::text, ' ')) from (
      select endpoint_id, row_number() over () / ${ANNOUNCED} as part from (select distinct endpoint_id from ${deliveries}) one) endpoint
     group by part`;
}
