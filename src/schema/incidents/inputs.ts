import { ArgsType, InputType } from 'type-graphql';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { IncidentStatus, Severity } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { orderOf } from '../shared/connection.js';
import { Constrained, Text } from '../shared/constraints.js';
import { DateTimeScalar, UploadScalar, SafeIntScalar } from '../shared/scalars.js';
import { enumeration, Field, Nullable, type Plain } from '../shared/types.js';
import { ExpectedVersion } from '../shared/version.js';
import { IncidentCategoryEnum } from './category.js';
import { IncidentSeverityEnum, IncidentStatusEnum } from './types.js';

@InputType({ description: 'Which incidents to list. All conditions hold at once.' })
export class IncidentFilter {
  @Nullable(() => IncidentStatusEnum, 'Only those of this status.')
  status?: IncidentStatus | null;

  @Nullable(() => IncidentSeverityEnum, 'Only those exactly this bad.')
  severity?: Severity | null;

  @Nullable(() => Boolean, 'Only significant ones, or only those that are not.')
  significant?: boolean | null;
}

export type IncidentOrder = InstanceType<typeof IncidentOrder>;
export const IncidentOrder = orderOf(
  'Incident',
  'incidents',
  enumeration('IncidentSortField', 'What a list of incidents is ordered by.', {
    AWARE_AT: 'By when the organization became aware.',
    CREATED_AT: 'By when the record was created.',
    SEVERITY: 'By how bad they are; `ASC` is mildest first.',
    UPDATED_AT: 'By when the record was last changed.',
  }),
);

export type IncidentTimelineOrder = InstanceType<typeof IncidentTimelineOrder>;
export const IncidentTimelineOrder = orderOf(
  'IncidentTimeline',
  'the timeline of an incident',
  enumeration('IncidentTimelineSortField', 'What the timeline of an incident is ordered by.', {
    AT: 'By when it happened.',
  }),
  ['ASC', 'oldest first'],
);

/** Facts that an incident may be opened with, and that may be changed. */
@InputType()
abstract class IncidentFacts {
  @Field(() => SafeIntScalar, 'The organization that has the incident.')
  organizationId!: number;

  @Nullable(
    () => DateTimeScalar,
    'When it occurred, where that is known: not in the future, not after awareness. The time of a qualified provider of trust services counts from it (eIDAS Article 24(2)(fb)).',
  )
  occurredAt?: Date | null;

  @Nullable(
    () => DateTimeScalar,
    'When its handling ended: not in the future, not before awareness. Final reports are due after it.',
  )
  handledAt?: Date | null;

  @Nullable(() => Boolean, 'Whether unlawful or malicious acts are suspected.')
  suspectedMalicious?: boolean | null;

  @Nullable(() => Boolean, 'Whether it may have an impact in other countries.')
  crossBorder?: boolean | null;

  @Nullable(() => Boolean, 'Whether it affects a trust service of the organization.')
  affectsTrustService?: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether a trust service that it affects is a qualified one (eIDAS Article 24(2)(fb)): true only where `affectsTrustService` is.',
  )
  affectsQualifiedTrustService?: boolean | null;

  @Nullable(() => Boolean, 'Whether it is a personal data breach (GDPR Article 33).')
  personalDataConcerned?: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)).',
  )
  exploitedVulnerability?: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)).',
  )
  productConcerned?: boolean | null;

  @Nullable(
    () => DateTimeScalar,
    'When it was classified as a major ICT-related incident (DORA Article 18): not in the future, not before awareness.',
  )
  classifiedAt?: Date | null;

  @Nullable(() => DateTimeScalar, 'When a corrective or mitigating measure became available; not in the future.')
  fixAvailableAt?: Date | null;

  @Nullable(() => DateTimeScalar, 'The deadline of the intermediate report that an authority requested last.')
  intermediateReportDueAt?: Date | null;

  // REST publishes no list: which categories there are depends on the organization.
  @Nullable(() => IncidentCategoryEnum, 'The category of a regime that applies, such as `IS-1` of Italy.')
  @Text({ max: LIMITS.incident.lineCharacters, orEmpty: true, published: { enum: undefined } })
  category?: string | null;

  @Nullable(() => String, 'Indicators of compromise.')
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  indicators?: string | null;

  @Nullable(() => String, 'What harm it does, and to whom.')
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  impact?: string | null;

  @Nullable(() => String, 'What caused it.')
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  rootCause?: string | null;

  @Nullable(() => String, 'What is done against it.')
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  mitigation?: string | null;
}

/** The key of one incident. */
@InputType()
@ArgsType()
export abstract class IncidentRef {
  @Field(() => SafeIntScalar, 'The organization that has the incident.')
  organizationId!: number;

  @Field(() => SafeIntScalar, 'Which incident.')
  incidentId!: number;
}

/** The same where it is changed. */
@InputType()
export abstract class ChangedIncidentRef extends IncidentRef {
  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'An incident to open.' })
export class OpenIncidentInput extends IncidentFacts {
  @Field(() => String, 'What happened, in one line.')
  @Text({ max: LIMITS.incident.titleCharacters, trim: true })
  title!: string;

  @Nullable(() => String, 'What happened, at length.')
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  description?: string | null;

  @Field(() => IncidentSeverityEnum, 'How bad it is.')
  severity!: Severity;

  @Nullable(() => Boolean, 'Whether it is significant in the sense of NIS 2 Article 23(3); false when absent.', {
    defaultValue: false,
  })
  significant?: boolean | null;

  @Nullable(() => DateTimeScalar, 'When the organization became aware; not in the future. Now when absent.')
  awareAt?: Date | null;

  @Nullable(
    () => Boolean,
    `Whether it is a rehearsal, in a sandbox: periods are ${LIMITS.incident.rehearsalSpeed} times shorter.`,
  )
  rehearsal?: boolean | null;
}

@InputType({
  description: 'What to change of an incident. What is absent stays as it is; null empties what may be empty.',
})
export class UpdateIncidentInput extends IncidentFacts {
  @Field(() => SafeIntScalar, 'Which incident.')
  incidentId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => String, 'What happened, in one line.')
  @Text({ max: LIMITS.incident.titleCharacters, trim: true, notNull: true })
  title?: string | null;

  @Nullable(() => String, 'What happened, at length; null empties it.')
  @Text({ max: LIMITS.incident.descriptionCharacters, lines: true })
  description?: string | null;

  @Nullable(() => IncidentSeverityEnum, 'How bad it is.')
  @Constrained({ notNull: true })
  severity?: Severity | null;

  @Nullable(
    () => IncidentStatusEnum,
    'How far its handling has come: `OPEN`, `CONTAINED` or `RESOLVED`. Closing is a change of its own.',
  )
  @Constrained({ published: { enum: ['OPEN', 'CONTAINED', 'RESOLVED'] }, notNull: true })
  status?: IncidentStatus | null;

  @Nullable(() => Boolean, 'Whether it is significant in the sense of NIS 2 Article 23(3).')
  @Constrained({ notNull: true })
  significant?: boolean | null;

  @Nullable(
    () => DateTimeScalar,
    'When the organization became aware: not in the future, not after a report that was sent.',
  )
  @Constrained({ notNull: true })
  awareAt?: Date | null;

  @Nullable(
    () => String,
    'Why it is changed, for the audit trail. Required, of at least a SECURITY_OFFICER, where a report may then be sent later or not at all: for a later `awareAt`, for `significant: false`, and for whatever else moves a deadline forward or takes it away.',
  )
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason?: string | null;
}

@InputType({ description: 'The incident to close.' })
export class CloseIncidentInput extends ChangedIncidentRef {
  @Nullable(
    () => String,
    'Why it is closed, for the audit trail. Required, of at least a SECURITY_OFFICER, while it owes reports.',
  )
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason?: string | null;
}

@InputType({ description: 'The incident to judge by the facts of its organization as they are now.' })
export class RejudgeIncidentInput extends ChangedIncidentRef {
  @Field(() => String, 'Why the facts as of awareness are not the right ones.')
  @Text({ max: LIMITS.incident.reasonCharacters, trim: true })
  reason!: string;
}

@InputType({ description: 'The incident to open again.' })
export class ReopenIncidentInput extends ChangedIncidentRef {}

// Specification 4.3.
@InputType({ description: 'A file to attach to an incident.' })
export class UploadIncidentAttachmentInput extends IncidentRef {
  @Field(() => UploadScalar, 'The file, as a part of a multipart request: 25 MB at most.')
  file!: Plain<IncomingFile>;
}

@InputType({ description: 'The file to delete.' })
export class DeleteIncidentAttachmentInput extends IncidentRef {
  @Field(() => SafeIntScalar, 'Which of its files.')
  attachmentId!: number;
}

@InputType({ description: 'A note to add to an incident. Notes are neither changed nor deleted.' })
export class AddIncidentNoteInput extends IncidentRef {
  @Field(() => String, 'What to note: text, which may be Markdown.')
  @Text({ max: LIMITS.incident.noteCharacters, lines: true, trim: true })
  text!: string;
}
