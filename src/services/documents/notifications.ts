import type { LoggedEntry } from '../audit/consumer.js';
import { actorName, before, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';

/** Notifications of documents. */
export const documentNotifications: NotificationRules = {
  DOCUMENT_UPLOADED: (entry) => [
    ofDocument(entry, 'New version', `${actorName(entry)} has uploaded ${nameOf(entry)} for ${artifactOf(entry)}.`),
  ],
  DOCUMENT_DELETED: (entry) => [
    ofDocument(entry, 'Version deleted', `${actorName(entry)} has deleted ${nameOf(entry)} of ${artifactOf(entry)}.`),
  ],
  DOCUMENT_TRIMMED: (entry) => {
    const uploader = before(entry, 'uploader') as string | null;
    if (uploader === entry.actor.userId) return [];
    const message = `${nameOf(entry)} was the oldest version of ${artifactOf(entry)} and was removed when ${actorName(entry)} uploaded a newer one.`;
    const notice = ofDocument(entry, 'Version removed', message);
    return [
      { ...notice, to: { users: uploader === null ? [] : [uploader] } },
      { ...notice, to: { privilege: 'DELETE_EVIDENCE' } },
    ];
  },
};

function ofDocument(entry: LoggedEntry, title: string, message: string): Notice {
  const [workflowId] = splitControl(entry);
  const href = `/organizations/${entry.organizationId}/workflows/${workflowId}/controls/${encodeURIComponent(artifactOf(entry))}`;
  return { type: 'DOCUMENT', title, message, href, to: { privilege: 'READ_DOCUMENTS' }, alerts: 'v_ciso' };
}

const nameOf = (entry: LoggedEntry) => `“${subjectName(entry)}”`;
const artifactOf = (entry: LoggedEntry) => splitControl(entry)[1];

/** The control of a version. Ids of workflows have no slash. */
function splitControl({ subject }: LoggedEntry): [workflowId: string, artifactId: string] {
  const id = subject.parent?.databaseId ?? '';
  const slash = id.indexOf('/');
  return [id.slice(0, slash), id.slice(slash + 1)];
}
