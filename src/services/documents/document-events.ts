import type { UserCaller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement } from '../../database/sql.js';
import { record } from '../audit/record.js';
import { fileChanges, versionSubject, type RecordedFile } from '../audit/subjects.js';

/** A version as the audit trail has it. */
type RecordedVersion = ArtifactKey & RecordedFile & { id: number };

/** Records that a version was stored or is gone. */
export function recordDocument(
  tx: Queryable,
  caller: UserCaller,
  version: RecordedVersion,
  action: 'DOCUMENT_UPLOADED' | 'DOCUMENT_DELETED' | 'DOCUMENT_TRIMMED',
  at: Date,
): Promise<void> {
  const changes = fileChanges(version, action === 'DOCUMENT_UPLOADED' ? 'after' : 'before');
  return record(tx, caller, {
    organizationId: version.organizationId,
    ...{ action, at, changes, subject: versionSubject(version) },
  });
}

/** What a version belongs to: a control of a workflow of an organization. */
export interface ArtifactKey {
  organizationId: number;
  workflowId: string;
  artifactId: string;
}

/** Serializes changes of one artifact's versions. */
const lock = statement<{ organizationId: string; workflowId: string; artifactId: string }>()((p) => {
  const name = sql`${p('organizationId')} || '/' || ${p('workflowId')} || '/' || ${p('artifactId')}`;
  return sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`;
});

/** Locks the artifact until the transaction ends; call it before versions of it are stored or deleted. */
export async function lockArtifact(
  tx: Queryable,
  { organizationId, workflowId, artifactId }: ArtifactKey,
): Promise<void> {
  await lock.all(tx, { organizationId: String(organizationId), workflowId, artifactId });
}
