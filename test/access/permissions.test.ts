import { issueToken } from '../../src/services/tokens/token-minting.js';
import type { ImportMode, Role, Scope } from '../../src/values/enums.js';
import { CALLERS, describePermissions, type CallerName, type Seeded, type Subject } from '../support/permissions.js';
import { buildAttestable, buildAttestation } from '../support/attestations.js';
import { buildServiceAccount } from '../support/people.js';
import { buildReport } from '../support/seeded-organization.js';
import {
  buildCloudDefender,
  buildIncident,
  buildOrganization,
  buildThreatBlocker,
  join,
  type Person,
} from '../support/test-data.js';

const STAGES = ['EARLY_WARNING', 'NOTIFICATION', 'FINAL_REPORT'];
const INCIDENT = 'organizationId: $organization, incidentId: $id';
const IT = 'organizationId: $id';
const ISO = 'iso-27001-2022';
const OWN = 'own-workflow';
const VERSION = 'organizationId: $organization, documentVersionId: $id';
const WORKFLOW = 'organizationId: $organization, workflowId: $id';
const CONTROL = `organizationId: $organization, workflowId: "${ISO}"`;
const ATTESTED = 'organizationId: $organization, workflowId: "nis2-directive", controlId: "21.2.a"';
const WORKFLOW_FIELDS = `name: "Again", version: "2", controls: [{ id: "A.5.1", label: "Policies", kind: "control" }]`;
const MAPPING_FIELDS = `from: "${ISO}", to: "nis2-directive", pairs: [{ control: "A.5.1", matches: ["21.2.a"] }]`;
const MANAGERS = CALLERS.slice(CALLERS.indexOf('a manager'));
const OWNERS = CALLERS.slice(CALLERS.indexOf('an owner'));

const ACCOUNT = 'organizationId: $organization, serviceAccountId: $id';

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
      rejudge: `rejudgeIncident(input: { ${INCIDENT}, reason: "Other facts" }) { incident { id } }`,
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
  {
    type: 'OrganizationPermissions',
    states: {
      'owned by another member as well': (caller) => organization(seeded(), caller, 'ORGANIZATION_OWNER'),
      'without another owner': (caller) => organization(seeded(), caller, 'VIEWER'),
      'without another member who is active': async (caller) =>
        deactivated(seeded(), await organization(seeded(), caller, 'ORGANIZATION_OWNER')),
    },
    read: (fields) => `organization(id: $id) { ${fields} }`,
    mutations: {
      update: `updateOrganization(input: { ${IT}, name: "Changed" }) { organization { id } }`,
      updateSettings: `updateOrganizationSettings(input: { ${IT}, reportWeekday: 3 }) { organization { id } }`,
      updateBranding: `updateBranding(input: { ${IT}, palette: "ocean" }) { organization { id } }`,
      updateLogo: `removeOrganizationLogo(input: { ${IT} }) { organization { id } }`,
      updateAlerts: `updateAlerts(input: { ${IT}, atb: false, vCiso: true }) { alerts { atb } }`,
      delete: `deleteOrganization(input: { ${IT} }) { organization { id } }`,
      restore: `restoreOrganization(input: { ${IT} }) { organization { id } }`,
      transferOwnership: `transferOwnership(input: { ${IT}, userId: $other }) { organization { id } }`,
      leave: `leaveOrganization(input: { ${IT} }) { organization { id } }`,
      createServiceAccounts: `createServiceAccount(input: { ${IT}, name: "a", role: VIEWER }) { serviceAccount { id } }`,
      inviteMembers: `inviteMember(input: { ${IT}, email: "invited@example.com", role: VIEWER }) { invitation { id } }`,
      createDevices: `createCloudDefender(input: { ${IT}, fqdn: "example.com", endpoint: "192.0.2.1", email: "a@example.com" }) {
        cloudDefender { id } }`,
      openIncidents: `openIncident(input: { ${IT}, title: "Phishing", severity: LOW }) { incident { id } }`,
      associateWorkflows: `associateWorkflow(input: { ${IT}, workflowId: "nis2-directive" }) { organizationWorkflow { id } }`,
      importWorkflows: `importWorkflow(input: { ${IT}, id: "own", name: "Own", version: "1", source: { text: "Ours" }, licence: "Ours",
        controls: [{ id: "1", label: "Policies", kind: "control" }] }) { created }`,
    },
    // A deleted organization is in the answer to its deletion only: test/organizations/graphql.test.ts.
    alwaysFalse: ['restore'],
    facts: `select to_jsonb(o), jsonb_build_array(
        (select jsonb_agg(to_jsonb(m) order by m.id) from membership m where m.organization_id = o.id),
        (select count(*) from invitation i where i.organization_id = o.id),
        (select count(*) from service_account s where s.organization_id = o.id),
        (select count(*) from cloud_defender d where d.organization_id = o.id),
        (select count(*) from incident i where i.organization_id = o.id),
        (select count(*) from organization_workflow w where w.organization_id = o.id),
        (select count(*) from workflow_import i where i.organization_id = o.id))
      from organization o where id = $1`,
  },
  {
    type: 'DocumentVersionPermissions',
    states: {
      'uploaded by the analyst': () => version(seeded(), seeded().testData.analyst),
      'uploaded by an unknown user': () => version(seeded(), null),
    },
    read: (fields) => `documentVersion(id: $id) { ${fields} }`,
    mutations: {
      update: `updateDocumentVersion(input: { ${VERSION}, note: "Approved" }) { documentVersion { id } }`,
      delete: `deleteDocumentVersion(input: { ${VERSION} }) { documentVersion { id } }`,
    },
    facts: 'select to_jsonb(d) from document_version d where id = $1',
  },
  {
    type: 'OrganizationWorkflowPermissions',
    states: { associated: () => associated(seeded(), ISO) },
    read: (fields) => `organizationWorkflow(organizationId: $organization, workflowId: $id) { ${fields} }`,
    mutations: {
      // One of the two changes something.
      updateControls: `n: updateControls(input: { ${WORKFLOW}, controlIds: ["A.5.1"], changes: { note: "n" } }) { totalCount }
        m: updateControls(input: { ${WORKFLOW}, controlIds: ["A.5.1"], changes: { note: "m" } }) { totalCount }`,
      dissociate: `dissociateWorkflow(input: { ${WORKFLOW} }) { organizationWorkflow { id } }`,
    },
    facts: `select (select count(*) from organization_workflow where workflow_id = $1),
                   (select max(updated_at) from control_state where workflow_id = $1)`,
  },
  {
    type: 'OrganizationControlPermissions',
    states: {
      'a control of an associated workflow': () => control(seeded()),
      'a control that the caller answers for, done on a document': (caller) => attestable(seeded(), caller),
    },
    read: (fields) => `organizationControl(${CONTROL}, controlId: $id) { ${fields} }`,
    mutations: {
      update: `n: updateControl(input: { ${CONTROL}, controlId: $id, note: "n" }) { control { id } }
        m: updateControl(input: { ${CONTROL}, controlId: $id, note: "m" }) { control { id } }`,
      uploadDocuments: `uploadDocumentVersion(input: { ${CONTROL}, artifactId: $id, file: $file }) { documentVersion { id } }`,
      attest: `attestControl(input: { ${CONTROL}, controlId: $id, statement: "In force." }) { attestation { id } }`,
    },
    facts: `select (select max(updated_at) from control_state where control_id = $1),
                   (select count(*) from document_version where artifact_id = $1),
                   (select count(*) from control_attestation where control_id = $1) as attestations`,
  },
  {
    type: 'ControlAttestationPermissions',
    states: {
      'made by a former member': () => attestation(seeded()),
      'made by the caller': (caller) => attestation(seeded(), seeded().people[caller]),
      'countersigned already': async () => changed(seeded(), await attestation(seeded()), 'countersigned_at = now()'),
      'found to be stale': async () => changed(seeded(), await attestation(seeded()), 'stale_at = now()'),
      withdrawn: async () => changed(seeded(), await attestation(seeded()), 'withdrawn_at = now()'),
    },
    read: (fields) => `controlAttestation(${ATTESTED}, id: $id) { ${fields} }`,
    mutations: {
      countersign: `countersignAttestation(input: { ${ATTESTED}, attestationId: $id }) { attestation { id } }`,
      withdraw: `withdrawAttestation(input: { ${ATTESTED}, attestationId: $id }) { attestation { id } }`,
    },
    facts: 'select to_jsonb(a) from control_attestation a where id = $1',
  },
  {
    type: 'WorkflowImportPermissions',
    states: {
      'a workflow': () => imported(seeded(), OWN, 'WORKFLOW'),
      'an associated workflow': async () => associated(seeded(), await imported(seeded(), OWN, 'WORKFLOW')),
      'a mapping': () => imported(seeded(), OWN, 'MAPPING'),
      'titles of an associated workflow': async () => imported(seeded(), await associated(seeded(), ISO), 'TITLES'),
    },
    read: (fields) => `organization(id: $organization) { workflowImports { nodes { ${fields} } } }`,
    mutations: {
      replace: [WORKFLOW_FIELDS, `mode: TITLES, ${WORKFLOW_FIELDS}`, `mode: MAPPING, ${MAPPING_FIELDS}`].map(
        (fields) => `importWorkflow(input: { organizationId: $organization, id: $id,
          source: { text: "Ours" }, licence: "Ours", ${fields} }) { created }`,
      ),
      delete: `deleteWorkflowImport(input: { ${WORKFLOW} }) { workflowImport { id } }`,
    },
    facts: 'select to_jsonb(i) from workflow_import i where workflow_id = $1',
  },
  {
    type: 'ApiTokenPermissions',
    states: {
      'a token that reads': (caller) => token(seeded(), seeded().people[caller]),
      'a token that only reports checks': (caller) => token(seeded(), seeded().people[caller], ['telemetry']),
      'a token with more scopes than some callers': (caller) =>
        token(seeded(), seeded().people[caller], ['read', 'write', 'telemetry']),
      'a revoked token': (caller) => token(seeded(), seeded().people[caller], ['read'], 'revoked_at = now()'),
      'a replaced token': (caller) => token(seeded(), seeded().people[caller], ['read'], 'replaced_at = now()'),
      'an expired token': (caller) => token(seeded(), seeded().people[caller], ['read'], 'expires_at = now()'),
    },
    read: (fields) => `apiToken(id: $id) { ${fields} }`,
    mutations: {
      revoke: 'revokeApiToken(input: { tokenId: $id }) { apiToken { id } }',
      rotate: 'rotateApiToken(input: { tokenId: $id }) { apiToken { id } }',
    },
    facts: 'select to_jsonb(t) from api_token t where id = $1',
  },
  {
    type: 'OrganizationApiTokenPermissions',
    states: {
      'a token of a member': () => token(seeded(), seeded().testData.analyst),
      'a blocked token of a member': () => blocked(seeded()),
    },
    callers: OWNERS,
    read: (fields) => `organization(id: $organization) { apiTokens(first: 1) { nodes { ${fields} } } }`,
    mutations: {
      block: 'blockApiToken(input: { organizationId: $organization, tokenId: $id }) { apiToken { id } }',
    },
    facts: 'select to_jsonb(b) from token_block b where token_id = $1',
  },
  {
    type: 'InvitationPermissions',
    states: {
      'open to a viewer': () => invitation(seeded(), 'VIEWER'),
      'open to an owner': () => invitation(seeded(), 'ORGANIZATION_OWNER'),
      accepted: () => invitation(seeded(), 'VIEWER', 'accepted_at = now()'),
      cancelled: () => invitation(seeded(), 'VIEWER', 'closed_at = now()'),
      expired: () => invitation(seeded(), 'VIEWER', 'expires_at = now()'),
      'sent five times': () => invitation(seeded(), 'VIEWER', 'sent_at = array_fill(now(), array[5])'),
    },
    callers: MANAGERS,
    read: (fields) => `invitation(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      resend: 'resendInvitation(input: { organizationId: $organization, invitationId: $id }) { invitation { id } }',
      cancel: 'cancelInvitation(input: { organizationId: $organization, invitationId: $id }) { invitation { id } }',
    },
    facts: 'select to_jsonb(i) from invitation i where id = $1',
  },
  {
    type: 'ServiceAccountPermissions',
    states: {
      'a viewer': () => serviceAccount(seeded(), 'VIEWER'),
      'a manager': () => serviceAccount(seeded(), 'ORGANIZATION_MANAGER'),
    },
    callers: MANAGERS,
    read: (fields) => `serviceAccount(organizationId: $organization, id: $id) { ${fields} }`,
    mutations: {
      update: `updateServiceAccount(input: { ${ACCOUNT}, name: "Renamed" }) { serviceAccount { id } }`,
      delete: `deleteServiceAccount(input: { ${ACCOUNT} }) { serviceAccount { id } }`,
      manageTokens: `createServiceAccountToken(input: { ${ACCOUNT}, name: "a" }) { token }`,
    },
    facts: `select to_jsonb(u), (select count(*) from api_token t where t.user_id = u.id) as tokens,
                   (select count(*) from membership m where m.user_id = u.id) as memberships
              from app_user u where id::text = $1`,
  },
]);

const serviceAccount = async ({ database, testData }: Seeded, role: Role) =>
  (await buildServiceAccount(database, testData.organizationId, testData.owner, role)).id;

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

/** An organization in which the caller has its usual role, and a second member, who calls nothing, has `other`. */
async function organization({ database, testData, people }: Seeded, caller: CallerName, other: Role): Promise<number> {
  const id = await buildOrganization(database, 'Own');
  await database.rows(`update organization set logo = 'https://example.com/logo.png' where id = $1`, [id]);
  await database.rows(
    `insert into membership (user_id, organization_id, role)
     select user_id, $1, role from membership where user_id = $2 and organization_id = $3`,
    [id, people[caller].id, testData.organizationId],
  );
  await join(database, testData.nonMember, id, other);
  return id;
}

async function deactivated({ database, testData }: Seeded, id: number): Promise<number> {
  await database.rows('update membership set deactivated_at = now() where organization_id = $1 and user_id = $2', [
    id,
    testData.nonMember.id,
  ]);
  return id;
}

async function version({ database, testData }: Seeded, uploader: Person | null): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source,
       sha256, created_by, uploader_id)
     values ($1, $2, 'A.5.1', 'policy.txt', 1, 'text/plain', 'attached', gen_random_uuid()::text, 'someone', $3) returning id`,
    [testData.organizationId, ISO, uploader?.id ?? null],
  );
  return row!.id;
}

async function associated({ database, testData }: Seeded, workflowId: string): Promise<string> {
  await database.rows(
    'insert into organization_workflow (organization_id, workflow_id) values ($1, $2) on conflict do nothing',
    [testData.organizationId, workflowId],
  );
  return workflowId;
}

/** The same file each time: the upload creates a version only if the control has none. */
async function control(seeded: Seeded): Promise<string> {
  await associated(seeded, ISO);
  await seeded.database.rows('delete from document_version');
  return 'A.5.1';
}

async function imported({ database, testData }: Seeded, id: string, mode: ImportMode): Promise<string> {
  const workflow = { name: 'Own', version: '1', source: { text: 'Ours' }, controls: [] };
  const content = { id, ...(mode === 'MAPPING' ? { from: ISO, to: 'nis2-directive', pairs: [] } : workflow) };
  if (mode === 'WORKFLOW') await database.rows('delete from organization_workflow where workflow_id = $1', [id]);
  await database.rows(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by) values ($1, $2, $3, $4, 'someone')
       on conflict (organization_id, workflow_id) do update set mode = excluded.mode, content = excluded.content`,
    [testData.organizationId, id, mode, JSON.stringify(content)],
  );
  return id;
}

async function token(
  { database }: Seeded,
  { id: userId }: Person,
  scopes: Scope[] = ['read'],
  set?: string,
): Promise<number> {
  const { id } = await issueToken(database, {
    userId,
    name: 'made',
    scopes,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
  });
  if (set !== undefined) await database.rows(`update api_token set ${set} where id = $1`, [id]);
  return id;
}

async function blocked(seeded: Seeded): Promise<number> {
  const id = await token(seeded, seeded.testData.analyst);
  await seeded.database.rows('insert into token_block (token_id, organization_id) values ($1, $2)', [
    id,
    seeded.testData.organizationId,
  ]);
  return id;
}

async function invitation({ database, testData }: Seeded, role: string, set?: string): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into invitation (organization_id, email, role, digest, invited_by_id, expires_at, sent_at)
     values ($1, gen_random_uuid() || '@example.com', $2, gen_random_uuid()::text, $3, now() + interval '7 days', array[now()])
     returning id`,
    [testData.organizationId, role, testData.owner.id],
  );
  if (set !== undefined) await database.rows(`update invitation set ${set} where id = $1`, [row!.id]);
  return row!.id;
}

async function attestable(seeded: Seeded, caller: CallerName): Promise<string> {
  const { database, testData, people } = seeded;
  const controlId = await control(seeded);
  await buildAttestable(database, testData.organizationId, people[caller], { workflowId: ISO, controlId });
  return controlId;
}

async function attestation(seeded: Seeded, attester?: Person): Promise<number> {
  const { database, testData } = seeded;
  await associated(seeded, 'nis2-directive');
  return buildAttestation(database, testData.organizationId, testData.owner, attester);
}

async function changed({ database }: Seeded, id: number, change: string): Promise<number> {
  await database.rows(`update control_attestation set ${change} where id = $1`, [id]);
  return id;
}
