import 'reflect-metadata';
import { lexicographicSortSchema, printSchema, type GraphQLSchema } from 'graphql';
import { ApiTokenResolver } from '../src/resolvers/api-token.resolver.js';
import { BrandingResolver } from '../src/resolvers/branding.resolver.js';
import { CloudDefenderCheckResolver, CloudDefenderResolver } from '../src/resolvers/cloud-defender.resolver.js';
import { DocumentVersionResolver } from '../src/resolvers/document-version.resolver.js';
import { EvidencePackResolver } from '../src/resolvers/evidence-pack.resolver.js';
import { FormOptionsResolver } from '../src/resolvers/form-options.resolver.js';
import { IncidentAttachmentResolver } from '../src/resolvers/incident-attachment.resolver.js';
import { IncidentHandlingResolver } from '../src/resolvers/incident-handling.resolver.js';
import { IncidentReportResolver } from '../src/resolvers/incident-report.resolver.js';
import { IncidentResolver } from '../src/resolvers/incident.resolver.js';
import { InvitationResolver, OrganizationInvitationsResolver } from '../src/resolvers/invitation.resolver.js';
import { MemberResolver } from '../src/resolvers/member.resolver.js';
import { NotificationLiveResolver } from '../src/resolvers/notification-live.resolver.js';
import { NotificationMarksResolver } from '../src/resolvers/notification-marks.resolver.js';
import { NotificationResolver } from '../src/resolvers/notification.resolver.js';
import { OrganizationLifecycleResolver } from '../src/resolvers/organization-lifecycle.resolver.js';
import { OrganizationLogoResolver } from '../src/resolvers/organization-logo.resolver.js';
import { OrganizationControlResolver } from '../src/resolvers/organization-control.resolver.js';
import { OrganizationTokenResolver } from '../src/resolvers/organization-token.resolver.js';
import { OrganizationUserResolver } from '../src/resolvers/organization-user.resolver.js';
import { OrganizationResolver } from '../src/resolvers/organization.resolver.js';
import { ProfileResolver } from '../src/resolvers/profile.resolver.js';
import { OrganizationSettingsResolver } from '../src/resolvers/organization-settings.resolver.js';
import {
  AtbKeyResolver,
  ThreatBlockerCheckResolver,
  ThreatBlockerResolver,
} from '../src/resolvers/threat-blocker.resolver.js';
import { VIEWER_CAN_RESOLVERS } from '../src/resolvers/viewer-can.resolver.js';
import { SearchResolver } from '../src/resolvers/search.resolver.js';
import { ViewerResolver } from '../src/resolvers/viewer.resolver.js';
import { WeeklyReportResolver } from '../src/resolvers/weekly-report.resolver.js';
import { WorkflowImportResolver } from '../src/resolvers/workflow-import.resolver.js';
import {
  OrganizationWorkflowResolver,
  OrganizationWorkflowsResolver,
  WorkflowResolver,
} from '../src/resolvers/workflow.resolver.js';
import { ANY_SERVER, openApiDocument } from '../src/rest/openapi.js';
import { createSchema } from '../src/schema-builder.js';

const RESOLVERS = [
  ViewerResolver,
  ApiTokenResolver,
  OrganizationTokenResolver,
  OrganizationResolver,
  OrganizationSettingsResolver,
  OrganizationLifecycleResolver,
  OrganizationLogoResolver,
  BrandingResolver,
  FormOptionsResolver,
  ...VIEWER_CAN_RESOLVERS,
  MemberResolver,
  OrganizationUserResolver,
  InvitationResolver,
  OrganizationInvitationsResolver,
  ProfileResolver,
  WorkflowResolver,
  OrganizationWorkflowsResolver,
  OrganizationWorkflowResolver,
  EvidencePackResolver,
  OrganizationControlResolver,
  WorkflowImportResolver,
  DocumentVersionResolver,
  IncidentResolver,
  IncidentHandlingResolver,
  IncidentReportResolver,
  IncidentAttachmentResolver,
  CloudDefenderResolver,
  CloudDefenderCheckResolver,
  ThreatBlockerResolver,
  ThreatBlockerCheckResolver,
  AtbKeyResolver,
  NotificationResolver,
  NotificationLiveResolver,
  NotificationMarksResolver,
  WeeklyReportResolver,
  SearchResolver,
];

/** The schema without anything behind it: enough to read and print, and nothing is ever executed on it. */
export function contractSchema(): Promise<GraphQLSchema> {
  return createSchema(RESOLVERS.map((resolver) => Object.create(resolver.prototype) as object));
}

/** The committed descriptions of both doors: text by file name. */
export function contractsOf(schema: GraphQLSchema): Record<string, string> {
  return {
    'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
    'openapi.json': `${JSON.stringify(openApiDocument(schema, ANY_SERVER), undefined, 2)}\n`,
  };
}
