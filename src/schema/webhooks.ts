import { ID, InputType, Int, ObjectType } from 'type-graphql';
import type {
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookFormat,
  WebhookScope,
  WebhookStatus,
} from '../values/enums.js';
import type { EventType } from '../values/events.js';
import { LIMITS } from '../values/limits.js';
import { EventTypeEnum } from './events.js';
import { Constrained, List, Text } from './shared/constraints.js';
import { Optional } from './shared/optional.js';
import { DateTimeScalar, SafeIntScalar } from './shared/scalars.js';
import { enumeration, Field, Nullable, Person, type Plain } from './shared/types.js';
import { ExpectedVersion, Version } from './shared/version.js';

const { webhook: LIMIT } = LIMITS;

export const WebhookFormatEnum = enumeration<WebhookFormat>('WebhookFormat', 'What is sent to a webhook endpoint.', {
  EVENT: 'The event, as `GET /api/v1/events` answers it.',
  SLACK: 'A message for an incoming webhook of Slack.',
  TEAMS: 'A message with an Adaptive Card, for a workflow of Microsoft Teams.',
  OCSF: 'An event of the class Entity Management (3004) of OCSF 1.3.',
});

export const WebhookScopeEnum = enumeration<WebhookScope>('WebhookScope', 'Whose events a webhook endpoint gets.', {
  ORGANIZATION: 'Those of one organization, whose managers have the endpoint.',
  MANAGED_ORGANIZATIONS:
    'Those of every organization that one user manages at the moment at which an event is sent. The user has the endpoint.',
});

export const WebhookStatusEnum = enumeration<WebhookStatus>('WebhookStatus', 'Whether anything is sent.', {
  ENABLED: 'Events are sent.',
  DISABLED: 'Nothing is sent.',
});

export const WebhookDisabledReasonEnum = enumeration<WebhookDisabledReason>(
  'WebhookDisabledReason',
  'Why a webhook endpoint is disabled.',
  {
    REQUESTED: 'A member has disabled it.',
    GONE: 'The receiver has answered 410: it wants nothing any more.',
    FAILING: 'The receiver has accepted nothing for five days.',
    MEMBER_LEFT: 'The member who had enabled it has left, was deactivated, or may not manage webhooks any more.',
  },
);

export const WebhookDeliveryStatusEnum = enumeration<WebhookDeliveryStatus>(
  'WebhookDeliveryStatus',
  'What has become of a delivery.',
  {
    PENDING: 'It waits for its turn or for another attempt.',
    DELIVERED: 'The receiver has accepted it with a status from 200 to 299.',
    FAILED: 'It was given up.',
  },
);

/** An endpoint, as each of its readers sees it. */
@ObjectType()
abstract class EndpointState {
  @Field(() => [EventTypeEnum], 'Types of the events that it gets; empty is all, those to come included.')
  eventTypes!: EventType[];

  @Field(() => WebhookFormatEnum, 'What is sent.')
  format!: WebhookFormat;

  @Field(() => WebhookStatusEnum, 'Whether anything is sent.')
  status!: WebhookStatus;

  @Nullable(() => WebhookDisabledReasonEnum, 'Why it is disabled; null while it is not.')
  disabledReason!: WebhookDisabledReason | null;

  @Field(() => DateTimeScalar, 'When it was created.')
  createdAt!: Date | string;
}

@ObjectType({ description: 'An address that events are sent to.' })
export class WebhookEndpoint extends EndpointState {
  @Field(() => SafeIntScalar, 'What to change it by.')
  id!: number;

  @Version('endpoint')
  version!: number;

  @Field(() => WebhookScopeEnum, 'Whose events it gets.')
  scope!: WebhookScope;

  @Field(() => String, 'The address. Keep it to yourself where it has a secret of the receiver in it.')
  url!: string;

  @Optional(() => String, 'What it is for.')
  description!: string | null;

  @Nullable(
    () => DateTimeScalar,
    'Since when all attempts have failed; null when the last one was accepted, and again from a change of the address or the status on.',
  )
  failingSince!: Date | string | null;

  @Nullable(
    () => DateTimeScalar,
    'Until when the secret before the last rotation signs as well; null when it does not.',
  )
  previousSecretUntil!: Date | string | null;

  @Nullable(
    () => Person,
    'Who created it, or enabled it last: that of an organization is disabled when this user may manage its webhooks no more. Null when that user is gone.',
  )
  enabledBy!: Plain<Person> | null;

  @Field(() => DateTimeScalar, 'When it was last changed.')
  updatedAt!: Date | string;
}

@ObjectType({
  description: 'A webhook endpoint of a user who manages an organization, as that one sees it: its events go there.',
})
export class UserWebhookEndpoint extends EndpointState {
  @Field(() => SafeIntScalar, 'Its number.')
  webhookEndpointId!: number;

  @Field(() => String, 'The host of the address, with its port.')
  host!: string;

  @Field(() => Person, 'Whose it is.')
  user!: Plain<Person>;
}

@ObjectType({ description: 'One event for one webhook endpoint, and what came of it.' })
export class WebhookDelivery {
  @Field(() => SafeIntScalar, 'What to send it again by.')
  id!: number;

  @Field(() => ID, 'The id of the event, which is sent as `webhook-id`.')
  eventId!: string;

  @Field(() => EventTypeEnum, 'The type of the event.')
  eventType!: EventType;

  @Field(() => WebhookDeliveryStatusEnum, 'What has become of it.')
  status!: WebhookDeliveryStatus;

  @Field(
    () => Int,
    `How often it was tried: ${LIMIT.attempts} times at most, and from the beginning when it is sent again.`,
  )
  attemptCount!: number;

  @Nullable(() => DateTimeScalar, 'When the last attempt that has ended began; null before.')
  attemptedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When the next attempt is due; null when there is none.')
  nextAttemptAt!: Date | string | null;

  @Nullable(() => Int, 'How long the last attempt took, in milliseconds; null before the first one.')
  milliseconds!: number | null;

  @Nullable(() => Int, 'The status of the last answer; null where there was none.')
  statusCode!: number | null;

  @Optional(() => String, 'Why the last attempt was not accepted, or why it was given up, as a sentence.')
  error!: string | null;

  @Optional(() => String, `The first ${LIMIT.answerBytes / 1_024} KB of the last answer.`)
  answer!: string | null;

  @Field(() => DateTimeScalar, 'When it was put in.')
  createdAt!: Date | string;
}

@ObjectType({ description: 'One attempt to deliver an event.' })
export class WebhookAttempt {
  @Field(() => Int, 'Which one, from 1; from the beginning when the delivery is sent again.')
  number!: number;

  @Field(() => DateTimeScalar, 'When it began.')
  attemptedAt!: Date | string;

  @Field(() => Int, 'How long it took, in milliseconds.')
  milliseconds!: number;

  @Nullable(() => Int, 'The status of the answer; null where there was none.')
  statusCode!: number | null;

  @Optional(() => String, 'Why it was not accepted, as a sentence.')
  error!: string | null;

  @Optional(() => String, `The first ${LIMIT.answerBytes / 1_024} KB of the answer.`)
  answer!: string | null;
}

@InputType({ description: 'Which deliveries to list. All conditions hold at once.' })
export class WebhookDeliveryFilter {
  @Nullable(() => WebhookDeliveryStatusEnum, 'Only those that have become of so.')
  status?: WebhookDeliveryStatus | null;

  @Nullable(() => ID, 'Only that of this event.')
  eventId?: string | null;
}

const URL =
  'The address. It must begin with `https://` and lead to the Internet; the operator may allow other networks, and `http://` to the gateway’s own machine.';
const TYPES = 'Types of the events that it gets; empty is all, those to come included.';

@InputType({ description: 'A webhook endpoint to create.' })
export class CreateWebhookEndpointInput {
  @Nullable(
    () => SafeIntScalar,
    'Whose events are sent. Required; to be absent where the scope is `MANAGED_ORGANIZATIONS`.',
  )
  organizationId?: number | null;

  @Nullable(() => WebhookScopeEnum, 'Whose events are sent; `ORGANIZATION` when absent.')
  scope?: WebhookScope | null;

  @Field(() => String, URL)
  @Text({ max: LIMIT.urlCharacters, format: 'uri' })
  url!: string;

  @Nullable(() => String, 'What it is for.')
  @Text({ max: LIMIT.descriptionCharacters, min: 0, trim: true })
  description?: string | null;

  @Nullable(() => [EventTypeEnum], `${TYPES} All when absent.`)
  @List({ max: LIMIT.eventTypes })
  eventTypes?: EventType[] | null;

  @Nullable(() => WebhookFormatEnum, 'What is sent; `EVENT` when absent.')
  format?: WebhookFormat | null;
}

@InputType()
abstract class WebhookEndpointIdInput {
  @Field(() => SafeIntScalar, 'The organization that has the endpoint; none where a user has it.')
  organizationId!: number | null;

  @Nullable(
    () => WebhookScopeEnum,
    'Which kind of endpoint it has to be: one of the other kind is absent. Any when absent.',
  )
  scope?: WebhookScope | null;

  @Field(() => SafeIntScalar, 'Which endpoint.')
  webhookEndpointId!: number;
}

/** The same where it is changed. */
@InputType()
abstract class ChangedWebhookEndpointInput extends WebhookEndpointIdInput {
  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'What a webhook endpoint is to be. What is absent stays as it is.' })
export class UpdateWebhookEndpointInput extends ChangedWebhookEndpointInput {
  @Nullable(() => String, URL)
  @Text({ max: LIMIT.urlCharacters, format: 'uri', notNull: true })
  url?: string | null;

  @Nullable(() => String, 'What it is for.')
  @Text({ max: LIMIT.descriptionCharacters, min: 0, trim: true })
  description?: string | null;

  @Nullable(() => [EventTypeEnum], TYPES)
  @List({ max: LIMIT.eventTypes, notNull: true })
  eventTypes?: EventType[] | null;

  @Nullable(() => WebhookFormatEnum, 'What is sent.')
  @Constrained({ notNull: true })
  format?: WebhookFormat | null;

  @Nullable(() => WebhookStatusEnum, 'Whether anything is sent. Disabling it gives up what waits.')
  @Constrained({ notNull: true })
  status?: WebhookStatus | null;
}

@InputType({ description: 'A webhook endpoint to delete.' })
export class DeleteWebhookEndpointInput extends ChangedWebhookEndpointInput {}

@InputType({ description: 'A webhook endpoint whose secret is to be replaced.' })
export class RotateWebhookSecretInput extends ChangedWebhookEndpointInput {}

@InputType({ description: 'A webhook endpoint to send a test to.' })
export class SendTestWebhookInput extends WebhookEndpointIdInput {}

@InputType({ description: 'A delivery to send again.' })
export class RedeliverWebhookInput extends WebhookEndpointIdInput {
  @Field(() => SafeIntScalar, 'Which delivery.')
  webhookDeliveryId!: number;
}

@InputType({ description: 'What a webhook endpoint is to be sent that it has missed.' })
export class RecoverWebhooksInput extends WebhookEndpointIdInput {
  @Field(() => DateTimeScalar, `Events since then; within the last ${LIMIT.keptDays} days.`)
  since!: Date;
}
