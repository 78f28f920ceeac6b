import { ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AuditAction, AuditActorType } from '../values/audit.js';
import type { ControlStatus, IncidentStatus, Severity } from '../values/enums.js';
import { LIMITS } from '../values/limits.js';
import { AuditActionEnum, AuditActorTypeEnum, AuditChange, AuditSubject } from './audit.js';
import { IncidentStatusEnum, IncidentSeverityEnum } from './incidents/types.js';
import { List, Text, text } from './shared/constraints.js';
import { Optional } from './shared/optional.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { Field, Nullable, Person, type Plain } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';
import { ControlStatusEnum } from './workflows/types.js';

@ObjectType({ description: 'An auditor of an engagement.' })
export class EngagementAuditor {
  @Field(() => ID, 'The UUID of the user, who is no member of the organization.')
  userId!: string;

  @Field(() => String, 'User name.')
  username!: string;
}

@ObjectType({ description: 'A workflow in the scope of an engagement.' })
export class EngagementWorkflow {
  @Field(() => String, 'Its id; what else the organization has of it is for its members.')
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

  @Field(() => [String], 'Ids of the workflows in its scope.')
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

@ObjectType({ description: 'A control in the scope of an engagement.' })
export class EngagementControl {
  @Field(() => String, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Field(() => String, 'Number of the control; what else the organization has of it is for its members.')
  controlId!: string;

  @Field(() => String, 'What it is called.')
  label!: string;

  @Field(() => ControlStatusEnum, 'How far the organization is.')
  status!: ControlStatus;

  @Optional(() => String, 'Why the control does not apply; with no other status than `NOT_APPLICABLE`.')
  justification!: string | null;

  @Nullable(() => Person, 'The member who is responsible for it.')
  owner!: Plain<Person> | null;

  @Nullable(() => DateTimeScalar, 'When it was last changed; null when it never was.')
  updatedAt!: Date | string | null;
}

@ObjectType({ description: 'A document version in the scope of an engagement.' })
export class EngagementDocument {
  @Field(
    () => SafeIntScalar,
    'Number of the document version; what else the organization has of it is for its members.',
  )
  documentVersionId!: number;

  @Field(() => String, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Field(() => String, 'Number of the control, as `controls` of the engagement has it.')
  controlId!: string;

  @Field(() => String, 'Name of the file.')
  filename!: string;

  @Field(() => Int, 'Bytes.')
  size!: number;

  @Field(() => String, 'Media type.')
  contentType!: string;

  @Field(() => String, 'SHA-256 of the content, in lower-case hexadecimal.')
  sha256!: string;

  @Field(() => Person, 'Who uploaded it.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was uploaded.')
  createdAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was true; null when that was not said.')
  effectiveAt!: Date | string | null;

  @Field(() => String, 'Where to download it for a while, and not after the end of the engagement.')
  downloadUrl!: string;
}

@ObjectType({ description: 'An incident of which the organization became aware in the period of an engagement.' })
export class EngagementIncident {
  @Field(() => SafeIntScalar, 'Number of the incident; what else the organization has of it is for its members.')
  incidentId!: number;

  @Field(() => String, 'Title.')
  title!: string;

  @Optional(() => String, 'What happened, at length.')
  description!: string | null;

  @Field(() => IncidentSeverityEnum, 'How bad it is.')
  severity!: Severity;

  @Field(() => IncidentStatusEnum, 'How far its handling is.')
  status!: IncidentStatus;

  @Field(() => Boolean, 'Whether it is significant.')
  significant!: boolean;

  @Field(() => DateTimeScalar, 'When the organization became aware of it.')
  awareAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was closed; null while it is not.')
  closedAt!: Date | string | null;

  @Optional(() => Person, 'The person who opened it, where that is known.')
  openedBy!: Plain<Person> | null;
}

@ObjectType({ description: 'An entry of the audit trail in the scope of an engagement, without addresses.' })
export class EngagementEntry {
  @Field(() => SafeIntScalar, 'Its place in the trail.')
  position!: number;

  @Field(() => DateTimeScalar, 'When it happened.')
  at!: string;

  @Field(() => AuditActionEnum, 'What happened.')
  action!: AuditAction;

  @Field(() => AuditActorTypeEnum, 'What kind of actor did it.')
  actorType!: AuditActorType;

  @Nullable(() => String, 'User name or job of the actor; null when it was erased.')
  actor!: string | null;

  @Field(() => AuditSubject, 'What it is about.')
  subject!: Plain<AuditSubject>;

  @Field(() => [AuditChange], 'The fields that were changed.')
  changes!: Plain<AuditChange>[];

  @Nullable(() => String, 'The reason; null where there is none.')
  reason!: string | null;

  @Field(() => String, 'SHA-256 of the hash before and of the entry, in lower-case hexadecimal.')
  hash!: string;
}

@ObjectType({ description: 'What an auditor asks for.' })
export class EvidenceRequest {
  @Field(() => ID, 'Its key: `engagementId/requestId`.')
  id!: string;

  @Version('request')
  version!: number;

  @Field(() => SafeIntScalar, 'What to answer it by.')
  requestId!: number;

  @Field(() => String, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Field(() => String, 'Number of the control, as `controls` of the engagement has it.')
  controlId!: string;

  @Field(() => String, 'What is asked for.')
  text!: string;

  @Field(() => Person, 'The auditor.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When the auditor made the request.')
  createdAt!: Date | string;

  @Optional(() => String, 'The answer.')
  answer!: string | null;

  @Nullable(() => Person, 'Who answered or closed it.')
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

  @Field(() => String, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Nullable(() => String, 'Number of the control; null for the workflow as a whole.')
  controlId!: string | null;

  @Field(() => String, 'The statement.')
  statement!: string;

  @Field(() => Person, 'The auditor.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was made.')
  createdAt!: Date | string;
}

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
  @Text({ max: nameCharacters, trim: true })
  name?: string | null;

  @Nullable(() => DateTimeScalar, 'When it ends; at once when that is not in the future.')
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

  @Field(() => String, 'What is asked for.')
  @Text({ max: textCharacters, lines: true, trim: true })
  text!: string;
}

@InputType({ description: 'An answer to a request of an auditor. What is absent stays as it is.' })
export class AnswerEvidenceRequestInput extends EngagementIdInput {
  @Field(() => SafeIntScalar, 'Which request.')
  requestId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => String, 'The answer.')
  @Text({ max: textCharacters, lines: true })
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
