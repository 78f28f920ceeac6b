import type { RecordedTable } from '../../database/recorded-tables.js';
import type { StoredEntry } from '../audit/entry-records.js';
import type { SealedValue } from '../audit/personal-values.js';
import { after, controlKey, counted, named, newRow, type RecordedRow } from './recorded-fields.js';
import type { RecordedState } from './recorded-state.js';

export type Apply = (state: RecordedState, entry: StoredEntry, position: number) => void;

function setCounted(state: RecordedState, table: RecordedTable, id: unknown, values: RecordedRow): void {
  const key = { id: Number(id) };
  state.set(table, key, { ...values, version: counted(state.find(table, key)) });
}

/** An attestation after an entry that names it. */
const attestationChanged =
  (values: (entry: StoredEntry) => RecordedRow): Apply =>
  (state, entry) => {
    const { before, after: is } = entry.changes?.['attestation'] ?? {};
    setCounted(state, 'control_attestation', before ?? is, {
      ...named('control_attestation', entry),
      ...values(entry),
    });
  };

const engagementOf = ({ subject }: StoredEntry) => Number(subject.id);

const auditorOf = (entry: StoredEntry, when: 'before' | 'after') => ({
  engagementId: engagementOf(entry),
  userId: (entry.changes?.['auditor']?.[when] as SealedValue | undefined)?.person,
});

/** Statements of people: attestations of owners; requests and sign-offs of auditors in engagements. */
export const STATEMENTS: Readonly<Partial<Record<StoredEntry['action'], Apply>>> = {
  CONTROL_ATTESTED: (state, entry, position) => {
    const { attestation: id, supersedes, status, equivalents, evidence: documents, ...values } = after(entry);
    if (supersedes != null) setCounted(state, 'control_attestation', supersedes, { supersededAt: entry.at });
    state.put('control_attestation', {
      ...{ ...newRow('control_attestation'), ...values, ...controlKey(entry.subject.id), id: Number(id), position },
      ...{ evidence: { status, documents, equivalents }, attestedById: entry.actor.id, attestedAt: entry.at },
    });
  },
  ATTESTATION_COUNTERSIGNED: attestationChanged(({ actor, at }) => ({
    ...{ countersignedById: actor.id, countersignedAt: at },
  })),
  ATTESTATION_WITHDRAWN: attestationChanged(({ at, reason = '' }) => ({ withdrawnAt: at, withdrawalReason: reason })),
  ATTESTATION_STALE: attestationChanged(({ at }) => ({ staleAt: at })),
  ENGAGEMENT_CREATED: (state, entry) => {
    const { from: periodFrom, to: periodTo } = after(entry);
    const { type, id: actor } = entry.actor;
    const createdById = type === 'USER' || type === 'SERVICE_ACCOUNT' ? actor : null;
    state.put('engagement', {
      ...{ ...newRow('engagement'), ...named('engagement', entry), id: engagementOf(entry) },
      ...{ periodFrom, periodTo, createdById, createdAt: entry.at },
    });
  },
  ENGAGEMENT_UPDATED: (state, entry) => setCounted(state, 'engagement', entry.subject.id, named('engagement', entry)),
  AUDITOR_JOINED: (state, entry) =>
    state.put('engagement_auditor', { ...auditorOf(entry, 'after'), createdAt: entry.at }),
  AUDITOR_REMOVED: (state, entry) => state.remove('engagement_auditor', auditorOf(entry, 'before')),
  EVIDENCE_REQUESTED: (state, entry) => {
    const { request: id, control } = after(entry);
    state.put('evidence_request', {
      ...{ ...newRow('evidence_request'), ...named('evidence_request', entry), ...controlKey(String(control)) },
      ...{ id, engagementId: engagementOf(entry), createdAt: entry.at },
    });
  },
  EVIDENCE_REQUEST_ANSWERED: (state, entry) => {
    const { request, answer } = entry.changes ?? {};
    setCounted(state, 'evidence_request', request?.after, {
      ...named('evidence_request', entry),
      ...(answer !== undefined && { answeredAt: answer.after === '' ? null : entry.at }),
    });
  },
  SIGNED_OFF: (state, entry) => {
    const { signOff: id, about, statement, createdBy } = after(entry);
    const [workflowId, ...control] = String(about).split('/');
    const controlId = control.length === 0 ? null : control.join('/');
    const values = { id, workflowId, controlId, statement, createdBy, createdAt: entry.at };
    state.put('sign_off', { ...values, engagementId: engagementOf(entry) });
  },
};
