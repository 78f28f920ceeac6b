import type { Queryable } from '../database/database.js';

/** What a version belongs to: a control of a workflow of an organization. */
export interface ArtifactKey {
  organizationId: number;
  workflowId: string;
  artifactId: string;
}

/** Waits for whoever else is at this artifact: what is there and what has to go is decided by one at a time. */
const LOCK_ARTIFACT = `select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2 || '/' || $3, 1))`;

/** Holds the artifact until the transaction ends; whoever stores or deletes versions of it takes this first. */
export async function lockArtifact(
  tx: Queryable,
  { organizationId, workflowId, artifactId }: ArtifactKey,
): Promise<void> {
  await tx.rows(LOCK_ARTIFACT, [String(organizationId), workflowId, artifactId]);
}
