import { getNullableType, type GraphQLSchema } from 'graphql';
import 'reflect-metadata';
import { buildSchema, getMetadataStorage, type NonEmptyArray } from 'type-graphql';
import { guardRootFields } from '../graphql/open-documents.js';
import { checkArguments } from '../graphql/variables.js';
import { showPageSizes } from '../schema/shared/page-sizes.js';
import { placeConstraints } from '../schema/shared/constraints.js';
import { readIdArguments } from '../schema/shared/id-arguments.js';
import { withNodes } from '../schema/shared/node.js';
import { DateTimeScalar } from '../schema/shared/scalars.js';
import type { Services } from '../services/index.js';
import { AuditTrailResolver, OwnAuditTrailResolver } from './audit.resolver.js';
import {
  CloudDefenderChangeResolver,
  CloudDefenderCheckResolver,
  CloudDefenderResolver,
} from './cloud-defender.resolver.js';
import { OrganizationControlResolver } from './controls.resolver.js';
import { DocumentVersionResolver, EvidencePackResolver, OscalExportResolver } from './documents.resolver.js';
import {
  IncidentAttachmentResolver,
  IncidentHandlingResolver,
  IncidentReportResolver,
  IncidentResolver,
} from './incidents.resolver.js';
import { IncidentTimelineResolver } from './incident-timeline.resolver.js';
import { IncidentNoteResolver } from './incident-notes.resolver.js';
import { IncidentReportDraftResolver } from './incident-report-drafts.resolver.js';
import { InvitationResolver, OrganizationInvitationsResolver } from './invitations.resolver.js';
import { MemberResolver, OrganizationUserResolver } from './members.resolver.js';
import { NodeResolver, nodeReaders } from './node.resolver.js';
import {
  NotificationLiveResolver,
  MailPreferenceResolver,
  NotificationMarksResolver,
  NotificationResolver,
  INSTANCES,
} from './notifications.resolver.js';
import {
  BrandingResolver,
  FormOptionsResolver,
  OrganizationLifecycleResolver,
  OrganizationLogoResolver,
  OrganizationResolver,
  OrganizationSettingsResolver,
} from './organizations.resolver.js';
import { OrganizationPermissionsResolver } from './organization-permissions.resolver.js';
import { PortfolioResolver } from './portfolio.resolver.js';
import { ProfileResolver, ViewerResolver } from './profile.resolver.js';
import { WeeklyReportResolver } from './reports.resolver.js';
import { SearchResolver } from './search.resolver.js';
import { historyResolvers } from './shared/history.resolver.js';
import { viewerCanResolvers } from './shared/viewer-can.resolver.js';
import {
  AtbKeyResolver,
  ChartStatResolver,
  ThreatBlockerChangeResolver,
  ThreatBlockerCheckResolver,
  ThreatBlockerResolver,
} from './threat-blocker.resolver.js';
import {
  ApiTokenResolver,
  OrganizationTokenResolver,
  RateLimitResolver,
  TokenRecoveryResolver,
} from './tokens.resolver.js';
import {
  WorkflowImportResolver,
  OrganizationWorkflowResolver,
  OrganizationWorkflowsResolver,
  WorkflowResolver,
} from './workflows.resolver.js';

/** Every resolver with the services it calls: what is not listed here is not in the schema. */
export function createResolvers(services: Services): ResolverInstance[] {
  const readers = nodeReaders(services);
  return [
    new NodeResolver(readers),
    new ViewerResolver(services.profiles, services.organizations),
    new ApiTokenResolver(services.tokens),
    new TokenRecoveryResolver(services.recovery),
    new OrganizationTokenResolver(services.organizationTokens),
    new OrganizationResolver(services.organizations, services.changes, services.privileges),
    new OrganizationSettingsResolver(services.settings),
    new OrganizationLifecycleResolver(services.changes, services.memberChanges),
    new OrganizationLogoResolver(services.changes),
    new BrandingResolver(services.brandings),
    new FormOptionsResolver(services.formOptions),
    ...viewerCanResolvers(services),
    ...historyResolvers(services.auditTrails),
    new OrganizationPermissionsResolver(services),
    new RateLimitResolver(),
    new MemberResolver(services.members),
    new OrganizationUserResolver(services.members, services.memberChanges),
    new InvitationResolver(services.invitations, services.inviting, services.acceptance),
    new OrganizationInvitationsResolver(services.invitations),
    new ProfileResolver(services.profiles, services.erasure, services.personalData),
    new WorkflowResolver(services.workflows),
    new OrganizationWorkflowsResolver(services.workflows),
    new OrganizationWorkflowResolver(services.workflows, services.controls, services.controlEvidence),
    new EvidencePackResolver(services.evidencePacks),
    new OscalExportResolver(services.oscalExports),
    new OrganizationControlResolver(services.controls, services.controlChanges, services.controlEvidence),
    new WorkflowImportResolver(services.workflowImports),
    new DocumentVersionResolver(
      services.documents,
      services.documentUploads,
      services.documentChanges,
      services.reuseSuggestions,
    ),
    new IncidentResolver(services.incidents),
    new IncidentHandlingResolver(services.incidentHandling, services.incidents),
    new IncidentReportResolver(services.incidentReports, services.incidents),
    new IncidentReportDraftResolver(services.reportDrafts),
    new IncidentNoteResolver(services.incidentNotes),
    new IncidentTimelineResolver(services.incidentTimelines),
    new IncidentAttachmentResolver(services.attachments),
    new AuditTrailResolver(services.auditTrails, services.auditCheckpoints, services.auditVerification),
    new OwnAuditTrailResolver(services.auditTrails, services.auditVerification),
    new CloudDefenderResolver(services.cloudDefenders),
    new CloudDefenderChangeResolver(services.cloudDefenders),
    new CloudDefenderCheckResolver(services.cloudDefenders),
    new ThreatBlockerResolver(services.threatBlockers),
    new ThreatBlockerChangeResolver(services.threatBlockers),
    new ThreatBlockerCheckResolver(services.threatBlockers),
    new ChartStatResolver(),
    new AtbKeyResolver(services.threatBlockers),
    new NotificationResolver(services.notifications),
    new WeeklyReportResolver(services.weeklyReports),
    new NotificationLiveResolver(services.notificationFeed),
    new PortfolioResolver(services.portfolio, services.work),
    new SearchResolver(services.search, readers),
    new NotificationMarksResolver(services.notifications),
    new MailPreferenceResolver(services.mailPreferences),
  ];
}

/** A resolver class made once with the services it calls; the schema is built of a list of these. */
export type ResolverInstance = object;

/**
 * The one schema of both APIs. Instances are looked up by their class. There is no global middleware and no per-field
 * authorization, which cost most of a list's time: the guard on root fields and the services authorize.
 */
export async function createSchema(resolvers: readonly ResolverInstance[]): Promise<GraphQLSchema> {
  const instances = new Map(resolvers.map((instance) => [instance.constructor, instance]));
  // A field without a resolver is the property of its name, which graphql-js reads without a wrapper of the library.
  for (const type of getMetadataStorage().objectTypes) type.simpleResolvers = true;
  const built = await buildSchema({
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<NewableFunction>,
    container: { get: (resolver) => instances.get(resolver as never) as object },
    scalarsMap: [{ type: Date, scalar: DateTimeScalar }],
    // Input is checked by checkArguments: all errors at once, in JSON Schema's words.
    validate: false,
    // Apollo checks the schema when it is finished; the check here would run an introspection query at each start.
    skipCheck: true,
    // Only what a resolver reaches is in the schema.
    orphanedTypes: [],
    emitSchemaFile: false,
    pubSub: NO_TOPICS,
  });
  const schema = withNodes(built);
  schema.extensions = { ...schema.extensions, [INSTANCES]: instances };
  finishRoots(schema);
  placeConstraints(schema);
  readIdArguments(schema);
  showPageSizes(schema);
  checkArguments(schema);
  return guardRootFields(schema);
}

/**
 * Describes the root types, for which the library has no place, and makes root fields nullable: an error of one field
 * leaves the data of the others.
 */
function finishRoots(schema: GraphQLSchema): void {
  const roots = [
    [schema.getQueryType(), 'What can be read.'],
    [schema.getMutationType(), 'What can be changed; each mutation answers with the record that it changed.'],
    [schema.getSubscriptionType(), 'What is sent as soon as it happens, over WebSocket or server-sent events.'],
  ] as const;
  for (const [root, description] of roots) {
    if (!root) continue;
    root.description = description;
    for (const field of Object.values(root.getFields())) field.type = getNullableType(field.type);
  }
}

/** Subscriptions have their own source of events; the library requires a bus nevertheless. */
const NO_TOPICS = {
  publish: noTopics,
  subscribe: noTopics,
};

function noTopics(): never {
  throw new Error('Subscriptions have no topics here');
}
