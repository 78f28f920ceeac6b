import { InputType, Int, ObjectType } from 'type-graphql';
import type { ObjectRule, RuleError } from '../common/input-schema.js';
import type { MailDelivery, NotificationAction, NotificationType } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { Organization } from './organizations/types.js';
import { orderOf } from './shared/connection.js';
import { List, Rule } from './shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { Optional } from './shared/optional.js';
import { enumeration, Field, Nullable, type Plain, fieldsOf } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';

// Specification 2.11 type.
export const NotificationTypeEnum = enumeration<NotificationType>('NotificationType', 'Category of a notification.', {
  INCIDENT: 'About an incident or its clock.',
  DOCUMENT: 'About a document version.',
  DEVICE: 'About an edge protection or a threat blocker.',
  WORKFLOW: 'About a workflow, a control or an engagement of auditors.',
  MEMBER: 'About the members of an organization, or who answers for a service account.',
  TOKEN: 'About a token of the user, of a service account, or of a member who has recovered access.',
  SYSTEM: 'About a webhook endpoint, the audit trail, or an organization that was restored.',
});

// Specification 2.11 action.
export const NotificationActionEnum = enumeration<NotificationAction>(
  'NotificationAction',
  'Kind of action attached to a notification.',
  { OPEN: 'Open the link in `extra.href`.', NONE: 'Nothing to do.' },
);

// Specification 2.11.
@ObjectType({ description: 'A message to the caller about one organization.' })
export class Notification {
  @Field(() => SafeIntScalar, 'Notification identifier.')
  id!: number;

  @Field(() => Organization, 'The organization that it is about.')
  organization!: Plain<Organization>;

  @Field(() => String, 'What it is about, in a few words.')
  title!: string;

  @Field(() => String, 'The message itself.')
  message!: string;

  @Field(() => NotificationTypeEnum, 'Its category.')
  type!: NotificationType;

  @Field(() => NotificationActionEnum, 'What it invites to.')
  action!: NotificationAction;

  @Field(() => Boolean, 'Whether the caller has read it.')
  read!: boolean;

  @Field(() => DateTimeScalar, 'When it was sent.')
  datetime!: Date | string;

  @Field(() => String, 'Icon class names.')
  icon!: string;

  @Field(() => NotificationExtra, 'What its action needs.')
  extra!: Plain<NotificationExtra>;
}

// Specification 2.11 extra.
@ObjectType({ description: 'What the action of a notification needs.' })
export class NotificationExtra {
  @Optional(() => String, 'Relative link to what the notification is about.')
  href!: string | null;
}

@ObjectType({ description: 'How much the caller has not read yet.' })
export class UnreadNotificationCount {
  @Field(() => Int, 'Number of unread notifications.')
  count!: number;
}

@ObjectType({ description: 'What came of marking many notifications.' })
export class NotificationMarks {
  @Field(() => Int, 'How many have changed: those that were marked so already are not counted.')
  changed!: number;

  @Field(() => Int, 'How many notifications the caller has not read now, of all organizations.')
  unread!: number;
}

export const MailDeliveryEnum = enumeration<MailDelivery>(
  'MailDelivery',
  'Which notifications of a category the caller gets by mail. Urgent are: a report that is due soon or overdue, for SECURITY_OFFICER and above; a device that is down; a changed role; a token that expires soon; a webhook endpoint that was disabled; entries of the audit trail that were set aside.',
  {
    IMMEDIATELY:
      'All at once. Beyond 20 mails in an hour, those that are unread at 08:00 in one mail, as with `DAILY`; deadlines of reports always at once.',
    DAILY: 'Urgent ones at once. Those that are unread at 08:00, in the time zone of the organization, in one mail.',
    URGENT_ONLY: 'Urgent ones at once, the others not.',
    NEVER: 'None.',
  },
);

/** The categories of notifications as preferences name them. */
const CATEGORIES = {
  incident: 'About incidents and their reports.',
  document: 'About document versions.',
  device: 'About edge protections and threat blockers.',
  workflow: 'About workflows, controls and engagements of auditors.',
  member: 'About members, roles, and who answers for service accounts.',
  token: 'About tokens of the user, of service accounts, and of members who have recovered access.',
  system: 'About webhook endpoints, the audit trail, and an organization that was restored.',
};

type MailCategory = keyof typeof CATEGORIES;

@ObjectType({
  description: 'Which notifications a member gets by mail, by category. They go to a verified e-mail address only.',
})
export class MailPreferences extends fieldsOf<MailCategory, MailDelivery>(CATEGORIES, (description) =>
  Field(() => MailDeliveryEnum, description),
) {
  @Version('mail preferences')
  version!: number;
}

// Specification 4.10.
@InputType({ description: 'Which notifications to list. All conditions hold at once.' })
export class NotificationFilter {
  @Nullable(() => Boolean, 'Only read ones, or only unread ones.')
  read?: boolean | null;

  @Nullable(() => NotificationTypeEnum, 'Only those of this category.')
  type?: NotificationType | null;

  @Nullable(() => SafeIntScalar, 'Only those about this organization.')
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
  @Field(() => SafeIntScalar, 'Which notification.')
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
  @Nullable(() => [SafeIntScalar], "These. One that is not the caller's refuses all.")
  @List({ min: 1, max: maxMarked, sentences: MARKED })
  notificationIds?: number[] | null;

  @Nullable(() => Boolean, 'All of them, or all of one organization.')
  all?: boolean | null;

  @Nullable(() => SafeIntScalar, 'With `all`: only those about this organization.')
  organizationId?: number | null;

  @Nullable(() => Boolean, 'False marks them unread; true when absent.', { defaultValue: true })
  read?: boolean | null;
}

@InputType({
  description:
    'Which notifications of an organization the caller wants by mail. What is absent or null stays as it is.',
})
export class UpdateMailPreferencesInput extends fieldsOf<MailCategory, MailDelivery | null | undefined>(
  CATEGORIES,
  (description) => Nullable(() => MailDeliveryEnum, description),
) {
  @Field(() => SafeIntScalar, 'Of which organization.')
  organizationId!: number;

  @ExpectedVersion
  version?: number | null;
}
