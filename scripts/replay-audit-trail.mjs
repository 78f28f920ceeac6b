/**
 * Replays the entries of an audit trail for verify-proof.mjs. Independent of the gateway's own replay, so that an error
 * in either is detected: a test compares both after random changes.
 */

const DEVICE = 'id organizationId email endpoint services createdAt updatedAt deletedAt restoredAt version';

/** Columns that entries record, with their value before the first entry that names them; null unless named here. */
const TABLES = {
  organization: [
    'id name description numberEmployees website logo sectors industries nis2Sector complianceFrameworks infrastructure domains ips palette customColors timeZone language country trustServiceProvider qualifiedTrustServiceProvider nis2ReportingFrom reportWeekday queryTokenAllowed userWebhooksAllowed sandbox auditRetentionDays version createdAt updatedAt deletedAt restoredAt',
    { description: '', website: '', logo: '', nis2Sector: '', infrastructure: '', timeZone: 'UTC', language: 'en' },
    {
      trustServiceProvider: false,
      qualifiedTrustServiceProvider: false,
      reportWeekday: 1,
      queryTokenAllowed: true,
      userWebhooksAllowed: true,
      sandbox: false,
    },
  ],
  membership: [
    'organizationId userId role alertAtb alertCloudDefender alertVCiso mailPreferences createdAt deactivatedAt version alertsVersion mailPreferencesVersion',
    { alertAtb: true, alertCloudDefender: true, alertVCiso: true, alertsVersion: 1, mailPreferencesVersion: 1 },
  ],
  organization_workflow: ['organizationId workflowId createdAt'],
  control_state: [
    'organizationId workflowId controlId status justification inclusionReason ownerId dueDate note reviewIntervalMonths updatedAt version',
  ],
  control_attestation: [
    'id organizationId workflowId controlId statement evidence position attestedBy attestedById attestedAt countersignedBy countersignedById countersignedAt withdrawnBy withdrawnAt withdrawalReason supersededAt staleAt changes version',
    { withdrawalReason: '' },
  ],
  document_version: [
    'id organizationId workflowId artifactId originalName contentType size sha256 createdBy uploaderId createdAt source effectiveAt validUntil note version',
  ],
  incident: [
    'id organizationId title description severity status awareAt occurredAt organizationFacts factsAsOf significant classifiedAt handledAt suspectedMalicious crossBorder affectsTrustService affectsQualifiedTrustService personalDataConcerned exploitedVulnerability productConcerned fixAvailableAt intermediateReportDueAt category indicators impact rootCause mitigation rehearsal openedBy closedAt closedBy version createdAt updatedAt',
    { description: '', status: 'OPEN', significant: false, category: '', indicators: '', impact: '', rootCause: '' },
    { mitigation: '', rehearsal: false, openedBy: '' },
  ],
  incident_report: [''],
  incident_note: [''],
  incident_attachment: [''],
  engagement: ['id organizationId name workflows periodFrom periodTo until createdById createdAt version'],
  engagement_auditor: [''],
  evidence_request: [
    'id organizationId engagementId workflowId controlId text createdBy createdAt answer answeredBy answeredAt closedAt version',
    { answer: '' },
  ],
  sign_off: [''],
  cloud_defender: [`${DEVICE} fqdn`],
  threat_blocker: [`${DEVICE} type privateIp deviceId pluginName`, { privateIp: '', deviceId: '', pluginName: '' }],
};

function newRow(table) {
  const [columns, ...defaults] = TABLES[table];
  const given = Object.assign({ version: 1 }, ...defaults);
  return Object.fromEntries(columns.split(' ').map((column) => [column, given[column] ?? null]));
}

const KEYS = {
  ...{ organization: [], membership: ['userId'], organization_workflow: ['workflowId'] },
  control_state: ['workflowId', 'controlId'],
  engagement_auditor: ['engagementId', 'userId'],
};

function keyOf(table, row) {
  const parts = (KEYS[table] ?? ['id']).map((column) => row[column]);
  return parts.map((part) => (typeof part === 'number' ? String(part).padStart(16, '0') : part)).join('/');
}

/** Rows of an organization by table; entries are applied in order. */
export class State {
  constructor(organizationId, rows = {}) {
    this.organizationId = organizationId;
    const tables = Object.keys(TABLES);
    this.tables = new Map(tables.map((name) => [name, new Map(rows[name]?.map((row) => [keyOf(name, row), row]))]));
  }

  apply(entry, position) {
    CHANGES[entry.action]?.(this, entry, position);
  }

  recorded() {
    const sorted = [...this.tables].map(([table, rows]) => [
      table,
      [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row),
    ]);
    return JSON.parse(JSON.stringify(Object.fromEntries(sorted)));
  }

  all(table) {
    return [...this.tables.get(table).values()];
  }

  find(table, key) {
    return this.tables.get(table).get(keyOf(table, key));
  }

  put(table, row) {
    const owner = table === 'organization' ? { id: this.organizationId } : { organizationId: this.organizationId };
    const isOwned = table !== 'engagement_auditor';
    this.tables.get(table).set(keyOf(table, row), { ...row, ...(isOwned && owner) });
  }

  set(table, key, values) {
    const row = this.find(table, key);
    if (row !== undefined) this.put(table, { ...row, ...values });
  }

  remove(table, key) {
    this.tables.get(table).delete(keyOf(table, key));
  }

  /** Removes every row except that of the organization and those of its owners. */
  clear() {
    for (const [table, rows] of this.tables)
      for (const [key, { role }] of rows)
        if (table !== 'organization' && role !== 'ORGANIZATION_OWNER') rows.delete(key);
  }
}

/** The values of the subject's fields after an entry. */
function after({ changes = {}, state = {} }) {
  const given = Object.entries(changes).filter(([, { after: value }]) => value !== undefined);
  return { ...Object.fromEntries(given.map(([field, { after: value }]) => [field, value])), ...state };
}

function named(table, entry) {
  const columns = TABLES[table][0].split(' ');
  return Object.fromEntries(Object.entries(after(entry)).filter(([name]) => columns.includes(name)));
}

const counted = (row, column = 'version') => Number(row?.[column] ?? 1) + 1;
const idOf = ({ subject }) => ({ id: Number(subject.id) });
const times = ({ at }) => ({ createdAt: at, updatedAt: at });

const organization =
  (values = () => ({})) =>
  (state, entry) => {
    const version = counted(state.find('organization', {}));
    state.set('organization', {}, { ...named('organization', entry), updatedAt: entry.at, version, ...values(entry) });
  };

function joined(state, entry) {
  const { role, active } = after(entry);
  const left = active === false ? { deactivatedAt: entry.at, version: 2 } : {};
  const values = { userId: entry.subject.id, role, createdAt: entry.at, ...left };
  state.put('membership', { ...newRow('membership'), ...values });
}

const ALERTS = { atb: 'alertAtb', cloudDefender: 'alertCloudDefender', vCiso: 'alertVCiso' };

function memberChanged(state, entry) {
  const row = state.find('membership', { userId: entry.subject.id });
  if (row === undefined) return;
  const { role = row.role, active, mailPreferences, ...others } = after(entry);
  const alerts = Object.entries(others).flatMap(([field, value]) => (ALERTS[field] ? [[ALERTS[field], value]] : []));
  const stays = active === undefined ? row.deactivatedAt : null;
  const deactivatedAt = active === false ? (row.deactivatedAt ?? entry.at) : stays;
  const isOther = role !== row.role || deactivatedAt !== row.deactivatedAt;
  state.put('membership', {
    ...{ ...row, role, deactivatedAt, ...(isOther && { version: counted(row) }) },
    ...(alerts.length > 0 && { ...Object.fromEntries(alerts), alertsVersion: counted(row, 'alertsVersion') }),
    ...(mailPreferences !== undefined && { mailPreferences }),
    ...(mailPreferences !== undefined && { mailPreferencesVersion: counted(row, 'mailPreferencesVersion') }),
  });
}

function left(state, { subject: { id: userId } }) {
  state.remove('membership', { userId });
  for (const control of state.all('control_state'))
    if (control.ownerId === userId)
      state.put('control_state', { ...control, ownerId: null, version: counted(control) });
}

function transferred(state, { changes: { owner } }) {
  for (const [userId, role] of [
    [owner.before, 'ORGANIZATION_MANAGER'],
    [owner.after, 'ORGANIZATION_OWNER'],
  ]) {
    const row = state.find('membership', { userId });
    if (row !== undefined && row.role !== role) state.put('membership', { ...row, role, version: counted(row) });
  }
}

/** Ids of workflows have no slash. */
function controlKey(id, name = 'controlId') {
  const slash = id.indexOf('/');
  return { workflowId: id.slice(0, slash), [name]: id.slice(slash + 1) };
}

const UNTOUCHED = {
  ...{ status: 'TO_DO', justification: '', inclusionReason: '', note: '' },
  ...{ ownerId: null, dueDate: null, reviewIntervalMonths: null },
};

const incident =
  (values = () => ({})) =>
  (state, entry) =>
    state.set('incident', idOf(entry), { ...named('incident', entry), updatedAt: entry.at, ...values(entry) });

/** Rows of reports, each with its differences from the one before. */
function reported(state, entry) {
  const { id: incidentId } = idOf(entry);
  for (const report of entry.state?.reports ?? []) {
    const isBefore = (each) =>
      each.incidentId === incidentId && ['regimeId', 'stage', 'number'].every((name) => each[name] === report[name]);
    const [last] = state
      .all('incident_report')
      .filter(isBefore)
      .toSorted((one, other) => other.id - one.id);
    state.put('incident_report', { ...last, ...report, incidentId, recordedAt: entry.at });
  }
  incident()(state, { ...entry, changes: {} });
}

function fileOf(entry) {
  const { filename: originalName, uploader: uploaderId, ...values } = after(entry);
  return { ...values, ...idOf(entry), originalName, uploaderId, createdAt: entry.at };
}

function deviceValues(table, entry) {
  const { privateIP: privateIp } = after(entry);
  return { ...named(table, entry), ...(privateIp !== undefined && { privateIp }) };
}

const device =
  (values = () => ({})) =>
  (state, entry) => {
    const table = entry.subject.type.toLowerCase();
    state.set(table, idOf(entry), { ...values(entry, table), version: counted(state.find(table, idOf(entry))) });
  };

const deviceUpdated = device((entry, table) => ({ ...deviceValues(table, entry), updatedAt: entry.at }));

/** The state of an attestation, an engagement or a request of an auditor after an entry. */
function changeOne(state, table, id, values) {
  const version = counted(state.find(table, { id: Number(id) }));
  state.set(table, { id: Number(id) }, { ...values, version });
}

const attestation = (values) => (state, entry) => {
  const { before, after: is } = entry.changes.attestation;
  changeOne(state, 'control_attestation', before ?? is, { ...named('control_attestation', entry), ...values(entry) });
};

const auditor = (entry, when) => ({ engagementId: idOf(entry).id, userId: entry.changes.auditor[when].person });

function attested(state, entry, position) {
  const { attestation: id, supersedes, status, equivalents, evidence: documents, ...values } = after(entry);
  if (supersedes != null) changeOne(state, 'control_attestation', supersedes, { supersededAt: entry.at });
  const evidence = { status, documents, equivalents };
  const by = { attestedById: entry.actor.id, attestedAt: entry.at };
  const row = { ...newRow('control_attestation'), ...values, ...controlKey(entry.subject.id), ...by };
  state.put('control_attestation', { ...row, id: Number(id), evidence, position });
}

function engaged(state, entry) {
  const { from: periodFrom, to: periodTo } = after(entry);
  const createdById = ['USER', 'SERVICE_ACCOUNT'].includes(entry.actor.type) ? entry.actor.id : null;
  const row = { ...newRow('engagement'), ...named('engagement', entry), ...idOf(entry), createdAt: entry.at };
  state.put('engagement', { ...row, periodFrom, periodTo, createdById });
}

function requested(state, entry) {
  const { request: id, control } = after(entry);
  const row = { ...newRow('evidence_request'), ...named('evidence_request', entry), ...controlKey(control) };
  state.put('evidence_request', { ...row, id, engagementId: idOf(entry).id, createdAt: entry.at });
}

function signedOff(state, entry) {
  const { signOff: id, about, statement, createdBy } = after(entry);
  const slash = about.indexOf('/');
  const [workflowId, controlId] = slash < 0 ? [about, null] : [about.slice(0, slash), about.slice(slash + 1)];
  const row = { id, workflowId, controlId, statement, createdBy, createdAt: entry.at };
  state.put('sign_off', { ...row, engagementId: idOf(entry).id });
}

/** The effect of each action; others change no recorded row. */
const CHANGES = {
  ORGANIZATION_CREATED: (state, entry) => {
    state.put('organization', { ...newRow('organization'), ...named('organization', entry), ...times(entry) });
    const owner = { userId: entry.actor.id, role: 'ORGANIZATION_OWNER', createdAt: entry.at };
    state.put('membership', { ...newRow('membership'), ...owner });
  },
  ORGANIZATION_UPDATED: organization(),
  ORGANIZATION_DELETED: organization(({ at }) => ({ deletedAt: at })),
  ORGANIZATION_RESTORED: organization(({ at }) => ({ deletedAt: null, restoredAt: at })),
  SANDBOX_RESET: (state, entry) => {
    state.clear();
    organization()(state, entry);
  },
  OWNERSHIP_TRANSFERRED: transferred,
  MEMBER_JOINED: joined,
  MEMBER_UPDATED: memberChanged,
  MEMBER_REMOVED: left,
  MEMBER_LEFT: left,
  SERVICE_ACCOUNT_CREATED: joined,
  SERVICE_ACCOUNT_UPDATED: memberChanged,
  SERVICE_ACCOUNT_DELETED: left,
  WORKFLOW_ASSOCIATED: (state, { subject, at }) =>
    state.put('organization_workflow', { workflowId: subject.id, createdAt: at }),
  WORKFLOW_DISSOCIATED: (state, { subject }) => state.remove('organization_workflow', { workflowId: subject.id }),
  CONTROL_UPDATED: (state, entry) => {
    const key = controlKey(entry.subject.id);
    const before = state.find('control_state', key);
    const values = { ...(before ?? UNTOUCHED), ...named('control_state', entry), ...key };
    state.put('control_state', { ...values, updatedAt: entry.at, version: counted(before) });
  },
  DOCUMENT_UPLOADED: (state, entry) => {
    const key = controlKey(entry.subject.parent?.id ?? '', 'artifactId');
    state.put('document_version', { ...newRow('document_version'), ...fileOf(entry), ...key });
  },
  DOCUMENT_UPDATED: (state, entry) => {
    const version = counted(state.find('document_version', idOf(entry)));
    state.set('document_version', idOf(entry), { ...named('document_version', entry), version });
  },
  DOCUMENT_DELETED: (state, entry) => state.remove('document_version', idOf(entry)),
  DOCUMENT_TRIMMED: (state, entry) => state.remove('document_version', idOf(entry)),
  INCIDENT_OPENED: (state, entry) =>
    state.put('incident', { ...newRow('incident'), ...named('incident', entry), ...times(entry), ...idOf(entry) }),
  INCIDENT_UPDATED: incident(),
  INCIDENT_ASSESSED: incident(),
  INCIDENT_REJUDGED: incident(),
  INCIDENT_CLOSED: incident(({ at }) => ({ closedAt: at })),
  INCIDENT_REOPENED: incident(() => ({ closedAt: null, closedBy: null })),
  REPORT_RECORDED: reported,
  REPORT_CORRECTED: reported,
  ATTACHMENT_ADDED: (state, entry) =>
    state.put('incident_attachment', { ...fileOf(entry), incidentId: Number(entry.subject.parent?.id) }),
  ATTACHMENT_DELETED: (state, entry) => {
    const { id } = idOf(entry);
    state.remove('incident_attachment', { id });
    for (const report of state.all('incident_report'))
      if (report.attachmentId === id) state.put('incident_report', { ...report, attachmentId: null });
  },
  NOTE_ADDED: (state, entry) => {
    const { note: id, text, createdBy } = after(entry);
    state.put('incident_note', { id, text, createdBy, incidentId: idOf(entry).id, createdAt: entry.at });
  },
  DEVICE_CREATED: (state, entry) => {
    const table = entry.subject.type.toLowerCase();
    state.put(table, { ...newRow(table), ...deviceValues(table, entry), ...times(entry), ...idOf(entry) });
  },
  DEVICE_UPDATED: deviceUpdated,
  DEVICE_KEY_ROTATED: deviceUpdated,
  DEVICE_DELETED: device(({ at }) => ({ deletedAt: at, updatedAt: at })),
  DEVICE_RESTORED: device(({ at }) => ({ deletedAt: null, restoredAt: at, updatedAt: at })),
  CONTROL_ATTESTED: attested,
  ATTESTATION_COUNTERSIGNED: attestation(({ actor, at }) => ({ countersignedById: actor.id, countersignedAt: at })),
  ATTESTATION_WITHDRAWN: attestation(({ at, reason = '' }) => ({ withdrawnAt: at, withdrawalReason: reason })),
  ATTESTATION_STALE: attestation(({ at }) => ({ staleAt: at })),
  ENGAGEMENT_CREATED: engaged,
  ENGAGEMENT_UPDATED: (state, entry) => changeOne(state, 'engagement', entry.subject.id, named('engagement', entry)),
  AUDITOR_JOINED: (state, entry) =>
    state.put('engagement_auditor', { ...auditor(entry, 'after'), createdAt: entry.at }),
  AUDITOR_REMOVED: (state, entry) => state.remove('engagement_auditor', auditor(entry, 'before')),
  EVIDENCE_REQUESTED: requested,
  EVIDENCE_REQUEST_ANSWERED: (state, entry) => {
    const { request, answer } = entry.changes;
    changeOne(state, 'evidence_request', request.after, {
      ...named('evidence_request', entry),
      ...(answer !== undefined && { answeredAt: answer.after === '' ? null : entry.at }),
    });
  },
  SIGNED_OFF: signedOff,
};
