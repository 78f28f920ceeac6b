import type { UserCaller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { sql, statement } from '../../database/sql.js';
import { notify } from '../notifications/notifier.js';

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
    href: `/organizations/${organizationId}/workflows/${workflowId}/controls/${encodeURIComponent(artifactId)}`,
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
