import type { Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { SEARCH_TYPES } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import { comparable, readingOf, searchPattern, type Hit, type Reading } from './search-sources.js';
import { folded, rankOf } from './search-text.js';
import type { CatalogControl, CatalogWorkflow } from '../workflows/catalog-file.js';

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

const stateTextsBy = (reading: Reading) =>
  statement<{ organizationIds: readonly number[]; query: string }>()(
    (p) => sql<StateText>`
    select ${s.organization_id} as "organizationId", ${s.workflow_id} as "workflowId", ${s.control_id} as "controlId",
           trim(${s.justification} || ' ' || ${s.note}) as body
      from ${s.table}
     where ${s.organization_id} = any(${p('organizationIds')}::int[])
       and ${comparable(s.searchable, reading)} like ${searchPattern(p)}
     limit ${sql.lit(LIMITS.search.candidates)}`,
  );

/** What was written about controls of associated workflows, by how the text is read. */
export const stateTexts = { trigrams: stateTextsBy('trigrams'), newest: stateTextsBy('newest') };

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
    const wanted = folded(query);
    const [associated, written, catalogs] = await Promise.all([
      workflowsOf.all(database, { organizationIds }),
      stateTexts[readingOf(wanted)].all(database, { organizationIds, query }),
      this.catalogs.ofMany(organizationIds),
    ]);
    const texts = Map.groupBy(written, (state) => idOf(state));
    const ranks = new Map<CatalogWorkflow, ReadonlyMap<string, number>>();
    const hits: Hit[] = [];
    for (const key of associated) {
      const workflow = catalogs.get(key.organizationId)?.find(key.workflowId);
      if (workflow === undefined) continue;
      // Most organizations see the same workflow: its titles are compared once.
      let found = ranks.get(workflow);
      if (found === undefined) ranks.set(workflow, (found = ranksIn(workflow, wanted)));
      hits.push(...hitsIn(workflow, key, found, texts.get(idOf(key)) ?? []));
      if (hits.length >= LIMITS.search.candidates) break;
    }
    return hits.slice(0, LIMITS.search.candidates);
  }
}

/** How well titles answer, by the id of the control; those that do not are left out. */
function ranksIn(workflow: CatalogWorkflow, wanted: string): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [index, title] of foldedTitles(workflow).entries()) {
    const rank = rankOf(title, wanted);
    if (rank !== undefined) ranks.set((workflow.controls[index] as CatalogControl).id, rank);
  }
  return ranks;
}

function hitsIn(
  workflow: CatalogWorkflow,
  key: Associated,
  ranks: ReadonlyMap<string, number>,
  written: readonly StateText[],
): Hit[] {
  if (ranks.size === 0 && written.length === 0) return [];
  const texts = new Map(written.map(({ controlId, body }) => [controlId, body]));
  const hits: Hit[] = [];
  for (const [index, control] of workflow.controls.entries()) {
    const text = texts.get(control.id);
    const rank = ranks.get(control.id) ?? (text === undefined ? undefined : 3);
    if (rank === undefined) continue;
    hits.push({
      type: 'CONTROL',
      rank,
      key: `${TYPE}${String(key.organizationId).padStart(10, '0')}/${key.workflowId}/${String(index).padStart(5, '0')}`,
      organizationId: key.organizationId,
      recordId: `${idOf(key)}/${control.id}`,
      title: titleOf(control),
      body: `${workflow.name}. ${text ?? ''}`.trim(),
      href: `/organizations/${key.organizationId}/workflows/${key.workflowId}/controls/${encodeURIComponent(control.id)}`,
    });
  }
  return hits;
}

function idOf({ organizationId, workflowId }: Associated): string {
  return `${organizationId}/${workflowId}`;
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
