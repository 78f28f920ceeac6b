import { Args, Extensions, Resolver } from 'type-graphql';
import { joined } from '../graphql/selection.js';
import { EventArgs, EventConnection } from '../schema/events.js';
import type { Event } from '../schema/events.js';
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
}
