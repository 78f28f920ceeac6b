import { Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql';
import type { GraphQLContext } from '../../context.js';
import { CloudDefender } from '../../schema/devices/types.js';
import { DocumentVersion } from '../../schema/documents/types.js';
import { IncidentAttachment, Incident } from '../../schema/incidents/types.js';

import { OrganizationControl, OrganizationWorkflow, WorkflowImport } from '../../schema/workflows/types.js';

import { Organization } from '../../schema/organizations/types.js';
import { PrivilegeEnum } from '../../schema/shared/role.js';
import { ThreatBlocker } from '../../schema/devices/threat-blocker.js';

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
