import type { Database, Queryable } from '../database/database.js';
import { notFound } from '../errors.js';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import type { CatalogWorkflow } from './workflow-file.js';
import type { OrganizationWorkflowKey } from './workflow-progress.js';

/** How far the organization is with a control, where anybody has said. */
export interface EvidenceState {
  controlId: string;
  status: ControlStatus;
  justification: string;
  owner: string | null;
  dueDate: string | null;
}

export interface EvidenceDocument {
  id: number;
  artifactId: string;
  originalName: string;
  size: number;
  contentType: string;
  sha256: string;
  createdBy: string;
  createdAt: string;
  effectiveAt: string | null;
  note: string | null;
}

/** Rows of one moment: none was written between two of them. */
export interface EvidenceSnapshot {
  asOf: Date;
  organization: string;
  workflow: CatalogWorkflow;
  states: ReadonlyMap<string, EvidenceState>;
  /** By id. */
  documents: readonly EvidenceDocument[];
}

const ORGANIZATION = `
  select o.name from organization_workflow w join organization o on o.id = w.organization_id and o.deleted_at is null
   where w.organization_id = $1 and w.workflow_id = $2`;

const STATES = `
  select s.control_id as "controlId", s.status, s.justification, u.username as owner, s.due_date as "dueDate"
    from control_state s left join app_user u on u.id = s.owner_id
   where s.organization_id = $1 and s.workflow_id = $2`;

const DOCUMENTS = `
  select d.id, d.artifact_id as "artifactId", d.original_name as "originalName", d.size, d.content_type as "contentType",
         d.sha256, d.created_by as "createdBy", d.created_at as "createdAt", d.effective_at as "effectiveAt", d.note
    from document_version d where d.organization_id = $1 and d.workflow_id = $2 order by d.id`;

interface SnapshotDeps {
  database: Database;
  catalogs: OrganizationCatalogs;
  now: () => Date;
}

/** Reads what a pack is made of. Throws NOT_FOUND when the workflow is not associated with the organization. */
export async function evidenceSnapshot(
  { database, catalogs, now }: SnapshotDeps,
  { organizationId, workflowId }: OrganizationWorkflowKey,
): Promise<EvidenceSnapshot> {
  const values = [organizationId, workflowId];
  return database.transaction(async (tx: Queryable) => {
    await tx.rows('set transaction isolation level repeatable read, read only');
    const [organization] = await tx.rows<{ name: string }>(ORGANIZATION, values);
    // The first statement begins the snapshot.
    const asOf = now();
    const workflow = (await catalogs.inSnapshot(tx, organizationId)).find(workflowId);
    if (organization === undefined || workflow === undefined) throw notFound();
    const states = await tx.rows<EvidenceState & Record<string, unknown>>(STATES, values);
    const documents = await tx.rows<EvidenceDocument & Record<string, unknown>>(DOCUMENTS, values);
    return {
      asOf,
      workflow,
      organization: organization.name,
      states: new Map(states.map((state) => [state.controlId, state])),
      documents,
    };
  });
}
