import { Field, ObjectType } from 'type-graphql';
import { AuditEntry } from '../audit/types.js';
import { connectionOf } from '../shared/connection.js';
import { enumeration } from '../shared/enumeration.js';
import { Person } from '../shared/person.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar } from '../shared/scalars.js';
import type { IncidentTimelineKind } from '../../values/enums.js';
import { IncidentNote } from './note-types.js';
import { IncidentReport } from './report-types.js';
import { IncidentAttachment } from './types.js';

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
  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  at!: Date | string;

  @Field(() => IncidentTimelineKindEnum, { description: 'What it is.' })
  kind!: IncidentTimelineKind;

  @Field(() => Person, {
    nullable: true,
    description: 'The person who did it; null for what the gateway did, and for a user who was erased.',
  })
  actor!: Plain<Person> | null;

  @Field(() => AuditEntry, { nullable: true, description: 'The entry of the audit trail.' })
  entry!: Plain<AuditEntry> | null;

  @Field(() => IncidentReport, { nullable: true, description: 'The record about a report.' })
  report!: Plain<IncidentReport> | null;

  @Field(() => IncidentAttachment, { nullable: true, description: 'The file.' })
  attachment!: Plain<IncidentAttachment> | null;

  @Field(() => IncidentNote, { nullable: true, description: 'The note.' })
  note!: Plain<IncidentNote> | null;
}

export const { Connection: IncidentTimelineConnection } = connectionOf(
  'IncidentTimelineItem',
  () => IncidentTimelineItem,
);
