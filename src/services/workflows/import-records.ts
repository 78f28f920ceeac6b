import { assign } from '../../database/columns.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { ImportMode } from '../../values/enums.js';
import type { ImportedFile } from './organization-catalogs.js';
import { isOf, type OrganizationWorkflowKey } from './progress.js';

const i = table('workflow_import');
const w = table('organization_workflow', 'w');

const IS_ASSOCIATED = sql`exists (select from ${w.table}
  where ${w.organization_id} = ${i.organization_id} and ${w.workflow_id} = ${i.workflow_id})`;

export const importListing = new Listing<ListQuery<'WORKFLOW'>>({
  from: i.table,
  id: { column: i.id, type: 'bigint' },
  parent: { column: i.organization_id, type: 'bigint' },
  sorts: { WORKFLOW: { column: i.workflow_id, type: 'text' } },
  order: { field: 'WORKFLOW', direction: 'ASC' },
});

export const importProjection = new Projection('WorkflowImport', {
  id: sql`${i.organization_id} || '/' || ${i.workflow_id}`,
  cursor: importListing.place,
  ...properties(i, 'workflow_id', 'mode', 'version'),
  name: sql`coalesce(${i.content} ->> 'name', concat(${i.content} ->> 'from', ' to ', ${i.content} ->> 'to'))`,
  edition: sql`coalesce(${i.content} ->> 'version', '')`,
  controlCount: sql`jsonb_array_length(coalesce(${i.content} -> 'controls', ${i.content} -> 'pairs'))`,
  source: sql`${i.content} -> 'source' ->> 'text'`,
  sourceUrl: sql`${i.content} -> 'source' ->> 'url'`,
  licence: sql`${i.content} ->> 'licence'`,
  remarks: sql`${i.content} ->> 'remarks'`,
  ...properties(i, 'imported_at'),
  importedBy: person(i.imported_by),
  viewerCan: { needs: { organizationId: i.organization_id, mode: i.mode, associated: IS_ASSOCIATED } },
});

/** Serializes imports into one organization, so that their number is exact. */
export const lockImports = statement<{ organizationId: number }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended(${p('organizationId')}::text, 3))`,
);

/** Locked, so that it cannot be associated in between (see WorkflowService.associate). */
export const lockImport = statement<OrganizationWorkflowKey>()(
  (p) => sql<ImportedFile & { version: number }>`
    select ${i.mode}, ${i.content}, ${i.version} from ${i.table} where ${isOf(i, p)} for update`,
);

export const importedFile = statement<OrganizationWorkflowKey>()(
  (p) => sql<ImportedFile>`select ${i.mode}, ${i.content} from ${i.table} where ${isOf(i, p)}`,
);

const STORED = ['mode', 'content', 'importedBy', 'importedAt'] as const;

export const storeImport = projected<StoredImport>()((p, { select }) => {
  const values = assign('workflow_import', p, STORED);
  return db
    .insertInto('workflow_import')
    .values({ ...values, ...assign('workflow_import', p, ['organizationId', 'workflowId']) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'workflow_id']).doUpdateSet(values))
    .returning(select);
});

interface StoredImport extends OrganizationWorkflowKey {
  mode: ImportMode;
  /** As JSON. */
  content: string;
  importedBy: string;
  importedAt: Date;
}

export const oneImport = projected<OrganizationWorkflowKey>()((p, { select }) =>
  db.selectFrom('workflow_import').select(select).where(isOf(i, p)),
);

export const deleteImport = projected<OrganizationWorkflowKey>()((p, { select }) =>
  db.deleteFrom('workflow_import').where(isOf(i, p)).returning(select),
);

/** The mapping of the same workflows by another id. */
export const deleteSameMapping = statement<OrganizationWorkflowKey & { from: string; to: string }>()(
  (p) => sql<{ workflowId: string }>`
    delete from ${i.table}
     where ${i.organization_id} = ${p('organizationId')} and ${i.mode} = 'MAPPING' and ${i.workflow_id} <> ${p('workflowId')}
       and ${i.content} ->> 'from' = ${p('from')} and ${i.content} ->> 'to' = ${p('to')}
    returning ${i.workflow_id} as "workflowId"`,
);

export const countImports = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('workflow_import')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', p('organizationId')),
);
