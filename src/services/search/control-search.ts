import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { SEARCH_TYPES } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { oncePerWorkflow } from '../workflows/catalog.js';
import type { CatalogControl, CatalogWorkflow } from '../workflows/catalog-file.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { associatedWorkflows, type OrganizationWorkflowKey, type SeenWorkflow } from '../workflows/progress.js';
import { comparable, folded, rankOf, readingOf, searchPattern, type Hit, type Reading } from './search-sources.js';

interface StateText extends OrganizationWorkflowKey {
  controlId: string;
  body: string;
}

const s = table('control_state', 's');

const stateTextsBy = (reading: Reading) =>
  statement<{ organizationIds: readonly number[]; query: string }>()(
    (p) => sql<StateText>`
    select ${s.organization_id} as "organizationId", ${s.workflow_id} as "workflowId", ${s.control_id} as "controlId",
           trim(${s.justification} || ' ' || ${s.note}) as body
      from ${s.table}
     where ${s.organization_id} = any(${p('organizationIds')}::bigint[])
       and ${comparable(s.searchable, reading)} like ${searchPattern(p)}
     limit ${sql.lit(LIMITS.search.candidates)}`,
  );

/** Stored texts about controls of associated workflows, by how they are read. */
export const stateTexts = { trigrams: stateTextsBy('trigrams'), newest: stateTextsBy('newest') };

const TYPE = `${SEARCH_TYPES.indexOf('CONTROL')}:`;

/**
 * Controls of associated workflows that contain the query, by organization: ids and labels in the catalogues, which differ
 * by organization, and texts about them in the database. At most LIMITS.search.candidates.
 */
export async function controlHits(
  database: Queryable,
  catalogs: OrganizationCatalogs,
  organizationIds: readonly number[],
  query: string,
): Promise<Hit[]> {
  if (organizationIds.length === 0) return [];
  const wanted = folded(query);
  const [associated, written] = await Promise.all([
    associatedWorkflows(database, catalogs, organizationIds),
    stateTexts[readingOf(wanted)].all(database, { organizationIds, query }),
  ]);
  const texts = Map.groupBy(written, idOf);
  const ranksOf = oncePerWorkflow((workflow) => ranksIn(workflow, wanted));
  const hits: Hit[] = [];
  for (const seen of associated) {
    hits.push(...hitsIn(seen, ranksOf(seen.workflow), texts.get(idOf(seen.key)) ?? []));
    if (hits.length >= LIMITS.search.candidates) break;
  }
  return hits.slice(0, LIMITS.search.candidates);
}

/** Match quality of titles by the id of the control, without those that do not match. */
function ranksIn(workflow: CatalogWorkflow, wanted: string): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [index, title] of foldedTitles(workflow).entries()) {
    const rank = rankOf(title, wanted);
    if (rank !== undefined) ranks.set((workflow.controls[index] as CatalogControl).id, rank);
  }
  return ranks;
}

function hitsIn(
  { key, workflow }: SeenWorkflow,
  ranks: ReadonlyMap<string, number>,
  written: readonly StateText[],
): Hit[] {
  if (ranks.size === 0 && written.length === 0) return [];
  const { organizationId, workflowId } = key;
  const texts = new Map(written.map(({ controlId, body }) => [controlId, body]));
  const hits: Hit[] = [];
  for (const [index, control] of workflow.controls.entries()) {
    const text = texts.get(control.id);
    const rank = ranks.get(control.id) ?? (text === undefined ? undefined : 3);
    if (rank === undefined) continue;
    hits.push({
      type: 'CONTROL',
      rank,
      key: `${TYPE}${String(organizationId).padStart(16, '0')}/${workflowId}/${String(index).padStart(5, '0')}`,
      organizationId,
      recordId: `${idOf(key)}/${control.id}`,
      title: titleOf(control),
      body: `${workflow.name}. ${text ?? ''}`.trim(),
      href: `/organizations/${organizationId}/workflows/${workflowId}/controls/${encodeURIComponent(control.id)}`,
    });
  }
  return hits;
}

function idOf({ organizationId, workflowId }: OrganizationWorkflowKey): string {
  return `${organizationId}/${workflowId}`;
}

function titleOf({ id, label }: { id: string; label: string }): string {
  return `${id} ${label}`;
}

/** Folded once for each workflow and organization: catalogues change seldom and are searched often. */
const foldedTitles = oncePerWorkflow(({ controls }) => controls.map((control) => folded(titleOf(control))));
