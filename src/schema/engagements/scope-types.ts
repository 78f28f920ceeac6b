import { ID, Int, ObjectType } from 'type-graphql';
import type { AuditAction, AuditActorType } from '../../values/audit.js';
import type { ControlStatus, IncidentStatus, Severity } from '../../values/enums.js';
import { AuditActionEnum, AuditActorTypeEnum, AuditChange, AuditSubject } from '../audit.js';
import { IncidentStatusEnum, IncidentSeverityEnum } from '../incidents/types.js';
import { Optional } from '../shared/optional.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Field, Nullable, Person, type Plain } from '../shared/types.js';
import { ControlStatusEnum } from '../workflows/types.js';

@ObjectType({ description: 'A control in the scope of an engagement.' })
export class EngagementControl {
  @Field(() => ID, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Field(() => ID, 'Number of the control; what else the organization has of it is for its members.')
  controlId!: string;

  @Field(() => ControlStatusEnum, 'How far the organization is.')
  status!: ControlStatus;

  @Optional(() => String, 'Why the control does not apply; with no other status than `NOT_APPLICABLE`.')
  justification!: string | null;

  @Nullable(() => Person, 'The member who is responsible for it; null when there is none.')
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

  @Field(() => ID, 'Id of the workflow, one of `workflows` of the engagement.')
  workflowId!: string;

  @Field(() => ID, 'Number of the control, as `controls` of the engagement has it.')
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

  @Field(() => String, 'Where to download it for a while; for an auditor not after the end of the engagement.')
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
