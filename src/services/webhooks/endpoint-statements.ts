import { assign, selectAll, type RowOf } from '../../database/columns.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { EventAction } from '../../values/events.js';
import { mayManage } from '../events/webhook-subscriptions.js';

export interface EndpointKey {
  organizationId: number;
  webhookEndpointId: number;
}

/** With what `eventTypes` is made of, where that is selected. */
export interface EndpointRow {
  organizationId: number;
  actions?: readonly EventAction[];
}

const w = table('webhook_endpoint', 'w');
const u = table('app_user', 'u');

const FROM = sql`${w.table} left join ${u.table} on ${u.id} = ${w.enabled_by_id}`;
const PRESENT = sql<boolean>`${w.deleted_at} is null`;

export const endpointListing = new Listing<ListQuery<'CREATED'>>({
  from: FROM,
  where: [PRESENT],
  id: { column: w.id, type: 'bigint' },
  parent: { column: w.organization_id, type: 'bigint' },
  sorts: { CREATED: { column: w.id, type: 'bigint' } },
  order: { field: 'CREATED', direction: 'ASC' },
});

export const endpointProjection = new Projection(
  'WebhookEndpoint',
  {
    ...properties(w, 'id', 'organization_id', 'url', 'description', 'format', 'status', 'disabled_reason'),
    ...properties(w, 'failing_since', 'previous_secret_until', 'created_at', 'updated_at', 'version'),
    cursor: endpointListing.place,
    eventTypes: { needs: { actions: w.actions } },
    enabledBy: person(u.username),
  },
  ['id', 'organizationId'],
);

export const oneEndpoint = projected<{ id: number }>()(
  (p, { select }) =>
    sql<EndpointRow>`select ${sql.join(select)} from ${FROM} where ${w.id} = ${p('id')} and ${PRESENT}`,
);

export const lockEndpoint = statement<EndpointKey>()((p) =>
  db
    .selectFrom('webhook_endpoint')
    .select(selectAll('webhook_endpoint'))
    .where('id', '=', p('webhookEndpointId'))
    .where('organization_id', '=', p('organizationId'))
    .where('deleted_at', 'is', null)
    .forUpdate(),
);

/** Endpoints of one organization are created one after the other: how many it has is then certain. */
export const lockEndpoints = statement<{ organizationId: number }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('organizationId')}::text, 4))`,
);

export const countEndpoints = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('webhook_endpoint')
    .select((eb) => eb.fn.countAll<number>().as('endpoints'))
    .where('organization_id', '=', p('organizationId'))
    .where('deleted_at', 'is', null),
);

const WRITTEN = [
  ...(['url', 'description', 'actions', 'format', 'status', 'disabledReason', 'enabledById', 'updatedAt'] as const),
];

/** What is written of an endpoint. */
export type WrittenEndpoint = Omit<Pick<RowOf<'webhook_endpoint'>, (typeof WRITTEN)[number]>, 'updatedAt'> & {
  updatedAt: Date;
};

type NewEndpoint = WrittenEndpoint & { organizationId: number; secret: Buffer; createdAt: Date };

export const insertEndpoint = statement<NewEndpoint>()((p) =>
  db
    .insertInto('webhook_endpoint')
    .values(assign('webhook_endpoint', p, [...WRITTEN, 'organizationId', 'secret', 'createdAt']))
    .returning('id'),
);

export const writeEndpoint = statement<WrittenEndpoint & { id: number }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set(assign('webhook_endpoint', p, WRITTEN))
    .where('id', '=', p('id')),
);

/** What failed before counts no more: the receiver is another one, or is in order again. */
export const forgetFailures = statement<{ id: number }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set({ failures: 0, failing_since: null, paused_until: null })
    .where('id', '=', p('id')),
);

export const rotateSecret = statement<{ id: number; secret: Buffer; until: Date; now: Date }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set(({ ref }) => ({
      ...{ secret: p('secret'), previous_secret: ref('secret'), previous_secret_until: p('until') },
      updated_at: p('now'),
    }))
    .where('id', '=', p('id')),
);

export const removeEndpoint = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set({ deleted_at: p('now'), secret: null, previous_secret: null, previous_secret_until: null })
    .where('id', '=', p('id')),
);

export const disableEndpoint = statement<{ id: number; reason: string; now: Date }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set({ status: 'DISABLED', disabled_reason: p('reason') as never, updated_at: p('now') })
    .where('id', '=', p('id'))
    .where('status', '=', 'ENABLED')
    .where('deleted_at', 'is', null)
    .returning(['organization_id as organizationId', 'id', 'url']),
);

export const enabledBy = statement<{ organizationId: number; userId: string }>()((p) =>
  db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('enabled_by_id', '=', p('userId'))
    .where('status', '=', 'ENABLED')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate(),
);

/** Those enabled by a user who may not manage webhooks any more, as one who was deactivated everywhere; of all where none is named. */
export const withoutRight = statement<{ id: number | null }>()(
  (p) => sql<EndpointKey>`
    select ${w.id} as "webhookEndpointId", ${w.organization_id} as "organizationId" from ${w.table}
     where ${w.status} = 'ENABLED' and ${PRESENT} and not ${mayManage(w.enabled_by_id, w.organization_id)}
       and (${p('id')}::bigint is null or ${w.id} = ${p('id')}::bigint) order by ${w.id}`,
);

/** What waits for an endpoint that is disabled or deleted is given up. */
export const giveUpPending = statement<{ id: number; error: string }>()((p) =>
  db
    .updateTable('webhook_delivery')
    .set({ status: 'FAILED', error: p('error'), next_attempt_at: null, lease: null })
    .where('endpoint_id', '=', p('id'))
    .where('status', '=', 'PENDING'),
);
