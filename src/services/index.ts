import { VERSION } from '../common/version.js';
import { AuditCheckpointService } from './audit/checkpoints.service.js';
import { CheckpointMails } from './audit/checkpoint-mails.js';
import { AuditExportService } from './audit/export.service.js';
import { ListDownloadService } from './audit/list-downloads.service.js';
import { AuditPruningService } from './audit/pruning.service.js';
import { AuditTrailService } from './audit/audit-trail.service.js';
import { CheckpointWitnesses } from './audit/checkpoint-witnesses.js';
import { AuditVerificationService } from './audit/verification.service.js';
import { createTrailGuards } from './audit/trail-guards.js';
import { TrailSealer } from './audit/trail-sealer.js';
import { TokenService } from './tokens/tokens.service.js';
import { BRANDING_PART, OrganizationPart, SETTINGS_PART } from './organizations/organization-part.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER } from './devices/device-kind.js';
import { DeviceService } from './devices/devices.service.js';
import { AttestService } from './workflows/attest.service.js';
import { AttestationService } from './workflows/attestations.service.js';
import { AttestationWatch } from './workflows/attestation-watch.js';
import { ControlImportService } from './workflows/control-import.service.js';
import { ControlUpdateService } from './workflows/control-update.service.js';
import { ControlEvidenceService } from './workflows/control-evidence.service.js';
import { ControlReminderService } from './workflows/control-reminders.service.js';
import { DocumentImportService } from './documents/document-import.service.js';
import { DocumentVersionUpdateService } from './documents/document-version-update.service.js';
import { DocumentVersionService } from './documents/document-versions.service.js';
import { DownloadService } from './files/downloads.service.js';
import { ErasureService } from './members/erasure.service.js';
import { EvidencePackService } from './files/evidence-pack.service.js';
import { OscalExportService } from './files/oscal-export.service.js';
import { AuditorStatementService } from './engagements/auditor-statements.service.js';
import { EngagementReadingService } from './engagements/engagement-reading.service.js';
import { EngagementService } from './engagements/engagements.service.js';
import { FormOptionsService } from './organizations/form-options.service.js';
import { IdentityProviderService } from './identity/identity-providers.service.js';
import { SignInService } from './identity/sign-in.service.js';
import { LockedChanges } from './shared/locked-changes.js';
import { IdempotentAnswers } from './shared/idempotent-answers.js';
import { ImportJobService } from './imports/import-jobs.service.js';
import { ImportWorker } from './imports/import-worker.js';
import { IncidentAttachmentService } from './incidents/attachments.service.js';
import { IncidentUpdateService } from './incidents/incident-update.service.js';
import { IncidentNoteService } from './incidents/notes.service.js';
import { IncidentReminderService } from './incidents/reminders.service.js';
import { RehearsalReportService } from './incidents/rehearsal-report.service.js';
import { ReportDraftService } from './incidents/report-drafts.service.js';
import { IncidentReportService } from './incidents/reports.service.js';
import { IncidentJudgementService } from './incidents/judgements.service.js';
import { IncidentSignificanceService } from './incidents/significance.service.js';
import { IncidentTables } from './incidents/incident-tables.js';
import { IncidentTimelineService } from './incidents/timeline.service.js';
import { IncidentService } from './incidents/incidents.service.js';
import { InvitationService } from './members/invitations.service.js';
import { InviteManyService } from './members/invite-many.service.js';
import { InviteService } from './members/invite.service.js';
import { MailDigestService } from './notifications/mail-digests.service.js';
import { MailPreferenceService } from './notifications/mail-preferences.service.js';
import { NotificationBroadcaster } from './notifications/notification-broadcaster.js';
import { MemberImportService } from './members/member-import.service.js';
import { MemberUpdateService } from './members/member-update.service.js';
import { ScimGroupService } from './provisioning/scim-groups.service.js';
import { ScimSettingsService } from './provisioning/scim-settings.service.js';
import { ScimTokenService } from './provisioning/scim-tokens.service.js';
import { ScimUserService } from './provisioning/scim-users.service.js';
import { ServiceAccountService } from './members/service-accounts.service.js';
import { ServiceAccountTokenService } from './members/service-account-tokens.service.js';
import { MemberService } from './members/members.service.js';
import { LiveNotificationService } from './notifications/live-notifications.service.js';
import { NotificationRetention } from './notifications/notification-retention.js';
import { NotificationService } from './notifications/notifications.service.js';
import { notify } from './notifications/notifier.js';
import { ReportRetention } from './devices/report-retention.js';
import { ReportThinning } from './devices/report-thinning.js';
import { TokenWarningService } from './tokens/token-warnings.service.js';
import { OrganizationUpdateService } from './organizations/organization-update.service.js';
import { trailFaultNotice } from './organizations/notifications.js';
import { ControlService } from './workflows/controls.service.js';
import { OrganizationPurgeService } from './organizations/purge.service.js';
import { ChangesService } from './as-of/changes.service.js';
import { ProofService } from './as-of/proof.service.js';
import { AsOfService } from './as-of/as-of.service.js';
import { RecordedStates } from './as-of/recorded-states.js';
import { OrganizationLookup } from './shared/organization-lookup.js';
import { OrganizationReader } from './shared/organization-reader.js';
import { OrganizationTokenService } from './tokens/organization-tokens.service.js';
import { WorkflowService } from './workflows/workflows.service.js';
import { WebhookDeliveryService } from './webhooks/webhook-deliveries.service.js';
import { WebhookEndpointService } from './webhooks/webhook-endpoints.service.js';
import { OrganizationService } from './organizations/organizations.service.js';
import { PortfolioService } from './portfolio/portfolio.service.js';
import { WorkService } from './portfolio/work.service.js';
import { PrivilegeService } from './shared/privileges.service.js';
import { PersonalDataService } from './members/personal-data.service.js';
import { ProfileService } from './members/profile.service.js';
import { EventService } from './events/events.service.js';
import { EventRetention } from './events/event-records.js';
import { LiveEventService } from './events/live-events.service.js';
import { EventWakes } from './events/event-wakes.js';
import { ReuseSuggestionService } from './documents/reuse-suggestions.service.js';
import { SandboxService } from './sandboxes/sandboxes.service.js';
import { SearchService } from './search/search.service.js';
import { RegisteredDocuments } from './trusted-documents/registered-documents.js';
import { TokenRecoveryService } from './tokens/recovery.service.js';
import { StorageSweep } from './files/storage-sweep.js';
import { UnsubscribeLinks } from './shared/unsubscribe-links.js';
import { UnsubscribeService } from './reports/unsubscribe.service.js';
import { WeeklyReportFactsService } from './reports/weekly-report-facts.service.js';
import { WeeklyReportPostingService } from './reports/weekly-report-posting.service.js';
import { WeeklyReportService } from './reports/weekly-reports.service.js';
import { WorkflowImportService } from './workflows/imports.service.js';
import type { Foundation } from './foundation.js';
import { createConsumers } from './consumers.js';

export type Services = ReturnType<typeof createServices>;

/** Every use case by noun, with what it depends on. */
export function createServices(foundation: Foundation) {
  const { database, access, catalogs, links, store, verified, content } = foundation;
  const { config, regimes, mails, queues, readings, feed, log, now } = foundation;
  const { publicUrl, appUrl = publicUrl, secretKey, earlierSecretKeys } = config;
  const { stallSeconds } = config.connections;
  const wholeDays = config.deviceReportsWholeDays;
  const reader = new OrganizationReader(publicUrl);

  const guards = createTrailGuards(foundation, (tx, organizationId, at, fault) =>
    notify(tx, [trailFaultNotice(organizationId, at, fault)]),
  );
  const auditCheckpoints = new AuditCheckpointService(database, access, guards, now);
  const auditVerification = new AuditVerificationService(database, access, guards);
  const auditTrails = new AuditTrailService(database, access);
  const recordedStates = new RecordedStates(database, guards.key, foundation.presentTime, foundation);
  const asOf = new AsOfService(database, access, recordedStates, foundation.presentTime);

  const organizationUpdates = new OrganizationUpdateService(foundation, reader);
  const members = new MemberService(foundation);
  const memberUpdates = new MemberUpdateService(foundation, members, reader);
  const invitations = new InvitationService(foundation);
  const invite = new InviteService(foundation);
  const tokens = new TokenService(foundation);
  const webhookEndpoints = new WebhookEndpointService(foundation);
  const serviceAccounts = new ServiceAccountService(foundation);

  const workflows = new WorkflowService(database, access, catalogs, now);
  const documents = new DocumentVersionService(database, access, workflows, links, publicUrl, now);
  const documentUpdates = new DocumentVersionUpdateService(database, access, content, workflows, documents, now);
  const controls = new ControlService(database, access, workflows, now);
  const controlUpdates = new ControlUpdateService(database, access, workflows, now);
  const controlEvidence = new ControlEvidenceService(database, catalogs, controls, now);

  const inviteMany = new InviteManyService(access, invite, invitations);
  const memberImports = new MemberImportService(database, access, memberUpdates, stallSeconds);
  const controlImports = new ControlImportService(database, access, workflows, controls, controlUpdates, stallSeconds);
  const documentImports = new DocumentImportService(database, access, {
    ...{ content, workflows, documents, stallSeconds, updates: documentUpdates },
  });
  const imports = { memberImports, controlImports, documentImports };

  const attestations = new AttestationService(database, access, catalogs);
  const attestationDeps = { database, access, catalogs, workflows, attestations, now };

  const engagements = new EngagementService(foundation);
  const engagementReading = new EngagementReadingService({ ...foundation, asOf }, engagements, controls);

  const attachments = new IncidentAttachmentService(database, access, content, links, now);
  const incidentNotes = new IncidentNoteService(database, access, now);
  const incidentDeps = { database, regimes, now };
  const incidents = new IncidentService(database, access, { publicUrl, regimes, now });
  const incidentReports = new IncidentReportService(access, incidentDeps);
  const timelineSources = { entry: auditTrails, report: incidentReports, attachment: attachments, note: incidentNotes };

  const exampleUseCases = {
    ...{ workflows, incidentReports, incidentNotes, controlUpdates, documentUpdates },
    incidentUpdates: new IncidentUpdateService(access, incidentDeps),
    cloudDefenders: new DeviceService(database, access, CLOUD_DEFENDER, publicUrl, now, wholeDays),
    threatBlockers: new DeviceService(database, access, THREAT_BLOCKER, publicUrl, now, wholeDays),
  };

  const portfolioDeps = { catalogs, incidents, publicUrl, now };

  const onError = (err: unknown) => log.warn({ err }, 'new notifications cannot be read');
  const broadcaster = new NotificationBroadcaster(database, reader, onError);

  const events = new EventService(database, access, publicUrl);
  const eventWakes = new EventWakes({
    ...{ database, freshness: feed, stallSeconds },
    onError: (err) => log.warn({ err }, 'new events cannot be read'),
  });

  const unsubscribeLinks = new UnsubscribeLinks(publicUrl, secretKey, earlierSecretKeys);
  const mailPreferences = new MailPreferenceService(database, access, reader, now);
  const weeklySources = { catalogs, controls, evidence: controlEvidence, regimes, publicUrl };
  const weeklyFacts = new WeeklyReportFactsService(database, weeklySources);
  const enqueueWeekly = (batches: readonly number[]) =>
    queues.enqueue(
      database,
      'weekly-report',
      batches.map((batch) => ({ data: { batch }, singletonKey: String(batch) })),
    );
  const weeklyDeps = { facts: weeklyFacts, mails, links: unsubscribeLinks, enqueue: enqueueWeekly, appUrl, now };

  return {
    ...exampleUseCases,
    organizationUpdates,
    organizations: new OrganizationService(foundation, reader),
    organizationLookup: new OrganizationLookup(database),
    settings: new OrganizationPart(SETTINGS_PART, foundation, organizationUpdates),
    brandings: new OrganizationPart(BRANDING_PART, foundation, organizationUpdates),
    sandboxes: new SandboxService(foundation, reader, exampleUseCases),
    organizationPurge: new OrganizationPurgeService(foundation, auditCheckpoints),
    privileges: new PrivilegeService(access),
    formOptions: new FormOptionsService(foundation),

    members,
    memberUpdates,
    memberImports,
    invitations,
    invite,
    inviteMany,
    erasure: new ErasureService(foundation),
    personalData: new PersonalDataService(foundation),
    profiles: new ProfileService(foundation, tokens, reader),

    engagements,
    engagementReading,
    auditorStatements: new AuditorStatementService(foundation, engagements, engagementReading, workflows),

    serviceAccounts,
    serviceAccountTokens: new ServiceAccountTokenService(foundation, serviceAccounts, tokens),

    tokens,
    recovery: new TokenRecoveryService(foundation),
    registeredDocuments: new RegisteredDocuments(database, feed, log),
    organizationTokens: new OrganizationTokenService(foundation),
    identityProviders: new IdentityProviderService(foundation),
    signIn: new SignInService(foundation),
    scimSettings: new ScimSettingsService(foundation),
    scimTokens: new ScimTokenService(foundation),
    scimUsers: new ScimUserService(foundation),
    scimGroups: new ScimGroupService(foundation),
    tokenWarnings: new TokenWarningService(foundation),
    lockedChanges: new LockedChanges(foundation),
    idempotency: new IdempotentAnswers(database, access, config.quotas, now, VERSION),

    workflows,
    workflowImports: new WorkflowImportService(database, access, catalogs, now),
    controls,
    controlUpdates,
    controlImports,
    controlEvidence,
    controlReminders: new ControlReminderService(database, catalogs, now),
    attestations,
    attest: new AttestService(attestationDeps),
    attestationWatch: new AttestationWatch(database, catalogs, now),
    documents,
    documentUpdates,
    documentImports,
    importJobs: new ImportJobService({ ...foundation, ...imports, workflows }),
    importWorker: new ImportWorker({ ...foundation, ...imports, inviteMany }),
    reuseSuggestions: new ReuseSuggestionService(database, access, catalogs, controls, documents),
    storageSweep: new StorageSweep(foundation),
    downloads: new DownloadService(database, access, engagementReading, verified, links, readings, now),
    evidencePacks: new EvidencePackService(database, access, catalogs, auditCheckpoints, auditVerification, {
      ...{ store, links, readings, now },
      ...{ incidents: new IncidentTables({ regimes, now }), regimes: regimes.all },
    }),
    oscalExports: new OscalExportService(database, access, catalogs, { publicUrl, readings, now }),
    search: new SearchService(database, access, catalogs, reader),

    incidents,
    attachments,
    incidentJudgements: new IncidentJudgementService(access, incidentDeps),
    incidentNotes,
    incidentSignificance: new IncidentSignificanceService(access, incidentDeps),
    incidentReports,
    incidentTimelines: new IncidentTimelineService(database, access, timelineSources),
    reportDrafts: new ReportDraftService(database, access, { regimes, readings, now }),
    rehearsalReports: new RehearsalReportService(database, access, { regimes, readings, now }),
    incidentReminders: new IncidentReminderService(database, regimes, now),

    auditCheckpoints,
    auditTrails,
    recordedStates,
    asOf,
    changes: new ChangesService(database, access, asOf),
    proofs: new ProofService(database, access, asOf, {
      ...{ checkpoints: auditCheckpoints, verification: auditVerification },
      ...{ states: recordedStates, readings, links, now },
    }),
    auditExports: new AuditExportService(database, access, auditCheckpoints, auditVerification, readings, now),
    listDownloads: new ListDownloadService(database, access, readings, now),
    auditPruning: new AuditPruningService(database, guards.key, now, (tx, organizationId, position) =>
      recordedStates.prune(tx, organizationId, position),
    ),
    auditVerification,
    auditAlarms: guards.alarms,
    checkpointMails: new CheckpointMails(auditCheckpoints, mails, config),
    checkpointWitnesses: new CheckpointWitnesses(database, mails, now, config),
    auditSealer: new TrailSealer({ database, log, ...guards }),

    events,
    eventWakes,
    eventFeed: new LiveEventService(access, events, eventWakes),
    eventRetention: new EventRetention(database),

    webhookEndpoints,
    webhookDeliveries: new WebhookDeliveryService(foundation, webhookEndpoints),

    portfolio: new PortfolioService(database, access, portfolioDeps),
    work: new WorkService(database, access, portfolioDeps),

    reportRetention: new ReportRetention(database, now),
    reportThinnings: [CLOUD_DEFENDER, THREAT_BLOCKER].map(
      (kind) => new ReportThinning(database, kind, wholeDays, now, log),
    ),

    notifications: new NotificationService(database, access, publicUrl),
    notificationRetention: new NotificationRetention(database, now),
    broadcaster,
    notificationFeed: new LiveNotificationService(access, broadcaster),
    consumers: createConsumers(foundation, unsubscribeLinks),

    mailPreferences,
    mailDigests: new MailDigestService(database, { mails, links: unsubscribeLinks, publicUrl, appUrl }, now),
    weeklyReports: new WeeklyReportService(database, access, { facts: weeklyFacts, publicUrl, appUrl, now }),
    weeklyReportPosting: new WeeklyReportPostingService(database, weeklyDeps),
    unsubscriptions: new UnsubscribeService(database, unsubscribeLinks, mailPreferences, now),
  };
}
