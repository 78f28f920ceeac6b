import { ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AttestationChangeKind, AttestationState } from '../../values/attestations.js';
import { LIMITS } from '../../values/limits.js';
import { Text } from '../shared/constraints.js';
import { Optional } from '../shared/optional.js';
import { DateTimeScalar, SafeIntScalar } from '../shared/scalars.js';
import { enumeration, Field, Nullable, Person, type Plain } from '../shared/types.js';
import { ExpectedVersion, Version } from '../shared/version.js';

export const AttestationStateEnum = enumeration<AttestationState>('AttestationState', 'The state of an attestation.', {
  ATTESTED: 'The owner of the control has made it, and what it was made about is unchanged.',
  COUNTERSIGNED: 'Another person has confirmed it, and what it was made about is unchanged.',
  STALE: 'The evidence, its mapping or the status of the control is another one by now: `changes` says which.',
  WITHDRAWN: 'It was withdrawn.',
  SUPERSEDED: 'A newer one has taken its place.',
});

export const AttestationChangeKindEnum = enumeration<AttestationChangeKind>(
  'AttestationChangeKind',
  'In what the evidence of a control differs from what was attested.',
  {
    CONTROL_REMOVED: 'The workflow is dissociated, or has no such control any more.',
    STATUS_CHANGED: 'The control has another status.',
    DOCUMENT_ADDED: 'A document version counts that did not.',
    DOCUMENT_REMOVED: 'A document version that counted was deleted, trimmed or is not mapped any more.',
    MAPPING_ADDED: 'Another control is equivalent now.',
    MAPPING_REMOVED: 'A control is not equivalent any more.',
  },
);

@ObjectType({ description: 'A document version that counted for a control when it was attested.' })
export class AttestedDocument {
  @Field(() => SafeIntScalar, 'Number of the document version.')
  documentVersionId!: number;

  @Field(() => ID, 'The workflow that it was stored for.')
  workflowId!: string;

  @Field(() => ID, 'The control that it was stored for.')
  controlId!: string;

  @Field(() => String, 'SHA-256 of its content, lower-case hexadecimal.')
  sha256!: string;
}

@ObjectType({ description: 'What is another one than when a control was attested.' })
export class AttestationChange {
  @Field(() => AttestationChangeKindEnum, 'What kind of difference it is.')
  kind!: AttestationChangeKind;

  @Field(() => ID, 'The workflow of `controlId`.')
  workflowId!: string;

  @Field(() => ID, 'The control that the document is stored for or that is mapped; otherwise the control itself.')
  controlId!: string;

  @Nullable(() => SafeIntScalar, 'Number of the document version; null where it is about none.')
  documentVersionId!: number | null;

  @Nullable(() => String, 'SHA-256 of its content, lower-case hexadecimal; null where it is about none.')
  sha256!: string | null;
}

@ObjectType({
  description:
    'What the owner of a control states: that it is in place, as the evidence of that moment shows. It is bound to the SHA-256 of that evidence and to its entry in the audit trail, and is never changed.',
})
export class ControlAttestation {
  @Field(() => SafeIntScalar, 'Number of the attestation; a later one has a higher number.')
  id!: number;

  @Version('state of the attestation')
  version!: number;

  @Field(() => ID, 'The workflow.')
  workflowId!: string;

  @Field(() => ID, 'The control.')
  controlId!: string;

  @Field(() => AttestationStateEnum, 'Whether it holds.')
  state!: AttestationState;

  @Field(() => String, 'The statement.')
  statement!: string;

  @Field(() => Person, 'The owner of the control, who made it.')
  attestedBy!: Plain<Person>;

  @Field(() => DateTimeScalar, 'When it was made.')
  attestedAt!: Date | string;

  @Field(() => [AttestedDocument], 'The documents that counted for the control at that moment.')
  evidence!: Plain<AttestedDocument>[];

  @Field(() => SafeIntScalar, 'Position of its entry in the audit trail.')
  position!: number;

  @Nullable(() => Person, 'Who countersigned it; null while it is not countersigned.')
  countersignedBy!: Plain<Person> | null;

  @Nullable(() => DateTimeScalar, 'When it was countersigned; null while it is not.')
  countersignedAt!: Date | string | null;

  @Nullable(() => DateTimeScalar, 'When the gateway recorded that it is stale; null before, and where it is not.')
  staleAt!: Date | string | null;

  @Field(
    () => [AttestationChange],
    `What is another one since, ${LIMITS.attestation.changes} at most; of one that ended, what had been recorded until then.`,
  )
  changes!: Plain<AttestationChange>[];

  @Nullable(() => Person, 'Who withdrew it; null where it was not.')
  withdrawnBy!: Plain<Person> | null;

  @Nullable(() => DateTimeScalar, 'When it was withdrawn; null where it was not.')
  withdrawnAt!: Date | string | null;

  @Optional(() => String, 'Why it was withdrawn.')
  withdrawalReason!: string | null;

  @Nullable(() => DateTimeScalar, 'When a newer one took its place; null where none has.')
  supersededAt!: Date | string | null;
}

@InputType()
abstract class AttestedControlInput {
  @Field(() => SafeIntScalar, 'Which organization.')
  organizationId!: number;

  @Field(() => ID, 'Which of its workflows.')
  workflowId!: string;

  @Field(() => ID, 'Which control of the workflow.')
  controlId!: string;
}

@InputType({ description: 'A control to attest.' })
export class AttestControlInput extends AttestedControlInput {
  @Field(() => String, 'What is stated; it is never changed.')
  @Text({ max: LIMITS.attestation.statementCharacters, lines: true, trim: true })
  statement!: string;

  @Nullable(
    () => Int,
    'The `version` of the control that is attested. When there is another one by now, nothing is attested: CONFLICT. Absent or null, the control is attested as it is.',
  )
  controlVersion?: number | null;
}

@InputType({ description: 'An attestation to countersign.' })
export class CountersignAttestationInput extends AttestedControlInput {
  @Field(() => SafeIntScalar, 'Which attestation.')
  attestationId!: number;

  @ExpectedVersion
  version?: number | null;
}

@InputType({ description: 'An attestation to withdraw.' })
export class WithdrawAttestationInput extends AttestedControlInput {
  @Field(() => SafeIntScalar, 'Which attestation.')
  attestationId!: number;

  @ExpectedVersion
  version?: number | null;

  @Nullable(() => String, 'Why.')
  @Text({ max: LIMITS.attestation.statementCharacters, lines: true, min: 0, trim: true })
  reason?: string | null;
}
