import { Int, ObjectType } from 'type-graphql';
import type { IncidentReportStage, IncidentStageState, ReportManner } from '../../values/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Optional } from '../shared/optional.js';
import { enumeration, Field, Nullable, Person, type Plain } from '../shared/types.js';

export const IncidentReportStageEnum = enumeration<IncidentReportStage>(
  'IncidentReportStage',
  'A report that reporting regimes ask for, in the order in which they are sent; then what people concerned are sent.',
  {
    EARLY_WARNING: 'The early warning.',
    NOTIFICATION: 'The notification.',
    INTERMEDIATE_REPORT:
      'A report between the notification and the final one: on request of the authority, or as the law asks.',
    PROGRESS_REPORT: 'A report on an incident that is still being handled.',
    FINAL_REPORT: 'The final report.',
    COMMUNICATION: 'What the people concerned learn of it, such as data subjects or users; at any time.',
    THREAT_COMMUNICATION: 'What recipients of services can do against a significant cyber threat; at any time.',
  },
);

export const IncidentStageStateEnum = enumeration<IncidentStageState>(
  'IncidentStageState',
  'Where a report stands. It is derived from the facts of the incident, exact to the second.',
  {
    PENDING:
      'Not sent, and not due soon; without a deadline it waits for what its deadline is counted from, or the law gives no hours.',
    DUE_SOON: 'Not sent, and its deadline is near.',
    SENT: 'Sent, or recorded as provided already.',
    OVERDUE: 'Due, and not sent.',
    NOT_REQUIRED: 'Not owed, as things stand, or recorded as not due.',
    TO_BE_DECIDED: 'Required only in some cases, as `reason` says: a person decides. It is not owed until then.',
  },
);

export const ReportMannerEnum = enumeration<ReportManner>('ReportManner', 'How the duty to report was met.', {
  SENT: 'The report was sent.',
  ALREADY_PROVIDED: 'It was not sent, because an earlier report had said all that it would say.',
  NOT_DUE: 'It was not sent, because the law does not ask for it in this case.',
});

@ObjectType({ description: 'A fact of an organization that reporting regimes ask about.' })
class RegimeFact {
  @Field(() => String, 'Its name, as the conditions of regimes have it; `time_zone` is the calendar of deadlines.')
  fact!: string;

  @Field(() => [String], 'Its values; empty where there is none.')
  values!: readonly string[];
}

@ObjectType({
  description: 'A regime that the facts of an incident would bring, and that is not for the organization.',
})
class RegimeOutOfScope {
  @Field(() => String, 'The regime, such as `nis2`.')
  regimeId!: string;

  @Field(() => String, 'Name of the regime.')
  regimeName!: string;

  @Field(() => String, 'The law.')
  source!: string;

  @Field(
    () => String,
    'Why it is not for the organization by its profile or settings, and what to change where that is wrong.',
  )
  reason!: string;
}

@ObjectType({ description: 'The reports that authorities expect of an incident.' })
export class IncidentClock {
  @Field(
    () => Boolean,
    'Whether a reporting regime applies: it follows from the facts of the incident and those of the organization.',
  )
  applies!: boolean;

  @Field(
    () => DateTimeScalar,
    'Of when the facts of the organization are: of awareness, or of when the incident was judged anew.',
  )
  factsAsOf!: Date | string;

  @Field(() => [RegimeFact], 'The facts of the organization at that time, by which the incident is judged.', {
    items: 6,
  })
  facts!: Plain<RegimeFact>[];

  @Field(
    () => [RegimeOutOfScope],
    'Regimes whose conditions on the incident are met and that are not for the organization by its profile or settings; may be empty.',
    { items: 1 },
  )
  outOfScope!: Plain<RegimeOutOfScope>[];

  @Field(
    () => [IncidentStage],
    'The reports of each regime that applies, in the order in which they are sent. Of a regime that does not apply, what was sent all the same.',
    { items: 6 },
  )
  stages!: Plain<IncidentStage>[];
}

@ObjectType({ description: 'What the facts of an incident say of a report that was recorded under others.' })
class ReportJudgement {
  @Field(() => Boolean, 'Whether the regime applies.')
  applies!: boolean;

  @Nullable(() => DateTimeScalar, 'When it is due; null where there is no deadline.')
  dueAt!: Date | string | null;

  @Field(() => Boolean, 'Whether it was sent after that.')
  late!: boolean;
}

@ObjectType({
  description:
    'A report that a regime asks for. What it says of a report that was sent, was fixed when it was recorded.',
})
export class IncidentStage {
  @Field(() => String, 'The regime, such as `nis2`, `nis2-it` or `gdpr`.')
  regimeId!: string;

  @Field(() => String, 'Name of the regime.')
  regimeName!: string;

  @Optional(() => String, 'The law that asks for it.')
  source!: string | null;

  @Field(() => String, 'Why it applies.')
  reason!: string;

  @Field(() => IncidentReportStageEnum, 'Which report.')
  stage!: IncidentReportStage;

  @Field(() => Int, 'Counts the reports of one stage from 1, such as monthly progress reports.')
  number!: number;

  @Field(() => IncidentStageStateEnum, 'Where the report stands.')
  state!: IncidentStageState;

  @Nullable(
    () => DateTimeScalar,
    'When it is due; null where it is not owed, unless it was recorded as not due, until what its deadline is counted from has happened, and where the law gives no hours.',
  )
  dueAt!: Date | string | null;

  @Nullable(
    () => DateTimeScalar,
    'Until when it may be sent where the law lets `dueAt` pass: until the next working day where it is on a Saturday, a Sunday or a public holiday, or until the end of its day; null where it does not. It is late after that only.',
  )
  extendedTo!: Date | string | null;

  @Field(() => Boolean, 'Whether it was sent after its deadline.')
  late!: boolean;

  @Nullable(
    () => ReportJudgement,
    'Of a report that was sent: what the facts as they are now say, where that differs from what was fixed when it was recorded; otherwise null.',
  )
  judgedNow!: Plain<ReportJudgement> | null;

  @Nullable(() => ReportMannerEnum, 'How the duty to report was met; null while it was not.')
  manner!: ReportManner | null;

  @Nullable(
    () => String,
    'Of what was not sent: which report had said it, or why it is not due. Null unless that was recorded.',
  )
  mannerReason!: string | null;

  @Nullable(
    () => DateTimeScalar,
    'When it was sent, when what it asks for was provided, or when it was recorded as not due; null while it was not.',
  )
  sentAt!: Date | string | null;

  @Nullable(() => Person, 'The person who sent it, or recorded why it was not sent; null before that.')
  sentBy!: Plain<Person> | null;

  @Optional(() => String, 'To whom it was sent, or has to be sent.')
  recipient!: string | null;

  @Nullable(
    () => String,
    'Address of the portal where it is sent; null where none is known, or the regime does not apply.',
  )
  portalUrl!: string | null;

  @Optional(() => String, 'The reference number that the authority gave.')
  reference!: string | null;

  @Nullable(() => SafeIntScalar, 'Id of the attachment that is the copy of what was sent; null where there is none.')
  attachmentId!: number | null;
}

/** Which report of a regime it is. */
@ObjectType()
export abstract class ReportOfStage {
  @Field(() => String, 'The regime that asks for it.')
  regimeId!: string;

  @Field(() => IncidentReportStageEnum, 'Which report.')
  stage!: IncidentReportStage;

  @Field(() => Int, 'Counts the reports of one stage, from 1.')
  number!: number;
}

@ObjectType({
  description: 'A record about a report of an incident. Records never change: a correction is another record.',
})
export class IncidentReport extends ReportOfStage {
  @Field(() => SafeIntScalar, 'Number of the record; a later one has a higher number.')
  id!: number;

  @Nullable(
    () => DateTimeScalar,
    'When it was sent, when what it asks for was provided, or when it was recorded as not due; null for a report that was recorded by mistake.',
  )
  sentAt!: Date | string | null;

  @Field(() => ReportMannerEnum, 'How the duty to report was met.')
  manner!: ReportManner;

  @Nullable(() => DateTimeScalar, 'Its deadline, fixed when it was recorded; null where it had none.')
  dueAt!: Date | string | null;

  @Nullable(
    () => DateTimeScalar,
    'Until when that might pass, because it was not on a working day or its last day counted whole; null where it might not.',
  )
  extendedTo!: Date | string | null;

  @Field(() => Boolean, 'Whether it was sent after that.')
  late!: boolean;

  @Optional(() => String, 'The law that required it when it was recorded.')
  source!: string | null;

  @Field(() => Person, 'The person who sent it.')
  sentBy!: Plain<Person>;

  @Optional(() => String, 'To whom it was sent, where that is not the recipient that the regime names.')
  recipient!: string | null;

  @Optional(() => String, 'The reference number that the authority gave.')
  reference!: string | null;

  @Nullable(() => SafeIntScalar, 'Id of the attachment that is the copy of what was sent; null where there is none.')
  attachmentId!: number | null;

  @Optional(
    () => String,
    'Why it differs from the record before, which report had said it already, or why it is not due.',
  )
  reason!: string | null;

  @Field(() => Person, 'The person who recorded it.')
  recordedBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was recorded.')
  recordedAt!: Date | string;
}
