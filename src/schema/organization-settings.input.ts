import { Field, InputType, Int } from 'type-graphql';
import { VERSION } from './organization.input.js';

@InputType({ description: 'Settings to change. An absent one stays as it is, null is what it was at first.' })
export class UpdateOrganizationSettingsInput {
  @Field(() => Int, { description: 'Which organization.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;

  @Field(() => String, { nullable: true, description: 'IANA name of a time zone, such as `Europe/Rome`.' })
  timeZone?: string | null;

  @Field(() => Int, { nullable: true, description: 'Weekday of the weekly report: 1 (Monday) to 7 (Sunday).' })
  reportWeekday?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether a token may come as a query parameter.' })
  queryTokenAllowed?: boolean | null;
}
