import { Field, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../values/limits.js';
import type { ObjectRule, RuleError } from '../../common/input-schema.js';
import { List, Rule } from '../shared/constraints.js';
import type { MailDelivery, NotificationType } from '../../values/enums.js';
import { enumeration } from '../shared/enumeration.js';
import { MailDeliveryEnum, NotificationTypeEnum } from './types.js';
import { orderOf } from '../shared/order.js';

@InputType({ description: 'Which notifications to list (specification 4.10). All conditions hold at once.' })
export class NotificationFilter {
  @Field(() => Boolean, { nullable: true, description: 'Only read ones, or only unread ones.' })
  read?: boolean | null;

  @Field(() => NotificationTypeEnum, { nullable: true, description: 'Only those of this category.' })
  type?: NotificationType | null;

  @Field(() => Int, { nullable: true, description: 'Only those about this organization.' })
  organizationId?: number | null;
}

export type NotificationOrder = InstanceType<typeof NotificationOrder>;
export const NotificationOrder = orderOf(
  'Notification',
  'notifications',
  enumeration('NotificationSortField', 'What a list of notifications is ordered by.', {
    DATETIME: 'By when they were sent.',
  }),
  ['DESC', 'newest first'],
);

@InputType({ description: 'A notification of the caller, and whether the caller has read it.' })
export class UpdateNotificationInput {
  @Field(() => Int, { description: 'Which notification.' })
  notificationId!: number;

  @Field(() => Boolean, { description: 'Whether it was read.' })
  read!: boolean;
}

const { maxMarked } = LIMITS.notification;
const MARKED = {
  minItems: 'must name at least one notification',
  maxItems: `must not name more than ${maxMarked} notifications`,
};

const idsOrAll: ObjectRule = (read) => {
  const ids = read('notificationIds') ?? null;
  const errors: RuleError[] = [];
  if (ids === null && read('all') !== true)
    errors.push({ at: [], whole: true, sentence: '{notificationIds} or {all} must be given' });
  if (ids === null) return errors;
  if (read('all') === true)
    errors.push({ at: [], whole: true, sentence: '{notificationIds} and {all} must not be given together' });
  if ((read('organizationId') ?? null) !== null)
    errors.push({ at: ['organizationId'], sentence: 'must not be given together with {notificationIds}' });
  return errors;
};

@Rule(idsOrAll)
@InputType({ description: 'Which notifications of the caller to mark: either some by their ids, or all.' })
export class MarkNotificationsReadInput {
  @Field(() => [Int], { nullable: true, description: "These. One that is not the caller's refuses all." })
  @List({ min: 1, max: maxMarked, sentences: MARKED })
  notificationIds?: number[] | null;

  @Field(() => Boolean, { nullable: true, description: 'All of them, or all of one organization.' })
  all?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'With `all`: only those about this organization.' })
  organizationId?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: 'False marks them unread; true when absent.',
  })
  read?: boolean | null;
}

@InputType({
  description:
    'Which notifications of an organization the caller wants by mail. What is absent or null stays as it is.',
})
export class UpdateMailPreferencesInput {
  @Field(() => Int, { description: 'Of which organization.' })
  organizationId!: number;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About incidents and their reports.' })
  incident?: MailDelivery | null;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About document versions.' })
  document?: MailDelivery | null;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About edge protections and threat blockers.' })
  device?: MailDelivery | null;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About workflows and controls.' })
  workflow?: MailDelivery | null;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About members and roles.' })
  member?: MailDelivery | null;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About tokens of the user.' })
  token?: MailDelivery | null;

  @Field(() => MailDeliveryEnum, { nullable: true, description: 'About the platform itself.' })
  system?: MailDelivery | null;
}
