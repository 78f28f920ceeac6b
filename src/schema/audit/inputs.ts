import { ID, InputType, Int } from 'type-graphql';
import { Field, Nullable } from '../shared/field.js';
import type { ObjectRule } from '../../common/input-schema.js';
import type { AuditAction, AuditSubjectType } from '../../values/audit.js';
import { LIMITS } from '../../values/limits.js';
import { Rule, Text } from '../shared/constraints.js';
import { enumeration } from '../shared/enumeration.js';
import { DateTimeScalar } from '../shared/scalars.js';
import { orderOf } from '../shared/order.js';
import { AuditActionEnum, AuditSubjectTypeEnum } from './types.js';

const { filterCharacters } = LIMITS.search;

/** Ids are unique among objects of one type only. */
const idWithType: ObjectRule = (read) =>
  (read('subjectId') ?? null) !== null && (read('subjectType') ?? null) === null
    ? [{ at: ['subjectId'], sentence: 'must be given together with {subjectType}' }]
    : [];

@InputType({ description: 'Which entries of an audit trail to list. All conditions hold at once.' })
@Rule(idWithType)
export class AuditEntryFilter {
  @Nullable(() => ID, 'Only what this user did, or the job of this name.')
  @Text({ max: filterCharacters })
  actor?: string | null;

  @Nullable(() => AuditActionEnum, 'Only those of this action.')
  action?: AuditAction | null;

  @Nullable(() => AuditSubjectTypeEnum, 'Only those about objects of this type.')
  subjectType?: AuditSubjectType | null;

  @Nullable(() => ID, 'Only those about the object with this `databaseId`; goes with `subjectType`.')
  @Text({ max: filterCharacters })
  subjectId?: string | null;

  @Nullable(() => DateTimeScalar, 'Only what happened then or later.')
  from?: Date | null;

  @Nullable(() => DateTimeScalar, 'Only what happened before.')
  to?: Date | null;
}

export type AuditEntryOrder = InstanceType<typeof AuditEntryOrder>;
export const AuditEntryOrder = orderOf(
  'AuditEntry',
  'an audit trail',
  enumeration('AuditEntrySortField', 'What an audit trail is ordered by.', {
    POSITION: 'By place in the trail, which is the order of what happened.',
  }),
  ['DESC', 'newest first'],
);

@InputType({ description: 'The audit trail to sign.' })
export class CreateAuditCheckpointInput {
  @Field(() => Int, 'Which organization.')
  organizationId!: number;
}
