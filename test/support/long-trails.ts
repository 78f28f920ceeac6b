import type { Database } from '../../src/database/database.js';

/**
 * Appends entries to the trail of an organization, chained like the gateway does: notes of `controls` controls of NIS
 * 2, `every` milliseconds apart, beginning at `from`. Returns the time of the last one.
 */
export async function lengthenTrail(
  database: Database,
  organizationId: number,
  { entries, controls, from, every = 1000 }: { entries: number; controls: number; from: Date; every?: number },
): Promise<Date> {
  const last = new Date(from.getTime() + (entries - 1) * every);
  await database.transaction(async (tx) => {
    // Its trigger lets the head advance by one entry at a time.
    await tx.rows('set local session_replication_role = replica');
    await tx.rows(`select set_config('test.trail', $1, true)`, [
      JSON.stringify({ organizationId, entries, controls, from, every, last }),
    ]);
    await tx.rows(APPEND);
  });
  return last;
}

const APPEND = `do $do$
  declare
    given json := current_setting('test.trail');
    every interval := (given ->> 'every')::float8 * interval '1 millisecond';
    log bigint;
    place bigint;
    sum bytea;
    entry text;
  begin
    select id, position, hash into log, place, sum from audit_log
     where organization_id = (given ->> 'organizationId')::bigint for update;
    for n in 0 .. (given ->> 'entries')::int - 1 loop
      entry := format(
        '{"action":"CONTROL_UPDATED","actor":{"id":"job","type":"SYSTEM"},"at":"%s","changes":{"note":{"after":"Note %s","before":""}},"subject":{"id":"nis2-directive/%s","name":"Control","parent":{"id":"nis2-directive","type":"WORKFLOW"},"type":"CONTROL"}}',
        to_char(((given ->> 'from')::timestamptz + n * every) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        n, n % (given ->> 'controls')::int);
      place := place + 1;
      sum := sha256(sum || convert_to(entry, 'UTF8'));
      insert into audit_entry (log_id, position, entry, hash) values (log, place, entry, sum);
    end loop;
    update audit_log set position = place, hash = sum, latest_at = (given ->> 'last')::timestamptz where id = log;
  end $do$`;
