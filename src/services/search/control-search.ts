import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { SEARCH_TYPES } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { searchPattern, type Hit } from './search-sources.js';
import { folded, rankOf } from './search-text.js';
import type { CatalogWorkflow } from '../workflows/catalog-file.js';

interface Associated {
  organizationId: number;
  workflowId: string;
}

interface StateText extends Associated {
  controlId: string;
  body: string;
}

const s = table('control_state', 's');

const workflowsOf = statement<{ organizationIds: readonly number[] }>()((p) =>
  db
    .selectFrom('organization_workflow')
    .select(['organization_id as organizationId', 'workflow_id as workflowId'])
    .where('organization_id', '=', sql<number>`any(${p('organizationIds')}::int[])`)
    .orderBy('organization_id')
    .orderBy('workflow_id'),
);

/** What was written about controls of associated workflows. */
export const stateTexts = statement<{ organizationIds: readonly number[]; query: string }>()(
  (p) => sql<StateText>`
    select ${s.organization_id} as "organizationId", ${s.workflow_id} as "workflowId", ${s.control_id} as "controlId",
           trim(${s.justification} || ' ' || ${s.note}) as body
      from ${s.table}
     where ${s.organization_id} = any(${p('organizationIds')}::int[]) and ${s.searchable} like ${searchPattern(p)}
     limit ${sql.lit(LIMITS.search.candidates)}`,
);

const TYPE = `${SEARCH_TYPES.indexOf('CONTROL')}:`;

/**
 * Searches controls of associated workflows: ids and labels in the catalogues, which differ by organization, and texts
 * about them in the database.
 */
export class ControlSearch {
  constructor(private readonly catalogs: OrganizationCatalogs) {}

  /** Controls that contain the query, by organization; at most LIMITS.search.candidates. */
  async hits(database: Queryable, organizationIds: readonly number[], query: string): Promise<Hit[]> {
    if (organizationIds.length === 0) return [];
    const [associated, written, catalogs] = await Promise.all([
      workflowsOf.all(database, { organizationIds }),
      stateTexts.all(database, { organizationIds, query }),
      this.catalogs.ofMany(organizationIds),
    ]);
    const texts = new Map(written.map((state) => [idOf(state, state.controlId), state.body]));
    const wanted = folded(query);
    const hits: Hit[] = [];
    for (const key of associated) {
      const workflow = catalogs.get(key.organizationId)?.find(key.workflowId);
      if (workflow !== undefined) hits.push(...hitsIn(workflow, key, wanted, texts));
      if (hits.length >= LIMITS.search.candidates) break;
    }
    return hits.slice(0, LIMITS.search.candidates);
  }
}

function hitsIn(workflow: CatalogWorkflow, key: Associated, wanted: string, texts: ReadonlyMap<string, string>): Hit[] {
  const hits: Hit[] = [];
  for (const [index, title] of foldedTitles(workflow).entries()) {
    const control = workflow.controls[index];
    if (control === undefined) continue;
    const recordId = idOf(key, control.id);
    const text = texts.get(recordId);
    const rank = rankOf(title, wanted) ?? (text === undefined ? undefined : 3);
    if (rank === undefined) continue;
    hits.push({
      type: 'CONTROL',
      rank,
      key: `${TYPE}${String(key.organizationId).padStart(10, '0')}/${key.workflowId}/${String(index).padStart(5, '0')}`,
      organizationId: key.organizationId,
      recordId,
      title: titleOf(control),
      body: `${workflow.name}. ${text ?? ''}`.trim(),
      href: `/organizations/${key.organizationId}/workflows/${key.workflowId}/controls/${encodeURIComponent(control.id)}`,
    });
  }
  return hits;
}

function idOf({ organizationId, workflowId }: Associated, controlId: string): string {
  return `${organizationId}/${workflowId}/${controlId}`;
}

function titleOf({ id, label }: { id: string; label: string }): string {
  return `${id} ${label}`;
}

/** Folded once for each workflow as an organization sees it: catalogues change seldom and are searched often. */
function foldedTitles(workflow: CatalogWorkflow): readonly string[] {
  let titles = known.get(workflow);
  if (titles === undefined) known.set(workflow, (titles = workflow.controls.map((one) => folded(titleOf(one)))));
  return titles;
}

const known = new WeakMap<CatalogWorkflow, readonly string[]>();
