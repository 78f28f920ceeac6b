import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Int, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { Notification } from '../schema/notification.type.js';
import type { Plain } from '../schema/plain.js';
import type { LiveQuery, NotificationLiveService } from '../services/notification-live.js';
import { subscribedBy } from './subscribed-by.js';

@Resolver()
export class NotificationLiveResolver {
  constructor(private readonly live: NotificationLiveService) {}

  @Subscription(() => Notification, {
    description:
      'New notifications of the caller as they are made, in the order of their ids. After a break, give the highest id that was seen as `since`: what was made meanwhile comes first, and nothing is missing.',
    subscribe: subscribedBy(
      () => NotificationLiveResolver,
      (resolver) => resolver.follow,
    ),
  })
  notificationAdded(
    @Root() notification: Plain<Notification>,
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only those about this organization.' })
    _organizationId: number | null,
    @Arg('since', () => Int, {
      nullable: true,
      description: 'First those with a higher id than this, from the past; only new ones when absent.',
    })
    _since: number | null,
  ): Plain<Notification> {
    return notification;
  }

  follow(query: LiveQuery, context: RequestContext, info: GraphQLResolveInfo) {
    return this.live.follow(() => context.caller, query, selectionOf(info));
  }
}
