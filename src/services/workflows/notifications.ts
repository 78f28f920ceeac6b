import { dayText } from '../../common/local-time.js';
import type { LoggedEntry } from '../audit/consumer.js';
import { after, subjectName, type Notice, type NotificationRules } from '../notifications/notifier.js';

/** A control as the entry of its new owner has it. */
export interface AssignedControl {
  id: string;
  label: string;
}

/** Notifications of workflows: to those who read them, and to owners of controls. */
export const workflowNotifications: NotificationRules = {
  WORKFLOW_ASSOCIATED: (entry) => [
    ofWorkflow(entry, 'Workflow associated', `${subjectName(entry)} was associated with the organization.`),
  ],
  WORKFLOW_DISSOCIATED: (entry) => [
    ofWorkflow(entry, 'Workflow dissociated', `${subjectName(entry)} is no longer associated. Documents stay.`),
  ],
  CONTROLS_ASSIGNED: (entry) => {
    const controls = after(entry, 'controls') as readonly AssignedControl[];
    const { id, label } = controls[0] as AssignedControl;
    const to = { users: [String(after(entry, 'ownerId'))] };
    if (controls.length > 1) {
      const message = `${subjectName(entry)}: ${controls.length} controls, from ${id} on.`;
      return [{ ...ofWorkflow(entry, 'Controls assigned to you', message), to }];
    }
    const notice = ofWorkflow(entry, 'Control assigned to you', `${subjectName(entry)}, ${id}: ${label}.`);
    return [{ ...notice, href: `${notice.href}/controls/${id}`, to }];
  },
  CONTROL_OVERDUE: (entry) => [
    ofControl(entry, 'Control overdue', `It was due by ${dayText(String(after(entry, 'dueDate')))}.`),
  ],
  CONTROL_EVIDENCE_EXPIRING: (entry) => [
    ofControl(
      entry,
      'Evidence expires',
      `The last day of its newest document is ${dayText(String(after(entry, 'validUntil')))}.`,
    ),
  ],
};

/** To the owner of the control. */
function ofControl(entry: LoggedEntry, title: string, sentence: string): Notice {
  const { organizationId, subject } = entry;
  const { databaseId: workflowId = '', name: workflow = '' } = subject.parent ?? {};
  const controlId = subject.databaseId.slice(workflowId.length + 1);
  return {
    type: 'WORKFLOW',
    title,
    message: `${workflow}, ${controlId}: ${subjectName(entry)}. ${sentence}`,
    href: `/organizations/${organizationId}/workflows/${workflowId}/controls/${controlId}`,
    to: { users: [String(after(entry, 'ownerId'))] },
    alerts: 'v_ciso',
  };
}

function ofWorkflow({ organizationId, subject }: LoggedEntry, title: string, message: string): Notice {
  const href = `/organizations/${organizationId}/workflows/${subject.databaseId}`;
  return { type: 'WORKFLOW', title, message, href, to: { privilege: 'READ_WORKFLOWS' }, alerts: 'v_ciso' };
}
