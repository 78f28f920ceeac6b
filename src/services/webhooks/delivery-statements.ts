import { filter } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { WebhookDeliveryStatus } from '../../values/enums.js';
import type { EventAction } from '../../values/events.js';
import { LIMITS } from '../../values/limits.js';
import { announced, deliveriesOf, IS_MANAGER } from '../events/webhook-subscriptions.js';
import { reachable, type Reach } from '../shared/accessible-organizations.js';

export interface DeliveryQuery extends ListQuery<'NEWEST'> {
  status?: WebhookDeliveryStatus | null;
}

/** With the columns of `eventType`, where it is selected. */
export interface DeliveryRow {
  organizationId: number;
  endpointId: number;
  /** The user of an endpoint that does not belong to an organization. */
  userId: string | null;
  action?: EventAction;
}

const d = table('webhook_delivery', 'd');
const w = table('webhook_endpoint', 'w');
const v = table('event', 'v');
const l = table('audit_log', 'l');
const [m, o] = [table('membership', 'm'), table('organization', 'o')];

const EVENT_ID = sql`${d.organization_id} || '/' || ${d.position}`;
const FROM = sql`${d.table} join ${w.table} on ${w.id} = ${d.endpoint_id} and ${w.deleted_at} is null`;

export const deliveryListing = new Listing<DeliveryQuery>({
  from: FROM,
  id: { column: d.id, type: 'bigint' },
  parent: { column: d.endpoint_id, type: 'bigint' },
  sorts: { NEWEST: { column: d.seq, type: 'bigint' } },
  order: { field: 'NEWEST', direction: 'DESC' },
  filters: { status: (status) => sql`${d.status} = ${status}` },
});

/** Deliveries of an event, by its place in the sequence, which is indexed. */
export const ofEvent = filter<{ organizationId: number; position: number }>(
  (p) => sql`${d.seq} = (select ${v.seq} from ${v.table} join ${l.table} on ${l.id} = ${v.log_id}
    where ${l.organization_id} = ${p('organizationId')}::bigint and ${v.position} = ${p('position')}::bigint)`,
);

/** Organizations that a user no longer manages look absent in the list of its own endpoint as well. */
export const ofReachable = filter<Reach>(
  (p) => sql`(${w.user_id} is null or exists (
    select from ${m.table} join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
     where ${m.user_id} = ${w.user_id} and ${o.id} = ${d.organization_id} and ${IS_MANAGER} and ${reachable(p)}))`,
);

export const deliveryProjection = new Projection(
  'WebhookDelivery',
  {
    ...properties(d, 'id', 'organization_id', 'endpoint_id', 'status', 'attempted_at', 'next_attempt_at'),
    ...properties(d, 'milliseconds', 'status_code', 'error', 'answer', 'created_at'),
    eventId: EVENT_ID,
    attemptCount: d.attempts,
    eventType: { needs: { action: d.action } },
    userId: w.user_id,
  },
  ['id', 'organizationId', 'endpointId', 'userId'],
);

const a = table('webhook_attempt', 'a');

export const attemptListing = new Listing<ListQuery<'NEWEST'>>({
  from: sql`${a.table}`,
  ...orderedByKey(a.id, 'NEWEST', 'DESC'),
  parent: { column: a.delivery_id, type: 'bigint' },
});

export const attemptProjection = new Projection(
  'WebhookAttempt',
  properties(a, 'number', 'attempted_at', 'milliseconds', 'status_code', 'error', 'answer'),
);

export const oneDelivery = projected<{ id: number }>()(
  (p, { select }) =>
    sql<DeliveryRow>`
      select ${sql.join(select)} from ${FROM} where ${d.id} = ${p('id')}`,
);

/**
 * The columns of a delivery that restarts. Instants have milliseconds: rounded up, the current one would be in the
 * future.
 */
const AGAIN = sql`status = 'PENDING', attempts = 0, next_attempt_at = date_trunc('milliseconds', now()), lease = null, error = ''`;

/** An attempt under way continues, but is not counted. */
export const sendAgain = statement<{ id: number; endpointId: number }>()(
  (p) => sql<{ position: number; organizationId: number }>`
    with again as (
      update ${d.table} set ${AGAIN} where ${d.id} = ${p('id')} and ${d.endpoint_id} = ${p('endpointId')}
      returning ${d.endpoint_id}, ${d.position}, ${d.organization_id}),
    woken as (${announced(sql`again`)})
    select position, organization_id as "organizationId" from again, (select count(*) from woken) announced`,
);

/** Events since an instant that failed finally, or that the endpoint was not subscribed to then; the oldest first. */
export const recoverSome = statement<{ endpointId: number; organizationIds: readonly number[]; since: Date }>()(
  (p) => sql<{ recovered: number }>`
    with missed as (
      select ${v.seq}, ${v.organization_id}, ${v.log_id}, ${v.position}, ${v.action}
        from ${v.table}
       where ${v.organization_id} = any(${p('organizationIds')}::bigint[]) and ${v.created_at} >= ${p('since')}::timestamptz
         and not exists (select from ${d.table} where ${d.endpoint_id} = ${p('endpointId')}::bigint and ${d.seq} = ${v.seq}
                            and ${d.status} <> 'FAILED')),
    recovered as (
      ${deliveriesOf(sql`missed`)} and ${w.id} = ${p('endpointId')}::bigint
       order by missed.seq limit ${sql.lit(LIMITS.webhook.recoveredAtOnce)}
      on conflict (endpoint_id, seq) do update set ${AGAIN} returning endpoint_id),
    woken as (${announced(sql`recovered`)})
    select count(*)::int as recovered from recovered, (select count(*) from woken) announced`,
);

export const countPending = statement()(() =>
  db
    .selectFrom('webhook_delivery')
    .select((eb) => eb.fn.countAll<number>().as('pending'))
    .where('status', '=', 'PENDING'),
);

const BATCH = 1_000;
export const PURGED_AT_ONCE = BATCH;

export const purgeSome = statement<{ days: number }>()(
  (p) => sql<{ isUnsent: boolean }>`
    delete from ${d.table} where ${d.id} = any(array(
      select ${d.id} from ${d.table} where ${d.created_at} < now() - make_interval(days => ${p('days')}::int)
       order by ${d.created_at} limit ${sql.lit(BATCH)}))
    returning ${d.status} = 'PENDING' as "isUnsent"`,
);

export const purgeSomeOfDeleted = statement()(
  () => sql<{ id: number }>`
    delete from ${d.table} where ${d.id} = any(array(
      select ${d.id} from ${w.table} join ${d.table} on ${d.endpoint_id} = ${w.id} where ${w.deleted_at} is not null
       limit ${sql.lit(BATCH)}))
    returning ${d.id}`,
);

export const purgeDeletedEndpoints = statement()(() =>
  db
    .deleteFrom('webhook_endpoint as w')
    .where('w.deleted_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('webhook_delivery as d').select('d.id').whereRef('d.endpoint_id', '=', 'w.id'))),
    )
    .returning('w.id'),
);

export const forgetOldSecrets = statement()(
  () => sql<{ id: number }>`
    update ${w.table} set previous_secret = null, previous_secret_until = null
     where ${w.previous_secret_until} < now() returning ${w.id}`,
);

/** The position of the last entry that the transaction has appended. */
export const lastPosition = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('audit_log').select('position').where('organization_id', '=', p('organizationId')),
);
