import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Info, Query, Resolver } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { OrganizationOrder } from '../schema/organizations/inputs.js';
import { PortfolioPageArgs } from '../schema/portfolio/inputs.js';
import { OrganizationOverviewConnection } from '../schema/portfolio/types.js';
import type { PortfolioService } from '../services/portfolio/portfolio.service.js';
import { LIMITS } from '../values/limits.js';
import { connectionFrom, listSelectionOf } from './shared/connection.js';

@Resolver()
export class PortfolioResolver {
  constructor(private readonly portfolio: PortfolioService) {}

  @Extensions({ items: LIMITS.portfolio.maxPageSize })
  @Query(() => OrganizationOverviewConnection, {
    name: 'portfolio',
    description:
      'The organizations that the caller belongs to, each with its progress, overdue controls, incidents, next legal deadline and devices that are down.',
  })
  async overviews(
    @Args(() => PortfolioPageArgs) page: PortfolioPageArgs,
    @Arg('orderBy', () => OrganizationOrder, {
      nullable: true,
      defaultValue: { field: 'NAME', direction: 'ASC' },
      description: 'By name when absent.',
    })
    orderBy: OrganizationOrder | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, sort: orderBy?.field ?? 'NAME', descending: orderBy?.direction === 'DESC' } as const;
    return connectionFrom(await this.portfolio.list(caller, query, listSelectionOf(info)));
  }
}
