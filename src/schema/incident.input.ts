import { Field, InputType, Int } from 'type-graphql';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import type { Severity } from '../vocabulary/severities.js';
import { enumeration } from './enumeration.js';
import { IncidentSeverityEnum, IncidentStatusEnum } from './incident.type.js';
import { DateTimeScalar } from './scalars.js';
import { type SortDirection, SortDirectionEnum } from './sort-direction.enum.js';

export type IncidentSortField = 'AWARE_AT' | 'CREATED_AT' | 'SEVERITY' | 'UPDATED_AT';

export const IncidentSortFieldEnum = enumeration<IncidentSortField>(
  'IncidentSortField',
  'What a list of incidents is ordered by.',
  {
    AWARE_AT: 'By when the organization became aware.',
    CREATED_AT: 'By when the record was created.',
    SEVERITY: 'By how bad they are; `ASC` is mildest first.',
    UPDATED_AT: 'By when the record was last changed.',
  },
);

@InputType({ description: 'Which incidents to list. All conditions hold at once.' })
export class IncidentFilter {
  @Field(() => IncidentStatusEnum, { nullable: true, description: 'Only those of this status.' })
  status?: IncidentStatus | null;

  @Field(() => IncidentSeverityEnum, { nullable: true, description: 'Only those exactly this bad.' })
  severity?: Severity | null;

  @Field(() => Boolean, { nullable: true, description: 'Only significant ones, or only those that are not.' })
  significant?: boolean | null;
}

@InputType({ description: 'How to order incidents.' })
export class IncidentOrder {
  @Field(() => IncidentSortFieldEnum, { description: 'What to order by.' })
  field!: IncidentSortField;

  @Field(() => SortDirectionEnum, {
    nullable: true,
    description: 'Which way; `ASC` when absent.',
  })
  direction?: SortDirection | null;
}

@InputType({ description: 'An incident to open (decisions 7).' })
export class OpenIncidentInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => String, { description: 'What happened, in 1 to 200 characters after trimming.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'What happened, at length: 10,000 characters at most.' })
  description?: string | null;

  @Field(() => IncidentSeverityEnum, { description: 'How bad it is.' })
  severity!: Severity;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it is significant in the sense of NIS 2 Article 23(3); false when absent.',
  })
  significant?: boolean | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the organization became aware; not in the future. Now when absent.',
  })
  awareAt?: Date | null;
}

@InputType({
  description: 'What to change of an incident. What is absent stays as it is; only `description` may be null.',
})
export class UpdateIncidentInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => String, { nullable: true, description: 'What happened, in 1 to 200 characters after trimming.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'What happened, at length; null empties it.' })
  description?: string | null;

  @Field(() => IncidentSeverityEnum, { nullable: true, description: 'How bad it is.' })
  severity?: Severity | null;

  @Field(() => IncidentStatusEnum, {
    nullable: true,
    description: 'How far its handling has come: `OPEN`, `CONTAINED` or `RESOLVED`. Closing has a mutation of its own.',
  })
  status?: IncidentStatus | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is significant: only then its clock applies.' })
  significant?: boolean | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the organization became aware: not in the future, not after a report that was sent.',
  })
  awareAt?: Date | null;
}

@InputType({ description: 'The incident to close.' })
export class CloseIncidentInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;
}

@InputType({ description: 'The incident to open again.' })
export class ReopenIncidentInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;
}
