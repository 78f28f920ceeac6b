import { Field, Int, ObjectType } from 'type-graphql';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import type { Severity } from '../vocabulary/severities.js';
import { connectionOf } from './connection.js';
import { enumeration } from './enumeration.js';
import { Organization } from './organization.type.js';
import type { Plain } from './plain.js';
import { DateTimeScalar } from './scalars.js';

export const IncidentSeverityEnum = enumeration<Severity>('IncidentSeverity', 'How bad an incident is.', {
  LOW: 'Hardly noticed.',
  MEDIUM: 'Noticed and contained.',
  HIGH: 'Services or data are affected.',
  CRITICAL: 'The organization cannot go on as usual.',
});

export const IncidentStatusEnum = enumeration<IncidentStatus>(
  'IncidentStatus',
  'How far the handling of an incident has come.',
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

  @Field(() => Organization, { description: 'Whose incident it is.' })
  organization!: Plain<Organization>;

  @Field(() => String, { description: 'What happened, in a few words.' })
  title!: string;

  @Field(() => String, { description: 'What happened, at length.' })
  description!: string;

  @Field(() => IncidentSeverityEnum, { description: 'How bad it is.' })
  severity!: Severity;

  @Field(() => IncidentStatusEnum, { description: 'How far its handling has come.' })
  status!: IncidentStatus;

  @Field(() => DateTimeScalar, { description: 'When the organization became aware of it: the clock starts here.' })
  awareAt!: Date | string;

  @Field(() => Boolean, { description: 'Whether it is significant in the sense of NIS 2 Article 23(3).' })
  significant!: boolean;

  @Field(() => String, { description: 'User name of who opened it, as it was then; empty where nobody knows.' })
  openedBy!: string;

  @Field(() => DateTimeScalar, { description: 'When the record was created.' })
  createdAt!: Date | string;

  @Field(() => DateTimeScalar, { description: 'When the record was last changed.' })
  updatedAt!: Date | string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When it was closed; null while it is not.' })
  closedAt!: Date | string | null;

  @Field(() => String, { nullable: true, description: 'User name of who closed it; null while nobody did.' })
  closedBy!: string | null;

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

  @Field(() => String, { nullable: true, description: 'User name of who sent it; null while nobody did.' })
  sentBy!: string | null;
}

@ObjectType({ description: 'What `openIncident` answers.', simpleResolvers: true })
export class OpenIncidentPayload {
  @Field(() => Incident, { description: 'The new incident.' })
  incident!: Plain<Incident>;
}

@ObjectType({ description: 'What `updateIncident` answers.', simpleResolvers: true })
export class UpdateIncidentPayload {
  @Field(() => Incident, { description: 'The incident as it is now.' })
  incident!: Plain<Incident>;
}

@ObjectType({ description: 'What `closeIncident` answers.', simpleResolvers: true })
export class CloseIncidentPayload {
  @Field(() => Incident, { description: 'The incident as it is now.' })
  incident!: Plain<Incident>;
}

@ObjectType({ description: 'What `reopenIncident` answers.', simpleResolvers: true })
export class ReopenIncidentPayload {
  @Field(() => Incident, { description: 'The incident as it is now.' })
  incident!: Plain<Incident>;
}

export const { Connection: IncidentConnection } = connectionOf('Incident', () => Incident);
