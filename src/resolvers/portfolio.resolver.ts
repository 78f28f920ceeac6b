import { Args, Extensions, Resolver } from 'type-graphql';
import { PortfolioOrder, PortfolioPageArgs, WorkArgs, OrganizationOverview, WorkItem } from '../schema/portfolio.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { ListCall, OrderBy, Query } from './shared/decorators.js';
import { connectionFrom } from './shared/lists.js';
import { connectionOf } from '../schema/shared/connection.js';

@Resolver()
export class PortfolioResolver {
  @Extensions({ items: LIMITS.portfolio.maxPageSize, cost: COSTS.portfolio })
  @Query(
    connectionOf(OrganizationOverview),
    'The organizations that the caller belongs to, each with its progress, overdue controls, incidents, next legal deadline and devices that are down. Counts as 500 of the cost of an operation.',
    { name: 'portfolio' },
  )
  async overviews(
    @Args(() => PortfolioPageArgs) page: PortfolioPageArgs,
    @OrderBy(() => PortfolioOrder, { field: 'NAME', direction: 'ASC' }, 'By name when absent.')
    orderBy: PortfolioOrder | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    return connectionFrom(await services.portfolio.list(caller, { page, orderBy }, selection));
  }

  @Extensions({ cost: COSTS.work })
  @Query(
    connectionOf(WorkItem),
    'What is to be done in all organizations of the caller, the earliest first: controls with a due date, controls whose newest document is stale or expires soon, and reports that are owed. The 1,000 earliest controls and reviews are among it, and the reports of 50 open incidents of each organization. Counts as 2,000 of the cost of an operation.',
  )
  async work(
    @Args(() => WorkArgs) { assignee, assigneeId, dueBefore, ...page }: WorkArgs,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const query = { page, assignee: assignee ?? 'ME', assigneeId, dueBefore };
    return connectionFrom(await services.work.list(caller, query, selection));
  }
}
