import type { TrailFault } from '../../errors.js';
import type { AuditFaultReason } from '../../values/audit.js';
import type { SignedCheckpoint } from './trails.js';

/** A defect of a trail, and its position. */
export interface Defect extends TrailFault {
  reason: AuditFaultReason;
}

/** Whether the database still has the newest checkpoint of the storage, unchanged. */
export function anchorDefect(
  stored: SignedCheckpoint | undefined,
  made: readonly { number: number; checkpoint: SignedCheckpoint }[],
): Defect | undefined {
  if (stored === undefined) return undefined;
  const { number, position } = stored;
  const own = made.find((each) => each.number === number)?.checkpoint;
  if (own?.signature === stored.signature) return undefined;
  if (own !== undefined) {
    const message = `Checkpoint ${number} of the storage, of entry ${position}, is not the one of the trail.`;
    return defectOf('CHECKPOINT_MISMATCH', position, message);
  }
  const message = `The storage has checkpoint ${number}, of entry ${position}, and the trail has not.`;
  return defectOf('CHECKPOINT_MISSING', position, message);
}

export function defectOf(reason: AuditFaultReason, position: number, message: string): Defect {
  return { position, reason, message };
}

export function missingEntry(position: number) {
  return defectOf('POSITION_MISSING', position, `There is no entry ${position}.`);
}

export function cutOff(position: number, sealedUpTo: number) {
  const message = `There is no entry ${position}, and the trail was sealed up to entry ${sealedUpTo}.`;
  return defectOf('POSITION_MISSING', position, message);
}

export function hashMismatch(position: number) {
  return defectOf('HASH_MISMATCH', position, `Entry ${position} is not what its hash was made of.`);
}

export function sealMismatch(position: number) {
  return defectOf('SEAL_MISMATCH', position, `Entry ${position} is not the one that was sealed.`);
}

export function invalidCheckpointSignature(position: number) {
  const message = `The checkpoint of entry ${position} is not signed with the key of this gateway.`;
  return defectOf('SIGNATURE_INVALID', position, message);
}

export function checkpointMismatch(position: number) {
  return defectOf('CHECKPOINT_MISMATCH', position, `The checkpoint of entry ${position} was signed for another entry.`);
}

export function checkpointMissing(number: number, position: number) {
  return defectOf(
    'CHECKPOINT_MISSING',
    position,
    `Checkpoint ${number} is missing, before the one of entry ${position}.`,
  );
}

/** The first missing number among the checkpoints that a seal counts. */
export function gapIn(
  made: readonly { number: number; checkpoint: SignedCheckpoint }[],
  { position, checkpoints }: { position: number; checkpoints: number },
): Defect | undefined {
  const next = made.find(({ number }, index) => number !== index + 1);
  if (next !== undefined) return checkpointMissing(made.indexOf(next) + 1, next.checkpoint.position);
  if (made.length >= checkpoints) return undefined;
  const message = `Checkpoint ${made.length + 1} is missing: the trail was sealed with ${checkpoints} checkpoints.`;
  return defectOf('CHECKPOINT_MISSING', position, message);
}

export function behindHead(position: number) {
  const message = `A checkpoint was signed for entry ${position}, which stands behind the head of the trail.`;
  return defectOf('CHECKPOINT_MISMATCH', position, message);
}

export function invalidPruningSignature(position: number) {
  const message = `Entry ${position} records a removal of entries that is not signed with the key of this gateway.`;
  return defectOf('SIGNATURE_INVALID', position, message);
}

export function lostTrail(position: number) {
  return defectOf('POSITION_MISSING', 1, `There is no entry 1, and the storage has a checkpoint of entry ${position}.`);
}
