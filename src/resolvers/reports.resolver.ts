import { Ctx, Extensions, Resolver } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { WeeklyReportDeliveryFilter, WeeklyReportPreview, WeeklyReportDelivery } from '../schema/reports.js';
import { COSTS } from '../values/costs.js';
import { Arg, Query } from './shared/decorators.js';
import { listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';

@Resolver()
class WeeklyReportResolver {
  @Extensions({ cost: COSTS.weeklyReportPreview })
  @Query(
    () => WeeklyReportPreview,
    'The weekly report of an organization as it would go out now. Requires ORGANIZATION_MANAGER. Counts as 3,000 of the cost of an operation.',
  )
  weeklyReportPreview(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that the report is about.') organizationId: number,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.weeklyReports.preview(caller, organizationId);
  }
}

nodeOf(WeeklyReportDelivery, ['deliveryId'], ({ weeklyReports }, caller, { deliveryId }, selection) =>
  weeklyReports.read(caller, { id: deliveryId }, selection),
);

export const REPORT_RESOLVERS = [
  WeeklyReportResolver,
  listOfOrganization('weeklyReportDeliveries', WeeklyReportDelivery, {
    description:
      'The weekly reports and whether they were delivered, newest first. Requires ORGANIZATION_MANAGER; null with an error for lower roles.',
    nullable: true,
    filter: [() => WeeklyReportDeliveryFilter, 'Which deliveries.'],
    authorize: ({ weeklyReports }, caller, id) => weeklyReports.authorizeList(caller, id),
    load: ({ weeklyReports }, ids, query, selection, caller) =>
      weeklyReports.ofOrganizations(caller, ids, query, selection),
  }),
];
