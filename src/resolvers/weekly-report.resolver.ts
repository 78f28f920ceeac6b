import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { PageArgs } from '../schema/connection.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import { WeeklyReportDeliveryFilter } from '../schema/weekly-report.input.js';
import { WeeklyReportDeliveryConnection, WeeklyReportPreview } from '../schema/weekly-report.type.js';
import type { WeeklyReportService } from '../services/weekly-reports.js';
import { COSTS } from '../vocabulary/costs.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class WeeklyReportResolver {
  constructor(private readonly reports: WeeklyReportService) {}

  @Extensions({ cost: COSTS.weeklyReportPreview })
  @Query(() => WeeklyReportPreview, {
    description:
      'The weekly report of an organization as it would go out now. Asks for ORGANIZATION_MANAGER. Counts as 3,000 of the cost of an operation.',
  })
  weeklyReportPreview(
    @Arg('organizationId', () => Int, { description: 'Whose report.' }) organizationId: number,
    @Ctx() { caller }: RequestContext,
  ) {
    return this.reports.preview(caller, organizationId);
  }

  @FieldResolver(() => WeeklyReportDeliveryConnection, {
    nullable: true,
    description:
      'What became of the weekly reports, the newest first. Asks for ORGANIZATION_MANAGER: null, and an error beside it, for lower ranks.',
  })
  weeklyReportDeliveries(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => WeeklyReportDeliveryFilter, { nullable: true, description: 'Which deliveries.' })
    filter: WeeklyReportDeliveryFilter | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.reports.authorizeDeliveries(context.caller, id),
      load: (ids, asked) => this.reports.deliveriesOf(ids, query, asked),
    });
  }
}
