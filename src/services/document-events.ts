import type { UserCaller } from '../access/caller.js';
import type { Queryable } from '../database/database.js';
import type { ArtifactKey } from './locked-artifact.js';
import { notify } from './notifier.js';

/** Tells the members what has happened to a document; who did it knows it already. */
export function tellMembers(
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
