import { ArgsType, ID, Int, ObjectType } from 'type-graphql';
import type { AuditSubjectType } from '../values/audit.js';
import { EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType } from '../values/events.js';
import { LIMITS } from '../values/limits.js';
import { AuditSubjectTypeEnum } from './audit.js';
import { PageInfo } from './shared/connection.js';
import { WhenTrue } from './shared/optional.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { Field, Nullable, storedEnumeration, type Plain } from './shared/types.js';

export const EventTypeEnum = storedEnumeration(
  'EventType',
  'What an event reports. There will be more of them: pass over those that you do not know.',
  EVENT_TYPES,
  EVENT_DESCRIPTIONS,
);

/** Of a cursor. */
const RETENTION = `It is good for ${LIMITS.events.keptDays} days.`;

@ObjectType({ description: 'What an event is about. The object may be gone by now.' })
export class EventSubject {
  @Field(() => AuditSubjectTypeEnum, 'What kind of object it is.')
  type!: AuditSubjectType;

  @Field(() => ID, 'What REST calls its `id`; of a control with its workflow, such as `iso-27001-2022/A.5.1`.')
  databaseId!: string;
}

@ObjectType({
  description:
    'Something that has happened in an organization: what it is about, never what it says. Read the object for that.',
})
export class Event {
  @Field(() => ID, 'The organization and the position: the same whenever and however the event is read.')
  id!: string;

  @Field(() => EventTypeEnum, 'What has happened.')
  type!: EventType;

  @Field(() => SafeIntScalar, 'The organization.')
  organizationId!: number;

  @WhenTrue('Whether the organization is a sandbox.')
  sandbox!: boolean;

  @Field(() => EventSubject, 'What it is about.')
  subject!: Plain<EventSubject>;

  @Field(() => SafeIntScalar, "The place of its entry in the organization's audit trail.")
  position!: number;

  @Field(() => [String], 'Names of the fields that were changed, as GraphQL has them.')
  changedFields!: string[];

  @Field(() => DateTimeScalar, 'When it happened.')
  at!: string;

  @Nullable(() => String, 'Address at which REST reads what it is about; null where there is none.')
  url!: string | null;
}

@ObjectType({ description: 'One event, with its place in the sequence.' })
export class EventEdge {
  @Field(() => String, 'Opaque place of the event: pass it as `after`.')
  cursor!: string;

  @Field(() => Event, 'The event itself.')
  node!: Plain<Event>;
}

@ObjectType({ description: 'The next events of the sequence. What is still to come cannot be counted.' })
export class EventConnection {
  @Field(() => [Event], 'The events, in order.')
  nodes!: Plain<Event>[];

  @Field(() => [EventEdge], 'The same events, each with its cursor.')
  edges!: Plain<EventEdge>[];

  @Field(() => PageInfo, 'Where they lie in the sequence.')
  pageInfo!: Plain<PageInfo>;

  @Field(() => String, `Where to go on, also when there are no events: pass it as \`after\` next time. ${RETENTION}`)
  next!: string;
}

const TYPES = 'Only of these types, one at least; of all when absent.';
const ORGANIZATION =
  'Only of this organization, which is NOT_FOUND once it is deleted; of all of the caller when absent.';

@ArgsType()
export class EventArgs {
  @Nullable(
    () => String,
    `Only events after this cursor. Those of the last ${LIMITS.events.keptDays} days when absent; \`latest\` for those from now on.`,
  )
  after?: string | null;

  @Nullable(() => Int, 'How many events: 1 to 100.', { defaultValue: LIMITS.page.defaultSize })
  first?: number | null;

  @Nullable(() => [EventTypeEnum], TYPES)
  types?: EventType[] | null;

  @Nullable(() => SafeIntScalar, ORGANIZATION)
  organizationId?: number | null;
}

@ArgsType()
export class EventAddedArgs {
  @Nullable(() => String, `First the events after this cursor, from the past; only new ones when absent. ${RETENTION}`)
  after?: string | null;

  @Nullable(() => [EventTypeEnum], TYPES)
  types?: EventType[] | null;

  @Nullable(() => SafeIntScalar, ORGANIZATION)
  organizationId?: number | null;
}
