import { filter } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';

export interface NewEngagement {
  organizationId: number;
  name: string;
  workflowIds: readonly string[];
  from: Date;
  to: Date;
  until: Date;
}

const e = table('engagement', 'e');
const o = table('organization', 'o');
const c = table('app_user', 'c');
const a = table('engagement_auditor', 'a');
const u = table('app_user', 'u');
const m = table('membership', 'm');
const w = table('organization_workflow', 'w');

const FROM = sql`${e.table} join ${o.table} on ${o.id} = ${e.organization_id} and ${o.deleted_at} is null
  left join ${c.table} on ${c.id} = ${e.created_by_id}`;

const OF_LIST = { from: FROM, ...orderedByKey(e.id, 'CREATED', 'DESC') };
export const ofOrganization = new Listing<ListQuery<'CREATED'>>({
  ...OF_LIST,
  parent: { column: e.organization_id, type: 'bigint' },
});
/** Without ended ones. */
export const ofAuditor = new Listing<ListQuery<'CREATED'>>({
  ...OF_LIST,
  from: sql`${FROM} join ${a.table} on ${a.engagement_id} = ${e.id}`,
  parent: { column: a.user_id, type: 'uuid' },
});
/** The decision of `Access.authorizeAuditor`, for several engagements at once. */
export const isOpenTo = filter<{ now: Date; userId: string }>(
  (p) => sql`${e.until} > ${p('now')}::timestamptz and not exists (
    select from ${m.table} where ${m.organization_id} = ${e.organization_id} and ${m.user_id} = ${p('userId')}::uuid)`,
);
export const isReached = filter<{ blockedIn: number[] }>((p) => sql`not (${o.id} = any(${p('blockedIn')}::bigint[]))`);
export const isOf = filter<{ organizationId: number }>((p) => sql`${o.id} = ${p('organizationId')}::bigint`);
export const byHeader = filter(() => sql`${o.query_token_allowed}`)({});

export const projection = new Projection(
  'Engagement',
  {
    id: e.id,
    cursor: ofOrganization.place,
    organizationId: e.organization_id,
    organizationName: o.name,
    timeZone: o.time_zone,
    workflowIds: e.workflows,
    workflows: { needs: { workflowIds: e.workflows } },
    ...properties(e, 'name', 'until', 'created_at', 'version'),
    from: e.period_from,
    to: e.period_to,
    createdBy: person(c.username),
    auditors: sql`coalesce((select jsonb_agg(jsonb_build_object('userId', ${u.id}, 'username', ${u.username}) order by ${u.username})
    from ${a.table} join ${u.table} on ${u.id} = ${a.user_id} where ${a.engagement_id} = ${e.id}), '[]')`,
  },
  // The last two determine the instant that its parts are shown as of.
  ['id', 'organizationId', 'to', 'until'],
);

export const one = projected<{ id: number }>()(
  (p, { select }) => sql<object>`select ${sql.join(select)} from ${FROM} where ${e.id} = ${p('id')}`,
);

export const some = projected<{ ids: readonly number[] }>()(
  (p, { select }) =>
    sql<{ id: number }>`select ${sql.join(select)} from ${FROM} where ${e.id} = any(${p('ids')}::bigint[])`,
);

export const running = statement<{ organizationId: number; now: Date }>()((p) =>
  db
    .selectFrom('engagement')
    .select((eb) => eb.fn.countAll<number>().as('engagements'))
    .where('organization_id', '=', p('organizationId'))
    .where('until', '>', p('now')),
);

export const associated = statement<{ organizationId: number; ids: readonly string[] }>()((p) =>
  db
    .selectFrom('organization_workflow as w')
    .select('w.workflow_id as id')
    .where('w.organization_id', '=', p('organizationId'))
    .where(sql<boolean>`${w.workflow_id} = any(${p('ids')}::text[])`),
);

export const insert = statement<NewEngagement & { createdById: string | null; now: Date }>()((p) =>
  db
    .insertInto('engagement')
    .values({
      ...{ organization_id: p('organizationId'), name: p('name'), workflows: p('workflowIds') },
      ...{ period_from: p('from'), period_to: p('to'), until: p('until') },
      ...{ created_by_id: p('createdById'), created_at: p('now') },
    })
    .returning('id'),
);

/** Statements of its auditors take this lock as well. */
export const lock = statement<{ organizationId: number; engagementId: number }>()((p) =>
  db
    .selectFrom('engagement')
    .select('id')
    .where('id', '=', p('engagementId'))
    .where('organization_id', '=', p('organizationId'))
    .forUpdate(),
);

export const change = statement<{ id: number; name: string; until: string }>()((p) =>
  db
    .updateTable('engagement')
    .set({ name: p('name'), until: p('until') })
    .where('id', '=', p('id')),
);

export const removeAuditor = statement<{ id: number; userId: string }>()((p) =>
  db
    .deleteFrom('engagement_auditor as a')
    .using('app_user as u')
    .whereRef('u.id', '=', 'a.user_id')
    .where('a.engagement_id', '=', p('id'))
    .where('a.user_id', '=', p('userId'))
    .returning(['u.id', 'u.username']),
);
