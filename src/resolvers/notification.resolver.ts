import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Int, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { NotificationFilter, NotificationOrder } from '../schema/notification.input.js';
import { Notification, NotificationConnection } from '../schema/notification.type.js';
import type { NotificationService } from '../services/notifications.js';
import { askedOf, connectionFrom } from './connection.js';

@Resolver()
export class NotificationResolver {
  constructor(private readonly service: NotificationService) {}

  @Query(() => NotificationConnection, { description: 'Notifications of the caller (specification 4.10).' })
  async notifications(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => NotificationFilter, { nullable: true, description: 'Which notifications.' })
    filter: NotificationFilter | null,
    @Arg('orderBy', () => NotificationOrder, { nullable: true, description: 'Newest first when absent.' })
    orderBy: NotificationOrder | null,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, descending: orderBy?.direction !== 'ASC' };
    return connectionFrom(await this.service.list(caller, query, askedOf(info)));
  }

  @Query(() => Notification, { description: 'One notification of the caller (specification 2.11).' })
  notification(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.service.read(caller, id, selectionOf(info));
  }
}
