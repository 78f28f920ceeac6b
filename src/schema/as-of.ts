import { ObjectType } from 'type-graphql';
import { AuditCheckpoint } from './audit.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { Field, Nullable, type Plain } from './shared/types.js';

@ObjectType({
  description: 'What an answer about the past is made of: the entries of an audit trail up to one of them.',
})
export class AsOf {
  @Field(() => DateTimeScalar, 'The instant that was asked about.')
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
    'Fields that the audit trail does not record: they are empty in the answer, whatever they were.',
  )
  notRecorded!: string[];
}
