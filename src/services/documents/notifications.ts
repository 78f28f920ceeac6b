import type { Language } from '../../messages/language.js';
import type { LoggedEntry } from '../audit/consumer.js';
import {
  actorName,
  before,
  said,
  subjectName,
  type Notice,
  type NoticedEntry,
  type NotificationRules,
} from '../notifications/notifier.js';

export const documentNotifications: NotificationRules = {
  DOCUMENT_UPLOADED: (entry, language) => [ofDocument(entry, language)],
  DOCUMENT_DELETED: (entry, language) => [ofDocument(entry, language)],
  DOCUMENT_TRIMMED: (entry, language) => {
    const uploader = before(entry, 'uploader') as string | null;
    if (uploader === entry.actor.userId) return [];
    const users = uploader === null ? [] : [uploader];
    return [{ ...ofDocument(entry, language), to: { privilege: 'DELETE_EVIDENCE', users } }];
  },
};

function ofDocument(entry: NoticedEntry, language: Language): Notice {
  const [workflowId, control] = splitControl(entry);
  const values = { actor: actorName(entry, language), name: subjectName(entry, language), control };
  const href = `/organizations/${entry.organizationId}/workflows/${workflowId}/controls/${encodeURIComponent(control)}`;
  const to = { privilege: 'READ_DOCUMENTS' } as const;
  return { type: 'DOCUMENT', ...said(language, entry.action, values), href, to, alerts: 'v_ciso' };
}

/** The control of a version. Ids of workflows have no slash. */
function splitControl({ subject }: LoggedEntry): [workflowId: string, artifactId: string] {
  const id = subject.parent?.databaseId ?? '';
  const slash = id.indexOf('/');
  return [id.slice(0, slash), id.slice(slash + 1)];
}
