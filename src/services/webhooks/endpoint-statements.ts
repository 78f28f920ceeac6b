import { assign, selectAll, type RowOf } from '../../database/columns.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import type { Queryable } from '../../database/database.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type Placeholders } from '../../database/sql.js';
import type { EventAction } from '../../values/events.js';
import type { UserCaller } from '../../auth/caller.js';
import { GOES_TO_USERS, IS_ENABLED, IS_MANAGER, MAY_GO_ON } from '../events/webhook-subscriptions.js';
import { reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';

/** The owner of an endpoint: an organization, or a user, who receives events of the organizations that it manages. */
export type EndpointOwner = { organizationId: number; userId: null } | { organizationId: null; userId: string };
export type EndpointKey = EndpointOwner & { webhookEndpointId: number };

/** With the columns of `eventTypes`, where it is selected. */
export type EndpointRow = EndpointOwner & { actions?: readonly EventAction[] };

const w = table('webhook_endpoint', 'w');
const u = table('app_user', 'u');
const [m, o] = [table('membership', 'm'), table('organization', 'o')];

const FROM = sql`${w.table} left join ${u.table} on ${u.id} = ${w.enabled_by_id}`;
const PRESENT = sql<boolean>`${w.deleted_at} is null`;

const LIST = orderedByKey(w.id, 'CREATED', 'ASC');

export const endpointListing = new Listing<ListQuery<'CREATED'>>({
  ...{ from: FROM, where: [PRESENT], ...LIST },
  parent: { column: w.organization_id, type: 'bigint' },
});

export const ownListing = new Listing<ListQuery<'CREATED'>>({
  ...{ from: FROM, where: [PRESENT], ...LIST },
  parent: { column: w.user_id, type: 'uuid' },
});

/** Endpoints of users, as shown to the organizations whose events they receive. */
export const usersListing = new Listing<ListQuery<'CREATED'>>({
  ...LIST,
  from: sql`${m.table} join ${w.table} on ${w.user_id} = ${m.user_id}
    join ${u.table} on ${u.id} = ${m.user_id} and ${u.deactivated_at} is null
    join ${o.table} on ${o.id} = ${m.organization_id}`,
  where: [PRESENT, IS_MANAGER, GOES_TO_USERS],
  parent: { column: m.organization_id, type: 'bigint' },
});

export const usersProjection = new Projection(
  'UserWebhookEndpoint',
  {
    webhookEndpointId: w.id,
    ...properties(w, 'id', 'host', 'format', 'status', 'disabled_reason', 'created_at'),
    eventTypes: { needs: { actions: w.actions } },
    user: person(u.username),
  },
  ['id'],
);

export const endpointProjection = new Projection(
  'WebhookEndpoint',
  {
    ...properties(w, 'id', 'organization_id', 'user_id', 'url', 'description', 'format', 'status', 'disabled_reason'),
    ...properties(w, 'failing_since', 'previous_secret_until', 'created_at', 'updated_at', 'version'),
    cursor: endpointListing.place,
    scope: sql`case when ${w.user_id} is null then 'ORGANIZATION' else 'MANAGED_ORGANIZATIONS' end`,
    eventTypes: { needs: { actions: w.actions } },
    enabledBy: person(u.username),
  },
  ['id', 'organizationId', 'userId'],
);

export const oneEndpoint = projected<{ id: number }>()(
  (p, { select }) =>
    sql<EndpointRow>`select ${sql.join(select)} from ${FROM} where ${w.id} = ${p('id')} and ${PRESENT}`,
);

/** The user who owns an endpoint; undefined for that of an organization. */
export const userOf = statement<{ id: number }>()((p) =>
  db
    .selectFrom('webhook_endpoint')
    .select('user_id as userId')
    .where('id', '=', p('id'))
    .where('user_id', 'is not', null)
    .where('deleted_at', 'is', null),
);

type Locked = RowOf<'webhook_endpoint'> & EndpointOwner;

const COLUMNS = sql.join(selectAll('webhook_endpoint', 'w'));
const isOf = (p: Placeholders<Pick<EndpointOwner, keyof EndpointOwner>>) =>
  sql<boolean>`case when ${p('userId')}::uuid is null then ${w.organization_id} = ${p('organizationId')}::bigint
    else ${w.user_id} = ${p('userId')}::uuid end and ${PRESENT}`;

export const lockEndpoint = statement<Pick<EndpointKey, keyof EndpointKey>>()(
  (p) =>
    sql<Locked>`select ${COLUMNS} from ${w.table} where ${w.id} = ${p('webhookEndpointId')} and ${isOf(p)} for update`,
);

/** Locks an endpoint of an organization or of a user. */
export const lockAny = statement<{ id: number }>()(
  (p) => sql<Locked>`select ${COLUMNS} from ${w.table} where ${w.id} = ${p('id')} and ${PRESENT} for update`,
);

/** Locks endpoints that a token was the last to change: nothing is sent to them until the transaction has ended. */
export const lockOfToken = statement<{ tokenId: number }>()(
  (p) => sql`select ${w.id} from ${w.table} where ${w.token_id} = ${p('tokenId')}::bigint order by 1 for update`,
);

/** Makes endpoints of a token those of the token that replaces it: a block of that one ends their events. */
export const passToToken = statement<{ tokenId: number; replacedBy: number }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set({ token_id: p('replacedBy') })
    .where('token_id', '=', p('tokenId')),
);

/** Serializes the creation of endpoints of one owner, so that their number is certain. */
export const lockEndpoints = statement<Pick<EndpointOwner, keyof EndpointOwner>>()(
  (p) => sql`
    select pg_advisory_xact_lock(hashtextextended(coalesce(${p('userId')}::uuid::text, ${p('organizationId')}::bigint::text), 4))`,
);

export const countEndpoints = statement<Pick<EndpointOwner, keyof EndpointOwner>>()(
  (p) => sql<{ endpoints: number }>`select count(*)::int as endpoints from ${w.table} where ${isOf(p)}`,
);

const WRITTEN = [
  ...(['url', 'description', 'actions', 'format', 'status', 'disabledReason', 'enabledById', 'tokenId'] as const),
  'updatedAt',
] as const;

/** The written columns of an endpoint. */
export type WrittenEndpoint = Omit<Pick<RowOf<'webhook_endpoint'>, (typeof WRITTEN)[number]>, 'updatedAt'> & {
  updatedAt: Date;
};

type NewEndpoint = WrittenEndpoint & Pick<EndpointOwner, keyof EndpointOwner> & { secret: Buffer; createdAt: Date };

export const insertEndpoint = statement<NewEndpoint>()((p) =>
  db
    .insertInto('webhook_endpoint')
    .values(assign('webhook_endpoint', p, [...WRITTEN, 'organizationId', 'userId', 'secret', 'createdAt']))
    .returning('id'),
);

export const writeEndpoint = statement<WrittenEndpoint & { id: number }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set(assign('webhook_endpoint', p, WRITTEN))
    .where('id', '=', p('id')),
);

export const rotateSecret = statement<{
  id: number;
  secret: Buffer;
  tokenId: number | null;
  until: Date;
  now: Date;
}>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set(({ ref }) => ({
      ...{ secret: p('secret'), previous_secret: ref('secret'), previous_secret_until: p('until') },
      ...{ token_id: p('tokenId'), updated_at: p('now') },
    }))
    .where('id', '=', p('id')),
);

export const removeEndpoint = statement<{ id: number; now: Date }>()((p) =>
  db
    .updateTable('webhook_endpoint')
    .set({ deleted_at: p('now'), secret: null, previous_secret: null, previous_secret_until: null })
    .where('id', '=', p('id')),
);

export const disableEndpoint = statement<{ id: number; reason: string; now: Date }>()(
  (p) => sql<EndpointOwner & { id: number; url: string }>`
    update ${w.table} set status = 'DISABLED', disabled_reason = ${p('reason')}, updated_at = ${p('now')}
     where ${w.id} = ${p('id')} and ${IS_ENABLED}
    returning ${w.organization_id} as "organizationId", ${w.user_id} as "userId", ${w.id}, ${w.url}`,
);

/** The organization in which a user is notified of its own endpoint: each notification belongs to one. */
export const placeOf = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('membership as m')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .select('m.organization_id as organizationId')
    .where('m.user_id', '=', p('userId'))
    .where('m.deactivated_at', 'is', null)
    .where('o.deleted_at', 'is', null)
    .orderBy('m.id')
    .limit(1),
);

/** Locks endpoints of organizations and of a user, enabled or not. */
export const lockAllOf = statement<{ organizationIds: readonly number[]; userId: string | null }>()(
  (p) => sql`
    select ${w.id} from ${w.table}
     where (${w.organization_id} = any(${p('organizationIds')}::bigint[]) or ${w.user_id} = ${p('userId')}::uuid) and ${PRESENT}
     order by ${w.id} for update`,
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

/**
 * Endpoints enabled by a user who may no longer manage webhooks, such as one deactivated everywhere; those of all
 * users where none is given.
 */
export const withoutRight = statement<{ id: number | null }>()(
  (p) => sql<{ id: number }>`
    select ${w.id} from ${w.table}
     where ${IS_ENABLED} and not ${MAY_GO_ON}
       and (${p('id')}::bigint is null or ${w.id} = ${p('id')}::bigint) order by ${w.id}`,
);

/** Organizations whose events a user's endpoint receives and its token reaches; the first one where one is enough. */
const organizationsOf = statement<Reach & { id: number; limit: number | null }>()(
  (p) => sql<{ id: number }>`
    select ${o.id} from ${w.table}
      join ${m.table} on ${m.user_id} = ${w.user_id} and ${IS_MANAGER}
      join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
     where ${w.id} = ${p('id')} and ${GOES_TO_USERS} and ${reachable(p)} order by ${o.id} limit ${p('limit')}::bigint`,
);

export async function organizationsOfEndpoint(
  tx: Queryable,
  caller: UserCaller,
  id: number,
  limit: number | null = null,
) {
  return (await organizationsOf.all(tx, { ...reachOf(caller), id, limit })).map((organization) => organization.id);
}

export const endpointsOfUser = statement<{ userId: string }>()(
  (p) => sql<Locked>`
    select ${COLUMNS} from ${w.table} where ${w.user_id} = ${p('userId')} and ${PRESENT} order by ${w.id} for update`,
);
