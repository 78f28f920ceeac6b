import { ID, ObjectType } from 'type-graphql';
import { Optional } from '../shared/optional.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Field, Nullable, Person, type Plain } from '../shared/types.js';
import { Version } from '../shared/version.js';

@ObjectType({ description: 'An auditor of an engagement.' })
export class EngagementAuditor {
  @Field(() => ID, 'The UUID of the user, who is no member of the organization.')
  userId!: string;

  @Field(() => String, 'User name.')
  username!: string;
}

@ObjectType({ description: 'A workflow in the scope of an engagement.' })
export class EngagementWorkflow {
  @Field(() => ID, 'Its id; what else the organization has of it is for its members.')
  workflowId!: string;

  @Nullable(() => String, 'What it is called; null when the organization has it no more.')
  name!: string | null;
}

@ObjectType({
  description:
    'What auditors may read of an organization, and until when. They are no members of it; members see what they read in the audit trail.',
})
export class Engagement {
  @Field(() => SafeIntScalar, 'What to read it by.')
  id!: number;

  @Version('engagement')
  version!: number;

  @Field(() => SafeIntScalar, 'Id of the organization that is audited; what else it has is for its members.')
  organizationId!: number;

  @Field(() => String, 'Name of the organization.')
  organizationName!: string;

  @Field(() => String, 'IANA name of the time zone in which days of the organization begin, such as `Europe/Rome`.')
  timeZone!: string;

  @Field(() => String, 'What it is called.')
  name!: string;

  @Field(() => [ID], 'Ids of the workflows in its scope.')
  workflowIds!: string[];

  @Field(() => DateTimeScalar, 'Start of the period in its scope.')
  from!: Date | string;

  @Field(() => DateTimeScalar, 'End of the period in its scope, which does not belong to it.')
  to!: Date | string;

  @Field(() => DateTimeScalar, 'From when on its auditors find nothing of it.')
  until!: Date | string;

  @Field(() => [EngagementAuditor], 'Its auditors.')
  auditors!: Plain<EngagementAuditor>[];

  @Nullable(() => Person, 'Who created it; null when that user is gone.')
  createdBy!: Plain<Person> | null;

  @Field(() => DateTimeScalar, 'When it was created.')
  createdAt!: Date | string;
}

@ObjectType({ description: 'What an auditor asks for.' })
export class EvidenceRequest {
  @Field(() => ID, 'Its key: `engagementId/evidenceRequestId`.')
  id!: string;

  @Version('request')
  version!: number;

  @Field(() => SafeIntScalar, 'What to answer it by.')
  evidenceRequestId!: number;

  @Field(() => ID, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Field(() => ID, 'Number of the control, as `controls` of the engagement has it.')
  controlId!: string;

  @Field(() => String, 'What is requested.')
  text!: string;

  @Field(() => Person, 'The auditor.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When the auditor made the request.')
  createdAt!: Date | string;

  @Optional(() => String, 'The answer.')
  answer!: string | null;

  @Nullable(() => Person, 'Who answered it last, or closed it without an answer; null while that has not happened.')
  answeredBy!: Plain<Person> | null;

  @Nullable(() => DateTimeScalar, 'When it was answered last; null while it was not.')
  answeredAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When it was closed; null while it is open.')
  closedAt!: Date | string | null;
}

@ObjectType({ description: 'What an auditor states about a workflow or a control.' })
export class SignOff {
  @Field(() => SafeIntScalar, 'Its number.')
  signOffId!: number;

  @Field(() => ID, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Nullable(() => ID, 'Number of the control; null for the workflow as a whole.')
  controlId!: string | null;

  @Field(() => String, 'The statement.')
  statement!: string;

  @Field(() => Person, 'The auditor.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;
}
