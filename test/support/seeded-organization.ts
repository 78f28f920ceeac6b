import type { Database } from '../../src/database/database.js';
import { buildAttestation } from './attestations.js';
import { buildEngagement, buildInvitation, buildRequest, buildServiceAccount } from './people.js';
import {
  buildCloudDefender,
  buildIncident,
  buildNotifications,
  buildPerson,
  buildThreatBlocker,
  buildToken,
  buildWorkflow,
  join,
  type Person,
} from './test-data.js';

/** The ids of all objects that `seedOrganization` creates. */
export interface SeededOrganization {
  /** A member whom managers manage, and who calls nothing. */
  memberId: string;
  importJobId: number;
  invitationId: number;
  identityProviderId: number;
  engagementId: number;
  evidenceRequestId: number;
  attestationId: number;
  auditorId: string;
  scimTokenId: number;
  serviceAccountId: string;
  webhookEndpointId: number;
  webhookDeliveryId: number;
  ownWebhookEndpointId: number;
  ownWebhookDeliveryId: number;
  /** Token of the service account. */
  accountTokenId: number;
  /** Token of the owner. */
  tokenId: number;
  documentVersionId: number;
  incidentId: number;
  noteId: number;
  reportId: number;
  attachmentId: number;
  cloudDefenderId: number;
  threatBlockerId: number;
  atbKey: string;
  /** Endpoint of the owner. */
  notificationId: number;
  /** Id of a weekly report. */
  deliveryId: number;
}

/** A custom workflow that `seedOrganization` imports. */
export const UPLOAD_RULES = {
  id: 'house-rules',
  name: 'House rules',
  version: '1',
  source: { text: 'Ours' },
  licence: 'Ours',
  controls: [{ id: 'H1', label: 'Lock the door', kind: 'control' }],
};

/**
 * The keys of the objects of `seedOrganization`: the part of each is named after its id, where types do not share its
 * name.
 */
export function seededKeys(seeded: SeededOrganization, organizationId: number, owner: Person) {
  const shared = { ...seeded, organizationId, workflowId: 'nis2-directive', controlId: '21.2.a' };
  const others: Readonly<Record<string, object>> = {
    OrganizationUser: { userId: seeded.memberId },
    ServiceAccountToken: { tokenId: seeded.accountTokenId },
    User: { userId: owner.id },
    WorkflowImport: { workflowId: UPLOAD_RULES.id },
  };
  return (type: string) => ({ ...shared, ...others[type] }) as Readonly<Record<string, number | string>>;
}

/** Creates one object of each kind in an organization. `owner` is a member already. */
export async function seedOrganization(
  database: Database,
  organizationId: number,
  owner: Person,
): Promise<SeededOrganization> {
  const member = await buildPerson(database, 'managed');
  await join(database, member, organizationId, 'VIEWER');
  await buildWorkflow(database, organizationId, 'nis2-directive');
  await buildImport(database, organizationId);
  await buildToken(database, owner, {});
  await buildNotifications(database, owner, organizationId, 1);
  await buildDelivery(database, organizationId);
  const threatBlockerId = await buildThreatBlocker(database, organizationId);
  const incidentId = await buildIncident(database, organizationId);
  await buildReport(database, incidentId);
  await buildNote(database, incidentId);
  const auditor = await buildPerson(database, 'auditor');
  const engagementId = await buildEngagement(database, organizationId, { auditor });
  const account = await buildServiceAccount(database, organizationId, owner);
  const one = async <Value>(text: string, values: unknown[]) =>
    (await database.rows<{ value: Value }>(text, values))[0]!.value;
  return {
    memberId: member.id,
    invitationId: (await buildInvitation(database, { organizationId, owner, email: `${member.id}@example.org` })).id,
    importJobId: await buildImportJob(database, organizationId, owner.id),
    identityProviderId: await buildIdentityProvider(database, organizationId),
    engagementId,
    evidenceRequestId: await buildRequest(database, engagementId),
    attestationId: await buildAttestation(database, organizationId, owner),
    auditorId: auditor.id,
    scimTokenId: await buildScimToken(database, organizationId),
    serviceAccountId: account.id,
    ...(await buildWebhook(database, organizationId)),
    ...(await buildOwnWebhook(database, owner.id, organizationId)),
    accountTokenId: await one('select max(id) as value from api_token where user_id = $1', [account.id]),
    tokenId: await one('select max(id) as value from api_token where user_id = $1', [owner.id]),
    documentVersionId: await one(
      `select id as value from document_version where organization_id = $1 and artifact_id = '21.2.a'`,
      [organizationId],
    ),
    incidentId,
    noteId: await one('select max(id) as value from incident_note where organization_id = $1', [organizationId]),
    reportId: await one('select max(id) as value from incident_report where organization_id = $1', [organizationId]),
    deliveryId: await one('select max(id) as value from weekly_report where organization_id = $1', [organizationId]),
    attachmentId: await one(
      `insert into incident_attachment (organization_id, incident_id, original_name, content_type, size, sha256, created_by)
       values ((select organization_id from incident where id = $1), $1, 'a', 'text/plain', 1, repeat('0', 64), 'owner') returning id as value`,
      [incidentId],
    ),
    cloudDefenderId: await buildCloudDefender(database, organizationId),
    threatBlockerId,
    atbKey: await one('select atb_key as value from threat_blocker where id = $1', [threatBlockerId]),
    notificationId: await one('select max(id) as value from notification where user_id = $1', [owner.id]),
  };
}

/** An import of one document that no queue runs. */
export async function buildImportJob(database: Database, organizationId: number, userId: string): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `with made as (
       insert into import_job (organization_id, kind, workflow_id, user_id, rows, due_at)
       values ($1, 'DOCUMENTS', 'nis2-directive', $2, 1, 'infinity') returning id),
     rows as (
       insert into import_row (organization_id, import_job_id, number, row, key, input)
       select $1, id, 1, 1, 'policy.txt', '{}' from made)
     select id from made`,
    [organizationId, userId],
  );
  return row!.id;
}

/** DNS records of the domains of `buildIdentityProvider`. */
export const PROVEN = async () => [['compliance-gateway-verification=c']];

/** An identity provider without a working sign-in, with an unverified domain. */
export async function buildIdentityProvider(database: Database, organizationId: number): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `with made as (
       insert into identity_provider (organization_id, name, issuer, client_id, group_roles, redirect_uris)
       values ($1, 'p-' || gen_random_uuid(), 'https://login.example.com', 'gateway', '[]', '{}') returning id),
     domains as (
       insert into identity_domain (organization_id, provider_id, domain, challenge)
       select $1, id, 'example.com', 'c' from made)
     select id from made`,
    [organizationId],
  );
  return row!.id;
}

/** A webhook endpoint of a user that receives no event, and an abandoned delivery of the organization. */
export async function buildOwnWebhook(database: Database, userId: string, organizationId: number) {
  const [row] = await database.rows<{ ownWebhookEndpointId: number; ownWebhookDeliveryId: number }>(
    `with endpoint as (
       insert into webhook_endpoint (user_id, enabled_by_id, url, actions, format, secret)
       values ($2, $2, 'https://receiver.example.com/hooks', '{ORGANIZATION_PURGED}', 'EVENT', '\\x00') returning id)
     insert into webhook_delivery (endpoint_id, organization_id, seq, log_id, position, action, subject, status, attempts, next_attempt_at)
     select id, $1, 0, 0, 1, 'INCIDENT_OPENED', 'INCIDENT/1', 'FAILED', 10, null from endpoint
     returning endpoint_id as "ownWebhookEndpointId", id as "ownWebhookDeliveryId"`,
    [organizationId, userId],
  );
  return row!;
}

/** A webhook endpoint that receives no event, and an abandoned delivery. */
export async function buildWebhook(database: Database, organizationId: number) {
  const [row] = await database.rows<{ webhookEndpointId: number; webhookDeliveryId: number }>(
    `with endpoint as (
       insert into webhook_endpoint (organization_id, url, actions, format, secret)
       values ($1, 'https://receiver.example.com/hooks', '{ORGANIZATION_PURGED}', 'EVENT', '\\x00') returning id)
     insert into webhook_delivery (endpoint_id, organization_id, seq, log_id, position, action, subject, status, attempts, next_attempt_at)
     select id, $1, 0, 0, 1, 'INCIDENT_OPENED', 'INCIDENT/1', 'FAILED', 10, null from endpoint
     returning endpoint_id as "webhookEndpointId", id as "webhookDeliveryId"`,
    [organizationId],
  );
  return row!;
}

/** An unused token of a directory, where SCIM is enabled. */
export async function buildScimToken(database: Database, organizationId: number): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `with settings as (
       insert into scim_settings (organization_id, enabled, default_role, group_roles, link_members)
       values ($1, true, 'VIEWER', '[]', false) on conflict do nothing)
     insert into scim_token (organization_id, name, digest, prefix, expires_at)
     values ($1, 'Entra ID', md5(random()::text), 'scim_8Ch', now() + interval '1 day') returning id`,
    [organizationId],
  );
  return row!.id;
}

/** Imports the custom rules as a workflow of this id, unless it exists. */
export async function buildImport(database: Database, organizationId: number, id = UPLOAD_RULES.id): Promise<void> {
  await database.rows(
    `insert into workflow_import (organization_id, workflow_id, mode, content, imported_by)
     values ($1, $2, 'WORKFLOW', $3, 'owner') on conflict do nothing`,
    [organizationId, id, JSON.stringify({ ...UPLOAD_RULES, id })],
  );
}

/** A NIS 2 report, sent at the time of awareness of the incident: the early warning unless another stage is given. */
export async function buildReport(database: Database, incidentId: number, stage = 'EARLY_WARNING'): Promise<void> {
  await database.rows(
    `insert into incident_report (organization_id, incident_id, regime_id, stage, sent_at, sent_by, recorded_by, recorded_at)
     select organization_id, id, 'nis2', $2, aware_at, 'ann', 'ann', aware_at from incident where id = $1`,
    [incidentId, stage],
  );
}

/** A note of Ann's. */
export async function buildNote(database: Database, incidentId: number): Promise<void> {
  await database.rows(
    `insert into incident_note (organization_id, incident_id, text, created_by)
     select organization_id, id, 'Noted', 'ann' from incident where id = $1`,
    [incidentId],
  );
}

/** A weekly report that was sent, to an address of its own. */
export async function buildDelivery(
  database: Database,
  organizationId: number,
  email = 'board@example.com',
): Promise<void> {
  await database.rows(
    `with mail as (
       insert into outgoing_mail (id, recipient, state, created_at)
       values (gen_random_uuid(), $2, 'SENT', '2026-11-16') returning id
     )
     insert into weekly_report (organization_id, week, email, mail_id) select $1, '2026-W47', $2, id from mail`,
    [organizationId, email],
  );
}
