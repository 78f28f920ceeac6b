import type { GraphQLResolveInfo } from 'graphql';
import { Args, Extensions, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { joined, selectionOf } from '../graphql/selection.js';
import { EventAddedArgs, EventArgs, EventConnection, EventEdge } from '../schema/events.js';
import type { Event } from '../schema/events.js';
import type { Plain } from '../schema/shared/types.js';
import { COSTS } from '../values/costs.js';
import { Call, Query } from './shared/decorators.js';

@Resolver()
export class EventResolver {
  @Extensions({ cost: COSTS.events })
  @Query(
    () => EventConnection,
    'What has happened in all organizations of the caller, oldest first, in one order that does not change. An event that the caller may not read is passed over; there may be fewer events than `first`, or none, while `hasNextPage` is true. Counts as 100 of the cost of an operation.',
  )
  async events(
    @Args(() => EventArgs) args: EventArgs,
    @Call() { services, caller, selection }: Call,
  ): Promise<EventConnection> {
    const items = joined(selection.of('nodes'), selection.of('edges').of('node'));
    const { rows, cursors, next, hasNextPage } = await services.events.list(caller, args, items);
    const nodes = rows as Event[];
    return {
      nodes,
      edges: nodes.map((node, index) => ({ node, cursor: cursors[index] as string })),
      pageInfo: {
        hasNextPage,
        hasPreviousPage: args.after != null,
        startCursor: cursors[0] ?? null,
        endCursor: cursors.at(-1) ?? null,
      },
      next,
    };
  }

  @Subscription(() => EventEdge, {
    description:
      'Events of all organizations of the caller as they come, each once and in the order of `events`. After a break, give the last `cursor` that was seen as `after`: what came meanwhile comes first, and nothing is missing.',
    subscribe: ({ args, context, info }: Subscribing) =>
      context.services.eventFeed.follow(() => context.caller, args, selectionOf(info).of('node')),
  })
  eventAdded(@Root() edge: Plain<EventEdge>, @Args(() => EventAddedArgs) _args: EventAddedArgs): Plain<EventEdge> {
    return edge;
  }
}

interface Subscribing {
  args: EventAddedArgs;
  context: GraphQLContext;
  info: GraphQLResolveInfo;
}
