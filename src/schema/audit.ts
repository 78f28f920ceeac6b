import { ID, InputType, ObjectType } from 'type-graphql';
import type { ObjectRule } from '../common/input-schema.js';
import {
  AUDIT_ACTIONS,
  AUDIT_SUBJECTS,
  type AuditAction,
  type AuditActorType,
  type AuditFaultReason,
  type AuditSubjectType,
  type AuditVia,
} from '../values/audit.js';
import { LIMITS } from '../values/limits.js';
import { orderOf } from './shared/connection.js';
import { Constrained, inOrder, Rule, Text } from './shared/constraints.js';
import { DateTimeScalar, JsonScalar, SafeIntScalar } from './shared/scalars.js';
import { enumeration, Field, Nullable, Person, type Plain } from './shared/types.js';

export const AuditActionEnum = enumeration('AuditAction', 'What an entry of an audit trail records.', AUDIT_ACTIONS);

export const AuditActorTypeEnum = enumeration<AuditActorType>('AuditActorType', 'What kind of actor did something.', {
  USER: 'A user, with a token.',
  SERVICE_ACCOUNT: 'A service account of the organization, with a token.',
  SCIM: 'A directory, with a token of its own for SCIM.',
  SYSTEM: 'The gateway itself: a periodic job, or a request that needs no token.',
});

export const AuditViaEnum = enumeration<AuditVia>('AuditVia', 'How a program acted for a user.', {
  MCP: 'By the Model Context Protocol: an assistant called a tool.',
});

export const AuditSubjectTypeEnum = enumeration(
  'AuditSubjectType',
  'What kind of object an entry of an audit trail is about.',
  Object.fromEntries(Object.entries(AUDIT_SUBJECTS).map(([subject, { text }]) => [subject, text])) as Record<
    AuditSubjectType,
    string
  >,
);

@ObjectType({ description: 'Who did something: a user, a service account, a directory, or the gateway.' })
export class AuditActor {
  @Field(() => AuditActorTypeEnum, 'Which of them.')
  type!: AuditActorType;

  @Nullable(
    () => Person,
    'The user or the service account; null for a directory and the gateway, and when the user was erased.',
  )
  user!: Plain<Person> | null;

  @Nullable(() => ID, 'UUID of the user, also of one that was erased, or of the service account; null for others.')
  userId!: string | null;

  @Nullable(
    () => String,
    'Name of the job, `signed-address` for a download without a token, or `scim:` and the name of the token of a directory; null for a user and a service account.',
  )
  job!: string | null;

  @Nullable(() => SafeIntScalar, 'The token that was used; null where there was none.')
  tokenId!: number | null;

  @Nullable(
    () => String,
    'The network address of the request; without a user only its network. Null where there was none, and when the user was erased.',
  )
  address!: string | null;

  @Nullable(() => AuditViaEnum, 'The protocol of a program that acted for the user; null for GraphQL, REST and SCIM.')
  via!: AuditVia | null;

  @Nullable(
    () => String,
    'What that program calls itself: 100 characters at most, a claim and no proof. Null where it has not said.',
  )
  client!: string | null;
}

@ObjectType({ description: 'What the subject of an entry belongs to.' })
export class AuditSubjectParent {
  @Field(() => AuditSubjectTypeEnum, 'What kind of object it is.')
  type!: AuditSubjectType;

  @Field(() => ID, 'What REST calls its `id`; of a control with its workflow, such as `iso-27001-2022/A.5.1`.')
  databaseId!: string;
}

@ObjectType({ description: 'What an entry is about. The object may be gone by now.' })
export class AuditSubject extends AuditSubjectParent {
  @Nullable(() => String, 'What it was called at that time; null when it is about a person who was erased.')
  name!: string | null;

  @Nullable(
    () => AuditSubjectParent,
    'What it belongs to: the incident of an attachment, the control of a document version; null for what belongs to the organization itself.',
  )
  parent!: Plain<AuditSubjectParent> | null;
}

@ObjectType({ description: 'A field and what became of it.' })
export class AuditChange {
  @Field(() => String, 'The name of the field, as GraphQL has it.')
  field!: string;

  @Nullable(() => JsonScalar, 'Its value before; null where there was none.')
  before!: unknown;

  @Nullable(
    () => JsonScalar,
    'Its value afterwards; null where there is none. Of a secret it is only said that it was changed.',
  )
  after!: unknown;
}

@ObjectType({ description: 'One entry of an audit trail. Entries are never changed.' })
export class AuditEntry {
  @Field(() => ID, 'Its key: the number of the trail and the position.')
  id!: string;

  @Field(() => SafeIntScalar, 'Its place in the trail; the first is 1.')
  position!: number;

  @Field(() => DateTimeScalar, 'When it happened.')
  at!: string;

  @Field(() => AuditActionEnum, 'What happened.')
  action!: AuditAction;

  @Field(() => AuditActor, 'Who did it.')
  actor!: Plain<AuditActor>;

  @Nullable(
    () => String,
    'The `X-Request-Id` of the request, also of a download without a token; null where there was none.',
  )
  requestId!: string | null;

  @Field(() => AuditSubject, 'What it is about.')
  subject!: Plain<AuditSubject>;

  @Field(() => [AuditChange], 'The fields that were changed, by name.')
  changes!: Plain<AuditChange>[];

  @Nullable(() => String, 'The reason that was given, or found for a change of status; null where there is none.')
  reason!: string | null;

  @Field(() => String, 'SHA-256 of the hash before and of the entry, in lower-case hexadecimal: it chains the entries.')
  hash!: string;
}

@ObjectType({
  description:
    'A signed statement that an entry stood at a position: kept elsewhere, it shows whether the trail was changed since.',
})
export class AuditCheckpoint {
  @Field(() => String, 'The audit trail, such as `organization/1`.')
  log!: string;

  @Field(() => SafeIntScalar, 'The place of the entry; 0 when there was none yet.')
  position!: number;

  @Field(() => String, 'The hash of the entry, in lower-case hexadecimal.')
  hash!: string;

  @Field(() => DateTimeScalar, 'When it was signed.')
  at!: string;

  @Field(() => String, 'Which key of `/.well-known/audit-keys.json` has signed it.')
  keyId!: string;

  @Field(
    () => String,
    'Ed25519 in base64url, over the canonical JSON (RFC 8785) of `at`, `hash`, `log` and `position`.',
  )
  signature!: string;

  @Nullable(
    () => SafeIntScalar,
    'Its place among the checkpoints of the trail, beginning with 1; null before there is an entry.',
  )
  number!: number | null;

  @Nullable(
    () => String,
    'SHA-256 of what all checkpoints before it add up to, in lower-case hexadecimal: it chains them; null for one without a number.',
  )
  previous!: string | null;

  @Nullable(() => String, 'As `signature`, over `number` and `previous` as well; null without them.')
  chainSignature!: string | null;
}

export const AuditFaultReasonEnum = enumeration<AuditFaultReason>(
  'AuditFaultReason',
  'Why an audit trail does not verify.',
  {
    HASH_MISMATCH: 'An entry, its hash or an entry before it was changed.',
    POSITION_MISSING: 'There is no entry at this position.',
    HEAD_MISMATCH: 'The head of the trail is another entry than the last one.',
    CHECKPOINT_MISMATCH: 'A checkpoint was signed for another entry than the one at its position.',
    CHECKPOINT_MISSING: 'A checkpoint is missing; what was signed is numbered.',
    SEAL_MISMATCH: 'An entry is another one than the gateway had followed the trail up to.',
    SEAL_MISSING: 'The trail is not sealed any more: it was deleted and begun anew, or its seal was.',
    SIGNATURE_INVALID:
      'A checkpoint, the seal or the record of a pruning was changed, or not made with the key of the gateway.',
  },
);

@ObjectType({ description: 'The first place where an audit trail does not verify.' })
export class AuditTrailFault {
  @Field(() => SafeIntScalar, 'The position of the entry or checkpoint.')
  position!: number;

  @Field(() => AuditFaultReasonEnum, 'What is wrong.')
  reason!: AuditFaultReason;

  @Field(() => String, 'The same as a sentence.')
  message!: string;
}

@ObjectType({ description: 'Whether an audit trail is as it was written.' })
export class AuditTrailVerification {
  @Field(() => Boolean, 'Whether every entry and every checkpoint verifies.')
  valid!: boolean;

  @Field(
    () => SafeIntScalar,
    'The first position of the trail: more than 1 when earlier entries were removed after their retention.',
  )
  verifiedFrom!: number;

  @Field(() => SafeIntScalar, 'The position up to which all entries verify.')
  verifiedUpTo!: number;

  @Field(() => SafeIntScalar, 'How many entries the trail has, by its head.')
  entries!: number;

  @Field(() => SafeIntScalar, 'How many checkpoints were verified.')
  checkpoints!: number;

  @Nullable(() => AuditTrailFault, 'The first fault; null when the trail is valid.')
  fault!: Plain<AuditTrailFault> | null;
}

const { filterCharacters } = LIMITS.search;

/** Ids are unique among objects of one type only. */
export const idWithType: ObjectRule = (read) =>
  (read('subjectId') ?? null) !== null && (read('subjectType') ?? null) === null
    ? [{ at: ['subjectId'], sentence: 'must be given together with {subjectType}' }]
    : [];

/** Entries by their actor. */
@InputType()
export abstract class ActorFilter {
  @Nullable(() => ID, 'Only what this user or service account did: its UUID.')
  @Text({ max: filterCharacters })
  actorId?: string | null;

  @Nullable(
    () => String,
    'Only what this job did: `actor.job` of an entry, such as `signed-address` for downloads without a token.',
  )
  @Text({ max: filterCharacters })
  actorJob?: string | null;
}

@InputType({ description: 'Which entries of an audit trail to list. All conditions hold at once.' })
@Rule((read) => [...idWithType(read), ...inOrder('from', 'to')(read)])
export class AuditEntryFilter extends ActorFilter {
  @Nullable(() => AuditActionEnum, 'Only those of this action.')
  action?: AuditAction | null;

  @Nullable(() => AuditSubjectTypeEnum, 'Only those about objects of this type.')
  subjectType?: AuditSubjectType | null;

  @Nullable(
    () => ID,
    'Only those about the object with this `databaseId`, of a control with its workflow (`iso-27001-2022/A.5.1`); goes with `subjectType`.',
  )
  @Text({ max: filterCharacters })
  subjectId?: string | null;

  @Nullable(() => DateTimeScalar, 'Only what happened then or later.')
  from?: Date | null;

  @Nullable(() => DateTimeScalar, 'Only what happened before.')
  to?: Date | null;

  @Nullable(
    () => SafeIntScalar,
    'Only entries after this place in the trail: in the order of places, a program that follows it misses none.',
  )
  @Constrained({ minimum: 0 })
  afterPosition?: number | null;
}

export type AuditEntryOrder = InstanceType<typeof AuditEntryOrder>;
export const AuditEntryOrder = orderOf(
  'AuditEntry',
  'an audit trail',
  enumeration('AuditEntrySortField', 'What an audit trail is ordered by.', {
    POSITION: 'By place in the trail, which is the order of what happened.',
  }),
  ['DESC', 'newest first'],
);

@InputType({ description: 'The audit trail to sign.' })
export class CreateAuditCheckpointInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;
}
