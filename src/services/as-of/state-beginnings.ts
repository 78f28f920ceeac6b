import { sql, statement, table, type Expression } from '../../database/sql.js';
import type { StoredEntry } from '../audit/entry-records.js';

/** Organizations that one statement finds. */
export const AT_ONCE = 100;

const [e, l, c] = [table('audit_entry', 'e'), table('audit_log', 'l'), table('audit_checkpoint', 'c')];
const [o, s, each] = [table('organization', 'o'), table('recorded_state', 's'), table('recorded_state', 'each')];

/**
 * Actions whose entries have the statement in `state`; entries of earlier versions, which may run beside this one
 * during an upgrade, do not.
 */
const STATEMENTS = [
  { action: 'CONTROL_ATTESTED', subject: 'CONTROL' },
  { action: 'EVIDENCE_REQUESTED', subject: 'ENGAGEMENT' },
  { action: 'SIGNED_OFF', subject: 'ENGAGEMENT' },
] as const;

/** Whether an entry lacks values that the state after it needs. */
export function lacksState({ action, state }: StoredEntry): boolean {
  return state === undefined && STATEMENTS.some((stated) => stated.action === action);
}

/** Whether the entries after the newest stored state, about a thousand at most, are complete up to a position. */
function isCompleteUpTo(position: Expression) {
  const newest = sql`coalesce((select max(${s.position}) from ${s.table}
                                where ${s.organization_id} = ${l.organization_id} and ${s.position} <= ${position}), 0)`;
  const conditions = STATEMENTS.map(
    ({ action, subject }) => sql`
      not exists (select from ${e.table}
                   where ${e.log_id} = ${l.id} and ${e.action} = ${sql.lit(action)} and ${e.subject_type} = ${sql.lit(subject)}
                     and ${e.position} > ${newest} and ${e.position} <= ${position} and (${e.entry}::json -> 'state') is null)`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

const isCompleteToHead = isCompleteUpTo(l.position);

/** Whether a trail is complete from its first entry on and still has it. Otherwise its state is recorded. */
const isWhole = sql<boolean>`(
  exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.position} = 1
             and ${e.action} = 'ORGANIZATION_CREATED' and (${e.entry}::json -> 'state') is not null)
  and not exists (select from ${e.table} where ${e.log_id} = ${l.id} and ${e.action} = 'STATE_RECORDED'
                     and ${e.subject_type} = 'ORGANIZATION')
  and ${isCompleteToHead})`;

/** Whether the state after the newest entry follows from a stored state or from the first entry. */
const isComplete = sql<boolean>`(
  ${isWhole} or exists (select from ${s.table} where ${s.organization_id} = ${l.organization_id}) and ${isCompleteToHead})`;

export const beginning = statement<{ organizationId: number }>()(
  (p) => sql<{ isWhole: boolean }>`
    select ${isWhole} as "isWhole" from ${l.table} where ${l.organization_id} = ${p('organizationId')}`,
);

export interface StoredState {
  position: number;
  rows: string;
  mac: Buffer;
}

/** States that do not follow from earlier entries: the oldest one, and those that were recorded as a whole. */
export const origins = statement<{ organizationId: number; upTo: number }>()(
  (p) => sql<StoredState>`
    select ${s.position}, ${s.rows}, ${s.mac} from ${s.table}
     where ${s.organization_id} = ${p('organizationId')} and ${s.position} <= ${p('upTo')}
       and (${s.position} = (select min(${each.position}) from ${each.table} where ${each.organization_id} = ${p('organizationId')})
            or exists (select from ${l.table} join ${e.table} on ${e.log_id} = ${l.id} and ${e.position} = ${s.position}
                        where ${l.organization_id} = ${p('organizationId')} and ${e.action} = 'STATE_RECORDED'))
     order by ${s.position} desc`,
);

export interface FoundOrganization {
  id: number;
  name: string;
}

/** Organizations whose trails are incomplete, without a later stored state. */
export const incomplete = statement<{ after: number }>()(
  (p) => sql<FoundOrganization>`
    select ${o.id}, ${o.name} from ${o.table} join ${l.table} on ${l.organization_id} = ${o.id}
     where ${o.id} > ${p('after')}
       and not ${isComplete}
     order by ${o.id} limit ${AT_ONCE}`,
);

/** Selected instead of a condition, which PostgreSQL would join to all entries with an action. */
export const completeUpTo = statement<{ organizationId: number; position: number }>()(
  (p) => sql<{ isComplete: boolean }>`
    select ${isCompleteUpTo(p('position'))} as "isComplete" from ${l.table} where ${l.organization_id} = ${p('organizationId')}`,
);

export const complete = statement<{ organizationId: number }>()(
  (p) => sql`select from ${l.table} where ${l.organization_id} = ${p('organizationId')} and ${isComplete}`,
);

/**
 * Organizations whose last checkpoint up to their newest state was signed with a key other than these. Not those with
 * an entry that names one of these keys for a state: that state was changed or removed, and is not recorded again.
 */
export const storedWithOtherKey = statement<{ after: number; keyIds: readonly string[] }>()(
  (p) => sql<FoundOrganization>`
    select ${o.id}, ${o.name} from ${o.table} join ${l.table} on ${l.organization_id} = ${o.id}
     where ${o.id} > ${p('after')}
       and (select ${c.key_id} from ${c.table}
             where ${c.log_id} = ${l.id}
               and ${c.position} <= (select max(${s.position}) from ${s.table} where ${s.organization_id} = ${o.id})
             order by ${c.number} desc limit 1) <> all(${p('keyIds')}::text[])
       and not exists (select from ${e.table}
             where ${e.log_id} = ${l.id} and ${e.action} in ('STATE_RECORDED', 'AUDIT_TRAIL_PRUNED')
               and coalesce(${e.entry}::json #>> '{changes,keyId,after}', ${e.entry}::json #>> '{changes,pruned,after,keyId}')
                   = any(${p('keyIds')}::text[]))
       and not ${isWhole}
     order by ${o.id} limit ${AT_ONCE}`,
);
