import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/database.js';
import { attestedEvidence } from '../../src/services/workflows/attested-evidence.js';
import { OrganizationCatalogs } from '../../src/services/workflows/organization-catalogs.js';
import { CATALOG } from './catalog.js';

/** A control of the associated NIS 2 directive. */
const CONTROL = { workflowId: 'nis2-directive', controlId: '21.2.a' };

/** Makes a control attestable: it is done, with a document and this owner. Returns the version of its state. */
export async function buildAttestable(
  database: Database,
  organizationId: number,
  owner: { id: string },
  { workflowId, controlId } = CONTROL,
): Promise<number> {
  await database.rows(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, $2, $3, 'd', 1, 'text/plain', 'attached', repeat('0', 64), 'owner') on conflict do nothing`,
    [organizationId, workflowId, controlId],
  );
  const [row] = await database.rows<{ version: number }>(
    `insert into control_state (organization_id, workflow_id, control_id, status, owner_id) values ($1, $2, $3, 'DONE', $4)
     on conflict (organization_id, workflow_id, control_id) do update set status = 'DONE', owner_id = excluded.owner_id
     returning version`,
    [organizationId, workflowId, controlId, owner.id],
  );
  return row!.version;
}

/** The only attestation of an attestable control, by a separate person unless one is given. */
export async function buildAttestation(
  database: Database,
  organizationId: number,
  owner: { id: string },
  attester = { id: randomUUID() as string, username: 'ann' },
): Promise<number> {
  await buildAttestable(database, organizationId, owner);
  const catalogs = new OrganizationCatalogs(database, CATALOG, { isFresh: () => false });
  const catalog = await catalogs.of(organizationId);
  const [evidence] = await attestedEvidence(database, new Map([[organizationId, catalog]]), [
    { organizationId, ...CONTROL },
  ]);
  await database.rows('delete from control_attestation where organization_id = $1', [organizationId]);
  const [row] = await database.rows<{ id: number }>(
    `insert into control_attestation (organization_id, workflow_id, control_id, statement, evidence, position, attested_by, attested_by_id, attested_at, compared_up_to)
     values ($1, $2, $3, 'In force.', $4, 1, $5, $6, now(), 1) returning id`,
    [organizationId, CONTROL.workflowId, CONTROL.controlId, JSON.stringify(evidence), attester.username, attester.id],
  );
  return row!.id;
}
