import { InputType } from 'type-graphql';
import { Nullable } from '../shared/field.js';
import { LIMITS } from '../../values/limits.js';
import { Text } from '../shared/constraints.js';
import type { MailState } from '../../values/enums.js';
import { MailStateEnum } from './types.js';

@InputType({ description: 'Which deliveries of weekly reports to list. All conditions hold at once.' })
export class WeeklyReportDeliveryFilter {
  @Nullable(() => String, 'Only those of this ISO 8601 week, such as `2026-W47`.')
  @Text({ max: LIMITS.search.filterCharacters })
  week?: string | null;

  @Nullable(() => MailStateEnum, 'Only those in this state.')
  state?: MailState | null;
}
