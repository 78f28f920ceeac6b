import { UNTOUCHED } from '../workflows/controls.service.js';
import type { StoredEntry } from '../audit/entry-records.js';
import type { RecordedTable } from '../../database/recorded-tables.js';
import { after, controlKey, counted, named, newRow, type RecordedRow } from './recorded-fields.js';
import type { RecordedState } from './recorded-state.js';
import { STATEMENTS, type Apply } from './recorded-statements.js';

/** Applies the entry at a position; most actions change no recorded row. */
export function apply(state: RecordedState, entry: StoredEntry, position: number): void {
  CHANGES[entry.action]?.(state, entry, position);
}

const organization: Apply = (state, entry) => {
  const before = state.find('organization', {});
  state.set('organization', {}, { ...named('organization', entry), updatedAt: entry.at, version: counted(before) });
};

const WORKFLOW = (entry: StoredEntry) => ({ workflowId: entry.subject.id });

const joined: Apply = (state, entry) => {
  const { role, active } = after(entry);
  const deactivatedAt = active === false ? entry.at : null;
  const values = { userId: entry.subject.id, role, createdAt: entry.at, deactivatedAt };
  state.put('membership', { ...newRow('membership'), ...values, version: active === false ? 2 : 1 });
};

const ALERTS: Readonly<Record<string, string>> = {
  atb: 'alertAtb',
  cloudDefender: 'alertCloudDefender',
  vCiso: 'alertVCiso',
};

const memberChanged: Apply = (state, entry) => {
  const key = { userId: entry.subject.id };
  const row = state.find('membership', key);
  if (row === undefined) return;
  const { role = row['role'], active, mailPreferences, ...others } = after(entry);
  const alerts = Object.entries(others).flatMap(([field, value]) => (ALERTS[field] ? [[ALERTS[field], value]] : []));
  const deactivatedAt =
    active === undefined ? row['deactivatedAt'] : active ? null : (row['deactivatedAt'] ?? entry.at);
  const isOther = role !== row['role'] || deactivatedAt !== row['deactivatedAt'];
  state.put('membership', {
    ...{ ...row, role, deactivatedAt, ...(isOther && { version: counted(row) }) },
    ...(alerts.length > 0 && { ...Object.fromEntries(alerts), alertsVersion: counted(row, 'alertsVersion') }),
    ...(mailPreferences !== undefined && {
      mailPreferences,
      mailPreferencesVersion: counted(row, 'mailPreferencesVersion'),
    }),
  });
};

/** Controls of a removed member have no owner. */
const left: Apply = (state, { subject: { id: userId } }) => {
  state.remove('membership', { userId });
  for (const control of [...state.all('control_state')])
    if (control['ownerId'] === userId)
      state.put('control_state', { ...control, ownerId: null, version: counted(control) });
};

const transferred: Apply = (state, entry) => {
  const { owner } = entry.changes ?? {};
  for (const [userId, role] of [
    [owner?.before, 'ORGANIZATION_MANAGER'],
    [owner?.after, 'ORGANIZATION_OWNER'],
  ] as const) {
    const row = state.find('membership', { userId });
    if (row !== undefined && row['role'] !== role) state.put('membership', { ...row, role, version: counted(row) });
  }
};

/** An incident after an entry about it; the entry contains its version. */
const incidentChanged =
  (values: (entry: StoredEntry) => RecordedRow = () => ({})): Apply =>
  (state, entry) =>
    state.set(
      'incident',
      { id: Number(entry.subject.id) },
      { ...named('incident', entry), updatedAt: entry.at, ...values(entry) },
    );

/** Rows of reports; each has the differences from the one before it. */
const reported: Apply = (state, entry, position) => {
  const incidentId = Number(entry.subject.id);
  for (const report of (entry.state?.['reports'] ?? []) as RecordedRow[]) {
    const { regimeId, stage, number } = report;
    const [last] = [...state.all('incident_report')]
      .filter((each) => each['incidentId'] === incidentId && each['regimeId'] === regimeId)
      .filter((each) => each['stage'] === stage && each['number'] === number)
      .toSorted((one, other) => Number(other['id']) - Number(one['id']));
    state.put('incident_report', { ...last, ...report, incidentId, recordedAt: entry.at });
  }
  incidentChanged()(state, { ...entry, changes: {} }, position);
};

const parentId = ({ subject }: StoredEntry) => Number(subject.parent?.id);

/** The columns of a file, by their names in entries. */
function fileOf(entry: StoredEntry): RecordedRow {
  const { filename: originalName, uploader: uploaderId, ...values } = after(entry);
  return { ...values, id: Number(entry.subject.id), originalName, uploaderId, createdAt: entry.at };
}

const DEVICES = { CLOUD_DEFENDER: 'cloud_defender', THREAT_BLOCKER: 'threat_blocker' } as const;

const deviceOf = ({ subject: { type, id } }: StoredEntry) =>
  [DEVICES[type as keyof typeof DEVICES], { id: Number(id) }] as const;

/** Fields whose names in the specification differ from those of their columns. */
function deviceValues(table: RecordedTable, entry: StoredEntry): RecordedRow {
  const { privateIP } = after(entry);
  return { ...named(table, entry), ...(privateIP !== undefined && { privateIp: privateIP }) };
}

const deviceChanged =
  (values: (table: RecordedTable, entry: StoredEntry) => RecordedRow): Apply =>
  (state, entry) => {
    const [table, key] = deviceOf(entry);
    state.set(table, key, { ...values(table, entry), version: counted(state.find(table, key)) });
  };

const deviceUpdated = deviceChanged((table, entry) => ({ ...deviceValues(table, entry), updatedAt: entry.at }));

/** The effect of each action on the tables. Other actions change no recorded row. */
const CHANGES: Readonly<Partial<Record<StoredEntry['action'], Apply>>> = {
  ORGANIZATION_CREATED: (state, entry) => {
    const { at, actor } = entry;
    const given = named('organization', entry);
    state.put('organization', { ...newRow('organization'), ...given, createdAt: at, updatedAt: at });
    const owner = { userId: actor.id, role: 'ORGANIZATION_OWNER', createdAt: at };
    state.put('membership', { ...newRow('membership'), ...owner });
  },
  ORGANIZATION_UPDATED: organization,
  ORGANIZATION_DELETED: (state, entry, position) => {
    organization(state, entry, position);
    state.set('organization', {}, { deletedAt: entry.at });
  },
  ORGANIZATION_RESTORED: (state, entry, position) => {
    organization(state, entry, position);
    state.set('organization', {}, { deletedAt: null, restoredAt: entry.at });
  },
  SANDBOX_RESET: (state, entry, position) => {
    state.clear();
    organization(state, entry, position);
  },
  OWNERSHIP_TRANSFERRED: transferred,
  MEMBER_JOINED: joined,
  MEMBER_UPDATED: memberChanged,
  MEMBER_REMOVED: left,
  MEMBER_LEFT: left,
  SERVICE_ACCOUNT_CREATED: joined,
  SERVICE_ACCOUNT_UPDATED: memberChanged,
  SERVICE_ACCOUNT_DELETED: left,
  WORKFLOW_ASSOCIATED: (state, entry) =>
    state.put('organization_workflow', { ...WORKFLOW(entry), createdAt: entry.at }),
  WORKFLOW_DISSOCIATED: (state, entry) => state.remove('organization_workflow', WORKFLOW(entry)),
  CONTROL_UPDATED: (state, entry) => {
    const key = controlKey(entry.subject.id);
    const before = state.find('control_state', key);
    const values = { ...(before ?? UNTOUCHED), ...named('control_state', entry), ...key };
    state.put('control_state', { ...values, updatedAt: entry.at, version: counted(before) });
  },
  DOCUMENT_UPLOADED: (state, entry) => {
    const { workflowId, controlId: artifactId } = controlKey(entry.subject.parent?.id ?? '');
    state.put('document_version', { ...newRow('document_version'), ...fileOf(entry), workflowId, artifactId });
  },
  DOCUMENT_UPDATED: (state, entry) => {
    const key = { id: Number(entry.subject.id) };
    const version = counted(state.find('document_version', key));
    state.set('document_version', key, { ...named('document_version', entry), version });
  },
  DOCUMENT_DELETED: (state, { subject }) => state.remove('document_version', { id: Number(subject.id) }),
  DOCUMENT_TRIMMED: (state, { subject }) => state.remove('document_version', { id: Number(subject.id) }),
  INCIDENT_OPENED: (state, entry) => {
    const id = Number(entry.subject.id);
    const times = { createdAt: entry.at, updatedAt: entry.at };
    state.put('incident', { ...newRow('incident'), ...named('incident', entry), ...times, id });
  },
  INCIDENT_UPDATED: incidentChanged(),
  INCIDENT_ASSESSED: incidentChanged(),
  INCIDENT_REJUDGED: incidentChanged(),
  INCIDENT_CLOSED: incidentChanged(({ at }) => ({ closedAt: at })),
  INCIDENT_REOPENED: incidentChanged(() => ({ closedAt: null, closedBy: null })),
  REPORT_RECORDED: reported,
  REPORT_CORRECTED: reported,
  ATTACHMENT_ADDED: (state, entry) =>
    state.put('incident_attachment', { ...fileOf(entry), incidentId: parentId(entry) }),
  ATTACHMENT_DELETED: (state, { subject }) => {
    const id = Number(subject.id);
    state.remove('incident_attachment', { id });
    for (const report of [...state.all('incident_report')])
      if (report['attachmentId'] === id) state.put('incident_report', { ...report, attachmentId: null });
  },
  NOTE_ADDED: (state, entry) => {
    const { note: id, text, createdBy } = after(entry);
    state.put('incident_note', { id, text, createdBy, incidentId: Number(entry.subject.id), createdAt: entry.at });
  },
  DEVICE_CREATED: (state, entry) => {
    const [table, { id }] = deviceOf(entry);
    const times = { createdAt: entry.at, updatedAt: entry.at };
    state.put(table, { ...newRow(table), ...deviceValues(table, entry), ...times, id });
  },
  DEVICE_UPDATED: deviceUpdated,
  DEVICE_KEY_ROTATED: deviceUpdated,
  DEVICE_DELETED: deviceChanged((_table, { at }) => ({ deletedAt: at, updatedAt: at })),
  DEVICE_RESTORED: deviceChanged((_table, { at }) => ({ deletedAt: null, restoredAt: at, updatedAt: at })),
  ...STATEMENTS,
};

/** Actions whose entries have to be applied. */
export const CHANGING = Object.keys(CHANGES) as StoredEntry['action'][];
