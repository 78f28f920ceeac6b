import type { UserCaller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement } from '../../database/sql.js';
import { fileAdded, fileRemoved, type RecordedFile } from '../audit/file-changes.js';
import { record, type AuditSubject } from '../audit/record.js';
import { notify } from '../notifications/notifier.js';

/** A version as the audit trail has it. */
type RecordedVersion = ArtifactKey & RecordedFile & { id: number };

/** The history of its control has what happens to a version. */
export function versionSubject({
  id,
  filename,
  workflowId,
  artifactId,
}: Omit<RecordedVersion, 'sha256' | 'size' | 'uploader'>): AuditSubject {
  return {
    ...{ type: 'DOCUMENT_VERSION', id, name: filename },
    parent: { type: 'CONTROL', id: `${workflowId}/${artifactId}` },
  };
}

/** Records that a version was stored or is gone. */
export function recordDocument(
  tx: Queryable,
  caller: UserCaller,
  version: RecordedVersion,
  action: 'DOCUMENT_UPLOADED' | 'DOCUMENT_DELETED' | 'DOCUMENT_TRIMMED',
  at: Date,
): Promise<void> {
  const changes = action === 'DOCUMENT_UPLOADED' ? fileAdded(version) : fileRemoved(version);
  return record(tx, caller, {
    organizationId: version.organizationId,
    ...{ action, at, changes, subject: versionSubject(version) },
  });
}

/** Notifies the uploader and the officers that an upload of another user has replaced a version. */
export async function notifyOfTrimmed(
  tx: Queryable,
  { userId, username }: UserCaller,
  { organizationId, workflowId, artifactId, filename, uploader }: RecordedVersion,
  at: Date,
): Promise<void> {
  if (uploader === userId) return;
  const notification = {
    organizationId,
    at,
    type: 'DOCUMENT',
    title: 'Version removed',
    alerts: 'v_ciso',
    message: `“${filename}” was the oldest version of ${artifactId} and was removed when ${username} uploaded a newer one.`,
    href: linkOf({ organizationId, workflowId, artifactId }),
  } as const;
  if (uploader !== null) await notify(tx, { ...notification, to: { users: [uploader] } });
  await notify(tx, { ...notification, to: { privilege: 'DELETE_EVIDENCE' }, except: userId });
}

function linkOf({ organizationId, workflowId, artifactId }: ArtifactKey): string {
  return `/organizations/${organizationId}/workflows/${workflowId}/controls/${encodeURIComponent(artifactId)}`;
}

/** Notifies the members of what has happened to a document, except the user who did it. */
export function notifyOfDocument(
  tx: Queryable,
  { userId, username }: UserCaller,
  { organizationId, workflowId, artifactId, originalName }: ArtifactKey & { originalName: string },
  { done, at }: { done: 'uploaded' | 'deleted'; at: Date },
): Promise<void> {
  return notify(tx, {
    organizationId,
    type: 'DOCUMENT',
    at,
    title: done === 'uploaded' ? 'New version' : 'Version deleted',
    message: `${username} has ${done} “${originalName}” ${done === 'uploaded' ? 'for' : 'of'} ${artifactId}.`,
    href: linkOf({ organizationId, workflowId, artifactId }),
    to: { privilege: 'READ_DOCUMENTS' },
    alerts: 'v_ciso',
    except: userId,
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
