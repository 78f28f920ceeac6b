import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../schema/connection.js';
import { Organization } from '../schema/organization.type.js';
import { OrganizationUserFilter, OrganizationUserOrder } from '../schema/organization-user.input.js';
import { OrganizationUserConnection } from '../schema/organization-user.type.js';
import type { Plain } from '../schema/plain.js';
import type { MemberService } from '../services/members.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class MemberResolver {
  constructor(private readonly members: MemberService) {}

  @FieldResolver(() => OrganizationUserConnection, {
    nullable: true,
    description:
      'Members with their roles and alert preferences (specification 4.7). Asks for SECURITY_OFFICER: null, and an error beside it, for lower ranks.',
  })
  async users(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => OrganizationUserFilter, { nullable: true, description: 'Which members.' })
    filter: OrganizationUserFilter | null,
    @Arg('orderBy', () => OrganizationUserOrder, { nullable: true, description: 'By user name when absent.' })
    orderBy: OrganizationUserOrder | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, sort: orderBy?.field, descending: orderBy?.direction === 'DESC' };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.members.authorizeList(context.caller, id),
      load: (ids, asked) => this.members.ofOrganizations(ids, query, asked),
    });
  }
}
