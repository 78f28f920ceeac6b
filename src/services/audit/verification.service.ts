import { createHash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import type { AuditFaultReason } from '../../values/audit.js';
import type { CheckpointKey } from './checkpoints.service.js';
import {
  beginningOf,
  checkpointOf,
  entriesUpTo,
  headOf,
  prunedLog,
  pruningOf,
  type EntryText,
  type Pruning,
  type TrailHead,
  type TrailOwner,
  type SignedCheckpoint,
} from './trails.js';

export interface Fault {
  position: number;
  reason: AuditFaultReason;
  message: string;
}

export interface Verification {
  valid: boolean;
  verifiedFrom: number;
  verifiedUpTo: number;
  entries: number;
  checkpoints: number;
  fault: Fault | null;
}

const checkpointsBetween = statement<{ logId: number; from: number; upTo: number }>()((p) =>
  db
    .selectFrom('audit_checkpoint')
    .select(['position', 'hash', 'created_at as at', 'key_id as keyId', 'signature'])
    .where('log_id', '=', p('logId'))
    .where('position', '>=', p('from'))
    .where('position', '<=', p('upTo')),
);

/** In one statement: entries and their head are written together, and others may be added at any time. */
const beyondHead = statement<{ logId: number }>()((p) =>
  db
    .selectFrom('audit_log as l')
    .select(({ selectFrom }) => [
      selectFrom('audit_entry as e')
        .select((eb) => eb.fn.min<number | null>('e.position').as('position'))
        .whereRef('e.log_id', '=', 'l.id')
        .whereRef('e.position', '>', 'l.position')
        .as('entry'),
      selectFrom('audit_checkpoint as c')
        .select((eb) => eb.fn.min<number | null>('c.position').as('position'))
        .whereRef('c.log_id', '=', 'l.id')
        .whereRef('c.position', '>', 'l.position')
        .as('checkpoint'),
    ])
    .where('l.id', '=', p('logId')),
);

/** Verifies audit trails: the chain of entries, its head, and all checkpoints (docs/adr/0024). */
export class AuditVerificationService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly key: CheckpointKey,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN. */
  async verify(caller: Caller, organizationId: number): Promise<Verification> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    return this.verifyTrail({ organizationId });
  }

  /** The caller's own trail. Throws UNAUTHENTICATED, or FORBIDDEN without the scope `read`. */
  async verifyOwn(caller: Caller): Promise<Verification> {
    const { userId } = this.access.authorizeSelf(caller, 'read');
    return this.verifyTrail({ userId });
  }

  /** Reads the whole trail, a batch at a time; for whom is decided before. */
  async verifyTrail(owner: TrailOwner): Promise<Verification> {
    const reads = await this.database.longReads();
    for (;;) {
      const head = await headOf(reads, owner);
      const pruning = await pruningOf(reads, head);
      const found = await this.verifyFrom(reads, head, pruning);
      if (found.valid) return found;
      // What was pruned meanwhile seemed to be missing.
      if ((await pruningOf(reads, head))?.position === pruning?.position) return found;
    }
  }

  private async verifyFrom(reads: Queryable, head: TrailHead, pruning: Pruning | undefined): Promise<Verification> {
    const chain = new Chain(head, this.key);
    const found =
      (pruning && chain.beginAfter(pruning)) ??
      (await this.entriesFault(reads, head, chain)) ??
      (await this.headFault(reads, head, chain)) ??
      null;
    const { removed, verifiedUpTo, checkpoints } = chain;
    const entries = head.position - removed;
    return { valid: found === null, verifiedFrom: removed + 1, verifiedUpTo, entries, checkpoints, fault: found };
  }

  private async entriesFault(reads: Queryable, head: TrailHead, chain: Chain): Promise<Fault | undefined> {
    for await (const rows of entriesUpTo(reads, head)) {
      const [logId, upTo] = [head.id as number, (rows.at(-1) as EntryText).position];
      const checkpoints = await checkpointsBetween.all(reads, { logId, from: chain.verifiedUpTo + 1, upTo });
      const signed = new Map(checkpoints.map((row) => [row.position, checkpointOf(head.log, row)]));
      for (const row of rows) {
        const found = chain.faultOf(row, signed.get(row.position));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  private async headFault(reads: Queryable, { id, position, hash }: TrailHead, chain: Chain) {
    if (chain.verifiedUpTo < position) return missing(chain.verifiedUpTo + 1);
    if (!chain.hash.equals(hash))
      return fault('HEAD_MISMATCH', position, `The head of the trail is not entry ${position}.`);
    if (id === undefined) return undefined;
    const { entry, checkpoint } = await beyondHead.one(reads, { logId: id });
    if (entry !== null) return fault('HEAD_MISMATCH', entry, `Entry ${entry} stands behind the head of the trail.`);
    if (checkpoint === null) return undefined;
    const message = `A checkpoint was signed for entry ${checkpoint}, which stands behind the head of the trail.`;
    return fault('CHECKPOINT_MISMATCH', checkpoint, message);
  }
}

/** The chain as far as it was followed. */
class Chain {
  /** Up to which position entries were removed after their retention. */
  removed = 0;
  verifiedUpTo = 0;
  checkpoints = 0;
  hash: Buffer;

  constructor(
    private readonly head: TrailHead,
    private readonly key: CheckpointKey,
  ) {
    this.hash = beginningOf(head.log);
  }

  /** Begins where entries were removed, unless the record of that has a fault. */
  beginAfter({ position, statement }: Pruning): Fault | undefined {
    if (statement === undefined || !this.key.isSigned({ ...statement, log: prunedLog(this.head.log) })) {
      const message = `Entry ${position} records a removal of entries that is not signed with the key of this gateway.`;
      return fault('SIGNATURE_INVALID', position, message);
    }
    this.removed = this.verifiedUpTo = statement.position;
    this.hash = Buffer.from(statement.hash, 'hex');
    return undefined;
  }

  /** Goes on by one entry, unless it or its checkpoint has a fault. */
  faultOf({ position, entry, hash }: EntryText, checkpoint: SignedCheckpoint | undefined): Fault | undefined {
    if (position > this.verifiedUpTo + 1) return missing(this.verifiedUpTo + 1);
    if (position <= this.verifiedUpTo)
      return fault('HASH_MISMATCH', position, `Entry ${position} stands before the beginning of the trail.`);
    const expected = createHash('sha256').update(this.hash).update(entry).digest();
    if (!expected.equals(hash))
      return fault('HASH_MISMATCH', position, `Entry ${position} is not what its hash was made of.`);
    const found = checkpoint && this.checkpointFault(checkpoint, expected);
    if (found !== undefined) return found;
    if (checkpoint !== undefined) this.checkpoints += 1;
    this.hash = expected;
    this.verifiedUpTo = position;
    return undefined;
  }

  private checkpointFault(checkpoint: SignedCheckpoint, hash: Buffer): Fault | undefined {
    const { position } = checkpoint;
    if (!this.key.isSigned(checkpoint)) {
      const message = `The checkpoint of entry ${position} is not signed with the key of this gateway.`;
      return fault('SIGNATURE_INVALID', position, message);
    }
    if (checkpoint.hash === hash.toString('hex')) return undefined;
    return fault('CHECKPOINT_MISMATCH', position, `The checkpoint of entry ${position} was signed for another entry.`);
  }
}

function fault(reason: AuditFaultReason, position: number, message: string): Fault {
  return { position, reason, message };
}

function missing(position: number): Fault {
  return fault('POSITION_MISSING', position, `There is no entry ${position}.`);
}
