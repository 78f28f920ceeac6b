// Types of scripts/verify-proof.mjs, which the build puts beside them. It needs Node.
import type { AuditKeys } from './verify-audit-trail.mjs';

export interface Proven {
  /** What the trail is of, such as `organization/1`. */
  log: string;
  /** What the answer is about, such as `INCIDENT/12`; null is all of the organization. */
  object: string | null;
  /** The instant that the answer is about. */
  asOf: string;
  /** The last entry that counts. */
  position: number;
  /** The signed checkpoint that the entries lead to. */
  checkpoint: { at: string; position: number; hash: string };
  /** Fingerprints of the keys that it was verified with. */
  keyIds: readonly string[];
}

/**
 * Verifies the file of a proof; throws AuditTrailFault (or any other error that a changed file leads to) with the first fault. Without
 * keys, those of the proof itself count: compare their fingerprints. Checkpoints are as `verifyAuditTrail` takes them. An option that is given
 * and undefined or null is a TypeError: nothing would be compared with it.
 */
export function verifyProof(
  file: string,
  options?: { keys?: AuditKeys['keys']; checkpoints?: readonly unknown[] },
): Promise<Proven>;
