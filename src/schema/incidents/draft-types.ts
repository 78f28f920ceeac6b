import { ObjectType } from 'type-graphql';
import type { IncidentStageState } from '../../values/enums.js';
import { WhenTrue } from '../shared/optional.js';
import { DateTimeScalar } from '../shared/scalars.js';
import { Field, Nullable, type Plain } from '../shared/types.js';
import { IncidentStageStateEnum, ReportOfStage } from './report-types.js';
import { ReportField } from './regime-types.js';

@ObjectType({ description: 'A field of a report, filled as far as it can be.' })
class ReportDraftField extends ReportField {
  @Nullable(() => String, 'What the report says; null where nothing is known.')
  value!: string | null;

  @Field(() => Boolean, 'Whether it has to be written before the report is sent.')
  missing!: boolean;
}

@ObjectType({
  description: 'A report as it would be sent now. Nothing is stored: it is made of the facts at the time of the query.',
})
export class IncidentReportDraft extends ReportOfStage {
  @WhenTrue('Whether the organization is a sandbox: the draft is for practice, and is not to be sent.')
  sandbox!: boolean;

  @Field(() => String, 'Name of the regime.')
  regimeName!: string;

  @Field(() => String, 'The law that asks for it.')
  source!: string;

  @Field(() => String, 'Why the regime applies.')
  reason!: string;

  @Field(() => IncidentStageStateEnum, 'Where the report stands.')
  state!: IncidentStageState;

  @Nullable(() => DateTimeScalar, 'When it is due; null while it has no deadline.')
  dueAt!: Date | string | null;

  @Nullable(
    () => DateTimeScalar,
    'Until when it may be sent although that has passed, by a rule on working days or on its last day; null where the law does not allow it.',
  )
  extendedTo!: Date | string | null;

  @Field(() => String, 'To whom it has to be sent.')
  recipient!: string;

  @Nullable(() => String, 'Address of the portal where it is sent; null where none is known.')
  portalUrl!: string | null;

  @Field(() => [ReportDraftField], 'Its fields: who reports what, then what the law asks for.', { items: 10 })
  fields!: Plain<ReportDraftField>[];

  @Field(() => [String], 'Keys of the fields that have to be written before it is sent.')
  missing!: readonly string[];

  @Field(() => String, 'Tag of the language (BCP 47) in which it is written: that of the organization.')
  language!: string;

  @Field(() => DateTimeScalar, 'When the draft was made.')
  draftedAt!: Date | string;
}
