import type { Queryable } from '../database/database.js';
import { deleteMailFiles } from '../mail/mailer.js';
import { AuditCheckpointService } from './audit/checkpoints.service.js';
import { AuditExportService } from './audit/export.service.js';
import { ListDownloadService } from './audit/list-downloads.service.js';
import { AuditPruningService } from './audit/pruning.service.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { AuditVerificationService } from './audit/verification.service.js';
import { CheckpointKey } from './audit/checkpoint-key.js';
import { Consumer } from './audit/consumer.js';
import { ApiTokenService } from './tokens/tokens.service.js';
import { BrandingService, OrganizationSettingsService } from './organizations/settings.service.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER } from './devices/device-kind.js';
import { DeviceService } from './devices/devices.service.js';
import { ReportRetention } from './devices/device-report-store.js';
import { ControlChangeService } from './workflows/control-update.service.js';
import { ControlEvidenceService } from './workflows/control-evidence.js';
import { ControlReminderService } from './workflows/due-controls.service.js';
import { DocumentVersionChangeService } from './documents/document-update.service.js';
import { DocumentVersionUploadService } from './documents/document-upload.service.js';
import { DocumentVersionService } from './documents/document-versions.service.js';
import { DueReportService } from './incidents/due-reports.js';
import { DownloadService } from './files/downloads.service.js';
import { ErasureService } from './members/erasure.service.js';
import { EvidencePackService } from './files/evidence-pack.service.js';
import { OscalExportService } from './files/oscal-export.service.js';
import { FormOptionsService } from './organizations/form-options.service.js';
import { IdempotentAnswers } from './shared/idempotent-answers.js';
import { IncidentAttachmentService } from './incidents/attachments.service.js';
import { IncidentHandlingService } from './incidents/incident-update.service.js';
import { IncidentNoteService } from './incidents/notes.service.js';
import { IncidentReminderService } from './incidents/reminders.service.js';
import { ReportDraftService } from './incidents/report-drafts.service.js';
import { IncidentReportService } from './incidents/reports.service.js';
import { IncidentTables } from './incidents/incident-tables.js';
import { IncidentTimelineService } from './incidents/timeline.service.js';
import { IncidentService } from './incidents/incidents.service.js';
import { InvitationAcceptanceService } from './members/accept-invitation.service.js';
import { InvitationService } from './members/invitations.service.js';
import { InvitingService } from './members/invite.service.js';
import { MailDigestService } from './notifications/mail-digest.service.js';
import { NotificationMails } from './notifications/notification-mails.js';
import { MailPreferenceService } from './notifications/mail-preferences.service.js';
import { LiveNotifications } from './notifications/live-notifications.js';
import { MemberChangeService } from './members/member-update.service.js';
import { MemberService } from './members/members.service.js';
import { NotificationBroadcaster } from './notifications/broadcaster.js';
import { NotificationLiveService } from './notifications/subscription.js';
import { NotificationRetention } from './notifications/retention.service.js';
import { NotificationService } from './notifications/notifications.service.js';
import { eventsOf, notify, type NotificationRules } from './notifications/notifier.js';
import { deviceNotifications } from './devices/notifications.js';
import { documentNotifications } from './documents/notifications.js';
import { incidentNotifications } from './incidents/notifications.js';
import { memberNotifications } from './members/notifications.js';
import { organizationNotifications } from './organizations/notifications.js';
import { tokenNotifications } from './tokens/notifications.js';
import { workflowNotifications } from './workflows/notifications.js';
import { OrganizationChangeService } from './organizations/organization-update.service.js';
import { OrganizationControlService } from './workflows/controls.service.js';
import { OrganizationPurge } from './organizations/purge.service.js';
import { OrganizationReader } from './shared/organization-columns.js';

import { OrganizationTokenService } from './tokens/organization-tokens.service.js';
import { OrganizationWorkflowService } from './workflows/workflows.service.js';
import { OrganizationService } from './organizations/organizations.service.js';
import { PortfolioService, WorkService } from './portfolio/portfolio.service.js';
import { PrivilegeService } from './shared/privileges.js';
import { PersonalDataService } from './members/personal-data.service.js';
import { ProfileService } from './members/profile.service.js';
import { ReuseSuggestionService } from './documents/reuse-suggestions.service.js';
import { SearchService } from './search/search.service.js';

import { TokenRecoveryService } from './tokens/recovery.service.js';
import { TokenWarningService } from './tokens/warnings.service.js';
import { UnsubscribeLinks } from './shared/unsubscribe-links.js';
import { UnsubscriptionService } from './reports/unsubscribe.service.js';

import { WeeklyReportFactsService } from './reports/weekly-report-facts.js';
import { WeeklyReportPosting } from './reports/weekly-report-posting.service.js';
import { WeeklyReportService } from './reports/weekly-reports.service.js';
import { WorkflowImportService } from './workflows/imports.service.js';
import type { Foundation } from '../infrastructure.js';

/** What members are notified of, in all domains. */
const NOTIFICATION_RULES: NotificationRules = {
  ...organizationNotifications,
  ...memberNotifications,
  ...tokenNotifications,
  ...workflowNotifications,
  ...documentNotifications,
  ...incidentNotifications,
  ...deviceNotifications,
};

export type Services = ReturnType<typeof createServices>;

/** Every use case by noun, with what it depends on. */
export function createServices(foundation: Foundation) {
  const reader = new OrganizationReader(foundation.config.publicUrl);
  const audit = ofAuditTrails(foundation);
  const workflows = ofWorkflows(foundation, reader, audit.auditCheckpoints);
  return {
    ...ofOrganizations(foundation, reader, audit.auditCheckpoints),
    ...ofPeople(foundation, reader),
    ...workflows,
    ...ofIncidents(foundation, audit.auditTrails),
    ...audit,
    ...ofPortfolio(foundation),
    ...ofDevices(foundation),
    ...ofNotifications(foundation, reader),
    ...ofMails(foundation, reader, workflows),
    consumers: ofConsumers(foundation),
  };
}

function ofOrganizations(foundation: Foundation, reader: OrganizationReader, checkpoints: AuditCheckpointService) {
  const { database, access, content, config, now } = foundation;
  const { publicUrl, quotas } = config;
  const changes = new OrganizationChangeService(database, access, reader, { content, publicUrl, now });
  return {
    changes,
    organizations: new OrganizationService(database, access, content, reader, publicUrl, now, quotas),
    settings: new OrganizationSettingsService(database, access, changes),
    organizationPurge: new OrganizationPurge(database, { content, checkpoints, now }),
    brandings: new BrandingService(database, access, changes),
    privileges: new PrivilegeService(access),
    formOptions: new FormOptionsService(access, quotas),
  };
}

function ofPeople(foundation: Foundation, reader: OrganizationReader) {
  const { database, access, mails, queues, config, links, log, now } = foundation;
  const { publicUrl, quotas } = config;
  const enqueue = (tx: Queryable, recoveryId: number) => queues.enqueue(tx, 'recovery', [{ data: { recoveryId } }]);
  const members = new MemberService(database, access);
  const tokens = new ApiTokenService(database, access, now);
  const deleteFiles = (mailIds: readonly string[]) =>
    deleteMailFiles(config, mailIds).catch((err: unknown) => log.error({ err }, 'files of mails were not deleted'));
  return {
    members,
    memberChanges: new MemberChangeService(database, access, members, reader, now, quotas),
    invitations: new InvitationService(database, access, now),
    inviting: new InvitingService(database, access, { mails, publicUrl, now, quotas }),
    acceptance: new InvitationAcceptanceService(database, access, now, quotas),
    tokens,
    idempotency: new IdempotentAnswers(database, now),
    recovery: new TokenRecoveryService(database, { mails, enqueue, publicUrl, now }),
    organizationTokens: new OrganizationTokenService(database, access, now),
    tokenWarnings: new TokenWarningService(database, now),
    erasure: new ErasureService(database, access, { now, deleteFiles }),
    personalData: new PersonalDataService(database, access, links, now),
    profiles: new ProfileService(database, access, tokens, reader, now),
  };
}

function ofWorkflows(foundation: Foundation, reader: OrganizationReader, checkpoints: AuditCheckpointService) {
  const { database, access, catalogs, links, store, content, config, regimes, now } = foundation;
  const { publicUrl } = config;
  const workflows = new OrganizationWorkflowService(database, access, catalogs, now);
  const documents = new DocumentVersionService(database, access, workflows, links, publicUrl, now);
  const controls = new OrganizationControlService(database, access, workflows, now);
  return {
    workflows,
    workflowImports: new WorkflowImportService(database, access, catalogs, now),
    controls,
    controlChanges: new ControlChangeService(database, access, workflows, now),
    controlEvidence: new ControlEvidenceService(database, catalogs, controls, now),
    controlReminders: new ControlReminderService(database, catalogs, now),
    documents,
    documentUploads: new DocumentVersionUploadService(access, content, workflows, documents, now),
    documentChanges: new DocumentVersionChangeService(database, access, documents, content, now),
    reuseSuggestions: new ReuseSuggestionService(database, access, catalogs, controls, documents),
    downloads: new DownloadService(database, store, links, now),
    evidencePacks: new EvidencePackService(database, access, catalogs, checkpoints, {
      ...{ store, links, now },
      incidents: new IncidentTables({ regimes, now }),
    }),
    oscalExports: new OscalExportService(database, access, catalogs, publicUrl, now),
    search: new SearchService(database, access, catalogs, reader),
  };
}

function ofIncidents(
  { database, access, links, content, regimes, config: { publicUrl }, now }: Foundation,
  entry: AuditTrailService,
) {
  const attachments = new IncidentAttachmentService(database, access, content, links, now);
  const incidentNotes = new IncidentNoteService(database, access, now);
  const incidentReports = new IncidentReportService(database, access, regimes, now);
  const sources = { entry, report: incidentReports, attachment: attachments, note: incidentNotes };
  return {
    incidents: new IncidentService(database, access, { publicUrl, regimes, now }),
    attachments,
    incidentHandling: new IncidentHandlingService(database, access, regimes, now),
    incidentNotes,
    incidentReports,
    incidentTimelines: new IncidentTimelineService(database, access, sources),
    reportDrafts: new ReportDraftService(database, access, regimes, now),
    incidentReminders: new IncidentReminderService(database, regimes, now),
  };
}

function ofPortfolio({ database, access, catalogs, regimes, config: { publicUrl }, now }: Foundation) {
  const dueReports = new DueReportService({ publicUrl, regimes, now });
  const deps = { catalogs, dueReports, publicUrl, now };
  return {
    portfolio: new PortfolioService(database, access, deps),
    work: new WorkService(database, access, deps),
  };
}

function ofAuditTrails({ database, access, config, now }: Foundation) {
  const key = new CheckpointKey(config.secretKey);
  const auditCheckpoints = new AuditCheckpointService(database, access, key, now);
  return {
    auditCheckpoints,
    auditTrails: new AuditTrailService(database, access),
    auditExports: new AuditExportService(database, access, auditCheckpoints, now),
    listDownloads: new ListDownloadService(database, access, now),
    auditPruning: new AuditPruningService(database, key, now),
    auditVerification: new AuditVerificationService(database, access, key),
  };
}

function ofDevices({ database, access, config: { publicUrl }, now }: Foundation) {
  return {
    cloudDefenders: new DeviceService(database, access, CLOUD_DEFENDER, publicUrl, now),
    threatBlockers: new DeviceService(database, access, THREAT_BLOCKER, publicUrl, now),
    reportRetention: new ReportRetention(database, now),
  };
}

function ofNotifications(
  { database, access, config: { publicUrl }, log, now }: Foundation,
  reader: OrganizationReader,
) {
  const live = new LiveNotifications(database, reader);
  const broadcaster = new NotificationBroadcaster(live, (err) => log.warn({ err }, 'new notifications cannot be read'));
  return {
    notifications: new NotificationService(database, access, publicUrl),
    notificationRetention: new NotificationRetention(database, now),
    broadcaster,
    notificationFeed: new NotificationLiveService(access, broadcaster, live),
  };
}

/** What follows the audit trails of organizations. */
function ofConsumers({ database, mails, config, log, now }: Foundation): readonly Consumer[] {
  const { publicUrl, secretKey } = config;
  const links = new UnsubscribeLinks(publicUrl, secretKey);
  const notificationMails = new NotificationMails(NOTIFICATION_RULES, { mails, links, publicUrl }, now);
  const actions = Object.keys(NOTIFICATION_RULES);
  return [
    new Consumer({
      ...{ database, log, actions, name: 'notifications', pause: 50 },
      handle: (tx, entries) => notify(tx, eventsOf(NOTIFICATION_RULES, entries)),
    }),
    new Consumer({
      ...{ database, log, actions, name: 'mails', pause: 1_000 },
      handle: (tx, entries) => notificationMails.post(tx, entries),
    }),
  ];
}

function ofMails(foundation: Foundation, reader: OrganizationReader, workflows: ReturnType<typeof ofWorkflows>) {
  const { database, access, catalogs, regimes, mails, queues, config, now } = foundation;
  const { publicUrl, secretKey } = config;
  const { controls, controlEvidence: evidence } = workflows;
  const facts = new WeeklyReportFactsService(database, { catalogs, controls, evidence, regimes, publicUrl });
  const links = new UnsubscribeLinks(publicUrl, secretKey);
  const mailPreferences = new MailPreferenceService(database, access, reader, now);
  const enqueue = (batches: readonly number[]) =>
    queues.enqueue(
      database,
      'weekly-report',
      batches.map((batch) => ({ data: { batch }, singletonKey: String(batch) })),
    );
  return {
    mailPreferences,
    mailDigests: new MailDigestService(database, { mails, links, publicUrl }, now),
    weeklyReports: new WeeklyReportService(database, access, { facts, publicUrl, now }),
    weeklyReportPosting: new WeeklyReportPosting(database, { facts, mails, links, enqueue, now }),
    unsubscriptions: new UnsubscriptionService(database, links, mailPreferences, now),
  };
}
