import { dayOf } from '../../common/local-time.js';
import type { Queryable } from '../../database/database.js';
import { sql, statementPerList, table, type Expression } from '../../database/sql.js';
import { LIMITS } from '../../values/limits.js';
import { LAST_DAY } from './control-evidence.service.js';
import {
  controlView,
  STATE_COLUMNS,
  STATE_OWNER,
  type OrganizationControlView,
  type StateRow,
} from './controls.service.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { listsOf, todayOf, type OrganizationWorkflowKey, type WorkflowLists } from './progress.js';

export interface DueControlQuery {
  /** Whose controls; those of all and of none when null. */
  ownerId: string | null;
  /** Only controls whose day is no later than this one. */
  until: string | null;
  kinds: readonly DueControl['kind'][];
  /** The earliest ones. */
  limit: number;
}

/** A control that is to be done, or whose evidence is to be reviewed. */
export interface DueControl {
  kind: 'CONTROL' | 'REVIEW';
  /** Its due date, or the last day of its newest document. */
  day: string;
  control: OrganizationControlView;
  /** Of the organization. */
  timeZone: string;
}

const s = table('control_state', 's');
const w = table('organization_workflow', 'w');
const o = table('organization', 'o');
const d = table('document_version', 'd');
const r = table('control_state', 'r');
const v = table('document_version', 'v');

export const IS_OPEN = sql`${s.status} in ('TO_DO', 'IN_PROGRESS')`;

/** The last day of the newest document of a control of the organization `o` whose state, if any, is `s`. */
export const newestOf = (rows: { organization_id: Expression; workflow_id: Expression }, control: Expression) => sql`
       cross join lateral (
         select ${LAST_DAY} as day from ${d.table}
          where ${d.organization_id} = ${rows.organization_id} and ${d.workflow_id} = ${rows.workflow_id}
            and ${d.artifact_id} = ${control}
          order by ${d.id} desc limit 1) newest`;

interface Due extends OrganizationWorkflowKey, Pick<DueControl, 'kind' | 'day'> {
  id: string;
}

/** Workflows whose states are partly of controls that the catalogue has no more, and the controls that it has. */
interface Narrowed extends WorkflowLists {
  /** As JSON, `[organization, workflow, control]`. */
  known: string;
}

const dueOf = statementPerList<
  DueControl['kind'],
  Omit<DueControlQuery, 'kinds'> & Narrowed & { ids: readonly number[]; now: Date }
>()((p, kinds) => {
  const associated = sql`unnest(${p('ids')}::bigint[]) as wanted(id) join ${w.table} on ${w.organization_id} = wanted.id
        join ${o.table} on ${o.id} = wanted.id`;
  const expiring = sql`${todayOf(p('now'))} + ${sql.lit(LIMITS.document.expiringDays)}`;
  const isOwned = sql`(${p('ownerId')}::uuid is null or ${s.owner_id} = ${p('ownerId')})`;
  const until = sql`coalesce(${p('until')}::date, 'infinity')`;
  const due = {
    CONTROL: sql`
      select ${w.organization_id}, ${w.workflow_id}, ${s.control_id}, 'CONTROL', ${s.due_date}
        from ${associated}
        join ${s.table} on ${s.organization_id} = ${w.organization_id} and ${s.workflow_id} = ${w.workflow_id}
       where ${IS_OPEN} and ${s.due_date} <= ${until} and ${isOwned}`,
    REVIEW: sql`
      select ${w.organization_id}, ${w.workflow_id}, dated.control, 'REVIEW', newest.day
        from ${associated}
       cross join lateral (
         select ${r.control_id} as control from ${r.table}
          where ${r.organization_id} = ${w.organization_id} and ${r.workflow_id} = ${w.workflow_id}
            and ${r.review_interval_months} is not null
          union
         select ${v.artifact_id} from ${v.table}
          where ${v.organization_id} = ${w.organization_id} and ${v.workflow_id} = ${w.workflow_id}
            and ${v.valid_until} <= ${expiring}) dated
        left join ${s.table} on ${s.organization_id} = ${w.organization_id} and ${s.workflow_id} = ${w.workflow_id}
                            and ${s.control_id} = dated.control
       ${newestOf(w, sql`dated.control`)}
       where ${s.status} is distinct from 'NOT_APPLICABLE' and newest.day <= ${expiring}
         and newest.day <= ${until} and ${isOwned}`,
  };
  const all = sql.join(
    kinds.map((kind) => due[kind]),
    sql` union all `,
  );
  return sql<Due & (StateRow | Record<keyof StateRow, null>)>`
    with due(organization, workflow, control, kind, day) as (${all})
    select due.organization as "organizationId", due.workflow as "workflowId", due.control as id, due.kind,
           due.day::text as day, ${STATE_COLUMNS}
      from (select * from due
             where (organization, workflow) not in (select * from unnest(${p('organizationIds')}::bigint[], ${p('workflowIds')}::text[]))
                or (organization, workflow, control) in (
                     select (value ->> 0)::bigint, value ->> 1, value ->> 2 from json_array_elements(${p('known')}::json))
             order by day, organization, workflow, control, kind limit ${p('limit')}) due
      left join ${s.table} on ${s.organization_id} = due.organization and ${s.workflow_id} = due.workflow
                          and ${s.control_id} = due.control
      ${STATE_OWNER}
     order by due.day, due.organization, due.workflow, due.control, due.kind`;
});

/**
 * Controls of organizations that are to be done by a day, or whose newest document is stale or expires soon, without
 * authorizing, in one statement besides the catalogues; in more where states of controls that are gone took the places.
 */
export async function dueControls(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  ids: readonly number[],
  { kinds, ...query }: DueControlQuery,
  now: Date,
): Promise<DueControl[]> {
  const read = (narrowed: readonly OrganizationWorkflowKey[], known: readonly unknown[]) =>
    dueOf(kinds).all(database, { ids, now, ...query, ...listsOf(narrowed), known: JSON.stringify(known) });
  const [catalog, first] = await Promise.all([catalogs.ofMany(ids), read([], [])]);
  const controlOf = ({ organizationId, workflowId, id }: (typeof first)[number]) =>
    catalog.get(organizationId)?.control(workflowId, id);
  const narrowed = new Map<string, OrganizationWorkflowKey>();
  let rows = first;
  for (;;) {
    const gone = rows.filter((row) => controlOf(row) === undefined);
    if (rows.length < query.limit || gone.length === 0) break;
    for (const key of gone) narrowed.set(`${key.organizationId} ${key.workflowId}`, key);
    const keys = [...narrowed.values()];
    const known = keys.flatMap(({ organizationId, workflowId }) =>
      (catalog.get(organizationId)?.find(workflowId)?.controls ?? []).map(({ id }) => [organizationId, workflowId, id]),
    );
    rows = await read(keys, known);
  }
  return rows.flatMap((row) => {
    const { organizationId, workflowId, kind, day } = row;
    const own = catalog.get(organizationId);
    const control = controlOf(row);
    if (own === undefined || control === undefined) return [];
    const { timeZone } = own;
    const state = row.controlId === null ? undefined : row;
    const view = controlView({ organizationId, workflowId }, control, state, dayOf(now, timeZone));
    return [{ kind, day, control: view, timeZone }];
  });
}
