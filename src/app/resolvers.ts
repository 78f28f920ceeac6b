import { ApiTokenResolver } from '../resolvers/api-token.resolver.js';
import { BrandingResolver } from '../resolvers/branding.resolver.js';
import {
  CloudDefenderChangeResolver,
  CloudDefenderCheckResolver,
  CloudDefenderResolver,
} from '../resolvers/cloud-defender.resolver.js';
import { DocumentVersionResolver } from '../resolvers/document-version.resolver.js';
import { EvidencePackResolver } from '../resolvers/evidence-pack.resolver.js';
import { FormOptionsResolver } from '../resolvers/form-options.resolver.js';
import { IncidentAttachmentResolver } from '../resolvers/incident-attachment.resolver.js';
import { IncidentHandlingResolver } from '../resolvers/incident-handling.resolver.js';
import { IncidentReportResolver } from '../resolvers/incident-report.resolver.js';
import { IncidentResolver } from '../resolvers/incident.resolver.js';
import { InvitationResolver, OrganizationInvitationsResolver } from '../resolvers/invitation.resolver.js';
import { MemberResolver } from '../resolvers/member.resolver.js';
import { NotificationLiveResolver } from '../resolvers/notification-live.resolver.js';
import { NotificationMarksResolver } from '../resolvers/notification-marks.resolver.js';
import { NotificationResolver } from '../resolvers/notification.resolver.js';
import { OrganizationControlResolver } from '../resolvers/organization-control.resolver.js';
import { OrganizationLifecycleResolver } from '../resolvers/organization-lifecycle.resolver.js';
import { OrganizationLogoResolver } from '../resolvers/organization-logo.resolver.js';
import { OrganizationResolver } from '../resolvers/organization.resolver.js';
import { OrganizationSettingsResolver } from '../resolvers/organization-settings.resolver.js';
import { OrganizationTokenResolver } from '../resolvers/organization-token.resolver.js';
import { OrganizationUserResolver } from '../resolvers/organization-user.resolver.js';
import { ProfileResolver } from '../resolvers/profile.resolver.js';
import { RateLimitResolver } from '../resolvers/rate-limit.resolver.js';
import { SearchResolver } from '../resolvers/search.resolver.js';
import {
  AtbKeyResolver,
  ChartStatResolver,
  ThreatBlockerChangeResolver,
  ThreatBlockerCheckResolver,
  ThreatBlockerResolver,
} from '../resolvers/threat-blocker.resolver.js';
import { VIEWER_CAN_RESOLVERS } from '../resolvers/viewer-can.resolver.js';
import { ViewerResolver } from '../resolvers/viewer.resolver.js';
import { WeeklyReportResolver } from '../resolvers/weekly-report.resolver.js';
import { WorkflowImportResolver } from '../resolvers/workflow-import.resolver.js';
import { TokenRecoveryResolver } from '../resolvers/token-recovery.resolver.js';
import {
  OrganizationWorkflowResolver,
  OrganizationWorkflowsResolver,
  WorkflowResolver,
} from '../resolvers/workflow.resolver.js';
import type { ResolverInstance } from '../schema-builder.js';
import type { Services } from './services.js';

/** Every resolver with the services it calls: what is not listed here is not in the schema. */
export function createResolvers(services: Services): ResolverInstance[] {
  return [
    new ViewerResolver(services.viewers, services.organizations),
    new ApiTokenResolver(services.tokens, services.rotation),
    new TokenRecoveryResolver(services.recovery),
    new OrganizationTokenResolver(services.organizationTokens),
    new OrganizationResolver(services.organizations, services.changes, services.privileges),
    new OrganizationSettingsResolver(services.settings),
    new OrganizationLifecycleResolver(services.lifecycle, services.ownership),
    new OrganizationLogoResolver(services.changes),
    new BrandingResolver(services.brandings),
    new FormOptionsResolver(services.formOptions),
    ...VIEWER_CAN_RESOLVERS.map((ViewerCan) => new ViewerCan(services.privileges)),
    new RateLimitResolver(),
    new MemberResolver(services.members),
    new OrganizationUserResolver(services.members, services.memberChanges),
    new InvitationResolver(services.invitations, services.inviting, services.acceptance),
    new OrganizationInvitationsResolver(services.invitations),
    new ProfileResolver(services.profiles),
    new WorkflowResolver(services.workflows),
    new OrganizationWorkflowsResolver(services.workflows),
    new OrganizationWorkflowResolver(services.workflows, services.controls),
    new EvidencePackResolver(services.evidencePacks),
    new OrganizationControlResolver(services.controls, services.controlChanges, services.controlEvidence),
    new WorkflowImportResolver(services.workflowImports),
    new DocumentVersionResolver(services.documents, services.documentUploads, services.documentChanges),
    new IncidentResolver(services.incidents),
    new IncidentHandlingResolver(services.incidentHandling, services.incidents),
    new IncidentReportResolver(services.incidentReports, services.incidents),
    new IncidentAttachmentResolver(services.attachments),
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
    new SearchResolver(services.search),
    new NotificationMarksResolver(services.notificationMarks),
  ];
}
