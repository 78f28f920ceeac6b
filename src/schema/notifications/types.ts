import { Int, ObjectType } from 'type-graphql';
import { Field } from '../shared/field.js';
import type { MailDelivery, NotificationAction, NotificationType } from '../../values/enums.js';

import { connectionOf } from '../shared/connection.js';
import { enumeration } from '../shared/enumeration.js';
import { Organization } from '../organizations/types.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar } from '../shared/scalars.js';

export const NotificationTypeEnum = enumeration<NotificationType>(
  'NotificationType',
  'Category of a notification (specification 2.11 `type`).',
  {
    INCIDENT: 'About an incident or its clock.',
    DOCUMENT: 'About a document version.',
    DEVICE: 'About an edge protection or a threat blocker.',
    WORKFLOW: 'About a workflow or a control.',
    MEMBER: 'About the members of an organization.',
    TOKEN: 'About a token of the user.',
    SYSTEM: 'About the platform itself.',
  },
);

export const NotificationActionEnum = enumeration<NotificationAction>(
  'NotificationAction',
  'Kind of action attached to a notification (specification 2.11 `action`).',
  { OPEN: 'Open the link in `extra.href`.', NONE: 'Nothing to do.' },
);

@ObjectType({ description: 'A message to the caller about one organization (specification 2.11).' })
export class Notification {
  @Field(() => Int, 'Notification identifier.')
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

@ObjectType({ description: 'What the action of a notification needs (specification 2.11 `extra`).' })
export class NotificationExtra {
  @Field(() => String, 'Relative link to what the notification is about.')
  href!: string;
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

export const NotificationConnection = connectionOf('Notification', () => Notification);

export const MailDeliveryEnum = enumeration<MailDelivery>(
  'MailDelivery',
  'Which notifications of a category the caller gets by mail. Urgent are: a report that is due soon or overdue, for SECURITY_OFFICER and above; a device that is down; a changed role; a token that expires soon.',
  {
    IMMEDIATELY: 'All, each at once.',
    DAILY: 'Urgent ones at once. Those that are unread at 08:00, in the time zone of the organization, in one mail.',
    URGENT_ONLY: 'Urgent ones at once, the others not.',
    NEVER: 'None.',
  },
);

@ObjectType({
  description: 'Which notifications a member gets by mail, by category. They go to a verified e-mail address only.',
})
export class MailPreferences {
  @Field(() => MailDeliveryEnum, 'About incidents and their reports.')
  incident!: MailDelivery;

  @Field(() => MailDeliveryEnum, 'About document versions.')
  document!: MailDelivery;

  @Field(() => MailDeliveryEnum, 'About edge protections and threat blockers.')
  device!: MailDelivery;

  @Field(() => MailDeliveryEnum, 'About workflows and controls.')
  workflow!: MailDelivery;

  @Field(() => MailDeliveryEnum, 'About members and roles.')
  member!: MailDelivery;

  @Field(() => MailDeliveryEnum, 'About tokens of the user.')
  token!: MailDelivery;

  @Field(() => MailDeliveryEnum, 'About the platform itself.')
  system!: MailDelivery;
}
