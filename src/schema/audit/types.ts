import { Field, ID, Int, ObjectType } from 'type-graphql';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from '../../values/audit.js';
import type { AuditAction, AuditActorType, AuditFaultReason, AuditSubjectType } from '../../values/audit.js';
import { connectionOf } from '../shared/connection.js';
import { enumeration } from '../shared/enumeration.js';
import { payload } from '../shared/payload.js';
import { Person } from '../shared/person.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar, JsonScalar } from '../shared/scalars.js';

export const AuditActionEnum = enumeration('AuditAction', 'What an entry of an audit trail records.', AUDIT_ACTIONS);

export const AuditActorTypeEnum = enumeration<AuditActorType>('AuditActorType', 'What kind of actor did something.', {
  USER: 'A user, with a token.',
  SYSTEM: 'The gateway itself: a periodic job, or a request that needs no token.',
});

export const AuditSubjectTypeEnum = enumeration(
  'AuditSubjectType',
  'What kind of object an entry of an audit trail is about.',
  AUDIT_SUBJECTS,
);

@ObjectType({ description: 'Who did something: a user, or the gateway.' })
export class AuditActor {
  @Field(() => AuditActorTypeEnum, { description: 'Which of both.' })
  type!: AuditActorType;

  @Field(() => Person, { nullable: true, description: 'The user; null for the gateway, and when the user was erased.' })
  user!: Plain<Person> | null;

  @Field(() => ID, {
    nullable: true,
    description: 'UUID of the user, also of one that was erased; null for the gateway.',
  })
  userId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the job, or `signed-address` for a download without a token; null for a user.',
  })
  job!: string | null;

  @Field(() => Int, { nullable: true, description: 'The token that was used; null where there was none.' })
  tokenId!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The network address of the request; without a user only its network. Null where there was none, and when the user was erased.',
  })
  address!: string | null;
}

@ObjectType({ description: 'What the subject of an entry belongs to.' })
export class AuditSubjectParent {
  @Field(() => AuditSubjectTypeEnum, { description: 'What kind of object it is.' })
  type!: AuditSubjectType;

  @Field(() => ID, { description: 'What REST calls its `id`.' })
  databaseId!: string;
}

@ObjectType({ description: 'What an entry is about. The object may be gone by now.' })
export class AuditSubject {
  @Field(() => AuditSubjectTypeEnum, { description: 'What kind of object it is.' })
  type!: AuditSubjectType;

  @Field(() => ID, { description: 'What REST calls its `id`.' })
  databaseId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it was called at that time; null when it is about a person who was erased.',
  })
  name!: string | null;

  @Field(() => AuditSubjectParent, {
    nullable: true,
    description: 'What it belongs to: the incident of an attachment, the control of a document version.',
  })
  parent!: Plain<AuditSubjectParent> | null;
}

@ObjectType({ description: 'A field and what became of it.' })
export class AuditChange {
  @Field(() => String, { description: 'The name of the field, as GraphQL has it.' })
  field!: string;

  @Field(() => JsonScalar, { nullable: true, description: 'Its value before; null where there was none.' })
  before!: unknown;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Its value afterwards; null where there is none. Of a secret it is only said that it was changed.',
  })
  after!: unknown;
}

@ObjectType({ description: 'One entry of an audit trail. Entries are never changed.' })
export class AuditEntry {
  @Field(() => ID, { description: 'Its key: the number of the trail and the position.' })
  id!: string;

  @Field(() => Int, { description: 'Its place in the trail; the first is 1.' })
  position!: number;

  @Field(() => DateTimeScalar, { description: 'When it happened.' })
  at!: string;

  @Field(() => AuditActionEnum, { description: 'What happened.' })
  action!: AuditAction;

  @Field(() => AuditActor, { description: 'Who did it.' })
  actor!: Plain<AuditActor>;

  @Field(() => String, { nullable: true, description: 'The `X-Request-Id` of the request; null for a job.' })
  requestId!: string | null;

  @Field(() => AuditSubject, { description: 'What it is about.' })
  subject!: Plain<AuditSubject>;

  @Field(() => [AuditChange], { description: 'The fields that were changed, by name.' })
  changes!: Plain<AuditChange>[];

  @Field(() => String, {
    nullable: true,
    description: 'The reason that was given, or found for a change of status; null where there is none.',
  })
  reason!: string | null;

  @Field(() => String, {
    description: 'SHA-256 of the hash before and of the entry, in lower-case hexadecimal: it chains the entries.',
  })
  hash!: string;
}

export const AuditEntryConnection = connectionOf('AuditEntry', () => AuditEntry);

@ObjectType({
  description:
    'A signed statement that an entry stood at a position: kept elsewhere, it shows whether the trail was changed since.',
})
export class AuditCheckpoint {
  @Field(() => String, { description: 'The audit trail, such as `organization/1`.' })
  log!: string;

  @Field(() => Int, { description: 'The place of the entry; 0 when there was none yet.' })
  position!: number;

  @Field(() => String, { description: 'The hash of the entry, in lower-case hexadecimal.' })
  hash!: string;

  @Field(() => DateTimeScalar, { description: 'When it was signed.' })
  at!: string;

  @Field(() => String, { description: 'Which key of `/.well-known/audit-keys.json` has signed it.' })
  keyId!: string;

  @Field(() => String, {
    description: 'Ed25519 in base64url, over the canonical JSON (RFC 8785) of `at`, `hash`, `log` and `position`.',
  })
  signature!: string;
}

export const CreateAuditCheckpointPayload = payload('CreateAuditCheckpoint', {
  checkpoint: [() => AuditCheckpoint, 'The newest entry, signed.'],
});

export const AuditFaultReasonEnum = enumeration<AuditFaultReason>(
  'AuditFaultReason',
  'Why an audit trail does not verify.',
  {
    HASH_MISMATCH: 'An entry, its hash or an entry before it was changed.',
    POSITION_MISSING: 'There is no entry at this position.',
    HEAD_MISMATCH: 'The head of the trail is another entry than the last one.',
    CHECKPOINT_MISMATCH: 'A checkpoint was signed for another entry than the one at its position.',
    SIGNATURE_INVALID: 'A checkpoint was changed, or not signed with the key of the gateway.',
  },
);

@ObjectType({ description: 'The first place where an audit trail does not verify.' })
export class AuditTrailFault {
  @Field(() => Int, { description: 'The position of the entry or checkpoint.' })
  position!: number;

  @Field(() => AuditFaultReasonEnum, { description: 'What is wrong.' })
  reason!: AuditFaultReason;

  @Field(() => String, { description: 'The same as a sentence.' })
  message!: string;
}

@ObjectType({ description: 'Whether an audit trail is as it was written.' })
export class AuditTrailVerification {
  @Field(() => Boolean, { description: 'Whether every entry and every checkpoint verifies.' })
  valid!: boolean;

  @Field(() => Int, {
    description:
      'The first position of the trail: more than 1 when earlier entries were removed after their retention.',
  })
  verifiedFrom!: number;

  @Field(() => Int, { description: 'The position up to which all entries verify.' })
  verifiedUpTo!: number;

  @Field(() => Int, { description: 'How many entries the trail has, by its head.' })
  entries!: number;

  @Field(() => Int, { description: 'How many checkpoints were verified.' })
  checkpoints!: number;

  @Field(() => AuditTrailFault, { nullable: true, description: 'The first fault; null when the trail is valid.' })
  fault!: Plain<AuditTrailFault> | null;
}
