import type { Queryable } from '../database/database.js';
import { SEARCH_TYPES } from '../vocabulary/search-types.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import type { Hit } from './search-sources.js';
import { folded, rankOf } from './search-text.js';
import type { CatalogWorkflow } from './workflow-file.js';

interface Associated {
  organizationId: number;
  workflowId: string;
}

interface StateText extends Associated {
  controlId: string;
  body: string;
}

const ASSOCIATED = `
  select organization_id as "organizationId", workflow_id as "workflowId" from organization_workflow
   where organization_id = any($1::int[])`;

/** What was written about controls of workflows that are taken up. The expression is that of the index, to the letter. */
export const STATE_TEXTS = `
  select s.organization_id as "organizationId", s.workflow_id as "workflowId", s.control_id as "controlId",
         trim(s.justification || ' ' || s.note) as body
    from control_state s
   where s.organization_id = any($1::int[])
     and search_text(s.justification || e'\\n' || s.note) like '%' || search_pattern($2::text) || '%'`;

const TYPE = `${SEARCH_TYPES.indexOf('CONTROL')}:`;

/**
 * Searches controls of the workflows that organizations have taken up: ids and labels, which are in the catalogues and
 * differ by organization, and what was written about them, which is in the database.
 */
export class ControlSearch {
  constructor(
    private readonly database: Queryable,
    private readonly catalogs: OrganizationCatalogs,
  ) {}

  /** Every control that contains `wanted`, in no order. As many as there are controls, and no more. */
  async hits(organizationIds: readonly number[], wanted: string): Promise<Hit[]> {
    if (organizationIds.length === 0) return [];
    const [associated, written, catalogs] = await Promise.all([
      this.database.rows<Associated & Record<string, unknown>>(ASSOCIATED, [organizationIds]),
      this.database.rows<StateText & Record<string, unknown>>(STATE_TEXTS, [organizationIds, wanted]),
      this.catalogs.ofMany(organizationIds),
    ]);
    const texts = new Map(written.map((state) => [idOf(state, state.controlId), state.body]));
    return associated.flatMap((key) => {
      const workflow = catalogs.get(key.organizationId)?.find(key.workflowId);
      return workflow === undefined ? [] : hitsIn(workflow, key, wanted, texts);
    });
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
