import { Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql';
import type { GraphQLContext } from '../../context.js';
import type { Caller } from '../../auth/caller.js';
import { Device, DevicePermissions } from '../../schema/devices/types.js';
import { DocumentVersion, DocumentVersionPermissions } from '../../schema/documents/types.js';
import {
  Incident,
  IncidentAttachment,
  IncidentAttachmentPermissions,
  IncidentPermissions,
} from '../../schema/incidents/types.js';
import { OrganizationApiToken, OrganizationApiTokenPermissions } from '../../schema/tokens/types.js';
import { WorkflowImport, WorkflowImportPermissions } from '../../schema/workflows/import-types.js';
import {
  OrganizationControl,
  OrganizationControlPermissions,
  OrganizationWorkflow,
  OrganizationWorkflowPermissions,
} from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';

/** Decides what a caller may do with a row; the projection of `viewerCan` reads the columns that it needs. */
type Decide = (services: Services, caller: Caller, row: never) => Promise<object>;

/** Gives a type the field `viewerCan`, an object of booleans. */
function permissionsOf(type: abstract new () => object, permissions: ClassType<object>, decide: Decide) {
  @Resolver(() => type)
  class PermissionsResolver {
    constructor(private readonly services: Services) {}

    @FieldResolver(() => permissions, { description: 'What the caller may do with it.' })
    viewerCan(@Root() row: object, @Ctx() { caller }: GraphQLContext) {
      return decide(this.services, caller, row as never);
    }
  }
  return PermissionsResolver;
}

const WITH_PERMISSIONS = [
  permissionsOf(Incident, IncidentPermissions, ({ incidentHandling }, caller, incident) =>
    incidentHandling.permissions(caller, incident),
  ),
  permissionsOf(IncidentAttachment, IncidentAttachmentPermissions, ({ attachments }, caller, attachment) =>
    attachments.permissions(caller, attachment),
  ),
  // Both kinds have the same rules.
  permissionsOf(Device, DevicePermissions, ({ cloudDefenders }, caller, device) =>
    cloudDefenders.permissions(caller, device),
  ),
  permissionsOf(DocumentVersion, DocumentVersionPermissions, ({ documentChanges }, caller, version) =>
    documentChanges.permissions(caller, version),
  ),
  permissionsOf(WorkflowImport, WorkflowImportPermissions, ({ workflowImports }, caller, workflowImport) =>
    workflowImports.permissions(caller, workflowImport),
  ),
  permissionsOf(OrganizationApiToken, OrganizationApiTokenPermissions, ({ organizationTokens }, caller, token) =>
    organizationTokens.permissions(caller, token),
  ),
  permissionsOf(
    OrganizationWorkflow,
    OrganizationWorkflowPermissions,
    async ({ workflows, controlChanges }, caller, { organizationId }: OwnedRow) => ({
      updateControls: await controlChanges.mayUpdate(caller, organizationId),
      dissociate: await workflows.mayAssociate(caller, organizationId),
    }),
  ),
  permissionsOf(
    OrganizationControl,
    OrganizationControlPermissions,
    async ({ controlChanges, documentUploads }, caller, { organizationId }: OwnedRow) => ({
      update: await controlChanges.mayUpdate(caller, organizationId),
      uploadDocuments: await documentUploads.mayUpload(caller, organizationId),
    }),
  ),
];

interface OwnedRow {
  organizationId: number;
}

/** One for each type that has the field. */
export function viewerCanResolvers(services: Services): object[] {
  return WITH_PERMISSIONS.map((ViewerCan) => new ViewerCan(services));
}
