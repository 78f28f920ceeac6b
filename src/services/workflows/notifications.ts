import type { Language } from '../../messages/language.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { after, said, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';

/** A control as the entry of its new owner has it. */
export interface AssignedControl {
  id: string;
  label: string;
}

/** Notifications of workflows: to those who read them, and to owners of controls. */
export const workflowNotifications: NotificationRules = {
  WORKFLOW_ASSOCIATED: (entry, language) => [ofWorkflow(entry, language)],
  WORKFLOW_DISSOCIATED: (entry, language) => [ofWorkflow(entry, language)],
  CONTROLS_ASSIGNED: (entry, language) => {
    const controls = after(entry, 'controls') as readonly AssignedControl[];
    const { id, label } = controls[0] as AssignedControl;
    const count = controls.length;
    const notice = ofWorkflow(entry, language, { count, id, label: language.translated(label) });
    const href = count > 1 ? notice.href! : `${notice.href}/controls/${id}`;
    return [{ ...notice, href, to: { users: [String(after(entry, 'ownerId'))] } }];
  },
  CONTROL_OVERDUE: (entry, language) => [ofControl(entry, language, 'dueDate')],
  CONTROL_EVIDENCE_EXPIRING: (entry, language) => [ofControl(entry, language, 'validUntil')],
};

/** To the owner of the control. */
function ofControl(entry: LoggedEntry, language: Language, day: 'dueDate' | 'validUntil'): Notice {
  const { organizationId, subject } = entry;
  const { databaseId: workflowId = '', name: workflow = '' } = subject.parent ?? {};
  const id = subject.databaseId.slice(workflowId.length + 1);
  return {
    type: 'WORKFLOW',
    ...said(language, entry.action, {
      ...{ workflow: workflow && language.translated(workflow), id },
      label: language.translated(subjectName(entry, language)),
      day: language.day(String(after(entry, day))),
    }),
    href: `/organizations/${organizationId}/workflows/${workflowId}/controls/${id}`,
    to: { users: [String(after(entry, 'ownerId'))] },
    alerts: 'v_ciso',
  };
}

function ofWorkflow(
  entry: LoggedEntry,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): Notice {
  const { organizationId, subject } = entry;
  const href = `/organizations/${organizationId}/workflows/${subject.databaseId}`;
  const workflow = language.translated(subjectName(entry, language));
  const texts = said(language, entry.action, { workflow, ...values });
  return { type: 'WORKFLOW', ...texts, href, to: { privilege: 'READ_WORKFLOWS' }, alerts: 'v_ciso' };
}
