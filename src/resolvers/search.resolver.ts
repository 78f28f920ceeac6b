import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, Info, Query, Resolver } from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { SearchArgs } from '../schema/search/inputs.js';
import { SearchResultConnection } from '../schema/search/types.js';
import type { SearchService } from '../services/search/search.service.js';
import { COSTS } from '../values/limits.js';
import { listSelectionOf, connectionFrom } from './shared/connection.js';

@Resolver()
export class SearchResolver {
  constructor(private readonly service: SearchService) {}

  @Extensions({ cost: COSTS.search })
  @Query(() => SearchResultConnection, {
    description:
      'Finds text in everything that the caller may see. Best first: the title itself, its beginning, a part of it, elsewhere; then by type and id. Counts as 10,000 of the cost of an operation.',
  })
  async search(
    @Args(() => SearchArgs) args: SearchArgs,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return connectionFrom(await this.service.find(caller, args, listSelectionOf(info)));
  }
}
