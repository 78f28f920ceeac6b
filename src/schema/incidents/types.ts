import { Field, Int, ObjectType } from 'type-graphql';
import type { IncidentStatus, Severity, IncidentReportStage } from '../../values/enums.js';
import { payload } from '../shared/payload.js';
import { connectionOf } from '../shared/connection.js';
import { enumeration } from '../shared/enumeration.js';
import { Organization } from '../organizations/types.js';
import type { Plain } from '../shared/plain.js';
import { Person } from '../shared/person.js';
import { DateTimeScalar } from '../shared/scalars.js';

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

export type IncidentStageState = 'PENDING' | 'SENT' | 'OVERDUE';

export const IncidentStageStateEnum = enumeration<IncidentStageState>(
  'IncidentStageState',
  'Where a report of NIS 2 Article 23(4) stands. It is derived from the clock, exact to the second.',
  { PENDING: 'Not sent, and not yet due.', SENT: 'Sent.', OVERDUE: 'Due, and not sent.' },
);

@ObjectType({
  description: 'A security incident of an organization, with the clock of NIS 2 Article 23(4).',
  simpleResolvers: true,
})
export class Incident {
  @Field(() => Int, { description: 'The number that addresses of the REST interface carry (specification 4.3).' })
  id!: number;

  @Field(() => Organization, { description: 'The organization that has the incident.' })
  organization!: Plain<Organization>;

  @Field(() => String, { description: 'What happened, in a few words.' })
  title!: string;

  @Field(() => String, { description: 'What happened, at length.' })
  description!: string;

  @Field(() => IncidentSeverityEnum, { description: 'How bad it is.' })
  severity!: Severity;

  @Field(() => IncidentStatusEnum, { description: 'The progress of its handling.' })
  status!: IncidentStatus;

  @Field(() => DateTimeScalar, { description: 'When the organization became aware of it: the clock starts here.' })
  awareAt!: Date | string;

  @Field(() => Boolean, { description: 'Whether it is significant in the sense of NIS 2 Article 23(3).' })
  significant!: boolean;

  @Field(() => Person, { description: 'The person who opened it; the user name is empty where it is not known.' })
  openedBy!: Plain<Person>;

  @Field(() => DateTimeScalar, { description: 'When the record was created.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'When the record was last changed.' })
  updatedAt!: Date | string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was closed; null while it is not.' })
  closedAt!: Date | string | null;

  @Field(() => Person, { nullable: true, description: 'The person who closed it; null unless it is closed.' })
  closedBy!: Plain<Person> | null;

  @Field(() => IncidentClock, { description: 'The three reports that an authority expects of a significant one.' })
  clock!: Plain<IncidentClock>;
}

@ObjectType({ description: 'The reports of NIS 2 Article 23(4), each with its deadline.', simpleResolvers: true })
export class IncidentClock {
  @Field(() => Boolean, {
    description:
      'Whether the reports are owed: of significant incidents only. Otherwise none has a deadline, and what was not sent stays `PENDING`.',
  })
  applies!: boolean;

  @Field(() => IncidentStage, { description: 'The early warning: due 24 hours after becoming aware.' })
  earlyWarning!: Plain<IncidentStage>;

  @Field(() => IncidentStage, { description: 'The incident notification: due 72 hours after becoming aware.' })
  notification!: Plain<IncidentStage>;

  @Field(() => IncidentStage, { description: 'The final report: due one month after the notification was sent.' })
  finalReport!: Plain<IncidentStage>;
}

@ObjectType({ description: 'One report of the clock.', simpleResolvers: true })
export class IncidentStage {
  @Field(() => IncidentStageStateEnum, { description: 'Where the report stands.' })
  state!: IncidentStageState;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it is due; null where nothing is owed, and for a final report whose notification was not sent.',
  })
  dueAt!: Date | string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was sent; null while it was not.' })
  sentAt!: Date | string | null;

  @Field(() => Person, { nullable: true, description: 'The person who sent it; null until it is sent.' })
  sentBy!: Plain<Person> | null;
}

@ObjectType({
  description: 'What the caller may do with an incident now, with the token of this request.',
  simpleResolvers: true,
})
export class IncidentPermissions {
  @Field(() => Boolean, { description: 'Change it; not when it is closed.' })
  update!: boolean;

  @Field(() => Boolean, { description: 'Close it; with a reason while it owes a report.' })
  close!: boolean;

  @Field(() => Boolean, { description: 'Open it again; only when it is closed.' })
  reopen!: boolean;

  @Field(() => Boolean, { description: 'Attach files.' })
  attachFiles!: boolean;

  @Field(() => Boolean, { description: 'Record the next report; not when all are recorded or it is closed.' })
  recordReports!: boolean;

  @Field(() => Boolean, { description: 'Correct a recorded report; not when none is recorded or it is closed.' })
  correctReports!: boolean;
}

export const OpenIncidentPayload = payload('OpenIncident', { incident: [() => Incident, 'The new incident.'] });

export const UpdateIncidentPayload = payload('UpdateIncident', {
  incident: [() => Incident, 'The incident as it is now.'],
});

export const CloseIncidentPayload = payload('CloseIncident', {
  incident: [() => Incident, 'The incident as it is now.'],
});

export const ReopenIncidentPayload = payload('ReopenIncident', {
  incident: [() => Incident, 'The incident as it is now.'],
});

export const { Connection: IncidentConnection } = connectionOf('Incident', () => Incident);

@ObjectType({ description: 'A file of an incident (specification 2.4).', simpleResolvers: true })
export class IncidentAttachment {
  @Field(() => Int, { description: 'Attachment identifier.' })
  id!: number;

  @Field(() => String, { description: 'Name of the uploaded file.' })
  filename!: string;

  @Field(() => String, { description: 'Media type of the file.' })
  contentType!: string;

  @Field(() => Int, { description: 'Size in bytes.' })
  size!: number;

  @Field(() => String, { description: 'SHA-256 of the content, lower-case hexadecimal.' })
  sha256!: string;

  @Field(() => Person, { description: 'The person who uploaded it.' })
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, { description: 'When it was uploaded.' })
  createdAt!: Date | string;

  @Field(() => String, {
    description:
      'Full address to download the file (specification 2.4). It is signed, needs no token and expires soon.',
  })
  downloadUrl!: string;
}

@ObjectType({
  description: 'What the caller may do with a file of an incident now, with the token of this request.',
  simpleResolvers: true,
})
export class IncidentAttachmentPermissions {
  @Field(() => Boolean, { description: 'Delete it; not when the incident is closed.' })
  delete!: boolean;
}

export const UploadIncidentAttachmentPayload = payload('UploadIncidentAttachment', {
  attachment: [() => IncidentAttachment, 'The new attachment.'],
});

export const DeleteIncidentAttachmentPayload = payload('DeleteIncidentAttachment', {
  attachment: [() => IncidentAttachment, 'The attachment as it was.'],
});

export const { Connection: IncidentAttachmentConnection } = connectionOf(
  'IncidentAttachment',
  () => IncidentAttachment,
);

export const IncidentReportStageEnum = enumeration<IncidentReportStage>(
  'IncidentReportStage',
  'A report of NIS 2 Article 23(4). They are sent in this order.',
  {
    EARLY_WARNING: 'Within 24 hours of becoming aware.',
    NOTIFICATION: 'Within 72 hours of becoming aware.',
    FINAL_REPORT: 'Within one month after the notification was sent.',
  },
);

@ObjectType({
  description: 'A record about a report of an incident. Records never change: a correction is another record.',
  simpleResolvers: true,
})
export class IncidentReport {
  @Field(() => Int, { description: 'Number of the record; a later one has a higher number.' })
  id!: number;

  @Field(() => IncidentReportStageEnum, { description: 'Which report.' })
  stage!: IncidentReportStage;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When it was sent; null for a report that was recorded by mistake.',
  })
  sentAt!: Date | string | null;

  @Field(() => String, { description: 'Why it differs from the record before; empty where it corrects none.' })
  reason!: string;

  @Field(() => Person, { description: 'The person who recorded it.' })
  recordedBy!: Plain<Person>;

  @Field(() => DateTimeScalar, { description: 'When it was recorded.' })
  recordedAt!: Date | string;
}

export const RecordIncidentReportPayload = payload('RecordIncidentReport', {
  incident: [() => Incident, 'The incident with its clock as it is now.'],
});

export const CorrectIncidentReportPayload = payload('CorrectIncidentReport', {
  incident: [() => Incident, 'The incident with its clock as it is now.'],
});

export const { Connection: IncidentReportConnection } = connectionOf('IncidentReport', () => IncidentReport);
