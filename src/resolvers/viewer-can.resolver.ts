import { Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { CloudDefender } from '../schema/cloud-defender.type.js';
import { DocumentVersion } from '../schema/document-version.type.js';
import { IncidentAttachment } from '../schema/incident-attachment.type.js';
import { Incident } from '../schema/incident.type.js';
import { OrganizationControl } from '../schema/organization-control.type.js';
import { OrganizationWorkflow } from '../schema/organization-workflow.type.js';
import { Organization } from '../schema/organization.type.js';
import { PrivilegeEnum } from '../schema/role.type.js';
import { ThreatBlocker } from '../schema/threat-blocker.type.js';
import { WorkflowImport } from '../schema/workflow-import.type.js';
import type { PrivilegeService } from '../services/privileges.js';

/**
 * Gives a type the field `viewerCan`. A row of any type but the organization's own carries `organizationId`: its
 * projection says that the field needs it.
 */
function viewerCanOf(type: ClassType<object>) {
  @Resolver(() => type)
  class ViewerCanResolver {
    constructor(private readonly privileges: PrivilegeService) {}

    @FieldResolver(() => [PrivilegeEnum], {
      description: 'What the caller may do in the organization, with the token of this request.',
    })
    viewerCan(@Root() row: OwnedRow, @Ctx() { caller }: RequestContext) {
      return this.privileges.of(caller, row.organizationId ?? (row.id as number));
    }
  }
  return ViewerCanResolver;
}

interface OwnedRow {
  /** A number, of an organization. */
  id: number | string;
  organizationId?: number;
}

/** One for each type that has the field. */
export const VIEWER_CAN_RESOLVERS = [
  Organization,
  OrganizationWorkflow,
  OrganizationControl,
  WorkflowImport,
  DocumentVersion,
  Incident,
  IncidentAttachment,
  CloudDefender,
  ThreatBlocker,
].map((type) => viewerCanOf(type));
