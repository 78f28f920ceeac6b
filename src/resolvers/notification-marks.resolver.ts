import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Info, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { UserCaller } from '../access/caller.js';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { MarkNotificationsReadInput, UpdateNotificationInput } from '../schema/notification.input.js';
import {
  MarkNotificationsReadPayload,
  UnreadNotificationCount,
  UpdateNotificationPayload,
} from '../schema/notification.type.js';
import type { NotificationMarkService } from '../services/notification-marks.js';
import { COSTS } from '../vocabulary/costs.js';

@Resolver()
export class NotificationMarksResolver {
  constructor(private readonly marks: NotificationMarkService) {}

  @Extensions({ cost: COSTS.count })
  @Query(() => UnreadNotificationCount, { description: 'How many notifications the caller has not read.' })
  async unreadNotificationCount(
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only those about this organization.' })
    organizationId: number | null,
    @Ctx() { caller }: RequestContext,
  ) {
    return { count: await this.marks.unread(caller, organizationId) };
  }

  @Query(() => String, {
    description:
      "Opaque text that changes whenever a list of the caller's notifications would, in whatever it shows of them and of the names and logos of their organizations. Ask for it to learn cheaply whether there is something new.",
  })
  notificationsRevision(@Ctx() { caller }: RequestContext) {
    return this.marks.revision(caller);
  }

  @Mutation(() => UpdateNotificationPayload, { description: 'Marks one notification of the caller read or unread.' })
  async updateNotification(
    @Arg('input', () => UpdateNotificationInput, { description: 'The notification.' })
    { id, read }: UpdateNotificationInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { notification: await this.marks.markOne(caller, { id, read }, selectionOf(info).of('notification')) };
  }

  @Mutation(() => MarkNotificationsReadPayload, {
    description: 'Marks many notifications of the caller, or all, read or unread.',
  })
  async markNotificationsRead(
    @Arg('input', () => MarkNotificationsReadInput, { description: 'Which ones.' }) input: MarkNotificationsReadInput,
    @Ctx() { caller }: RequestContext,
  ) {
    const changed = await this.marks.mark(caller, input);
    return { marks: { changed, unread: await this.marks.countUnread(caller as UserCaller) } };
  }
}
