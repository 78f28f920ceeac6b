import { Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql';
import type { GraphQLContext } from '../../context.js';
import type { Caller } from '../../auth/caller.js';
import { Device, DevicePermissions } from '../../schema/devices/types.js';
import { DocumentVersion } from '../../schema/documents/types.js';
import {
  Incident,
  IncidentAttachment,
  IncidentAttachmentPermissions,
  IncidentPermissions,
} from '../../schema/incidents/types.js';
import { OrganizationControl, OrganizationWorkflow, WorkflowImport } from '../../schema/workflows/types.js';
import { Organization } from '../../schema/organizations/types.js';
import { PrivilegeEnum } from '../../schema/shared/role.js';
import type { Services } from '../../services/index.js';
import type { PrivilegeService } from '../../services/shared/privileges.js';

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
    viewerCan(@Root() row: OwnedRow, @Ctx() { caller }: GraphQLContext) {
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

/** Decides what a caller may do with a row; the projection of `viewerCan` reads the columns that it needs. */
interface PermissionService {
  permissions(caller: Caller, row: never): Promise<object>;
}

/** Gives a type the field `viewerCan`, an object of booleans. */
function permissionsOf(
  type: abstract new () => object,
  permissions: ClassType<object>,
  serviceOf: (services: Services) => PermissionService,
) {
  @Resolver(() => type)
  class PermissionsResolver {
    constructor(private readonly services: Services) {}

    @FieldResolver(() => permissions, { description: 'What the caller may do with it.' })
    viewerCan(@Root() row: object, @Ctx() { caller }: GraphQLContext) {
      return serviceOf(this.services).permissions(caller, row as never);
    }
  }
  return PermissionsResolver;
}

const WITH_PRIVILEGES = [Organization, OrganizationWorkflow, OrganizationControl, WorkflowImport, DocumentVersion].map(
  (type) => viewerCanOf(type),
);

const WITH_PERMISSIONS = [
  permissionsOf(Incident, IncidentPermissions, ({ incidentHandling }) => incidentHandling),
  permissionsOf(IncidentAttachment, IncidentAttachmentPermissions, ({ attachments }) => attachments),
  // Both kinds have the same rules.
  permissionsOf(Device, DevicePermissions, ({ cloudDefenders }) => cloudDefenders),
];

/** One for each type that has the field. */
export function viewerCanResolvers(services: Services): object[] {
  return [
    ...WITH_PRIVILEGES.map((ViewerCan) => new ViewerCan(services.privileges)),
    ...WITH_PERMISSIONS.map((ViewerCan) => new ViewerCan(services)),
  ];
}
