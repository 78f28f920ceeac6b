import { Field, Int, ObjectType } from 'type-graphql';
import type { IncidentReportStage } from '../vocabulary/incident-reports.js';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';
import { Incident } from './incident.type.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

export const IncidentReportStageEnum = enumeration<IncidentReportStage>(
  'IncidentReportStage',
  'A report of NIS 2 Article 23(4). They are sent in this order.',
  {
    EARLY_WARNING: 'Within 24 hours of becoming aware.',
    NOTIFICATION: 'Within 72 hours of becoming aware.',
    FINAL_REPORT: 'Within one month after the notification was sent.',
  },
);

@ObjectType({
  description:
    'What somebody has recorded about a report of an incident. Records are never changed: a correction is one more.',
  simpleResolvers: true,
})
export class IncidentReport {
  @Field(() => Int, { description: 'Number of the record; a later one has a higher number.' })
  id!: number;

  @Field(() => IncidentReportStageEnum, { description: 'Which report.' })
  stage!: IncidentReportStage;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was sent; null says that it was not, after all.',
  })
  sentAt!: Date | string | null;

  @Field(() => String, { description: 'Why it differs from the record before; empty where it corrects none.' })
  reason!: string;

  @Field(() => String, { description: 'User name of who recorded it, as it was then.' })
  recordedBy!: string;

  @Field(() => DateTimeScalar, { description: 'When it was recorded.' })
  recordedAt!: Date | string;
}

@ObjectType({ description: 'What `recordIncidentReport` answers.', simpleResolvers: true })
export class RecordIncidentReportPayload {
  @Field(() => Incident, { description: 'The incident with its clock as it is now.' })
  incident!: Plain<Incident>;
}

@ObjectType({ description: 'What `correctIncidentReport` answers.', simpleResolvers: true })
export class CorrectIncidentReportPayload {
  @Field(() => Incident, { description: 'The incident with its clock as it is now.' })
  incident!: Plain<Incident>;
}

export const { Connection: IncidentReportConnection } = connectionOf('IncidentReport', () => IncidentReport);
