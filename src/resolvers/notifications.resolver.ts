import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
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
import type { MailPreferenceService } from '../services/notifications/mail-preferences.service.js';
import type { NotificationService } from '../services/notifications/notifications.service.js';
import type { LiveQuery, NotificationLiveService } from '../services/notifications/subscription.js';
import { COSTS } from '../values/limits.js';
import { listSelectionOf, connectionFrom } from './shared/connection.js';
import { authorizedBatch } from './shared/nested-list.js';

@Resolver()
export class NotificationResolver {
  constructor(private readonly service: NotificationService) {}

  @Query(() => NotificationConnection, { description: 'Notifications of the caller (specification 4.10).' })
  async notifications(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => NotificationFilter, { nullable: true, description: 'Which notifications.' })
    filter: NotificationFilter | null,
    @Arg('orderBy', () => NotificationOrder, {
      nullable: true,
      defaultValue: { field: 'DATETIME', direction: 'DESC' },
      description: 'Newest first when absent.',
    })
    orderBy: NotificationOrder | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, descending: orderBy?.direction !== 'ASC' };
    return connectionFrom(await this.service.list(caller, query, listSelectionOf(info)));
  }

  @Query(() => Notification, { description: 'One notification of the caller (specification 2.11).' })
  notification(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.service.read(caller, id, selectionOf(info));
  }
}

@Resolver()
export class NotificationLiveResolver {
  constructor(private readonly live: NotificationLiveService) {}

  @Subscription(() => Notification, {
    description:
      'New notifications of the caller as they are made, in the order of their ids. After a break, give the highest `databaseId` that was seen as `since`: what was made meanwhile comes first, and nothing is missing.',
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
      description: 'First those with a higher `databaseId` than this, from the past; only new ones when absent.',
    })
    _since: number | null,
  ): Plain<Notification> {
    return notification;
  }

  follow(query: LiveQuery, context: GraphQLContext, info: GraphQLResolveInfo) {
    return this.live.follow(() => context.caller, query, selectionOf(info));
  }
}

@Resolver()
export class NotificationMarksResolver {
  constructor(private readonly notifications: NotificationService) {}

  @Extensions({ cost: COSTS.count })
  @Query(() => UnreadNotificationCount, { description: 'How many notifications the caller has not read.' })
  async unreadNotificationCount(
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only those about this organization.' })
    organizationId: number | null,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return { count: await this.notifications.unread(caller, organizationId) };
  }

  @Query(() => String, {
    description:
      "Opaque text that changes whenever a list of the caller's notifications would, in whatever it shows of them and of the names and logos of their organizations. Ask for it to learn cheaply whether there is something new.",
  })
  notificationsRevision(@Ctx() { caller }: GraphQLContext) {
    return this.notifications.revision(caller);
  }

  @Mutation(() => UpdateNotificationPayload, { description: 'Marks one notification of the caller read or unread.' })
  async updateNotification(
    @Arg('input', () => UpdateNotificationInput, { description: 'The notification.' })
    { notificationId: id, read }: UpdateNotificationInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return {
      notification: await this.notifications.markOne(caller, { id, read }, selectionOf(info).of('notification')),
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
    const changed = await this.notifications.mark(caller, { ids, ...input });
    return { marks: { changed, unread: await this.notifications.countUnread(caller as UserCaller) } };
  }
}

@Resolver(() => Organization)
export class MailPreferenceResolver {
  constructor(private readonly preferences: MailPreferenceService) {}

  @Mutation(() => UpdateMailPreferencesPayload, {
    description: 'Changes which notifications of an organization the caller gets by mail.',
  })
  updateMailPreferences(
    @Arg('input', () => UpdateMailPreferencesInput, { description: 'The preferences.' })
    input: UpdateMailPreferencesInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.preferences.update(caller, input, selectionOf(info));
  }

  @FieldResolver(() => MailPreferences, { description: 'Which of its notifications the caller gets by mail.' })
  mailPreferences(@Root() organization: Plain<Organization>, @Ctx() context: GraphQLContext) {
    return authorizedBatch(
      context,
      'Organization.mailPreferences',
      organization.id,
      (id) => this.preferences.authorizeRead(context.caller, id),
      (ids) => this.preferences.ofCaller(context.caller, ids),
    );
  }
}

type Source<Args> = (args: Args, context: GraphQLContext, info: GraphQLResolveInfo) => Promise<AsyncIterable<unknown>>;

/** Under this name a schema knows the instances of its resolver classes (see schema-builder.ts). */
export const INSTANCES = 'resolverInstances';

/**
 * For `@Subscription({ subscribe })`: the decorator is given a function where the class is declared, when no instance of
 * it exists yet; the schema that is being executed knows the instance that is meant.
 */
export function subscribedBy<Resolver extends object, Args>(
  resolver: () => new (...args: never[]) => Resolver,
  source: (instance: Resolver) => Source<Args>,
) {
  return async ({ args, context, info }: { args: Args; context: unknown; info: GraphQLResolveInfo }) => {
    const instance = instancesOf(info.schema).get(resolver()) as Resolver;
    return source(instance).call(instance, args, context as GraphQLContext, info);
  };
}

function instancesOf({ extensions }: GraphQLSchema): ReadonlyMap<unknown, object> {
  return extensions[INSTANCES] as ReadonlyMap<unknown, object>;
}
