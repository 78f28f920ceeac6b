import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { ControlStatus } from '../../values/enums.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { CatalogWorkflow } from '../workflows/catalog-file.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';

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

const organizationOf = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('organization_workflow as w')
    .innerJoin('organization as o', 'o.id', 'w.organization_id')
    .select('o.name')
    .where('o.deleted_at', 'is', null)
    .where('w.organization_id', '=', p('organizationId'))
    .where('w.workflow_id', '=', p('workflowId')),
);

const statesOf = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('control_state as s')
    .leftJoin('app_user as u', 'u.id', 's.owner_id')
    .select([
      's.control_id as controlId',
      's.status',
      's.justification',
      'u.username as owner',
      's.due_date as dueDate',
    ])
    .where('s.organization_id', '=', p('organizationId'))
    .where('s.workflow_id', '=', p('workflowId')),
);

const documentsOf = statement<OrganizationWorkflowKey>()((p) =>
  db
    .selectFrom('document_version as d')
    .select(['d.id', 'd.artifact_id as artifactId', 'd.original_name as originalName', 'd.size', 'd.sha256', 'd.note'])
    .select(['d.content_type as contentType', 'd.created_by as createdBy', 'd.created_at as createdAt'])
    .select('d.effective_at as effectiveAt')
    .where('d.organization_id', '=', p('organizationId'))
    .where('d.workflow_id', '=', p('workflowId'))
    .orderBy('d.id'),
);

const beginSnapshot = statement()(() => sql`set transaction isolation level repeatable read, read only`);

interface SnapshotDeps {
  database: Database;
  catalogs: OrganizationCatalogs;
  now: () => Date;
}

/** Reads what a pack is made of. Throws NOT_FOUND when the workflow is not associated with the organization. */
export async function evidenceSnapshot(
  { database, catalogs, now }: SnapshotDeps,
  key: OrganizationWorkflowKey,
): Promise<EvidenceSnapshot> {
  return database.transaction(async (tx: Queryable) => {
    await beginSnapshot.all(tx);
    const organization = await organizationOf.first(tx, key);
    // The first statement begins the snapshot.
    const asOf = now();
    const workflow = (await catalogs.inSnapshot(tx, key.organizationId)).find(key.workflowId);
    if (organization === undefined || workflow === undefined) throw notFound();
    const states = await statesOf.all(tx, key);
    const documents = await documentsOf.all(tx, key);
    return {
      asOf,
      workflow,
      organization: organization.name,
      states: new Map(states.map((state) => [state.controlId, state])),
      documents,
    };
  });
}
