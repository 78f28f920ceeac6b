import { Field, InputType, Int } from 'type-graphql';
import type { IncidentReportStage } from '../vocabulary/incident-reports.js';
import { IncidentReportStageEnum } from './incident-report.type.js';
import { DateTimeScalar } from './scalars.js';

@InputType({ description: 'A report that was sent to the authority (NIS 2 Article 23(4), decisions 7).' })
export class RecordIncidentReportInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => IncidentReportStageEnum, { description: 'Which report: the one that follows the last one recorded.' })
  stage!: IncidentReportStage;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was sent: not in the future, not before the report that precedes it. Now when absent.',
  })
  sentAt?: Date | null;
}

@InputType({ description: 'A correction of when a report was sent.' })
export class CorrectIncidentReportInput {
  @Field(() => Int, { description: 'Whose incident it is.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => IncidentReportStageEnum, { description: 'Which report; it was recorded before.' })
  stage!: IncidentReportStage;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was really sent. Null says that it was not sent after all; it must not be absent.',
  })
  sentAt?: Date | null;

  @Field(() => String, { description: 'Why what was recorded is wrong, in 1 to 1,000 characters.' })
  reason!: string;
}
