import { ObjectType } from 'type-graphql';
import type { IncidentStatus, IncidentTimelineKind, Severity } from '../../values/enums.js';
import { AuditEntry } from '../audit.js';
import { Organization } from '../organizations/types.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { Optional, WhenTrue } from '../shared/optional.js';
import { UploadedFile } from '../shared/uploaded-file.js';
import { Version } from '../shared/version.js';
import { enumeration, Field, Nullable, Person, type Plain } from '../shared/types.js';
import { IncidentCategoryEnum } from './category.js';
import { IncidentClock, IncidentReport } from './report-types.js';

export const IncidentSeverityEnum = enumeration<Severity>('IncidentSeverity', 'How bad an incident is.', {
  LOW: 'Hardly noticed.',
  MEDIUM: 'Noticed and contained.',
  HIGH: 'Services or data are affected.',
  CRITICAL: 'The organization cannot go on as usual.',
});

export const IncidentStatusEnum = enumeration<IncidentStatus>(
  'IncidentStatus',
  'The progress of handling an incident.',
  {
    OPEN: 'Being looked into.',
    CONTAINED: 'No longer spreading.',
    RESOLVED: 'Its cause is removed.',
    CLOSED: 'Nothing is left to do.',
  },
);

@ObjectType({ description: 'A security incident of an organization, with the reports that it has to send.' })
export class Incident {
  // Specification 4.3.
  @Field(() => SafeIntScalar, 'The number that addresses of the REST interface carry.')
  id!: number;

  @Field(() => Organization, 'The organization that has the incident.')
  organization!: Plain<Organization>;

  @Version('incident')
  version!: number;

  @Field(() => String, 'What happened, in a few words.')
  title!: string;

  @Optional(() => String, 'What happened, at length.')
  description!: string | null;

  @Field(() => IncidentSeverityEnum, 'How bad it is.')
  severity!: Severity;

  @Field(() => IncidentStatusEnum, 'The progress of its handling.')
  status!: IncidentStatus;

  @Field(() => DateTimeScalar, 'When the organization became aware of it: the clock starts here.')
  awareAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it occurred; null while that is not known.')
  occurredAt!: Date | string | null;

  @Field(() => Boolean, 'Whether it is significant in the sense of NIS 2 Article 23(3).')
  significant!: boolean;

  @WhenTrue('Whether it is a rehearsal in a sandbox: its periods are shorter, and nothing of it is real.')
  rehearsal!: boolean;

  @Nullable(() => DateTimeScalar, 'When its handling ended; null while it goes on. Final reports are due after it.')
  handledAt!: Date | string | null;

  @Nullable(() => Boolean, 'Whether unlawful or malicious acts are suspected; null while that is not known.')
  suspectedMalicious!: boolean | null;

  @Nullable(() => Boolean, 'Whether it may have an impact in other countries; null while that is not known.')
  crossBorder!: boolean | null;

  @Nullable(() => Boolean, 'Whether it affects a trust service of the organization; null while that is not known.')
  affectsTrustService!: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether a trust service that it affects is a qualified one (eIDAS Article 24(2)(fb)); null while that is not known.',
  )
  affectsQualifiedTrustService!: boolean | null;

  @Nullable(() => Boolean, 'Whether it is a personal data breach (GDPR Article 33); null while that is not known.')
  personalDataConcerned!: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether a vulnerability of a product that the organization makes is actively exploited (CRA Article 14(1)); null while that is not known.',
  )
  exploitedVulnerability!: boolean | null;

  @Nullable(
    () => Boolean,
    'Whether it is severe and affects the security of a product that the organization makes (CRA Article 14(3)); null while that is not known.',
  )
  productConcerned!: boolean | null;

  @Nullable(
    () => DateTimeScalar,
    'When it was classified as a major ICT-related incident (DORA Article 18); null while it is not.',
  )
  classifiedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When a corrective or mitigating measure became available; null while there is none.')
  fixAvailableAt!: Date | string | null;

  @Nullable(
    () => DateTimeScalar,
    'The deadline of the intermediate report that an authority requested last; null where none did.',
  )
  intermediateReportDueAt!: Date | string | null;

  @Optional(() => IncidentCategoryEnum, 'The category of a regime that applies, such as `IS-1` of Italy.')
  category!: string | null;

  @Optional(() => String, 'Indicators of compromise.')
  indicators!: string | null;

  @Optional(() => String, 'What harm it does, and to whom.')
  impact!: string | null;

  @Optional(() => String, 'What caused it.')
  rootCause!: string | null;

  @Optional(() => String, 'What is done against it.')
  mitigation!: string | null;

  @Optional(() => Person, 'The person who opened it, where that is known.')
  openedBy!: Plain<Person> | null;

  @Field(() => DateTimeScalar, 'When the record was created.')
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, 'When the record was last changed.')
  updatedAt!: Date | string;

  @Nullable(() => DateTimeScalar, 'When it was closed; null while it is not.')
  closedAt!: Date | string | null;

  @Nullable(() => Person, 'The person who closed it; null unless it is closed.')
  closedBy!: Plain<Person> | null;

  /** A resolver has it as a field. */
  clock!: Plain<IncidentClock>;
}

// Specification 2.4.
@ObjectType({ description: 'A file of an incident.' })
export class IncidentAttachment extends UploadedFile {
  @Field(() => SafeIntScalar, 'Attachment identifier.')
  id!: number;
}

@ObjectType({ description: 'A note on an incident. Notes are neither changed nor deleted.' })
export class IncidentNote {
  @Field(() => SafeIntScalar, 'Number of the note; a later one has a higher number.')
  id!: number;

  @Field(() => String, 'The text as it was written: it may be Markdown, and is not rendered.')
  text!: string;

  @Field(() => Person, 'The person who wrote it.')
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was written.')
  createdAt!: Date | string;
}

export const IncidentTimelineKindEnum = enumeration<IncidentTimelineKind>(
  'IncidentTimelineKind',
  'What an item of the timeline of an incident is.',
  {
    ENTRY: 'An entry of the audit trail.',
    REPORT: 'A record about a report.',
    ATTACHMENT: 'A file that was attached.',
    NOTE: 'A note.',
  },
);

@ObjectType({
  description: 'Something that has happened to an incident. The field that `kind` names has it; the others are null.',
})
export class IncidentTimelineItem {
  @Field(() => DateTimeScalar, 'When it happened.')
  at!: Date | string;

  @Field(() => IncidentTimelineKindEnum, 'What it is.')
  kind!: IncidentTimelineKind;

  @Nullable(() => Person, 'The person who did it; null for what the gateway did, and for a user who was erased.')
  actor!: Plain<Person> | null;

  @Nullable(() => AuditEntry, 'The entry of the audit trail; null for other kinds.')
  entry!: Plain<AuditEntry> | null;

  @Nullable(() => IncidentReport, 'The record about a report; null for other kinds.')
  report!: Plain<IncidentReport> | null;

  @Nullable(() => IncidentAttachment, 'The file; null for other kinds.')
  attachment!: Plain<IncidentAttachment> | null;

  @Nullable(() => IncidentNote, 'The note; null for other kinds.')
  note!: Plain<IncidentNote> | null;
}
