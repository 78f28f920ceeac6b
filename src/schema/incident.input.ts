import { Field, InputType } from 'type-graphql';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import type { Severity } from '../vocabulary/severities.js';
import { IncidentSeverityEnum, IncidentStatusEnum } from './incident.type.js';

@InputType({ description: 'Which incidents to list. All conditions hold at once.' })
export class IncidentFilter {
  @Field(() => IncidentStatusEnum, { nullable: true, description: 'Only those of this status.' })
  status?: IncidentStatus | null;

  @Field(() => IncidentSeverityEnum, { nullable: true, description: 'Only those exactly this bad.' })
  severity?: Severity | null;
}
