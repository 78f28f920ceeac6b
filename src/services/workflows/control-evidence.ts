import type { Database } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { ControlMatch, ControlRef } from './control-mappings.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';

/** A control of an organization. */
export interface OrganizationControlKey extends ControlRef {
  organizationId: number;
}

/** An equivalent control that has documents. */
export interface EvidenceSource extends ControlMatch {
  label: string;
  /** Document versions that are kept for it. */
  documents: number;
}

/** How many document versions show that a control is met. */
export interface ControlEvidence {
  own: number;
  /** Those of equivalent controls. */
  mapped: number;
  total: number;
  /** Where the mapped ones are. */
  sources: EvidenceSource[];
}

const w = table('organization_workflow', 'w');
const d = table('document_version', 'd');

/** What is dissociated counts for nothing until it is associated again. */
const countDocuments = statement<{
  organizationIds: readonly number[];
  workflowIds: readonly string[];
  controlIds: readonly string[];
}>()(
  (p) => sql<OrganizationControlKey & { count: number }>`
    select ${d.organization_id} as "organizationId", ${d.workflow_id} as "workflowId", ${d.artifact_id} as "controlId",
           count(*) as count
      from unnest(${p('organizationIds')}::int[], ${p('workflowIds')}::text[], ${p('controlIds')}::text[])
             as wanted(organization_id, workflow_id, artifact_id)
      join ${w.table} on ${w.organization_id} = wanted.organization_id and ${w.workflow_id} = wanted.workflow_id
      join ${d.table} on ${d.organization_id} = wanted.organization_id and ${d.workflow_id} = wanted.workflow_id
                     and ${d.artifact_id} = wanted.artifact_id
     group by 1, 2, 3`,
);

/** Documents that count for controls: their own, and those of equivalent controls. */
export class ControlEvidenceService {
  constructor(
    private readonly database: Database,
    private readonly catalogs: OrganizationCatalogs,
  ) {}

  /** One for each control, in one statement for all. Who has a control in hand was allowed to read it. */
  async of(controls: readonly OrganizationControlKey[]): Promise<ControlEvidence[]> {
    const catalogs = await this.catalogs.ofMany(controls.map(({ organizationId }) => organizationId));
    const matches = controls.map((control) => catalogs.get(control.organizationId)?.matches(control) ?? []);
    const counts = await this.counts(
      controls.flatMap((control, index) => [
        control,
        ...(matches[index] ?? []).map((match) => ({ organizationId: control.organizationId, ...match })),
      ]),
    );
    return controls.map((control, index) => {
      const sources = (matches[index] ?? []).flatMap((match) => {
        const documents = counts.get(keyText({ organizationId: control.organizationId, ...match })) ?? 0;
        return documents === 0 ? [] : [{ ...match, documents }];
      });
      const own = counts.get(keyText(control)) ?? 0;
      const mapped = sources.reduce((sum, { documents }) => sum + documents, 0);
      return { own, mapped, total: own + mapped, sources };
    });
  }

  private async counts(controls: readonly OrganizationControlKey[]): Promise<ReadonlyMap<string, number>> {
    // Many controls match one and the same.
    const selection = [...new Map(controls.map((control) => [keyText(control), control])).values()];
    const rows = await countDocuments.all(this.database, {
      organizationIds: selection.map(({ organizationId }) => organizationId),
      workflowIds: selection.map(({ workflowId }) => workflowId),
      controlIds: selection.map(({ controlId }) => controlId),
    });
    return new Map(rows.map((row) => [keyText(row), row.count]));
  }
}

function keyText({ organizationId, workflowId, controlId }: OrganizationControlKey): string {
  return `${organizationId}/${workflowId}/${controlId}`;
}
