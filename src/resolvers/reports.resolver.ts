import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { PageArgs } from '../schema/shared/connection.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import { WeeklyReportDeliveryFilter } from '../schema/reports/inputs.js';
import { WeeklyReportDeliveryConnection, WeeklyReportPreview } from '../schema/reports/types.js';
import type { Services } from '../services/index.js';
import { COSTS } from '../values/limits.js';
import { nestedList } from './shared/connection.js';

@Resolver(() => Organization)
export class WeeklyReportResolver {
  constructor(private readonly services: Services) {}

  @Extensions({ cost: COSTS.weeklyReportPreview })
  @Query(() => WeeklyReportPreview, {
    description:
      'The weekly report of an organization as it would go out now. Requires ORGANIZATION_MANAGER. Counts as 3,000 of the cost of an operation.',
  })
  weeklyReportPreview(
    @Arg('organizationId', () => Int, { description: 'The organization that the report is about.' })
    organizationId: number,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.weeklyReports.preview(caller, organizationId);
  }

  @FieldResolver(() => WeeklyReportDeliveryConnection, {
    nullable: true,
    description:
      'The weekly reports and whether they were delivered, newest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
  })
  weeklyReportDeliveries(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => WeeklyReportDeliveryFilter, { nullable: true, description: 'Which deliveries.' })
    filter: WeeklyReportDeliveryFilter | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.services.weeklyReports.authorizeDeliveries(context.caller, id),
      load: (ids, selection) => this.services.weeklyReports.deliveriesOf(ids, query, selection),
    });
  }
}
