import type { Database } from '../database/database.js';
import type { ControlRef } from './control-mappings.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';

/** A control of an organization. */
export interface OrganizationControlKey extends ControlRef {
  organizationId: number;
}

/** A control that asks for the same and has documents. */
export interface EvidenceSource extends ControlRef {
  label: string;
  /** Document versions that are kept for it. */
  documents: number;
}

/** How many document versions show that a control is met. */
export interface ControlEvidence {
  own: number;
  /** Those of controls that the mappings say ask for the same. */
  mapped: number;
  total: number;
  /** Where the mapped ones are. */
  sources: EvidenceSource[];
}

interface CountRow extends OrganizationControlKey {
  count: number;
}

/** What is let go counts for nothing until it is taken up again. */
const COUNTS = `
  select d.organization_id as "organizationId", d.workflow_id as "workflowId", d.artifact_id as "controlId",
         count(*) as count
    from unnest($1::int[], $2::text[], $3::text[]) as asked(organization_id, workflow_id, artifact_id)
    join organization_workflow w on w.organization_id = asked.organization_id and w.workflow_id = asked.workflow_id
    join document_version d on d.organization_id = asked.organization_id and d.workflow_id = asked.workflow_id
                           and d.artifact_id = asked.artifact_id
   group by 1, 2, 3`;

/** Documents that count for controls: their own, and those of controls that ask for the same. */
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
    const asked = [...new Map(controls.map((control) => [keyText(control), control])).values()];
    const rows = await this.database.rows<CountRow>(COUNTS, [
      asked.map(({ organizationId }) => organizationId),
      asked.map(({ workflowId }) => workflowId),
      asked.map(({ controlId }) => controlId),
    ]);
    return new Map(rows.map((row) => [keyText(row), row.count]));
  }
}

function keyText({ organizationId, workflowId, controlId }: OrganizationControlKey): string {
  return `${organizationId}/${workflowId}/${controlId}`;
}
