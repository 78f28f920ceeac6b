import type { Database } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { keyOf, type ControlMatch, type ControlRef } from './control-mappings.js';
import { freshnessOf, type Dated, type Freshness } from './freshness.js';
import type { OrganizationControlService } from './controls.service.js';
import type { OrganizationWorkflowKey } from './progress.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';

/** A control of an organization. */
export interface OrganizationControlKey extends ControlRef {
  organizationId: number;
}

/** A control whose evidence is looked at, with what its freshness depends on. */
export interface ReviewedControl extends OrganizationControlKey {
  reviewIntervalMonths: number | null;
}

/** An equivalent control that has documents. */
export interface EvidenceSource extends ControlMatch {
  label: string;
  /** Document versions that are kept for it. */
  documents: number;
}

/** How many document versions show that a control is met. */
export interface ControlEvidence extends Freshness {
  own: number;
  /** Those of equivalent controls. */
  mapped: number;
  total: number;
  /** Where the mapped ones are. */
  sources: EvidenceSource[];
}

/** The documents of a control, and what the last day of the newest follows from. */
interface Kept extends OrganizationControlKey, Dated {
  count: number;
}

const w = table('organization_workflow', 'w');
const d = table('document_version', 'd');

/** What is dissociated counts for nothing until it is associated again. */
const countDocuments = statement<{
  organizationIds: readonly number[];
  workflowIds: readonly string[];
  controlIds: readonly string[];
}>()(
  (p) => sql<Kept>`
    select wanted.organization as "organizationId", wanted.workflow as "workflowId", wanted.control as "controlId", kept.*
      from unnest(${p('organizationIds')}::int[], ${p('workflowIds')}::text[], ${p('controlIds')}::text[])
             as wanted(organization, workflow, control)
     cross join lateral (
       select from ${w.table}
        where ${w.organization_id} = wanted.organization and ${w.workflow_id} = wanted.workflow limit 1) associated
     cross join lateral (
       select count(*) as count, (array_agg(${d.valid_until} order by ${d.id} desc))[1]::text as "validUntil",
              (array_agg((coalesce(${d.effective_at}, ${d.created_at}) at time zone 'UTC')::date order by ${d.id} desc))[1]::text as day
         from ${d.table}
        where ${d.organization_id} = wanted.organization and ${d.workflow_id} = wanted.workflow
          and ${d.artifact_id} = wanted.control) kept
     where kept.count > 0`,
);

/** Documents that count for controls: their own, and those of equivalent controls. */
export class ControlEvidenceService {
  constructor(
    private readonly database: Database,
    private readonly catalogs: OrganizationCatalogs,
    private readonly controls: Pick<OrganizationControlService, 'ofWorkflows'>,
    private readonly now: () => Date,
  ) {}

  /** For each workflow, how many of its controls are done on stale evidence. */
  async stale(keys: readonly OrganizationWorkflowKey[]): Promise<number[]> {
    const done = (await this.controls.ofWorkflows(keys, { status: 'DONE' })).map((controls, place) =>
      controls.map((control) => ({ place, control })),
    );
    const all = done.flat();
    const evidence = await this.of(all.map(({ control }) => control));
    const stale = all.filter((_each, index) => evidence[index]?.state === 'STALE');
    return keys.map((_key, index) => stale.filter(({ place }) => place === index).length);
  }

  /** One for each control, in one statement for all. Who has a control in hand was allowed to read it. */
  async of(controls: readonly ReviewedControl[]): Promise<ControlEvidence[]> {
    const catalogs = await this.catalogs.ofMany(controls.map(({ organizationId }) => organizationId));
    const matches = controls.map((control) => catalogs.get(control.organizationId)?.matches(control) ?? []);
    const kept = await this.kept(
      controls.flatMap((control, index) => [
        control,
        ...(matches[index] ?? []).map((match) => ({ organizationId: control.organizationId, ...match })),
      ]),
    );
    return controls.map((control, index) => {
      const sources = (matches[index] ?? []).flatMap((match) => {
        const found = kept.get(keyText({ organizationId: control.organizationId, ...match }));
        return found === undefined ? [] : [{ ...match, documents: found.count, found }];
      });
      const ofControl = kept.get(keyText(control));
      const all = [...(ofControl === undefined ? [] : [ofControl]), ...sources.map(({ found }) => found)];
      const own = ofControl?.count ?? 0;
      const mapped = sources.reduce((sum, { documents }) => sum + documents, 0);
      return {
        own,
        mapped,
        total: own + mapped,
        sources,
        ...freshnessOf(all, control.reviewIntervalMonths, this.now()),
      };
    });
  }

  private async kept(controls: readonly OrganizationControlKey[]): Promise<ReadonlyMap<string, Kept>> {
    // Many controls match one and the same.
    const selection = [...new Map(controls.map((control) => [keyText(control), control])).values()];
    const rows = await countDocuments.all(this.database, {
      organizationIds: selection.map(({ organizationId }) => organizationId),
      workflowIds: selection.map(({ workflowId }) => workflowId),
      controlIds: selection.map(({ controlId }) => controlId),
    });
    return new Map(rows.map((row) => [keyText(row), row]));
  }
}

function keyText(control: OrganizationControlKey): string {
  return `${control.organizationId}/${keyOf(control)}`;
}
