import { ArgsType, ID, InputType, ObjectType } from 'type-graphql';
import type { AuditAction, AuditSubjectType } from '../values/audit.js';
import { LIMITS } from '../values/limits.js';
import {
  ActorFilter,
  AuditActionEnum,
  AuditActor,
  AuditCheckpoint,
  AuditSubject,
  AuditSubjectTypeEnum,
  idWithType,
} from './audit.js';
import { PageArgs } from './shared/connection.js';
import { Rule, Text } from './shared/constraints.js';
import { DateTimeScalar, JsonScalar, SafeIntScalar } from './shared/scalars.js';
import { Field, Nullable, type Plain } from './shared/types.js';

@ObjectType({
  description: 'What an answer about the past is made of: the entries of an audit trail up to one of them.',
})
export class AsOf {
  @Field(() => DateTimeScalar, 'The instant that the answer is about.')
  at!: Date;

  @Field(
    () => SafeIntScalar,
    'The place of the last entry that counts: the one before the first that is later than the instant.',
  )
  position!: number;

  @Field(() => String, 'The hash of that entry, in lower-case hexadecimal.')
  hash!: string;

  @Nullable(
    () => AuditCheckpoint,
    'The first checkpoint that was signed at that entry or after it; null while there is none.',
  )
  checkpoint!: Plain<AuditCheckpoint> | null;

  @Field(
    () => [String],
    'Fields that the audit trail does not record: they are empty in the answer, whatever they were, and a key is the UUID of zeros.',
  )
  notRecorded!: string[];
}

@ObjectType({
  description: 'A field of an object that was changed, or a change that says nothing of fields, such as a deletion.',
})
export class RecordedChange {
  @Field(() => SafeIntScalar, 'The place of its entry in the audit trail.')
  position!: number;

  @Field(() => DateTimeScalar, 'When it happened.')
  at!: string;

  @Field(() => AuditActionEnum, 'What happened.')
  action!: AuditAction;

  @Field(() => AuditActor, 'Who did it.')
  actor!: Plain<AuditActor>;

  @Field(() => AuditSubject, 'What it was done to.')
  subject!: Plain<AuditSubject>;

  @Nullable(() => String, 'The name of the field, as GraphQL has it; null where the change says nothing of fields.')
  field!: string | null;

  @Nullable(
    () => JsonScalar,
    'Its value before; null where there was none, and when it is about a person who was erased.',
  )
  before!: unknown;

  @Nullable(
    () => JsonScalar,
    'Its value afterwards; null where there is none, and when it is about a person who was erased. Of a secret it is only said that it was changed.',
  )
  after!: unknown;

  @Nullable(() => String, 'The reason that was given, or found for a change of status; null where there is none.')
  reason!: string | null;
}

const { filterCharacters } = LIMITS.search;

@ArgsType()
export class ChangesArgs extends PageArgs {
  @Nullable(
    () => DateTimeScalar,
    'Only what was changed after this instant: an answer as of it has none of it yet. From the first entry of the audit trail on when absent.',
  )
  from?: Date | null;

  @Nullable(
    () => DateTimeScalar,
    'Only what was changed up to this instant: an answer as of it has all of it. Up to now when absent.',
  )
  to?: Date | null;
}

@InputType({ description: 'Which changes to list. All conditions hold at once.' })
@Rule(idWithType)
export class RecordedChangeFilter extends ActorFilter {
  @Nullable(
    () => AuditActionEnum,
    'Only those of this action; without it, what changes nothing is left out: reads, refusals, sign-ins, dates that are near or past, tests of webhooks, and starts and ends of imports.',
  )
  action?: AuditAction | null;

  @Nullable(() => AuditSubjectTypeEnum, 'Only those of objects of this type.')
  subjectType?: AuditSubjectType | null;

  @Nullable(
    () => ID,
    'Only those of the object with this `databaseId`, of a control with its workflow (`iso-27001-2022/A.5.1`); goes with `subjectType`.',
  )
  @Text({ max: filterCharacters })
  subjectId?: string | null;

  @Nullable(
    () => String,
    'Only those of fields with this name, in camel case as entries of the trail have it, through both APIs.',
  )
  @Text({ max: filterCharacters })
  field?: string | null;
}
