import { sql, statement, table, type Expression, type Placeholders, type Queryable } from '../../database/sql.js';

const d = table('webhook_delivery', 'd');
const x = table('webhook_delivery', 'x');
const w = table('webhook_endpoint', 'w');
const own = table('webhook_endpoint', 'own');

/** A pause that another response requested is not shortened: several requests may be under way. */
export const countFailure = statement<{ id: number; pause: number }>()(
  (p) => sql<{ failures: number; days: number }>`
    update ${w.table} set failures = ${w.failures} + 1, failing_since = coalesce(${w.failing_since}, now()),
           paused_until = greatest(${w.paused_until}, now() + make_interval(secs => ${p('pause')}::float8))
     where ${w.id} = ${p('id')}
    returning ${w.failures}, extract(epoch from now() - ${w.failing_since})::float8 / 86400 as days`,
);

/** Seconds after the next attempt of the endpoint for which other endpoints of the host wait. */
const BEHIND = sql.lit(30);

const lockHost = (host: Expression) => sql`select pg_try_advisory_xact_lock(hashtextextended(${host}, 5)) as is_free`;

/**
 * Pauses other endpoints of an unreachable host until after the next attempt of this one, unless another one has paused
 * it in this way.
 */
export const pauseHost = statement<{ id: number; host: string; pause: number }>()(
  (p) => sql`
    with host as (${lockHost(p('host'))}),
    other as (
      select ${w.id} from ${w.table}
       where ${w.host} = ${p('host')} and ${w.id} <> ${p('id')} and ${w.status} = 'ENABLED' and ${w.deleted_at} is null
         and (select is_free from host)
         and not exists (select from ${own.table} where ${own.id} = ${p('id')} and ${own.host_paused_until} > now())
       order by 1 for no key update skip locked)
    update ${w.table} set host_paused_until = now() + make_interval(secs => ${p('pause')}::float8 + ${BEHIND})
      from other where ${w.id} = other.id`,
);

export const resumeHost = statement<{ host: string }>()(
  (p) => sql`
    with other as (
      select ${w.id} from ${w.table} where ${w.host} = ${p('host')} and ${w.host_paused_until} is not null
       order by 1 for no key update skip locked)
    update ${w.table} set host_paused_until = null from other where ${w.id} = other.id`,
);

/** The position at which a scan of pending deliveries has ended; the next one continues behind it. */
interface LookedUpTo {
  until: string;
  seq: number;
}

/** Deliveries of one statement: those of an endpoint that was down for days exceed the time limit of one. */
const AT_ONCE = sql.lit(20_000);

const nextPending = (p: Placeholders<{ id: number } & LookedUpTo>) => sql`
  select ${d.id}, ${d.next_attempt_at}, ${d.seq} from ${d.table}
   where ${d.endpoint_id} = ${p('id')} and ${d.status} = 'PENDING'
     and (${d.next_attempt_at}, ${d.seq}) > (${p('until')}::timestamptz, ${p('seq')}::bigint)
   order by ${d.next_attempt_at}, ${d.seq} limit ${AT_ONCE}`;

const LAST = sql<LookedUpTo>`
  select next_attempt_at as until, seq from looked order by next_attempt_at, seq offset ${AT_ONCE} - 1`;

/** Makes pending deliveries due when the receiver is back. Returns nothing at the end of the scan. */
const hasten = statement<{ id: number } & LookedUpTo>()(
  (p) => sql<LookedUpTo>`
    with looked as materialized (${nextPending(p)}),
    hastened as (
      update ${x.table} set next_attempt_at = ${x.created_at}
       where ${x.id} = any(array(select id from looked)) and ${x.status} = 'PENDING' and ${x.lease} is null and ${x.next_attempt_at} > ${x.created_at})
    ${LAST}`,
);

/** Fails pending deliveries of an endpoint that is disabled or deleted. Returns nothing at the end of the scan. */
const giveUpSome = statement<{ id: number; error: string } & LookedUpTo>()(
  (p) => sql<LookedUpTo>`
    with looked as materialized (${nextPending(p)}),
    given as (
      update ${x.table} set status = 'FAILED', error = ${p('error')}, next_attempt_at = null, lease = null
       where ${x.id} = any(array(select id from looked)) and ${x.status} = 'PENDING')
    ${LAST}`,
);

async function untilLast(look: (after: LookedUpTo) => Promise<LookedUpTo | undefined>): Promise<void> {
  for (let after: LookedUpTo | undefined = { until: '-infinity', seq: 0 }; after;) after = await look(after);
}

/** Updates the endpoint last: after a crash the next accepted delivery repeats it. */
export async function resumeEndpoint(database: Queryable, { id }: { id: number }): Promise<void> {
  await untilLast((after) => hasten.first(database, { id, ...after }));
  await succeeded.all(database, { id });
}

/** Fails all pending deliveries of an endpoint whose row is locked. */
export async function giveUpPending(tx: Queryable, { id, error }: { id: number; error: string }): Promise<void> {
  await untilLast((after) => giveUpSome.first(tx, { id, error, ...after }));
}

export const succeeded = statement<{ id: number }>()(
  (p) => sql`update ${w.table} set failures = 0, failing_since = null, paused_until = null, host_paused_until = null
    where ${w.id} = ${p('id')}`,
);
