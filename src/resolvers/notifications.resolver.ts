import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  Extensions,
  FieldResolver,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { UserCaller } from '../auth/caller.js';
import type { GraphQLContext } from '../context.js';
import { selectionOf } from '../graphql/selection.js';
import { OrderBy } from '../schema/shared/order.js';
import { PageArgs } from '../schema/shared/connection.js';
import {
  NotificationFilter,
  NotificationOrder,
  MarkNotificationsReadInput,
  UpdateMailPreferencesInput,
  UpdateNotificationInput,
} from '../schema/notifications/inputs.js';
import {
  MailPreferences,
  Notification,
  NotificationConnection,
  MarkNotificationsReadPayload,
  UnreadNotificationCount,
  UpdateMailPreferencesPayload,
  UpdateNotificationPayload,
} from '../schema/notifications/types.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import type { Services } from '../services/index.js';
import type { LiveQuery } from '../services/notifications/subscription.js';
import { COSTS } from '../values/limits.js';
import { authorizedBatch, connectionFrom, listSelectionOf } from './shared/connection.js';

@Resolver(() => Organization)
export class NotificationResolver {
  constructor(private readonly services: Services) {}

  @Query(() => NotificationConnection, { description: 'Notifications of the caller (specification 4.10).' })
  async notifications(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => NotificationFilter, { nullable: true, description: 'Which notifications.' })
    filter: NotificationFilter | null,
    @OrderBy(() => NotificationOrder, { field: 'DATETIME', direction: 'DESC' }, 'Newest first when absent.')
    orderBy: NotificationOrder | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, orderBy };
    return connectionFrom(await this.services.notifications.list(caller, query, listSelectionOf(info)));
  }

  @Query(() => Notification, { description: 'One notification of the caller (specification 2.11).' })
  notification(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.notifications.read(caller, id, selectionOf(info));
  }

  @Subscription(() => Notification, {
    description:
      'New notifications of the caller as they are made, in the order of their ids. After a break, give the highest `databaseId` that was seen as `since`: what was made meanwhile comes first, and nothing is missing.',
    subscribe: ({ args, context, info }: Subscribing) =>
      context.services.notificationFeed.follow(() => context.caller, args, selectionOf(info)),
  })
  notificationAdded(
    @Root() notification: Plain<Notification>,
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only those about this organization.' })
    _organizationId: number | null,
    @Arg('since', () => Int, {
      nullable: true,
      description: 'First those with a higher `databaseId` than this, from the past; only new ones when absent.',
    })
    _since: number | null,
  ): Plain<Notification> {
    return notification;
  }

  @Mutation(() => UpdateMailPreferencesPayload, {
    description: 'Changes which notifications of an organization the caller gets by mail.',
  })
  updateMailPreferences(
    @Arg('input', () => UpdateMailPreferencesInput, { description: 'The preferences.' })
    input: UpdateMailPreferencesInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.mailPreferences.update(caller, input, selectionOf(info));
  }

  @FieldResolver(() => MailPreferences, { description: 'Which of its notifications the caller gets by mail.' })
  mailPreferences(@Root() organization: Plain<Organization>, @Ctx() context: GraphQLContext) {
    return authorizedBatch(
      context,
      'Organization.mailPreferences',
      organization.id,
      (id) => this.services.mailPreferences.authorizeRead(context.caller, id),
      (ids) => this.services.mailPreferences.ofCaller(context.caller, ids),
    );
  }

  @Extensions({ cost: COSTS.count })
  @Query(() => UnreadNotificationCount, { description: 'How many notifications the caller has not read.' })
  async unreadNotificationCount(
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only those about this organization.' })
    organizationId: number | null,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return { count: await this.services.notifications.unread(caller, organizationId) };
  }

  @Query(() => String, {
    description:
      "Opaque text that changes whenever a list of the caller's notifications would, in whatever it shows of them and of the names and logos of their organizations. Ask for it to learn cheaply whether there is something new.",
  })
  notificationsRevision(@Ctx() { caller }: GraphQLContext) {
    return this.services.notifications.revision(caller);
  }

  @Mutation(() => UpdateNotificationPayload, { description: 'Marks one notification of the caller read or unread.' })
  async updateNotification(
    @Arg('input', () => UpdateNotificationInput, { description: 'The notification.' })
    { notificationId: id, read }: UpdateNotificationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return {
      notification: await this.services.notifications.markOne(
        caller,
        { id, read },
        selectionOf(info).of('notification'),
      ),
    };
  }

  @Mutation(() => MarkNotificationsReadPayload, {
    description: 'Marks many notifications of the caller, or all, read or unread.',
  })
  async markNotificationsRead(
    @Arg('input', () => MarkNotificationsReadInput, { description: 'Which ones.' })
    { notificationIds: ids, ...input }: MarkNotificationsReadInput,
    @Ctx() { caller }: GraphQLContext,
  ) {
    const changed = await this.services.notifications.mark(caller, { ids, ...input });
    return { marks: { changed, unread: await this.services.notifications.countUnread(caller as UserCaller) } };
  }
}

interface Subscribing {
  args: LiveQuery;
  context: GraphQLContext;
  info: GraphQLResolveInfo;
}
