import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, Resolver, Root, Subscription } from 'type-graphql';
import type { UserCaller } from '../auth/caller.js';
import type { GraphQLContext } from '../http/context.js';
import { selectionOf } from '../graphql/selection.js';
import {
  MailPreferences,
  MarkNotificationsReadInput,
  Notification,
  NotificationFilter,
  NotificationMarks,
  NotificationOrder,
  UnreadNotificationCount,
  UpdateMailPreferencesInput,
  UpdateNotificationInput,
} from '../schema/notifications.js';
import { Organization } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import type { Plain } from '../schema/shared/types.js';
import type { LiveQuery } from '../services/notifications/live-notifications.service.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Call, FieldResolver, Filter, Input, ListCall, Mutation, OrderBy, Query } from './shared/decorators.js';
import { authorizedBatch, connectionFrom } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { SafeIntScalar } from '../schema/shared/scalars.js';

@Resolver(() => Organization)
export class NotificationResolver {
  // Specification 4.10.
  @Query(connectionOf(Notification), 'Notifications of the caller.')
  async notifications(
    @Args(() => PageArgs) page: PageArgs,
    @Filter(() => NotificationFilter, 'Which notifications.') filter: NotificationFilter | null,
    @OrderBy(() => NotificationOrder, { field: 'DATETIME', direction: 'DESC' }, 'Newest first when absent.')
    orderBy: NotificationOrder | null,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const query = { page, ...filter, orderBy };
    return connectionFrom(await services.notifications.list(caller, query, selection));
  }

  // Specification 2.11.
  @Query(() => Notification, 'One notification of the caller.')
  notification(@Arg('id', () => SafeIntScalar, 'Its id.') id: number, @Call() { services, caller, selection }: Call) {
    return services.notifications.read(caller, id, selection);
  }

  @Subscription(() => Notification, {
    description:
      'New notifications of the caller as they are made, in the order of their ids. After a break, give the highest `databaseId` that was seen as `afterDatabaseId`: what was made meanwhile comes first, and nothing is missing.',
    subscribe: ({ args, context, info }: Subscribing) =>
      context.services.notificationFeed.follow(() => context.caller, args, selectionOf(info)),
  })
  notificationAdded(
    @Root() notification: Plain<Notification>,
    @Arg('organizationId', () => SafeIntScalar, 'Only those about this organization.', { nullable: true })
    _organizationId: number | null,
    @Arg(
      'afterDatabaseId',
      () => SafeIntScalar,
      'First those with a higher `databaseId` than this, from the past; only new ones when absent.',
      { nullable: true },
    )
    _afterDatabaseId: number | null,
  ): Plain<Notification> {
    return notification;
  }

  @Mutation('Changes which notifications of an organization the caller gets by mail.', {
    mailPreferences: [() => MailPreferences, 'The preferences as they are now.'],
    organization: [() => Organization, 'The organization that they are for, as it is now.'],
  })
  updateMailPreferences(
    @Input('The preferences.') input: UpdateMailPreferencesInput,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.mailPreferences.update(caller, input, selection);
  }

  @FieldResolver(
    () => MailPreferences,
    'Which of its notifications the caller gets by mail; null with an error for a service account.',
    { nullable: true },
  )
  mailPreferences(@Root() organization: Plain<Organization>, @Ctx() context: GraphQLContext) {
    return authorizedBatch(
      context,
      'Organization.mailPreferences',
      organization.id,
      (id) => context.services.mailPreferences.authorizeRead(context.caller, id),
      (ids) => context.services.mailPreferences.ofCaller(context.caller, ids),
    );
  }

  @Extensions({ cost: COSTS.count })
  @Query(() => UnreadNotificationCount, 'How many notifications the caller has not read.')
  async unreadNotificationCount(
    @Arg('organizationId', () => SafeIntScalar, 'Only those about this organization.', { nullable: true })
    organizationId: number | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return { count: await services.notifications.unread(caller, organizationId) };
  }

  @Query(
    () => String,
    "Opaque text that changes whenever a list of the caller's notifications would, in whatever it shows of them and of the names and logos of their organizations. Ask for it to learn cheaply whether there is something new.",
  )
  notificationsRevision(@Ctx() { services, caller }: GraphQLContext) {
    return services.notifications.revision(caller);
  }

  @Mutation('Marks one notification of the caller read or unread.', {
    notification: [() => Notification, 'The notification as it is now.'],
  })
  async updateNotification(
    @Input('The notification.') { notificationId: id, read }: UpdateNotificationInput,
    @Call('notification') { services, caller, selection }: Call,
  ) {
    return { notification: await services.notifications.markOne(caller, { id, read }, selection) };
  }

  @Extensions({ itemsOf: ['input.notificationIds'], items: LIMITS.notification.maxMarked })
  @Mutation('Marks many notifications of the caller, or all, read or unread.', {
    marks: [() => NotificationMarks, 'What came of it.'],
    notifications: [
      () => [Notification],
      'Those of `notificationIds` as they are now, in that order and each once; null where all are marked.',
      { nullable: true },
    ],
  })
  async markNotificationsRead(
    @Input('Which ones.') { notificationIds: ids, ...input }: MarkNotificationsReadInput,
    @Call() { services, caller, selection }: Call,
  ) {
    const shown = selection.has('notifications') ? selection.of('notifications') : undefined;
    const { changed, notifications } = await services.notifications.mark(caller, { ids, ...input }, shown);
    return {
      notifications,
      marks: { changed, unread: await services.notifications.countUnread(caller as UserCaller) },
    };
  }
}

nodeOf(Notification, ['notificationId'], ({ notifications }, caller, { notificationId: id }, selection) =>
  notifications.read(caller, id, selection),
);

interface Subscribing {
  args: LiveQuery;
  context: GraphQLContext;
  info: GraphQLResolveInfo;
}
