import { InputType, Int } from 'type-graphql';
import { Field, Nullable } from '../shared/field.js';
import { LIMITS } from '../../values/limits.js';
import type { ObjectRule, RuleError } from '../../common/input-schema.js';
import { List, Rule } from '../shared/constraints.js';
import type { MailDelivery, NotificationType } from '../../values/enums.js';
import { enumeration } from '../shared/enumeration.js';
import { MailDeliveryEnum, NotificationTypeEnum } from './types.js';
import { orderOf } from '../shared/order.js';

@InputType({ description: 'Which notifications to list (specification 4.10). All conditions hold at once.' })
export class NotificationFilter {
  @Nullable(() => Boolean, 'Only read ones, or only unread ones.')
  read?: boolean | null;

  @Nullable(() => NotificationTypeEnum, 'Only those of this category.')
  type?: NotificationType | null;

  @Nullable(() => Int, 'Only those about this organization.')
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
  @Field(() => Int, 'Which notification.')
  notificationId!: number;

  @Field(() => Boolean, 'Whether it was read.')
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
  @Nullable(() => [Int], "These. One that is not the caller's refuses all.")
  @List({ min: 1, max: maxMarked, sentences: MARKED })
  notificationIds?: number[] | null;

  @Nullable(() => Boolean, 'All of them, or all of one organization.')
  all?: boolean | null;

  @Nullable(() => Int, 'With `all`: only those about this organization.')
  organizationId?: number | null;

  @Nullable(() => Boolean, 'False marks them unread; true when absent.', { defaultValue: true })
  read?: boolean | null;
}

@InputType({
  description:
    'Which notifications of an organization the caller wants by mail. What is absent or null stays as it is.',
})
export class UpdateMailPreferencesInput {
  @Field(() => Int, 'Of which organization.')
  organizationId!: number;

  @Nullable(() => MailDeliveryEnum, 'About incidents and their reports.')
  incident?: MailDelivery | null;

  @Nullable(() => MailDeliveryEnum, 'About document versions.')
  document?: MailDelivery | null;

  @Nullable(() => MailDeliveryEnum, 'About edge protections and threat blockers.')
  device?: MailDelivery | null;

  @Nullable(() => MailDeliveryEnum, 'About workflows and controls.')
  workflow?: MailDelivery | null;

  @Nullable(() => MailDeliveryEnum, 'About members and roles.')
  member?: MailDelivery | null;

  @Nullable(() => MailDeliveryEnum, 'About tokens of the user.')
  token?: MailDelivery | null;

  @Nullable(() => MailDeliveryEnum, 'About the platform itself.')
  system?: MailDelivery | null;
}
