import type { Queryable } from '../database/database.js';
import { ApiTokenService } from '../services/api-tokens.js';
import { BrandingService } from '../services/brandings.js';
import { CloudDefenderService } from '../services/cloud-defenders.js';
import { ControlChangeService } from '../services/control-changes.js';
import { ControlEvidenceService } from '../services/control-evidence.js';
import { ControlReminderService } from '../services/control-reminders.js';
import { ControlSearch } from '../services/control-search.js';
import { DocumentVersionChangeService } from '../services/document-version-changes.js';
import { DocumentVersionUploadService } from '../services/document-version-uploads.js';
import { DocumentVersionService } from '../services/document-versions.js';
import { DownloadService } from '../services/downloads.js';
import { EvidencePackService } from '../services/evidence-pack.js';
import { FormOptionsService } from '../services/form-options.js';
import { IdempotentAnswers } from '../services/idempotent-answers.js';
import { IncidentAttachmentService } from '../services/incident-attachments.js';
import { IncidentHandlingService } from '../services/incident-handling.js';
import { IncidentReminderService } from '../services/incident-reminders.js';
import { IncidentReportService } from '../services/incident-reports.js';
import { IncidentService } from '../services/incidents.js';
import { InvitationAcceptanceService } from '../services/invitation-acceptance.js';
import { InvitationService } from '../services/invitations.js';
import { InvitingService } from '../services/inviting.js';
import { LiveNotifications } from '../services/live-notifications.js';
import { MemberChangeService } from '../services/member-changes.js';
import { MemberService } from '../services/members.js';
import { NotificationHub } from '../services/notification-hub.js';
import { NotificationLiveService } from '../services/notification-live.js';
import { NotificationMarkService } from '../services/notification-marks.js';
import { NotificationRetention } from '../services/notification-retention.js';
import { NotificationService } from '../services/notifications.js';
import { OrganizationChangeService } from '../services/organization-changes.js';
import { OrganizationControlService } from '../services/organization-controls.js';
import { OrganizationLifecycleService } from '../services/organization-lifecycle.js';
import { OrganizationPurge } from '../services/organization-purge.js';
import { OrganizationReader } from '../services/organization-reader.js';
import { OrganizationSettingsService } from '../services/organization-settings.js';
import { OrganizationTokenService } from '../services/organization-tokens.js';
import { OrganizationWorkflowService } from '../services/organization-workflows.js';
import { OrganizationService } from '../services/organizations.js';
import { OwnershipService } from '../services/ownership-changes.js';
import { PrivilegeService } from '../services/privileges.js';
import { ProfileService } from '../services/profiles.js';
import { SearchService } from '../services/search.js';
import { ThreatBlockerService } from '../services/threat-blockers.js';
import { TokenRecoveryService } from '../services/token-recovery.js';
import { TokenRotationService } from '../services/token-rotation.js';
import { TokenWarningService } from '../services/token-warnings.js';
import { UnsubscribeLinks } from '../services/unsubscribe-links.js';
import { UnsubscriptionService } from '../services/unsubscriptions.js';
import { ViewerService } from '../services/viewer.js';
import { WeeklyReportFactsService } from '../services/weekly-report-facts.js';
import { WeeklyReportService } from '../services/weekly-reports.js';
import { WorkflowRules } from '../services/workflow-file.js';
import { WorkflowImportService } from '../services/workflow-imports.js';
import type { Foundation } from './foundation.js';

export type Services = ReturnType<typeof createServices>;

/** Every use-case, noun by noun, each with what it stands on. */
export function createServices(foundation: Foundation) {
  const reader = new OrganizationReader(foundation.config.publicUrl);
  return {
    ...ofOrganizations(foundation, reader),
    ...ofPeople(foundation, reader),
    ...ofWorkflows(foundation),
    ...ofIncidents(foundation),
    ...ofDevices(foundation),
    ...ofNotifications(foundation),
    ...ofWeeklyReports(foundation),
  };
}

function ofOrganizations(foundation: Foundation, reader: OrganizationReader) {
  const { database, access, content, config, now } = foundation;
  const { publicUrl, quotas } = config;
  const changes = new OrganizationChangeService(database, access, reader, { content, publicUrl, now });
  return {
    changes,
    organizations: new OrganizationService(database, access, content, reader, publicUrl, now, quotas),
    settings: new OrganizationSettingsService(database, access, changes),
    lifecycle: new OrganizationLifecycleService(database, access, reader, now),
    ownership: new OwnershipService(database, access, reader, now, quotas),
    organizationPurge: new OrganizationPurge(database, { content, now }),
    brandings: new BrandingService(database, access, changes),
    privileges: new PrivilegeService(access),
    formOptions: new FormOptionsService(access, quotas),
  };
}

function ofPeople(foundation: Foundation, reader: OrganizationReader) {
  const { database, access, mails, queues, config, now, milliseconds } = foundation;
  const { publicUrl, quotas } = config;
  const enqueue = (tx: Queryable, recoveryId: number) => queues.enqueue(tx, 'recovery', { recoveryId });
  const members = new MemberService(database, access);
  const tokens = new ApiTokenService(database, access, milliseconds);
  const viewers = new ViewerService(database, access, tokens);
  return {
    members,
    memberChanges: new MemberChangeService(database, access, members, now, quotas),
    invitations: new InvitationService(database, access, now),
    inviting: new InvitingService(database, access, { mails, publicUrl, now, quotas }),
    acceptance: new InvitationAcceptanceService(database, access, now, quotas),
    tokens,
    idempotency: new IdempotentAnswers(database, now),
    recovery: new TokenRecoveryService(database, { mails, enqueue, publicUrl, now }),
    rotation: new TokenRotationService(database, access, now),
    organizationTokens: new OrganizationTokenService(database, access, now),
    tokenWarnings: new TokenWarningService(database, now),
    viewers,
    profiles: new ProfileService(database, access, viewers, reader),
  };
}

function ofWorkflows(foundation: Foundation) {
  const { database, access, catalogs, catalogDir, links, store, content, config, now } = foundation;
  const { publicUrl } = config;
  const workflows = new OrganizationWorkflowService(database, access, catalogs, { now });
  const documents = new DocumentVersionService(database, access, workflows, links, publicUrl);
  const rules = new WorkflowRules(catalogDir);
  return {
    workflows,
    workflowImports: new WorkflowImportService(database, access, catalogs, { rules, now }),
    controls: new OrganizationControlService(database, access, workflows, { now }),
    controlChanges: new ControlChangeService(database, access, workflows, { now }),
    controlEvidence: new ControlEvidenceService(database, catalogs),
    controlReminders: new ControlReminderService(database, catalogs, now),
    documents,
    documentUploads: new DocumentVersionUploadService(access, content, workflows, documents, now),
    documentChanges: new DocumentVersionChangeService(database, access, documents, content, now),
    downloads: new DownloadService(database, store, links),
    evidencePacks: new EvidencePackService(database, access, catalogs, { store, links, now }),
    search: new SearchService(database, access, new ControlSearch(database, catalogs), publicUrl),
  };
}

function ofIncidents({ database, access, links, content, config: { publicUrl }, now }: Foundation) {
  return {
    incidents: new IncidentService(database, access, { publicUrl, now }),
    attachments: new IncidentAttachmentService(database, access, { content, links, now }),
    incidentHandling: new IncidentHandlingService(database, access, now),
    incidentReports: new IncidentReportService(database, access, now),
    incidentReminders: new IncidentReminderService(database, now),
  };
}

function ofDevices({ database, access, config: { publicUrl }, now }: Foundation) {
  return {
    cloudDefenders: new CloudDefenderService(database, access, { publicUrl, now }),
    threatBlockers: new ThreatBlockerService(database, access, { publicUrl, now }),
  };
}

function ofNotifications({ database, access, config: { publicUrl }, log, now }: Foundation) {
  const live = new LiveNotifications(database, publicUrl);
  const hub = new NotificationHub(live, (err) => log.warn({ err }, 'new notifications cannot be read'));
  const notifications = new NotificationService(database, access, publicUrl);
  return {
    notifications,
    notificationMarks: new NotificationMarkService(database, access, notifications),
    notificationRetention: new NotificationRetention(database, now),
    hub,
    notificationFeed: new NotificationLiveService(access, hub, live),
  };
}

function ofWeeklyReports({ database, access, catalogs, mails, config, now }: Foundation) {
  const { publicUrl, secretKey } = config;
  const facts = new WeeklyReportFactsService(database, catalogs, publicUrl);
  const links = new UnsubscribeLinks(publicUrl, secretKey);
  return {
    weeklyReports: new WeeklyReportService(database, access, { facts, mails, links, publicUrl, now }),
    unsubscriptions: new UnsubscriptionService(database, links, now),
  };
}
