import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, ID, Info, Resolver } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { invalidInput } from '../errors.js';
import { Node } from '../schema/shared/node.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Query } from './shared/decorators.js';
import { AS_OF } from './shared/as-of.js';
import { readNode } from './shared/nodes.js';

const { maxSize } = LIMITS.page;

@Resolver()
export class NodeResolver {
  @Query(
    () => Node,
    'An object by its `id`; what it requires of the caller, and what it costs, is what its own query does.',
  )
  node(
    @Arg('id', () => ID, 'The `id` of the object.') id: string,
    @Arg(...AS_OF) _asOf: Date | null,
    @Ctx() { services, caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readNode(services, id, caller, info);
  }

  @Extensions({ cost: COSTS.nodes, itemsOf: ['ids'], items: maxSize })
  @Query(
    () => [Node],
    `Objects by their ids, in their order; null with an error for one that cannot be read. ${maxSize} at most.`,
    { nullable: 'items' },
  )
  async nodes(
    @Arg('ids', () => [ID], 'The ids of the objects.') ids: string[],
    @Ctx() { services, caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (ids.length > maxSize)
      throw invalidInput([{ path: ['ids'], sentence: `must not have more than ${maxSize} items` }]);
    const read = await Promise.allSettled(ids.map((id) => readNode(services, id, caller, info)));
    return read.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error)));
  }
}
