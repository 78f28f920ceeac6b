import { Field, InputType, Int } from 'type-graphql';
import { LIMITS } from '../../values/limits.js';
import type { ObjectRule } from '../../common/input-schema.js';
import { Constrained, Rule, Text } from '../shared/constraints.js';
import type { IncomingFile } from '../../common/incoming-file.js';
import type { IncidentStatus, Severity, IncidentReportStage } from '../../values/enums.js';
import { enumeration } from '../shared/enumeration.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar, UploadScalar } from '../shared/scalars.js';
import { type SortDirection, SortDirectionEnum } from '../shared/sort-direction.js';
import { IncidentSeverityEnum, IncidentStatusEnum, IncidentReportStageEnum } from './types.js';

export type IncidentSortField = 'AWARE_AT' | 'CREATED_AT' | 'SEVERITY' | 'UPDATED_AT';

export const IncidentSortFieldEnum = enumeration<IncidentSortField>(
  'IncidentSortField',
  'What a list of incidents is ordered by.',
  {
    AWARE_AT: 'By when the organization became aware.',
    CREATED_AT: 'By when the record was created.',
    SEVERITY: 'By how bad they are; `ASC` is mildest first.',
    UPDATED_AT: 'By when the record was last changed.',
  },
);

@InputType({ description: 'Which incidents to list. All conditions hold at once.' })
export class IncidentFilter {
  @Field(() => IncidentStatusEnum, { nullable: true, description: 'Only those of this status.' })
  status?: IncidentStatus | null;

  @Field(() => IncidentSeverityEnum, { nullable: true, description: 'Only those exactly this bad.' })
  severity?: Severity | null;

  @Field(() => Boolean, { nullable: true, description: 'Only significant ones, or only those that are not.' })
  significant?: boolean | null;
}

@InputType({ description: 'How to order incidents.' })
export class IncidentOrder {
  @Field(() => IncidentSortFieldEnum, { description: 'What to order by.' })
  field!: IncidentSortField;

  @Field(() => SortDirectionEnum, {
    nullable: true,
    defaultValue: 'ASC',
    description: 'Which way.',
  })
  direction?: SortDirection | null;
}

@InputType({ description: 'An incident to open.' })
export class OpenIncidentInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => String, { description: 'What happened, in one line.' })
  @Text({ max: LIMITS.incident.titleCharacters, trim: true })
  title!: string;

  @Field(() => String, { nullable: true, description: 'What happened, at length.' })
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  description?: string | null;

  @Field(() => IncidentSeverityEnum, { description: 'How bad it is.' })
  severity!: Severity;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Whether it is significant in the sense of NIS 2 Article 23(3); false when absent.',
  })
  significant?: boolean | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the organization became aware; not in the future. Now when absent.',
  })
  awareAt?: Date | null;
}

@InputType({
  description: 'What to change of an incident. What is absent stays as it is; only `description` may be null.',
})
export class UpdateIncidentInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => String, { nullable: true, description: 'What happened, in one line.' })
  @Text({ max: LIMITS.incident.titleCharacters, trim: true, notNull: true })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'What happened, at length; null empties it.' })
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  description?: string | null;

  @Field(() => IncidentSeverityEnum, { nullable: true, description: 'How bad it is.' })
  @Constrained({ notNull: true })
  severity?: Severity | null;

  @Field(() => IncidentStatusEnum, {
    nullable: true,
    description: 'How far its handling has come: `OPEN`, `CONTAINED` or `RESOLVED`. Closing has a mutation of its own.',
  })
  @Constrained({ enum: ['OPEN', 'CONTAINED', 'RESOLVED'], notNull: true })
  status?: IncidentStatus | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it is significant: only then its clock applies.' })
  @Constrained({ notNull: true })
  significant?: boolean | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the organization became aware: not in the future, not after a report that was sent.',
  })
  @Constrained({ notNull: true })
  awareAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why a report may be sent later or not at all: required, of at least a SECURITY_OFFICER, for a later `awareAt` and for `significant: false`.',
  })
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason?: string | null;
}

@InputType({ description: 'The incident to close.' })
export class CloseIncidentInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why it is closed although reports were not sent: then required, of at least a SECURITY_OFFICER.',
  })
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason?: string | null;
}

@InputType({ description: 'The incident to open again.' })
export class ReopenIncidentInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;
}

@InputType({ description: 'A file to attach to an incident (specification 4.3).' })
export class UploadIncidentAttachmentInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'The incident.' })
  incidentId!: number;

  @Field(() => UploadScalar, { description: 'The file, as a part of a multipart request: 25 MB at most.' })
  file!: Plain<IncomingFile>;
}

@InputType({ description: 'The file to delete.' })
export class DeleteIncidentAttachmentInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'The incident.' })
  incidentId!: number;

  @Field(() => Int, { description: 'Which of its files.' })
  attachmentId!: number;
}

@InputType({ description: 'A report that was sent to the authority (NIS 2 Article 23(4)).' })
export class RecordIncidentReportInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => IncidentReportStageEnum, { description: 'Which report: the one that follows the last one recorded.' })
  stage!: IncidentReportStage;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was sent: not in the future, not before the report that precedes it. Now when absent.',
  })
  sentAt?: Date | null;
}

/** Null says something, so it must be said. */
const sentAtIsGiven: ObjectRule = (read) =>
  read('sentAt') === undefined ? [{ at: ['sentAt'], sentence: 'is required; null says that it was not sent' }] : [];

@Rule(sentAtIsGiven, { required: ['sent_at'] })
@InputType({ description: 'A correction of when a report was sent.' })
export class CorrectIncidentReportInput {
  @Field(() => Int, { description: 'The organization that has the incident.' })
  organizationId!: number;

  @Field(() => Int, { description: 'Which incident.' })
  incidentId!: number;

  @Field(() => IncidentReportStageEnum, { description: 'Which report; it was recorded before.' })
  stage!: IncidentReportStage;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was really sent. Null says that it was not sent after all; it must not be absent.',
  })
  sentAt?: Date | null;

  @Field(() => String, { description: 'Why what was recorded is wrong.' })
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason!: string;
}
