import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { AuditEntryFilter, AuditEntryOrder } from '../schema/audit/inputs.js';
import { AuditEntryConnection } from '../schema/audit/types.js';
import { Organization } from '../schema/organizations/types.js';
import { PageArgs } from '../schema/shared/connection.js';
import type { Plain } from '../schema/shared/plain.js';
import type { AuditTrailService } from '../services/audit/audit-trail.service.js';
import { nestedList } from './shared/nested-list.js';

@Resolver(() => Organization)
export class AuditTrailResolver {
  constructor(private readonly trails: AuditTrailService) {}

  @FieldResolver(() => AuditEntryConnection, {
    nullable: true,
    description:
      'Who did what, newest first unless ordered otherwise. Requires SECURITY_OFFICER; null with an error for lower roles.',
  })
  auditTrail(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => AuditEntryFilter, { nullable: true, description: 'Which entries.' })
    filter: AuditEntryFilter | null,
    @Arg('orderBy', () => AuditEntryOrder, { nullable: true, description: 'Newest first when absent.' })
    order: AuditEntryOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, order };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.trails.authorize(context.caller, id),
      load: (ids, selection) => this.trails.ofOrganizations(ids, query, selection),
    });
  }
}
