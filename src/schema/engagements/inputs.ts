import { ID, InputType } from 'type-graphql';
import { LIMITS } from '../../values/limits.js';
import { Constrained, List, Text, text } from '../shared/constraints.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Field, Nullable } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';

const { nameCharacters, textCharacters, workflows } = LIMITS.engagement;

@InputType({ description: 'An engagement of auditors to create.' })
export class CreateEngagementInput {
  @Field(() => SafeIntScalar, 'Which organization is audited.')
  organizationId!: number;

  @Field(() => String, 'What to call it.')
  @Text({ max: nameCharacters, trim: true })
  name!: string;

  @Field(() => [String], 'Ids of associated workflows: its scope, which never changes.')
  @List({ min: 1, max: workflows, items: text({ max: 100 }) })
  workflowIds!: string[];

  @Field(() => DateTimeScalar, 'Start of the period in its scope.')
  from!: Date;

  @Field(() => DateTimeScalar, 'End of the period, which does not belong to it.')
  to!: Date;

  @Field(() => DateTimeScalar, `When the engagement ends: ${LIMITS.engagement.maxDays} days from now at most.`)
  until!: Date;
}

@InputType()
abstract class EngagementIdInput {
  @Field(() => SafeIntScalar, 'The organization that is audited.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which engagement.')
  engagementId!: number;
}

@InputType({ description: 'What an engagement is to be. What is absent stays as it is.' })
export class UpdateEngagementInput extends EngagementIdInput {
  @ExpectedVersion
  version?: number | null;

  @Nullable(() => String, 'What to call it.')
  @Text({ max: nameCharacters, trim: true, notNull: true })
  name?: string | null;

  @Nullable(() => DateTimeScalar, 'When it ends; at once when that is not in the future.')
  @Constrained({ notNull: true })
  until?: Date | null;
}

@InputType({ description: 'A person to invite to an engagement.' })
export class InviteAuditorInput extends EngagementIdInput {
  @Field(() => String, 'Where the mail goes; in any case, the same mailbox is the same person.')
  @Text({ max: LIMITS.organization.emailCharacters, format: 'email' })
  email!: string;
}

@InputType({ description: 'An auditor to remove.' })
export class RemoveAuditorInput extends EngagementIdInput {
  @Field(() => ID, 'The UUID of the user.')
  userId!: string;
}

@InputType({ description: 'Evidence to ask for.' })
export class RequestEvidenceInput extends EngagementIdInput {
  @Field(() => String, 'The workflow.')
  workflowId!: string;

  @Field(() => String, 'The control.')
  controlId!: string;

  @Field(() => String, 'What is requested.')
  @Text({ max: textCharacters, lines: true, trim: true })
  text!: string;
}

@InputType({ description: 'An answer to a request of an auditor. What is absent stays as it is.' })
export class AnswerEvidenceRequestInput extends EngagementIdInput {
  @Field(() => SafeIntScalar, 'Which request.')
  evidenceRequestId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => String, 'The answer.')
  @Text({ max: textCharacters, lines: true, min: 0, trim: true })
  answer?: string | null;

  @Nullable(() => Boolean, 'Whether it is closed; it cannot be opened again.')
  close?: boolean | null;
}

@InputType({ description: 'A statement of an auditor.' })
export class SignOffInput extends EngagementIdInput {
  @Field(() => String, 'The workflow.')
  workflowId!: string;

  @Nullable(() => String, 'The control; the workflow as a whole when absent.')
  controlId?: string | null;

  @Field(() => String, 'The statement, which is never changed.')
  @Text({ max: textCharacters, lines: true, trim: true })
  statement!: string;
}
