import { ArgsType, InputType, Int } from 'type-graphql';
import type { ObjectRule } from '../../common/input-schema.js';
import { INCIDENT_REPORT_STAGES, type IncidentReportStage } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { PageArgs } from '../shared/connection.js';
import { Constrained, List, Rule, Text } from '../shared/constraints.js';
import { DateScalar, DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Field, Nullable } from '../shared/types.js';
import { IncidentReportStageEnum } from './report-types.js';
import { ChangedIncidentRef, IncidentRef } from './inputs.js';

/** The parts of a recorded report that may be corrected. */
@InputType()
abstract class ReportOfIncident extends ChangedIncidentRef {
  @Field(() => String, 'The regime that asks for it, such as `nis2`.')
  @Text({ max: LIMITS.incident.lineCharacters, trim: true })
  regimeId!: string;

  @Nullable(() => String, 'The reference number that the authority gave.')
  @Text({ max: LIMITS.incident.lineCharacters, orEmpty: true, min: 0, trim: true })
  reference?: string | null;

  @Nullable(() => SafeIntScalar, 'The copy of what was sent: an attachment of the incident.')
  attachmentId?: number | null;
}

@InputType({ description: 'A report that was sent to an authority or to people, or need not be.' })
export class RecordIncidentReportInput extends ReportOfIncident {
  @Field(() => IncidentReportStageEnum, 'Which report; those before it have to be recorded first, or with it.')
  stage!: IncidentReportStage;

  @Nullable(
    () => [IncidentReportStageEnum],
    'Reports before it that were sent in one with it, where `mayInclude` of the stage names them: each is recorded as well.',
  )
  @List({ max: INCIDENT_REPORT_STAGES.length - 1 })
  includes?: IncidentReportStage[] | null;

  @Nullable(
    () => Boolean,
    'That it was not sent, because an earlier report had said all that it would say: where `alreadyProvided` of the stage names the provision, with a `reason` and without `sentAt`.',
  )
  alreadyProvided?: boolean | null;

  @Nullable(
    () => Boolean,
    'That it is not due in this case: where `notDue` of the stage names the provision, with the reasons in `reason` and without `sentAt`. Requires SECURITY_OFFICER.',
  )
  notDue?: boolean | null;

  @Nullable(
    () => String,
    'Which report had said it, or why it is not due: required with `alreadyProvided` and `notDue`, and only then.',
  )
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason?: string | null;

  @Nullable(
    () => DateTimeScalar,
    'When it was sent: not in the future, not before the report that precedes it. Now when absent.',
  )
  sentAt?: Date | null;

  @Nullable(() => String, 'To whom it was sent; the recipient that the regime names when absent.')
  @Text({ max: LIMITS.incident.lineCharacters, orEmpty: true, min: 0, trim: true })
  recipient?: string | null;
}

/** Null says something, so it must be said. */
const sentAtIsGiven: ObjectRule = (read) =>
  read('sentAt') === undefined ? [{ at: ['sentAt'], sentence: 'is required; null says that it was not sent' }] : [];

@Rule(sentAtIsGiven, { required: ['sent_at'] })
@InputType({ description: 'A correction of a recorded report. What is absent stays as it is, except `sentAt`.' })
export class CorrectIncidentReportInput extends ReportOfIncident {
  @Field(() => IncidentReportStageEnum, 'Which report; it was recorded before.')
  stage!: IncidentReportStage;

  @Nullable(() => Int, 'Which of the reports of the stage; the last one when absent.')
  @Constrained({ minimum: 1 })
  number?: number | null;

  @Nullable(
    () => DateTimeScalar,
    'When it was really sent. Null says that it was not sent after all; it must not be absent.',
  )
  sentAt?: Date | null;

  @Nullable(() => String, 'To whom it was sent.')
  @Text({ max: LIMITS.incident.lineCharacters, orEmpty: true, min: 0, trim: true })
  recipient?: string | null;

  @Field(() => String, 'Why what was recorded is wrong.')
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason!: string;
}

@ArgsType()
export class ReportingRegimesArgs extends PageArgs {
  @Nullable(() => DateScalar, 'Only what is in force on this day; every version when absent.')
  asOf?: string | null;
}

@ArgsType()
export class DraftIncidentReportArgs extends IncidentRef {
  @Field(() => String, 'The regime that asks for it, such as `nis2`.')
  regimeId!: string;

  @Field(() => IncidentReportStageEnum, 'Which report.')
  stage!: IncidentReportStage;

  @Nullable(() => Int, 'Which of the reports of the stage; the last one when absent.')
  number?: number | null;
}
