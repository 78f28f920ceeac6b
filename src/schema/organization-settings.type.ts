import { Field, Int, ObjectType } from 'type-graphql';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';

@ObjectType({ description: 'What an organization decides for itself.', simpleResolvers: true })
export class OrganizationSettings {
  @Field(() => String, {
    description: 'IANA name of the time zone in which its days and weeks begin, such as `Europe/Rome`; `UTC` at first.',
  })
  timeZone!: string;

  @Field(() => Int, {
    description: 'Weekday on which the weekly report goes out: 1 is Monday, 7 is Sunday (ISO 8601); 1 at first.',
  })
  reportWeekday!: number;

  @Field(() => Boolean, {
    description:
      'Whether a token may come as a query parameter (specification 5.3) to what belongs to the organization; true at first.',
  })
  queryTokenAllowed!: boolean;
}

@ObjectType({ description: 'What `updateOrganizationSettings` answers.', simpleResolvers: true })
export class UpdateOrganizationSettingsPayload {
  @Field(() => Organization, { description: 'The organization, with its settings as they are now.' })
  organization!: Plain<Organization>;
}
