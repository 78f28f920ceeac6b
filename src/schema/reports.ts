import { InputType, Int, ObjectType } from 'type-graphql';
import type { MailStatus } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { Text } from './shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { enumeration, Field, Nullable } from './shared/types.js';

export const MailStatusEnum = enumeration<MailStatus>('MailStatus', 'What has become of a mail.', {
  QUEUED: 'It waits for its turn, or for another try.',
  SENT: 'The mail server has taken it.',
  FAILED: 'It was refused for good, or given up after many tries.',
});

// Specification 2.2 email_report.
@ObjectType({
  description: 'The weekly report of an organization as it would go out now.',
})
export class WeeklyReportPreview {
  @Field(() => String, 'ISO 8601 week in the time zone of the organization, such as `2026-W47`.')
  week!: string;

  @Field(() => String, 'Subject of the mail.')
  subject!: string;

  @Field(() => String, 'The mail as HTML. Its link to unsubscribe leads nowhere.')
  html!: string;

  @Field(() => String, 'The mail as plain text.')
  text!: string;
}

@ObjectType({ description: 'One weekly report to one contact.' })
export class WeeklyReportDelivery {
  @Field(() => SafeIntScalar, 'Delivery identifier.')
  id!: number;

  @Field(() => String, 'ISO 8601 week that it is the report of, such as `2026-W47`.')
  week!: string;

  @Field(() => String, 'E-mail address of the contact.')
  email!: string;

  @Field(() => MailStatusEnum, 'What has become of it.')
  status!: MailStatus;

  @Field(() => Int, 'How often it was tried.')
  attemptCount!: number;

  @Field(() => DateTimeScalar, 'When it was written.')
  createdAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When the mail server took it; null before that.')
  sentAt!: Date | string | null;

  @Nullable(() => String, 'Why the last try failed, as a sentence; null when it did not.')
  lastError!: string | null;
}

@InputType({ description: 'Which deliveries of weekly reports to list. All conditions hold at once.' })
export class WeeklyReportDeliveryFilter {
  @Nullable(() => String, 'Only those of this ISO 8601 week, such as `2026-W47`.')
  @Text({ max: LIMITS.search.filterCharacters, format: 'week' })
  week?: string | null;

  @Nullable(() => MailStatusEnum, 'Only those of this status.')
  status?: MailStatus | null;
}
