import type { Language } from '../../messages/language.js';
import type { AttestationChange } from '../../values/attestations.js';
import type { LoggedEntry } from '../audit/consumer.js';
import {
  actorName,
  after,
  before,
  said,
  subjectName,
  type Notice,
  type NoticedEntry,
  type NotificationRules,
} from '../notifications/notifier.js';

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
  CONTROL_ATTESTED: (entry, language) => [ofAttestation(entry, language, { privilege: 'COUNTERSIGN_ATTESTATIONS' })],
  ATTESTATION_COUNTERSIGNED: (entry, language) => [ofAttestation(entry, language, usersIn(entry, 'attesterId'))],
  ATTESTATION_WITHDRAWN: (entry, language) => [
    ofAttestation(entry, language, usersIn(entry, 'attesterId', 'countersignerId')),
  ],
  ATTESTATION_STALE: (entry, language) => {
    const [{ kind, workflowId, controlId }, ...others] = after(entry, 'changes') as [AttestationChange];
    const values = { kind, changed: `${workflowId}/${controlId}`, others: others.length };
    const to = usersIn(entry, 'attesterId', 'countersignerId', 'ownerId');
    return [ofAttestation(entry, language, to, values)];
  },
};

/** To the owner of the control. */
function ofControl(entry: NoticedEntry, language: Language, day: 'dueDate' | 'validUntil'): Notice {
  const { name: workflow = '' } = entry.subject.parent ?? {};
  const values = {
    workflow: workflow && language.translated(workflow),
    day: language.day(String(after(entry, day))),
  };
  return { ...aboutControl(entry, language, values), to: usersIn(entry, 'ownerId') };
}

function ofAttestation(
  entry: NoticedEntry,
  language: Language,
  to: Notice['to'],
  values: Readonly<Record<string, string | number>> = {},
): Notice {
  return { ...aboutControl(entry, language, { actor: actorName(entry, language), ...values }), to };
}

function aboutControl(
  entry: NoticedEntry,
  language: Language,
  values: Readonly<Record<string, string | number>>,
): Omit<Notice, 'to'> {
  const { organizationId, subject, action } = entry;
  const { databaseId: workflowId = '' } = subject.parent ?? {};
  const id = subject.databaseId.slice(workflowId.length + 1);
  const label = language.translated(subjectName(entry, language));
  return {
    type: 'WORKFLOW',
    ...said(language, action, { id, label, ...values }),
    href: `/organizations/${organizationId}/workflows/${workflowId}/controls/${id}`,
    alerts: 'v_ciso',
  };
}

/** The users of these fields of an entry. */
function usersIn(entry: LoggedEntry, ...fields: readonly string[]): { users: string[] } {
  return { users: fields.flatMap((field) => after(entry, field) ?? before(entry, field) ?? []).map(String) };
}

function ofWorkflow(
  entry: NoticedEntry,
  language: Language,
  values: Readonly<Record<string, string | number>> = {},
): Notice {
  const { organizationId, subject } = entry;
  const href = `/organizations/${organizationId}/workflows/${subject.databaseId}`;
  const workflow = language.translated(subjectName(entry, language));
  const texts = said(language, entry.action, { workflow, ...values });
  return { type: 'WORKFLOW', ...texts, href, to: { privilege: 'READ_WORKFLOWS' }, alerts: 'v_ciso' };
}
