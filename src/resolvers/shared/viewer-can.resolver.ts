import { type ClassType, Ctx, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import type { GraphQLContext } from '../../context.js';
import { batch } from '../../graphql/batch.js';
import { Device, DevicePermissions } from '../../schema/devices/types.js';
import { DocumentVersion, DocumentVersionPermissions } from '../../schema/documents.js';
import {
  Incident,
  IncidentAttachment,
  IncidentAttachmentPermissions,
  IncidentPermissions,
} from '../../schema/incidents/types.js';
import { Organization, OrganizationPermissions } from '../../schema/organizations/types.js';
import type { Plain } from '../../schema/shared/types.js';
import { OrganizationApiToken, OrganizationApiTokenPermissions } from '../../schema/tokens.js';
import {
  OrganizationControl,
  OrganizationControlPermissions,
  OrganizationWorkflow,
  OrganizationWorkflowPermissions,
  WorkflowImport,
  WorkflowImportPermissions,
} from '../../schema/workflows/types.js';
import type { Services } from '../../services/index.js';
import { FieldResolver, Selected } from './decorators.js';

/** Decides what a caller may do with a row; the projection of `viewerCan` reads the columns that it needs. */
type Decide = (services: Services, caller: Caller, row: never) => Promise<object>;

/** Gives a type the field `viewerCan`, an object of booleans. */
function permissionsOf(type: abstract new () => object, permissions: ClassType<object>, decide: Decide) {
  @Resolver(() => type)
  class PermissionsResolver {
    constructor(private readonly services: Services) {}

    @FieldResolver(() => permissions, 'What the caller may do with it.')
    viewerCan(@Root() row: object, @Ctx() { caller }: GraphQLContext) {
      return decide(this.services, caller, row as never);
    }
  }
  return PermissionsResolver;
}

type DecideOne = (services: Services, context: GraphQLContext, id: number) => Promise<boolean>;

/** The service of each use case decides whether it would accept the caller. */
const ORGANIZATION_DECISIONS: Readonly<Record<keyof InstanceType<typeof OrganizationPermissions>, DecideOne>> = {
  update: ({ changes }, { caller }, id) => changes.mayApply(caller, 'MANAGE_SETTINGS', id),
  updateSettings: ({ settings }, { caller }, id) => settings.mayUpdate(caller, id),
  updateBranding: ({ brandings }, { caller }, id) => brandings.mayUpdate(caller, id),
  updateLogo: ({ changes }, { caller }, id) => changes.mayApply(caller, 'MANAGE_BRANDING', id),
  updateAlerts: ({ profiles }, { caller }, id) => profiles.mayUpdateAlerts(caller, id),
  delete: ({ changes }, { caller }, id) => changes.mayDelete(caller, id),
  restore: ({ changes }, context, id) =>
    batch(context, 'Organization.restore', id, (ids) => changes.restorable(context.caller, ids)),
  transferOwnership: async (services, context, id) => (await ownership(services, context, id)).transferOwnership,
  leave: async (services, context, id) => (await ownership(services, context, id)).leave,
  inviteMembers: ({ invitations }, { caller }, id) => invitations.mayInvite(caller, id),
  // Both kinds have the same rules.
  createDevices: ({ cloudDefenders }, { caller }, id) => cloudDefenders.changes.mayCreate(caller, id),
  openIncidents: ({ incidentHandling }, { caller }, id) => incidentHandling.mayOpen(caller, id),
  associateWorkflows: ({ workflows }, { caller }, id) => workflows.mayAssociate(caller, id),
  importWorkflows: ({ workflowImports }, { caller }, id) => workflowImports.mayImport(caller, id),
};

function ownership(services: Services, context: GraphQLContext, id: number) {
  return batch(context, 'Organization.ownership', id, (ids: readonly number[]) =>
    services.memberChanges.ownPermissions(context.caller, ids),
  );
}

/** What may be done with organizations: what is not selected is not decided. */
@Resolver(() => Organization)
class OrganizationPermissionsResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => OrganizationPermissions, 'What the caller may do with it.')
  async viewerCan(
    @Root() { id }: Plain<Organization>,
    @Ctx() context: GraphQLContext,
    @Selected() selection: Selection,
  ) {
    const selected = new Set(selection.fields);
    const decided = Object.entries(ORGANIZATION_DECISIONS)
      .filter(([permission]) => selected.has(permission))
      .map(async ([permission, decide]) => [permission, await decide(this.services, context, id)] as const);
    return Object.fromEntries(await Promise.all(decided));
  }
}

/** One for each type that has the field. */
export const PERMISSIONS_RESOLVERS = [
  OrganizationPermissionsResolver,
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
