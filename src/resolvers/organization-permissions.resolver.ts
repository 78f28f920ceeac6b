import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { batch } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import { Organization, OrganizationPermissions } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import type { Services } from '../services/index.js';

type Decide = (services: Services, context: GraphQLContext, id: number) => Promise<boolean>;

/** The service of each use case decides whether it would accept the caller. */
const DECISIONS: Readonly<Record<keyof OrganizationPermissions, Decide>> = {
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
export class OrganizationPermissionsResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => OrganizationPermissions, { description: 'What the caller may do with it.' })
  async viewerCan(
    @Root() { id }: Plain<Organization>,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selected = new Set(selectionOf(info).fields);
    const decided = Object.entries(DECISIONS)
      .filter(([permission]) => selected.has(permission))
      .map(async ([permission, decide]) => [permission, await decide(this.services, context, id)] as const);
    return Object.fromEntries(await Promise.all(decided));
  }
}
