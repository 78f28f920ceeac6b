import { ArgsType, Int, ObjectType } from 'type-graphql';
import type { AuditAction } from '../../values/audit.js';
import type { IncidentStageState } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { AuditActionEnum } from '../audit.js';
import { IncidentRef } from './inputs.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Field, Nullable, Person, type Plain } from '../shared/types.js';
import { IncidentStageStateEnum, ReportOfStage } from './report-types.js';

@ObjectType({ description: 'A report to an authority in a rehearsal.' })
class RehearsalStage extends ReportOfStage {
  @Field(() => String, 'Name of the regime.')
  regimeName!: string;

  @Field(() => IncidentStageStateEnum, 'Where the report stands.')
  state!: IncidentStageState;

  @Nullable(() => DateTimeScalar, 'When it was due; null without a deadline.')
  dueAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When it was recorded as sent; null while it is not.')
  sentAt!: Date | string | null;

  @Nullable(() => Person, 'The person who sent it, or recorded why it was not sent; null before that.')
  sentBy!: Plain<Person> | null;

  @Nullable(
    () => SafeIntScalar,
    'Seconds by which it was late, up to the end of the rehearsal where it was not sent; null where it was in time.',
  )
  lateSeconds!: number | null;
}

@ObjectType({ description: 'The first thing that a person did in a rehearsal.' })
class RehearsalReaction {
  @Nullable(() => Person, 'The person; null once that was erased.')
  user!: Plain<Person> | null;

  @Field(() => AuditActionEnum, 'What the person did.')
  action!: AuditAction;

  @Field(() => DateTimeScalar, 'When that was.')
  at!: Date | string;

  @Field(() => SafeIntScalar, 'Seconds after the rehearsal was opened.')
  secondsAfterOpening!: number;
}

@ObjectType({ description: 'Who reacted when in a rehearsal, from its audit trail: up to its end, or now.' })
export class RehearsalReport {
  @Field(() => SafeIntScalar, 'Id of the incident that was rehearsed.')
  incidentId!: number;

  @Field(() => String, 'Its title.')
  title!: string;

  @Field(() => DateTimeScalar, 'When it was opened.')
  openedAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was closed; null while it goes on.')
  closedAt!: Date | string | null;

  @Field(() => Int, `By how much periods were shorter than the law has them: ${LIMITS.incident.rehearsalSpeed}.`)
  speed!: number;

  @Nullable(() => DateTimeScalar, 'When the first note was added; null without one.')
  firstNoteAt!: Date | string | null;

  @Field(() => [RehearsalStage], 'The reports that were owed or sent, in the order of regimes and stages.')
  stages!: Plain<RehearsalStage>[];

  @Field(() => [RehearsalReaction], 'The first reaction of each person, the earliest first.')
  reactions!: Plain<RehearsalReaction>[];
}

@ArgsType()
export class RehearsalReportArgs extends IncidentRef {}
