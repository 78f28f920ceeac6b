import { insertSelect, sql, statement, table } from '../../database/sql.js';
import type { WebhookFormat } from '../../values/enums.js';
import { EVENT_ACTIONS, type EventAction } from '../../values/events.js';
import { IS_ENABLED, MAY_GO_ON, maySend } from '../events/webhook-subscriptions.js';

/** A delivery that this instance has claimed. */
export interface ClaimedDelivery {
  id: number;
  lease: string;
  /** Number of attempts, including this one. */
  attempts: number;
  organizationId: number;
  /** Whether the organization is a sandbox. */
  sandbox: boolean;
  /** Tag of the organization's language; null where it is gone. */
  language: string | null;
  position: number;
  action: EventAction;
  entry: string;
  endpointId: number;
  url: string;
  host: string;
  format: WebhookFormat;
  /** Version of the endpoint at the time of the claim. */
  version: number;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretUntil: string | null;
}

/** For each endpoint, how many deliveries this instance has claimed, and how many it wants. */
export interface ClaimedCounts {
  endpoints: readonly number[];
  own: readonly number[];
  wanted: readonly number[];
}

/**
 * Seconds after which another instance may claim the delivery: longer than it may wait here and an attempt may take.
 */
const LEASE = sql.lit(60);
/** Deliveries to claim of an endpoint without known requests. While attempts fail, it is a single one. */
export const FIRST_CLAIM = 4;

const d = table('webhook_delivery', 'd');
const x = table('webhook_delivery', 'x');
const w = table('webhook_endpoint', 'w');
const o = table('organization', 'o');
const e = table('audit_entry', 'e');

/** Events for a user's endpoint are authorized when they are sent. */
const ENDPOINTS = sql`${w.table} left join ${o.table} on ${o.id} = ${w.organization_id}`;
const IS_OPEN = sql`${IS_ENABLED}
  and coalesce(greatest(${w.paused_until}, ${w.host_paused_until}) <= now(), true)
  and ${MAY_GO_ON}`;

/** Due deliveries of an endpoint that are scanned: many of them may wait for an earlier one. */
const LOOKED_AT = 500;
/** The most deliveries that one statement defers. */
const DEFERRED = 5_000;

const isDue = sql`${d.endpoint_id} = ${w.id} and ${d.status} = 'PENDING' and ${d.next_attempt_at} <= now()`;
const inOrder = sql`order by ${d.next_attempt_at}, ${d.seq}`;

/** Other actions belong to a newer version, whose instances send them. */
const IS_KNOWN = sql`${d.action} = any(${sql.lit(`{${EVENT_ACTIONS.join()}}`)}::text[])`;

/** Due deliveries of an endpoint, none behind another one of the same subject. */
const DUE = sql`(select * from ${d.table} where ${isDue} and ${IS_KNOWN} and ${maySend(d.action)} ${inOrder} limit ${sql.lit(LOOKED_AT)}) as d
  where ${o.deleted_at} is not null or ${d.seq} = (
    select min(${x.seq}) from ${x.table} where ${x.endpoint_id} = ${d.endpoint_id} and ${x.subject} = ${d.subject}
       and ${x.status} = 'PENDING')
  ${inOrder}`;

/**
 * Defers deliveries that wait for an earlier one to its time, where so many do that others are not scanned. If the
 * earlier one is under way, they are deferred only briefly, because it may end at any moment.
 */
export const defer = statement()(
  () => sql`
    update ${x.table} set next_attempt_at = late.until
      from (select due.id, case when head.under_way then least(head.until, now() + interval '1 second') else head.until end as until
              from ${w.table}
             cross join lateral (select ${d.id}, ${d.subject}, ${d.seq}, ${d.next_attempt_at} from ${d.table}
                                  where ${isDue} ${inOrder} limit ${sql.lit(DEFERRED)}) due
             cross join lateral (select ${d.seq}, ${d.next_attempt_at} as until, ${d.lease} is not null as under_way from ${d.table}
                                  where ${d.endpoint_id} = ${w.id} and ${d.subject} = due.subject and ${d.status} = 'PENDING'
                                  order by ${d.seq} limit 1) head
             where ${w.status} = 'ENABLED' and head.seq < due.seq and head.until > due.next_attempt_at
               and exists (select from ${d.table} where ${isDue} offset ${sql.lit(LOOKED_AT - 1)})) late
     where ${x.id} = late.id and ${x.status} = 'PENDING' and ${x.lease} is null`,
);

/** Enabled endpoints with due deliveries, without paused ones; those that have waited longest first. */
export const openEndpoints = statement<{ limit: number }>()(
  (p) => sql<{ id: number }>`
    select ${w.id} from ${ENDPOINTS} cross join lateral (select ${d.next_attempt_at} as since from ${DUE} limit 1) due
     where ${IS_OPEN} order by due.since limit ${p('limit')}`,
);

/** For a transaction that may be lost in a crash. */
export const NOT_FLUSHED = sql`set_config('synchronous_commit', 'off', true)`;

/** One instance at a time claims deliveries of an endpoint, so that their number and order are certain. */
export const lockOpen = statement<{ ids: readonly number[] }>()(
  (p) => sql<{ id: number }>`
    select ${w.id}, ${NOT_FLUSHED} from ${w.table} where ${w.id} = any(${p('ids')}::bigint[]) and ${IS_OPEN}
     order by 1 for no key update skip locked`,
);

const LEASED = sql`(select count(*) from ${x.table} where ${x.endpoint_id} = ${w.id} and ${x.lease} is not null
   and ${x.status} = 'PENDING' and ${x.next_attempt_at} > now())`;

/** Deliveries of an endpoint remain with the instance that has claimed some. */
const FREE = sql`(select case when leased > coalesce(counts.own, 0) then 0
  else greatest(case when ${w.failures} > 0 then 1 else coalesce(counts.wanted, ${sql.lit(FIRST_CLAIM)}) end - leased, 0) end
  from ${LEASED} as counted (leased))`;

export const claim = statement<ClaimedCounts & { ids: readonly number[]; limit: number }>()(
  (p) => sql<ClaimedDelivery>`
    update ${d.table} set lease = gen_random_uuid(), attempts = ${d.attempts} + 1,
           next_attempt_at = now() + make_interval(secs => ${LEASE})
      from (select due.id, ${w.id} as endpoint_id, ${w.url}, ${w.host}, ${w.format}, ${w.version}, ${w.secret},
                   ${w.previous_secret}, ${w.previous_secret_until}
              from ${ENDPOINTS}
              left join unnest(${p('endpoints')}::bigint[], ${p('own')}::int[], ${p('wanted')}::int[])
                as counts (endpoint, own, wanted) on counts.endpoint = ${w.id}
             cross join lateral (select ${d.id}, ${d.seq} from ${DUE} limit ${FREE}) due
             where ${w.id} = any(${p('ids')}::bigint[]) order by due.seq limit ${p('limit')}) due
      join ${x.table} on ${x.id} = due.id
      join ${e.table} on ${e.log_id} = ${x.log_id} and ${e.position} = ${x.position}
     where ${d.id} = due.id
    returning ${d.id}, ${d.lease}, ${d.attempts}, ${d.organization_id} as "organizationId", ${d.position}, ${d.action},
              ${e.entry}, coalesce((select ${o.sandbox} from ${o.table} where ${o.id} = ${d.organization_id}), false) as sandbox,
              (select ${o.language} from ${o.table} where ${o.id} = ${d.organization_id}) as language,
              due.endpoint_id as "endpointId", due.url, due.host, due.format, due.version, due.secret,
              due.previous_secret as "previousSecret", due.previous_secret_until as "previousSecretUntil"`,
);

/** The result of an attempt. */
export interface AttemptResult {
  id: number;
  lease: string;
  attemptedAt: Date;
  milliseconds: number;
  statusCode: number | null;
  error: string;
  answer: string;
}

/**
 * Makes deliveries due that waited for completed ones, as of their creation: each is scanned before those that wait
 * for it.
 */
const PROMOTE = sql`
  update ${x.table} set next_attempt_at = ${x.created_at}
    from done cross join lateral (
      select ${d.id} from ${d.table} where ${d.endpoint_id} = done.endpoint_id and ${d.subject} = done.subject
         and ${d.status} = 'PENDING' and ${d.seq} > done.seq order by ${d.seq} limit 1) following
   where ${x.id} = following.id and ${x.lease} is null and ${x.next_attempt_at} > ${x.created_at}`;

const OF_ATTEMPT = sql.join([d.attempts, d.attempted_at, d.milliseconds, d.status_code, d.error, d.answer]);

/** Inserts the attempts of these deliveries into the list of attempts. */
const listed = (deliveries: string) => {
  const of = (column: string) => sql`${sql.id(deliveries)}.${sql.id(column)}`;
  return sql`${insertSelect('webhook_attempt', {
    delivery_id: of('id'),
    number: of('attempts'),
    attempted_at: of('attempted_at'),
    milliseconds: of('milliseconds'),
    status_code: of('status_code'),
    error: of('error'),
    answer: of('answer'),
  })} from ${sql.id(deliveries)}`;
};

/** Accepted deliveries, as columns. */
export interface Accepted {
  endpoints: readonly number[];
  ids: readonly number[];
  leases: readonly string[];
  attemptedAt: readonly Date[];
  milliseconds: readonly number[];
  statusCodes: readonly (number | null)[];
  answers: readonly string[];
}

/**
 * Locks endpoints first, like every change of them, and returns those with failures. Deliveries that another instance has
 * claimed remain unchanged.
 */
export const accept = statement<Accepted>()(
  (p) => sql<{ id: number; host: string; failures: number }>`
    with endpoint as (
      select ${w.id}, ${w.host}, ${w.failures} from ${w.table} where ${w.id} = any(${p('endpoints')}::bigint[]) order by 1 for no key update),
    done as (
      update ${d.table} set status = 'DELIVERED', lease = null, next_attempt_at = null, attempted_at = given.attempted_at,
             milliseconds = given.milliseconds, status_code = given.status_code, error = '', answer = given.answer
        from unnest(${p('ids')}::bigint[], ${p('leases')}::uuid[], ${p('attemptedAt')}::timestamptz[],
                    ${p('milliseconds')}::int[], ${p('statusCodes')}::int[], ${p('answers')}::text[])
               as given (id, lease, attempted_at, milliseconds, status_code, answer), endpoint
       where ${d.id} = given.id and ${d.lease} = given.lease and ${d.endpoint_id} = endpoint.id
      returning ${d.id}, ${d.endpoint_id}, ${d.subject}, ${d.seq}, ${OF_ATTEMPT}),
    attempt as (${listed('done')}),
    promoted as (${PROMOTE})
    select id, host, failures from endpoint where failures > 0`,
);

/** Fails finally without a delay. Returns nothing where another instance has claimed it, or it restarts. */
export const fail = statement<AttemptResult & { delay: number | null }>()(
  (p) => sql<{ id: number }>`
    with failed as (
      update ${d.table} set lease = null, attempted_at = ${p('attemptedAt')}::timestamptz,
             milliseconds = ${p('milliseconds')}::int, status_code = ${p('statusCode')}::int,
             error = ${p('error')}, answer = ${p('answer')},
             status = case when ${p('delay')}::float8 is null then 'FAILED' else 'PENDING' end,
             next_attempt_at = now() + make_interval(secs => ${p('delay')}::float8)
       where ${d.id} = ${p('id')} and ${d.lease} = ${p('lease')}::uuid returning ${d.id}, ${OF_ATTEMPT})
    ${listed('failed')} returning delivery_id as id`,
);

const NOT_MANAGED = 'The organization sends no events to this endpoint any more.';

/** Returns deliveries that were claimed but not sent; they are scanned before those that wait for them. */
export const giveBack = statement<{ ids: readonly number[]; leases: readonly string[] }>()(
  (p) => sql`
    update ${d.table} set lease = null, attempts = ${d.attempts} - 1, next_attempt_at = ${d.created_at}
      from unnest(${p('ids')}::bigint[], ${p('leases')}::uuid[]) as given (id, lease)
     where ${d.id} = given.id and ${d.lease} = given.lease`,
);

/** Fails a delivery without an attempt, because its endpoint may not receive it any more. */
export const refuse = statement<{ id: number; lease: string }>()(
  (p) => sql`
    with done as (
      update ${d.table} set status = 'FAILED', lease = null, next_attempt_at = null, attempts = ${d.attempts} - 1, error = ${sql.lit(NOT_MANAGED)}
       where ${d.id} = ${p('id')} and ${d.lease} = ${p('lease')}::uuid
      returning ${d.endpoint_id}, ${d.subject}, ${d.seq})
    ${PROMOTE}`,
);

/** Promotes deliveries behind one that has failed finally. */
export const promote = statement<{ id: number }>()(
  (p) => sql`
    with done as (select ${d.endpoint_id}, ${d.subject}, ${d.seq} from ${d.table} where ${d.id} = ${p('id')})
    ${PROMOTE}`,
);
