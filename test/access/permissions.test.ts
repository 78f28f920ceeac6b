import { buildReport } from '../support/seeded-organization.js';
import { buildCloudDefender, buildIncident, buildThreatBlocker, type Person } from '../support/test-data.js';
import { CALLERS, describePermissions, type Seeded, type Subject } from '../support/permissions.js';

const STAGES = ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT'];
const INCIDENT = 'organizationId: $organization, incidentId: $id';

/** Those who may read devices. */
const MANAGERS = CALLERS.slice(CALLERS.indexOf('a manager'));

describePermissions((seeded): Subject[] => [
  {
    type: 'IncidentPermissions',
    states: {
      'open and owes reports': () => incident(seeded(), ''),
      'contained and owes two reports': () => incident(seeded(), `status = 'CONTAINED'`, STAGES.slice(0, 1)),
      'open with all reports recorded': () => incident(seeded(), '', STAGES),
      'open and not significant': () => incident(seeded(), 'significant = false'),
      closed: () => incident(seeded(), `status = 'CLOSED', closed_at = now()`, STAGES),
    },
    read: (fields) => `incident(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      update: `updateIncident(input: { ${INCIDENT}, title: "Changed" }) { incident { id } }`,
      close: `closeIncident(input: { ${INCIDENT}, reason: "Reported otherwise." }) { incident { id } }`,
      reopen: `reopenIncident(input: { ${INCIDENT} }) { incident { id } }`,
      attachFiles: `uploadIncidentAttachment(input: { ${INCIDENT}, file: $file }) { attachment { id } }`,
      addNotes: `addIncidentNote(input: { ${INCIDENT}, text: "Noted" }) { note { id } }`,
      // Of a regime that does not apply as well: reports may be sent voluntarily.
      recordReports: [...STAGES.map((stage) => ['nis2', stage]), ['gdpr', 'NOTIFICATION']].map(
        ([regime, stage]) =>
          `recordIncidentReport(input: { ${INCIDENT}, regimeId: "${regime}", stage: ${stage} }) { incident { id } }`,
      ),
      correctReports: STAGES.toReversed().map(
        (stage) =>
          `correctIncidentReport(input: { ${INCIDENT}, regimeId: "nis2", stage: ${stage}, sentAt: null, reason: "Wrong" }) { incident { id } }`,
      ),
    },
    facts: `select to_jsonb(i), (select count(*) from incident_attachment a where a.incident_id = i.id),
              (select count(*) from incident_note n where n.incident_id = i.id) as notes
              from incident i where id = $1`,
  },
  {
    type: 'IncidentAttachmentPermissions',
    states: {
      'attached by the analyst': () => attachment(seeded(), '', seeded().testData.analyst),
      'attached by an unknown user': () => attachment(seeded(), '', null),
      'attached by the analyst to a closed incident': () =>
        attachment(seeded(), `status = 'CLOSED', closed_at = now()`, seeded().testData.analyst),
    },
    read: (fields) => `incidentAttachment(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      delete:
        'deleteIncidentAttachment(input: { organizationId: $organization, incidentId: $parent, attachmentId: $id }) { attachment { id } }',
    },
    facts: 'select id from incident_attachment where id = $1',
  },
  {
    type: 'DevicePermissions',
    states: {
      'a cloud defender': () => buildCloudDefender(seeded().database, seeded().testData.organizationId),
      'a deleted cloud defender': () => deleted(seeded(), 'cloud_defender', buildCloudDefender),
    },
    callers: MANAGERS,
    read: (fields) => `inUse: cloudDefenders(organizationId: $organization, last: 1) { nodes { ${fields} } }
      deleted: cloudDefenders(organizationId: $organization, last: 1, filter: { deleted: true }) { nodes { ${fields} } }`,
    mutations: {
      update:
        'updateCloudDefender(input: { cloudDefenderId: $id, fqdn: "changed.example.com" }) { cloudDefender { id } }',
      delete: 'deleteCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } }',
      restore: 'restoreCloudDefender(input: { cloudDefenderId: $id }) { cloudDefender { id } }',
      report: `reportCloudDefenderCheck(input: { cloudDefenderId: $id, reports: [
        { datetime: $now, stat: { fqdn: HEALTHY, proxy: HEALTHY, endpoint: HEALTHY } }] }) { receipt { received } }`,
    },
    facts: 'select to_jsonb(d) from cloud_defender d where id = $1',
  },
  {
    type: 'DevicePermissions',
    states: {
      'a threat blocker': () => buildThreatBlocker(seeded().database, seeded().testData.organizationId),
      'a deleted threat blocker': () => deleted(seeded(), 'threat_blocker', buildThreatBlocker),
    },
    callers: MANAGERS,
    read: (fields) => `inUse: threatBlockers(organizationId: $organization, last: 1) { nodes { ${fields} } }
      deleted: threatBlockers(organizationId: $organization, last: 1, filter: { deleted: true }) { nodes { ${fields} } }`,
    mutations: {
      delete: 'deleteThreatBlocker(input: { threatBlockerId: $id }) { threatBlocker { id } }',
      restore: 'restoreThreatBlocker(input: { threatBlockerId: $id }) { threatBlocker { id } }',
      update: 'rotateAtbKey(input: { threatBlockerId: $id }) { threatBlocker { id } }',
      report: `reportThreatBlockerCheck(input: { threatBlockerId: $id, reports: [
        { datetime: $now, stat: { vpn: HEALTHY, dnsbl: HEALTHY, iplist: HEALTHY } }] }) { receipt { received } }`,
    },
    facts: 'select to_jsonb(d) from threat_blocker d where id = $1',
  },
]);

async function incident({ database, testData }: Seeded, set: string, sent: readonly string[] = []): Promise<number> {
  const id = await buildIncident(database, testData.organizationId);
  for (const stage of sent) await buildReport(database, id, stage);
  if (set !== '') await database.rows(`update incident set ${set} where id = $1`, [id]);
  return id;
}

async function attachment(seeded: Seeded, set: string, uploader: Person | null): Promise<number> {
  const [row] = await seeded.database.rows<{ id: number }>(
    `insert into incident_attachment (organization_id, incident_id, original_name, size, content_type, sha256, created_by, uploader_id)
     values ((select organization_id from incident where id = $1), $1, 'log.txt', 1, 'text/plain', $2, 'someone', $3) returning id`,
    [await incident(seeded, set), '0'.repeat(64), uploader?.id ?? null],
  );
  return row!.id;
}

async function deleted(
  { database, testData }: Seeded,
  table: 'cloud_defender' | 'threat_blocker',
  build: typeof buildCloudDefender | typeof buildThreatBlocker,
): Promise<number> {
  const id = await build(database, testData.organizationId);
  await database.rows(`update ${table} set deleted_at = now() where id = $1`, [id]);
  return id;
}
