import type { Database, Queryable } from '../../database/database.js';
import { insertSelect, sql, statement, table } from '../../database/sql.js';
import { untilFewer } from '../../database/until-fewer.js';
import { LIMITS } from '../../values/limits.js';
import type { ConsumedEntry } from '../audit/consumer.js';
import { announced, deliveriesOf } from './webhook-subscriptions.js';

const [v, e] = [table('event', 'v'), table('audit_entry', 'e')];

/** The last event, which is never deleted: the next one takes its place from it. */
const LAST = sql`(select max(${v.seq}) from ${v.table})`;

const append = statement<{
  organizationIds: readonly number[];
  logIds: readonly number[];
  positions: readonly number[];
}>()(
  (p) => sql`
    with added as (
      select ${e.action}, given.*
        from unnest(${p('organizationIds')}::bigint[], ${p('logIds')}::bigint[], ${p('positions')}::bigint[])
          with ordinality as given(organization, log, place, number)
        join ${e.table} on ${e.log_id} = given.log and ${e.position} = given.place),
    appended as (${insertSelect('event', {
      seq: sql`coalesce(${LAST}, 0) + row_number() over (order by added.number)`,
      organization_id: sql`added.organization`,
      log_id: sql`added.log`,
      position: sql`added.place`,
      action: sql`added.action`,
    })} from added returning seq, organization_id, log_id, position, action),
    delivered as (${deliveriesOf(sql`appended`)} returning endpoint_id)
    select pg_notify('event', min(seq) || ' ' || max(seq)) from appended having count(*) > 0
    union all ${announced(sql`delivered`)}`,
);

/**
 * Assigns entries the next places in the sequence, inserts their deliveries to webhook endpoints, and announces both
 * (event-wakes.ts). One transaction at a time runs it, so that a rollback leaves no gap.
 */
export async function appendEvents(tx: Queryable, entries: readonly ConsumedEntry[]): Promise<void> {
  await append.all(tx, {
    organizationIds: entries.map(({ organizationId }) => organizationId),
    logIds: entries.map(({ logId }) => logId),
    positions: entries.map(({ position }) => position),
  });
}

const BATCH = 1_000;

/** In order of age, so that the first newer event ends the scan. */
const deleteSome = statement<{ days: number }>()(
  (p) => sql<{ seq: number }>`
    delete from ${v.table} where ${v.seq} = any(array(
      select oldest.seq from (
        select ${v.seq}, ${v.created_at} as since from ${v.table} order by ${v.seq} limit ${sql.lit(BATCH)}) oldest
       where oldest.since < now() - make_interval(days => ${p('days')}::int) and oldest.seq < ${LAST}))
    returning ${v.seq}`,
);

/** Deletes events after their retention. */
export class EventRetention {
  constructor(private readonly database: Database) {}

  /** Deletes old events, but never the last one; returns their number. */
  purgeOld(): Promise<number> {
    const { keptDays: days } = LIMITS.events;
    return untilFewer(BATCH, async () => (await deleteSome.all(this.database, { days })).length);
  }
}
