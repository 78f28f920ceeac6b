import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, Info, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { SearchArgs, SearchResult } from '../schema/search.js';
import { Node } from '../schema/shared/node.js';
import type { SearchResultView } from '../services/search/search.service.js';
import type { SearchType } from '../values/enums.js';
import { COSTS } from '../values/costs.js';
import { FieldResolver, ListCall, Query } from './shared/decorators.js';
import { connectionFrom } from './shared/lists.js';
import { readNode } from './shared/nodes.js';
import { connectionOf } from '../schema/shared/connection.js';

@Resolver(() => SearchResult)
export class SearchResolver {
  @Extensions({ cost: COSTS.search, searches: 1 })
  @Query(
    connectionOf(SearchResult),
    'Finds text in organizations, members, controls, documents, incidents and notifications that the caller may see. Best first: the title itself, its beginning, a part of it, elsewhere; then by type and id. At most 1,000 results of each kind are found; a `totalCount` of 1,000 stands for 1,000 or more. Counts as 5,000 of the cost of an operation.',
  )
  async search(@Args(() => SearchArgs) args: SearchArgs, @ListCall() { services, caller, selection }: ListCall) {
    return connectionFrom(await services.search.find(caller, args, selection));
  }

  @FieldResolver(
    () => Node,
    'The record itself, as `node` reads it; null with an error when the caller can no longer read it.',
    { nullable: true },
  )
  record(
    @Root() { type, organizationId, recordId }: SearchResultView,
    @Ctx() { services, caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const key = type === 'MEMBER' ? `${organizationId}/${recordId}` : recordId;
    return readNode(services, `${NODE_TYPES[type]}:${key}`, caller, info);
  }
}

const NODE_TYPES: Readonly<Record<SearchType, string>> = {
  ORGANIZATION: 'Organization',
  MEMBER: 'OrganizationUser',
  CONTROL: 'OrganizationControl',
  DOCUMENT: 'DocumentVersion',
  INCIDENT: 'Incident',
  NOTIFICATION: 'Notification',
};
