import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { Access } from './access/access.js';
import type { Config } from './config.js';
import { accessRecords } from './database/access-records.js';
import { AnnouncementFeed } from './database/announcement-feed.js';
import { Database } from './database/database.js';
import { ReportingDevices } from './database/demo/reporting-devices.js';
import { TokenUsage } from './database/token-usage.js';
import { DocumentLimits } from './engine/document-limits.js';
import { Engine } from './engine/engine.js';
import { Admission } from './graphql/admission.js';
import { createApollo } from './graphql/apollo.js';
import { DocumentCache } from './graphql/document-cache.js';
import { GraphQLDoor } from './graphql/door.js';
import { KnownQueries } from './graphql/known-queries.js';
import { LiveDoors } from './graphql/live/live-doors.js';
import { createFront } from './http/front.js';
import { Health } from './http/health.js';
import { Metrics } from './http/metrics.js';
import type { Logger } from './logger.js';
import { EXPLORER_HEADERS, explorerPage } from './portal/explorer-page.js';
import { createPortal } from './portal/portal-app.js';
import { ApiTokenResolver } from './resolvers/api-token.resolver.js';
import { BrandingResolver } from './resolvers/branding.resolver.js';
import { CloudDefenderCheckResolver, CloudDefenderResolver } from './resolvers/cloud-defender.resolver.js';
import { DocumentVersionResolver } from './resolvers/document-version.resolver.js';
import { EvidencePackResolver } from './resolvers/evidence-pack.resolver.js';
import { FormOptionsResolver } from './resolvers/form-options.resolver.js';
import { IncidentAttachmentResolver } from './resolvers/incident-attachment.resolver.js';
import { IncidentHandlingResolver } from './resolvers/incident-handling.resolver.js';
import { IncidentReportResolver } from './resolvers/incident-report.resolver.js';
import { IncidentResolver } from './resolvers/incident.resolver.js';
import { InvitationResolver, OrganizationInvitationsResolver } from './resolvers/invitation.resolver.js';
import { MemberResolver } from './resolvers/member.resolver.js';
import { NotificationLiveResolver } from './resolvers/notification-live.resolver.js';
import { NotificationMarksResolver } from './resolvers/notification-marks.resolver.js';
import { NotificationResolver } from './resolvers/notification.resolver.js';
import { OrganizationControlResolver } from './resolvers/organization-control.resolver.js';
import { OrganizationResolver } from './resolvers/organization.resolver.js';
import { OrganizationLifecycleResolver } from './resolvers/organization-lifecycle.resolver.js';
import { OrganizationLogoResolver } from './resolvers/organization-logo.resolver.js';
import { OrganizationTokenResolver } from './resolvers/organization-token.resolver.js';
import { OrganizationUserResolver } from './resolvers/organization-user.resolver.js';
import { ProfileResolver } from './resolvers/profile.resolver.js';
import { OrganizationSettingsResolver } from './resolvers/organization-settings.resolver.js';
import {
  AtbKeyResolver,
  ChartStatResolver,
  ThreatBlockerCheckResolver,
  ThreatBlockerResolver,
} from './resolvers/threat-blocker.resolver.js';
import { VIEWER_CAN_RESOLVERS } from './resolvers/viewer-can.resolver.js';
import { SearchResolver } from './resolvers/search.resolver.js';
import { ViewerResolver } from './resolvers/viewer.resolver.js';
import { WorkflowImportResolver } from './resolvers/workflow-import.resolver.js';
import {
  OrganizationWorkflowResolver,
  OrganizationWorkflowsResolver,
  WorkflowResolver,
} from './resolvers/workflow.resolver.js';
import { JobQueues } from './jobs/job-queues.js';
import { Jobs } from './jobs/jobs.js';
import { schedule } from './jobs/schedule.js';
import { MailDelivery } from './mail/mail-delivery.js';
import { MailOutbox } from './mail/mail-outbox.js';
import { openMailer } from './mail/mailer.js';
import { createRestApp } from './rest/rest-app.js';
import { createSchema } from './schema-builder.js';
import { organizationChangeInputFaults, organizationInputFaults } from './schema/organization.reader.js';
import { organizationFaults } from './schema/organization.rules.js';
import { ApiTokenService } from './services/api-tokens.js';
import { BrandingService } from './services/brandings.js';
import { CloudDefenderService } from './services/cloud-defenders.js';
import { DocumentVersionChangeService } from './services/document-version-changes.js';
import { ControlChangeService } from './services/control-changes.js';
import { ControlEvidenceService } from './services/control-evidence.js';
import { ControlReminderService } from './services/control-reminders.js';
import { DocumentVersionService } from './services/document-versions.js';
import { ControlSearch } from './services/control-search.js';
import { DownloadLinks } from './services/download-links.js';
import { DownloadService } from './services/downloads.js';
import { EvidencePackService } from './services/evidence-pack.js';
import { FormOptionsService } from './services/form-options.js';
import { IncidentAttachmentService } from './services/incident-attachments.js';
import { IncidentHandlingService } from './services/incident-handling.js';
import { IncidentReminderService } from './services/incident-reminders.js';
import { IncidentReportService } from './services/incident-reports.js';
import { IncidentService } from './services/incidents.js';
import { InvitationAcceptanceService } from './services/invitation-acceptance.js';
import { InvitationService } from './services/invitations.js';
import { InvitingService } from './services/inviting.js';
import { openLogo } from './services/logos.js';
import { MemberChangeService } from './services/member-changes.js';
import { MemberService } from './services/members.js';
import { LiveNotifications } from './services/live-notifications.js';
import { NotificationHub } from './services/notification-hub.js';
import { NotificationLiveService } from './services/notification-live.js';
import { NotificationMarkService } from './services/notification-marks.js';
import { NotificationService } from './services/notifications.js';
import { OrganizationChangeService } from './services/organization-changes.js';
import { OrganizationLifecycleService } from './services/organization-lifecycle.js';
import { OrganizationPurge } from './services/organization-purge.js';
import { OrganizationReader } from './services/organization-reader.js';
import { OrganizationSettingsService } from './services/organization-settings.js';
import { OrganizationCatalogs } from './services/organization-catalogs.js';
import { OrganizationControlService } from './services/organization-controls.js';
import { OrganizationWorkflowService } from './services/organization-workflows.js';
import { OrganizationService } from './services/organizations.js';
import { OwnershipService } from './services/ownership-changes.js';
import { OrganizationTokenService } from './services/organization-tokens.js';
import { ProfileService } from './services/profiles.js';
import { PrivilegeService } from './services/privileges.js';
import { SearchService } from './services/search.js';
import { StoredContent } from './services/stored-content.js';
import { ThreatBlockerService } from './services/threat-blockers.js';
import { TokenRotationService } from './services/token-rotation.js';
import { TokenWarningService } from './services/token-warnings.js';
import { ViewerService } from './services/viewer.js';
import { WorkflowCatalog } from './services/workflow-catalog.js';
import { WorkflowRules } from './services/workflow-file.js';
import { WorkflowImportService } from './services/workflow-imports.js';
import { WeeklyReportResolver } from './resolvers/weekly-report.resolver.js';
import { NotificationRetention } from './services/notification-retention.js';
import { UnsubscribeLinks } from './services/unsubscribe-links.js';
import { UnsubscriptionService } from './services/unsubscriptions.js';
import { WeeklyReportFactsService } from './services/weekly-report-facts.js';
import { WeeklyReportService } from './services/weekly-reports.js';
import { openBlobStore } from './storage/open-blob-store.js';

export interface AppDeps {
  config: Readonly<Config>;
  /** Of a database that is migrated. */
  databaseUrl: string;
  /** Folder of the workflow catalogue. */
  catalogDir: string;
  log: Logger;
  /** The time by which rules judge; the machine's when absent. */
  now?: () => Date;
}

export interface App {
  listener: RequestListener;
  /** Takes the requests for a WebSocket: the server's `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  database: Database;
  engine: Engine;
  metrics: Metrics;
  /** Queued and periodic work; nothing is worked until it is started. */
  jobs: Jobs;
  /** Readiness says no, no job is begun, and live connections are sent elsewhere, from now on. */
  drain(): void;
  /** Lets go of everything; call it when no request is under way any more. */
  close(): Promise<void>;
}

/** Puts the gateway together, in reading order; opens no port. */
export async function createApp({
  config,
  databaseUrl,
  catalogDir,
  log,
  now = () => new Date(),
}: AppDeps): Promise<App> {
  // What everything stands on.
  const database = await Database.open(databaseUrl, config.databasePoolSize);
  const store = await openBlobStore(config.storageUrl, { stagingDir: config.dataDir });
  const content = new StoredContent(database, store, {
    // Lists take two fifths at most, and everything else needs the rest.
    connections: Math.max(1, Math.floor(config.databasePoolSize / 3)),
    leftOver: (err) => log.warn({ err }, 'content was not removed; the next start will'),
  });
  const catalog = WorkflowCatalog.load(catalogDir);

  // Who may what.
  const milliseconds = () => now().getTime();
  const usage = new TokenUsage(database, milliseconds);
  const feed = new AnnouncementFeed(databaseUrl);
  const access = new Access(accessRecords(database), feed, (tokenId) => usage.used(tokenId), milliseconds);
  const catalogs = new OrganizationCatalogs(database, catalog, feed);

  // What is done later, beside the requests.
  const queues = new JobQueues(database);
  const mails = new MailOutbox(database, (tx, mailId) => queues.enqueue(tx, 'mail', { mailId }), now);

  // Use-cases.
  const { publicUrl } = config;
  const links = new DownloadLinks(publicUrl, config.secretKey, config.downloadLinkMinutes, milliseconds);
  const privileges = new PrivilegeService(access);
  const reader = new OrganizationReader(publicUrl);
  const organizations = new OrganizationService(database, access, content, reader, publicUrl);
  const changes = new OrganizationChangeService(database, access, reader, { content, publicUrl, now });
  const settings = new OrganizationSettingsService(database, access, changes);
  const lifecycle = new OrganizationLifecycleService(database, access, reader, now);
  const ownership = new OwnershipService(database, access, reader);
  const organizationPurge = new OrganizationPurge(database, { content, now });
  const brandings = new BrandingService(database, access, changes);
  const members = new MemberService(database, access);
  const memberChanges = new MemberChangeService(database, access, members, now);
  const invitations = new InvitationService(database, access, now);
  const inviting = new InvitingService(database, access, { mails, publicUrl, now });
  const acceptance = new InvitationAcceptanceService(database, access, now);
  const tokens = new ApiTokenService(database, access, milliseconds);
  const rotation = new TokenRotationService(database, access, now);
  const organizationTokens = new OrganizationTokenService(database, access, now);
  const tokenWarnings = new TokenWarningService(database, now);
  const viewers = new ViewerService(database, access, tokens);
  const profiles = new ProfileService(database, access, viewers, reader);
  const notifications = new NotificationService(database, access, publicUrl);
  const liveNotifications = new LiveNotifications(database, publicUrl);
  const hub = new NotificationHub(liveNotifications, (err) => log.warn({ err }, 'new notifications cannot be read'));
  const notificationFeed = new NotificationLiveService(access, hub, liveNotifications);
  const notificationMarks = new NotificationMarkService(database, access);
  const workflows = new OrganizationWorkflowService(database, access, catalogs, { now });
  const controls = new OrganizationControlService(database, access, workflows, { now });
  const controlChanges = new ControlChangeService(database, access, workflows, { now });
  const controlEvidence = new ControlEvidenceService(database, catalogs);
  const workflowImports = new WorkflowImportService(database, access, catalogs, {
    rules: new WorkflowRules(catalogDir),
    now,
  });
  const documents = new DocumentVersionService(database, access, content, workflows, links, publicUrl);
  const documentChanges = new DocumentVersionChangeService(database, access, documents, content);
  const incidents = new IncidentService(database, access, { publicUrl, now });
  const attachments = new IncidentAttachmentService(database, access, { content, links });
  const incidentHandling = new IncidentHandlingService(database, access, now);
  const incidentReports = new IncidentReportService(database, access, now);
  const cloudDefenders = new CloudDefenderService(database, access, { publicUrl, now });
  const threatBlockers = new ThreatBlockerService(database, access, { publicUrl, now });
  const evidencePacks = new EvidencePackService(database, access, catalogs, { store, links, now });
  const search = new SearchService(database, access, new ControlSearch(database, catalogs), publicUrl);
  const downloads = new DownloadService(database, store, links);
  const unsubscribeLinks = new UnsubscribeLinks(publicUrl, config.secretKey);
  const unsubscriptions = new UnsubscriptionService(database, unsubscribeLinks, now);
  const reportFacts = new WeeklyReportFactsService(database, catalogs, publicUrl);
  const weeklyReports = new WeeklyReportService(database, access, {
    facts: reportFacts,
    mails,
    links: unsubscribeLinks,
    publicUrl,
    now,
  });
  feed.start({ access: [access.cache, catalogs], notification: [hub] });

  // What comes round, and who delivers.
  const delivery = new MailDelivery(database, openMailer(config), now);
  const takers = { cloudDefenders: cloudDefenders.reports, threatBlockers: threatBlockers.reports };
  const demoDevices = new ReportingDevices(database, takers, now);
  const periodic = schedule({
    mails,
    weeklyReports,
    tokenWarnings,
    incidentReminders: new IncidentReminderService(database, now),
    cloudDefenders,
    threatBlockers,
    organizationPurge,
    controlReminders: new ControlReminderService(database, catalogs, now),
    notificationRetention: new NotificationRetention(database, now),
    demoDevices: config.demo ? demoDevices : undefined,
  });
  const jobs = new Jobs(queues, periodic, { mail: ({ mailId }, signal) => delivery.deliver(mailId, signal) }, log);

  // One engine.
  const schema = await createSchema([
    new ViewerResolver(viewers, organizations),
    new ApiTokenResolver(tokens, rotation),
    new OrganizationTokenResolver(organizationTokens),
    new OrganizationResolver(organizations, changes, privileges),
    new OrganizationSettingsResolver(settings),
    new OrganizationLifecycleResolver(lifecycle, ownership),
    new OrganizationLogoResolver(changes),
    new BrandingResolver(brandings),
    new FormOptionsResolver(new FormOptionsService(access)),
    ...VIEWER_CAN_RESOLVERS.map((ViewerCan) => new ViewerCan(privileges)),
    new MemberResolver(members),
    new OrganizationUserResolver(members, memberChanges),
    new InvitationResolver(invitations, inviting, acceptance),
    new OrganizationInvitationsResolver(invitations),
    new ProfileResolver(profiles),
    new WorkflowResolver(workflows),
    new OrganizationWorkflowsResolver(workflows),
    new OrganizationWorkflowResolver(workflows, controls),
    new EvidencePackResolver(evidencePacks),
    new OrganizationControlResolver(controls, controlChanges, controlEvidence),
    new WorkflowImportResolver(workflowImports),
    new DocumentVersionResolver(documents, documentChanges),
    new IncidentResolver(incidents),
    new IncidentHandlingResolver(incidentHandling, incidents),
    new IncidentReportResolver(incidentReports, incidents),
    new IncidentAttachmentResolver(attachments),
    new CloudDefenderResolver(cloudDefenders),
    new CloudDefenderCheckResolver(cloudDefenders),
    new ThreatBlockerResolver(threatBlockers),
    new ThreatBlockerCheckResolver(threatBlockers),
    new ChartStatResolver(),
    new AtbKeyResolver(threatBlockers),
    new NotificationResolver(notifications),
    new WeeklyReportResolver(weeklyReports),
    new NotificationLiveResolver(notificationFeed),
    new SearchResolver(search),
    new NotificationMarksResolver(notificationMarks, notifications),
  ]);
  const engine = new Engine(
    schema,
    new Map([
      ['CreateOrganizationInput', organizationInputFaults],
      ['UpdateOrganizationInput', organizationChangeInputFaults],
    ]),
  );

  // Two doors, and what a person sees.
  const landingPage = config.explorer ? explorerPage({ endpoint: '/graphql', graphiqlPath: '/graphiql' }) : undefined;
  const { introspection } = config;
  const documentCache = new DocumentCache();
  const admission = new Admission(schema, {
    introspection,
    documents: documentCache,
    limits: new DocumentLimits(schema),
  });
  const apollo = await createApollo(engine, { admission, introspection, landingPage });
  const known = new KnownQueries(engine, admission);
  const live = new LiveDoors(engine, admission, { access, log, trustProxy: config.trustProxy });
  const metrics = new Metrics(database, queues, live.sessions);
  const health = new Health({ database: () => database.ping(), storage: () => store.ping() });
  const listener = createFront({
    access,
    log,
    trustProxy: config.trustProxy,
    graphql: new GraphQLDoor(apollo, { known, stream: live.stream, pageHeaders: EXPLORER_HEADERS }),
    rest: createRestApp({
      engine,
      log,
      publicUrl,
      organizationFaults,
      evidencePacks,
      openDownload: (kind, id, expires, signature) => downloads.find(kind, id, expires, signature),
    }),
    portal: createPortal({
      publicUrl,
      explorer: config.explorer,
      schema: introspection ? schema : undefined,
      openLogo: (name) => openLogo(database, store, name),
      unsubscribing: {
        find: (query) => unsubscriptions.find(query),
        apply: (query) => unsubscriptions.apply(query),
      },
      onFault: (err) => log.error({ err }, 'a page failed'),
    }),
    health,
    metrics,
    metricsPublic: config.metricsPublic,
    corsOrigins: config.corsOrigins,
  });

  // A crash may have left bytes that no row refers to. Nobody waits for the sweep.
  const sweep = content.sweep().catch((err: unknown) => log.warn({ err }, 'sweeping the storage failed'));

  return {
    listener,
    database,
    engine,
    metrics,
    jobs,
    upgrade: (request, socket, head) => live.webSockets.upgrade(request, socket, head),
    drain() {
      health.drain();
      live.drain();
      // Beside the requests that are still answered, not after them.
      void jobs.stop();
    },
    async close() {
      await jobs.stop();
      await apollo.stop();
      await sweep;
      await feed.close();
      await hub.close();
      await usage.close();
      await store.close();
      await database.close();
    },
  };
}
