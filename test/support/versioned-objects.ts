import type { Database } from '../../src/database/database.js';
import { issueToken } from '../../src/services/tokens/token-minting.js';
import { buildAttestation } from './attestations.js';
import { buildEngagement, buildInvitation, buildRequest, buildServiceAccount, newMember } from './people.js';
import {
  buildIdentityProvider,
  buildImport,
  buildReport,
  buildScimToken,
  buildWebhook,
  UPLOAD_RULES,
} from './seeded-organization.js';
import {
  buildCloudDefender,
  buildIncident,
  buildPerson,
  buildThreatBlocker,
  type Person,
  type TestData,
} from './test-data.js';

export type Input = Readonly<Record<string, unknown>>;

/** An object that can be changed: its row, and its fields in the inputs of its mutations. */
export interface Made {
  table: string;
  id: string | number;
  key: Input;
  /** The expression for the version of its row `t`; `t.version` when absent. */
  version?: string;
  /** The caller of the change; the owner of the test data when absent. */
  token?: string;
}

/** Creates an object that a mutation can change, and returns the change. */
export interface Change {
  make(): Promise<Made>;
  change?: Input;
}

/** A member's choice, stored in the same row each time. */
type Wanted = 'alerts' | 'mail_preferences';

/** An object for each mutation with a version. The organization's own are in test/organizations. */
export function versionedObjects(database: Database, testData: TestData): Readonly<Record<string, Change>> {
  const { organizationId, owner } = testData;
  let numbers = 0;

  const idOf = async (text: string, values: readonly unknown[] = []) =>
    (await database.rows<{ id: number }>(text, [...values]))[0]!.id;

  async function incident(change = ''): Promise<Made> {
    const incidentId = await buildIncident(database, organizationId);
    if (change !== '') await database.rows(`update incident set ${change} where id = $1`, [incidentId]);
    return { table: 'incident', id: incidentId, key: { organizationId, incidentId } };
  }

  async function reportedIncident(): Promise<Made> {
    const made = await incident();
    await buildReport(database, made.id as number);
    return made;
  }

  async function document(): Promise<Made> {
    const documentVersionId = await idOf(
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by)
     values ($1, 'nis2-directive', '21.2.a', 'd', 1, 'text/plain', 'attached', lpad($2, 64, '0'), 'owner') returning id`,
      [organizationId, String((numbers += 1))],
    );
    return { table: 'document_version', id: documentVersionId, key: { organizationId, documentVersionId } };
  }

  async function edge(): Promise<Made> {
    const cloudDefenderId = await buildCloudDefender(database, organizationId);
    return { table: 'cloud_defender', id: cloudDefenderId, key: { cloudDefenderId } };
  }

  async function blocker(): Promise<Made> {
    const threatBlockerId = await buildThreatBlocker(database, organizationId);
    return { table: 'threat_blocker', id: threatBlockerId, key: { threatBlockerId } };
  }

  async function control(): Promise<Made> {
    const controlId = ['21.2.a', '21.2.b', '21.2.c', '21.2.d'][(numbers += 1) % 4]!;
    await database.rows('delete from control_state where organization_id = $1', [organizationId]);
    const id = await idOf(
      `insert into control_state (organization_id, workflow_id, control_id, status)
     values ($1, 'nis2-directive', $2, 'IN_PROGRESS') returning id`,
      [organizationId, controlId],
    );
    return { table: 'control_state', id, key: { organizationId, workflowId: 'nis2-directive', controlId } };
  }

  const membershipOf = ({ id }: Pick<Person, 'id'>) =>
    idOf('select id from membership where user_id = $1 and organization_id = $2', [id, organizationId]);

  async function member(): Promise<Made> {
    const person = await newMember(database, organizationId, 'VIEWER');
    const id = await membershipOf(person);
    return { table: 'membership', id, key: { organizationId, userId: person.id } };
  }

  async function wanted(what: Wanted, before: string): Promise<Made> {
    await database.rows(`update membership set ${before} where user_id = $1`, [owner.id]);
    return {
      table: 'membership',
      id: await membershipOf(owner),
      key: { organizationId },
      version: `t.${what}_version`,
    };
  }

  async function profile(): Promise<Made> {
    await database.rows(`update app_user set first_name = 'Before' where id = $1`, [owner.id]);
    return { table: 'app_user', id: owner.id, key: {} };
  }

  async function person(): Promise<Made> {
    const { id, username, token } = await buildPerson(database, 'leaving');
    return { table: 'app_user', id, key: { username }, token };
  }

  async function account(): Promise<Made> {
    const { id } = await buildServiceAccount(database, organizationId, owner);
    return { table: 'service_account', id, key: { organizationId, serviceAccountId: id } };
  }

  async function scimSettings(): Promise<Made> {
    await database.rows(
      `insert into scim_settings (organization_id, enabled, default_role, group_roles, link_members)
     values ($1, true, 'VIEWER', '[]', false) on conflict (organization_id) do update set enabled = true`,
      [organizationId],
    );
    return { table: 'scim_settings', id: organizationId, key: { organizationId } };
  }

  async function scimToken(): Promise<Made> {
    const scimTokenId = await buildScimToken(database, organizationId);
    return { table: 'scim_token', id: scimTokenId, key: { organizationId, scimTokenId } };
  }

  async function accountToken(): Promise<Made> {
    const { id } = await buildServiceAccount(database, organizationId, owner);
    const tokenId = await idOf('select id from api_token where user_id = $1', [id]);
    return { table: 'api_token', id: tokenId, key: { organizationId, serviceAccountId: id, tokenId } };
  }

  async function tokenOf({ id: userId }: Pick<Person, 'id'>, key: Input): Promise<Made> {
    const { id } = await issueToken(database, { userId, name: 'To change', scopes: ['read'], createdAt: new Date() });
    return { table: 'api_token', id, key: { ...key, tokenId: id } };
  }

  /** The version that an organization sees increases with its own block. */
  async function memberToken(): Promise<Made> {
    const made = await tokenOf(await newMember(database, organizationId, 'VIEWER'), { organizationId });
    const version = `t.version + (select count(*)::int from token_block b where b.token_id = t.id)`;
    return { ...made, version };
  }

  async function invitation(): Promise<Made> {
    const email = `invited-${(numbers += 1)}@example.com`;
    const { id } = await buildInvitation(database, { organizationId, owner, email });
    return { table: 'invitation', id, key: { organizationId, invitationId: id } };
  }

  async function provider(): Promise<Made> {
    await database.rows('delete from identity_domain');
    const providerId = await buildIdentityProvider(database, organizationId);
    return { table: 'identity_provider', id: providerId, key: { organizationId, identityProviderId: providerId } };
  }

  async function engagement(): Promise<Made> {
    await database.rows('delete from engagement where organization_id = $1', [organizationId]);
    const engagementId = await buildEngagement(database, organizationId, {});
    return { table: 'engagement', id: engagementId, key: { organizationId, engagementId } };
  }

  async function request(): Promise<Made> {
    const { id, key } = await engagement();
    const requestId = await buildRequest(database, id as number);
    return { table: 'evidence_request', id: requestId, key: { ...key, evidenceRequestId: requestId } };
  }

  async function attestation(): Promise<Made> {
    const attestationId = await buildAttestation(database, organizationId, owner);
    const key = { organizationId, workflowId: 'nis2-directive', controlId: '21.2.a', attestationId };
    return { table: 'control_attestation', id: attestationId, key };
  }

  async function webhook(): Promise<Made> {
    await database.rows('delete from webhook_endpoint');
    const { webhookEndpointId } = await buildWebhook(database, organizationId);
    return { table: 'webhook_endpoint', id: webhookEndpointId, key: { organizationId, webhookEndpointId } };
  }

  async function imported(key: Input): Promise<Made> {
    await database.rows('delete from workflow_import');
    await buildImport(database, organizationId);
    const id = await idOf('select id from workflow_import');
    return { table: 'workflow_import', id, key: { organizationId, ...key } };
  }

  return {
    updateIncident: { make: incident, change: { title: 'Changed' } },
    closeIncident: { make: incident, change: { reason: 'A false alarm.' } },
    reopenIncident: { make: () => incident(`status = 'CLOSED', closed_at = now(), closed_by = 'ann'`) },
    assessIncident: {
      make: () => incident('significant = false'),
      change: { services: ['other'], answers: [{ question: '23-3-b', answer: true }] },
    },
    rejudgeIncident: { make: incident, change: { reason: 'Other facts.' } },
    recordIncidentReport: { make: incident, change: { regimeId: 'nis2', stage: 'EARLY_WARNING' } },
    correctIncidentReport: {
      make: reportedIncident,
      change: { regimeId: 'nis2', stage: 'EARLY_WARNING', sentAt: null, reason: 'It was never sent.' },
    },
    updateDocumentVersion: { make: document, change: { note: 'Approved.' } },
    deleteDocumentVersion: { make: document },
    updateCloudDefender: { make: edge, change: { fqdn: 'other.example.org' } },
    deleteCloudDefender: { make: edge },
    updateThreatBlocker: { make: blocker, change: { deviceId: 'another' } },
    deleteThreatBlocker: { make: blocker },
    rotateAtbKey: { make: blocker },
    updateControl: { make: control, change: { note: 'Looked at.' } },
    updateMember: { make: member, change: { role: 'SECURITY_ANALYST' } },
    removeMember: { make: member },
    updateProfile: { make: profile, change: { firstName: 'After' } },
    eraseMe: { make: person },
    updateAlerts: { make: () => wanted('alerts', 'alert_atb = true'), change: { atb: false } },
    updateMailPreferences: {
      make: () => wanted('mail_preferences', 'mail_preferences = null'),
      change: { incident: 'NEVER' },
    },
    updateServiceAccount: { make: account, change: { role: 'SECURITY_OFFICER' } },
    deleteServiceAccount: { make: account },
    updateScimSettings: { make: scimSettings, change: { enabled: false } },
    revokeScimToken: { make: scimToken },
    revokeServiceAccountToken: { make: accountToken },
    rotateServiceAccountToken: { make: accountToken },
    revokeApiToken: { make: () => tokenOf(owner, {}) },
    rotateApiToken: { make: () => tokenOf(owner, {}) },
    blockApiToken: { make: memberToken },
    resendInvitation: { make: invitation },
    cancelInvitation: { make: invitation },
    updateIdentityProvider: { make: provider, change: { defaultRole: 'VIEWER' } },
    deleteIdentityProvider: { make: provider },
    verifyIdentityDomain: { make: provider, change: { domain: 'example.com' } },
    updateWebhookEndpoint: { make: webhook, change: { description: 'Changed' } },
    rotateWebhookSecret: { make: webhook },
    deleteWebhookEndpoint: { make: webhook },
    updateEngagement: { make: engagement, change: { name: 'Changed' } },
    answerEvidenceRequest: { make: request, change: { answer: 'Uploaded.' } },
    countersignAttestation: { make: attestation },
    withdrawAttestation: { make: attestation, change: { reason: 'Rewritten.' } },
    importWorkflow: { make: () => imported({}), change: { ...UPLOAD_RULES, name: 'Other rules' } },
    deleteWorkflowImport: { make: () => imported({ workflowId: UPLOAD_RULES.id }) },
  };
}
