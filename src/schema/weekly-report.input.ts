import { Field, InputType } from 'type-graphql';
import type { MailState } from '../vocabulary/mail-states.js';
import { MailStateEnum } from './weekly-report.type.js';

@InputType({ description: 'Which deliveries of weekly reports to list. All conditions hold at once.' })
export class WeeklyReportDeliveryFilter {
  @Field(() => String, { nullable: true, description: 'Only those of this ISO 8601 week, such as `2026-W47`.' })
  week?: string | null;

  @Field(() => MailStateEnum, { nullable: true, description: 'Only those in this state.' })
  state?: MailState | null;
}
