import { createHash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { Semaphore } from '../../common/concurrency.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { auditTrailFault } from '../../errors.js';
import { defectIn } from './alarms.js';
import { digestWith, type CheckpointKey } from './checkpoint-key.js';
import type { TrailGuards } from './checkpoints.service.js';
import {
  anchorDefect,
  behindHead,
  checkpointMismatch,
  invalidCheckpointSignature,
  cutOff,
  defectOf,
  gapIn,
  hashMismatch,
  lostTrail,
  missingEntry,
  invalidPruningSignature,
  sealMismatch,
  type Defect,
} from './defects.js';
import {
  beginningOf,
  checkpointsOf,
  entriesUpTo,
  headOf,
  prunedLog,
  pruningOf,
  logName,
  type EntryText,
  type Pruning,
  type SignedCheckpoint,
  type TrailHead,
  type TrailOwner,
} from './trails.js';

export type { Defect };

export interface Verification {
  valid: boolean;
  verifiedFrom: number;
  verifiedUpTo: number;
  entries: number;
  checkpoints: number;
  fault: Defect | null;
}

interface NumberedCheckpoint {
  number: number;
  checkpoint: SignedCheckpoint;
}

const sealOf = statement<{ logId: number }>()((p) =>
  db
    .selectFrom('audit_seal')
    .select(['position', 'hash', 'checkpoints', 'digest', 'mac'])
    .where('log_id', '=', p('logId')),
);

type Seal = Awaited<ReturnType<typeof sealOf.one>>;

/** One statement: entries and their head are written together, and entries may be appended at any time. */
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

/** Number of entries from which reading a trail takes seconds. */
const LONG = 10_000;
/** Long trails that an instance verifies at the same time, and milliseconds that another one waits. */
const [AT_ONCE, WAIT] = [2, 30_000];

/** Verifies audit trails: the chain of entries, its head and seal, and all checkpoints (docs/adr/0024). */
export class AuditVerificationService {
  private readonly places = new Semaphore(AT_ONCE, WAIT);

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly guards: TrailGuards,
  ) {}

  /** Throws NOT_FOUND or FORBIDDEN. */
  async verify(caller: Caller, organizationId: number): Promise<Verification> {
    this.database.past.refuse('TRAIL');
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    return this.verifyTrail({ organizationId });
  }

  /** The caller's own trail. Throws UNAUTHENTICATED, or FORBIDDEN without the scope `read`. */
  async verifyOwn(caller: Caller): Promise<Verification> {
    const { userId } = this.access.authorizeOwn(caller, 'read');
    return this.verifyTrail({ userId });
  }

  /** Throws CONFLICT with the first defect of a trail. */
  async requireValid(owner: TrailOwner): Promise<void> {
    const { fault: defect } = await this.verifyTrail(owner);
    if (defect !== null) throw auditTrailFault(defect);
  }

  /**
   * Reads the whole trail in batches. Raises an alarm for a defect. Throws UNAVAILABLE, before reading, where too
   * many long trails wait.
   */
  async verifyTrail(owner: TrailOwner): Promise<Verification> {
    const { position } = await headOf(this.database, owner);
    return position < LONG ? this.verifyWhole(owner) : this.places.run(() => this.verifyWhole(owner));
  }

  private async verifyWhole(owner: TrailOwner): Promise<Verification> {
    const { anchors, alarms } = this.guards;
    const began = alarms.now();
    const unsealed = await this.sealUpToNow(owner);
    // Read before the database: later checkpoints belong to later entries.
    const stored = await anchors.newest(logName(owner));
    const reads = await this.database.longReads();
    for (;;) {
      const { id } = await headOf(reads, owner);
      const seal = id === undefined ? undefined : await sealOf.first(reads, { logId: id });
      const head = await headOf(reads, owner);
      const checkpoints = await checkpointsOf(reads, head);
      const pruning = await pruningOf(reads, head);
      const found = await this.verifyFrom(reads, { head, seal, checkpoints, stored }, pruning);
      // Entries that were pruned meanwhile appear as missing.
      if (!found.valid && (await pruningOf(reads, head))?.position !== pruning?.position) continue;
      const defect = found.fault ?? unsealed;
      await (defect === null ? alarms.resolve(owner, began) : alarms.raise(owner, defect));
      return { ...found, valid: defect === null, fault: defect };
    }
  }

  /** The defect for which the trail cannot be sealed, or null. */
  private async sealUpToNow(owner: TrailOwner): Promise<Defect | null> {
    const { id, ...head } = await headOf(this.database, owner);
    if (id === undefined) return null;
    try {
      await this.database.transaction((tx) => this.guards.seals.advance(tx, { id, ...head }));
      return null;
    } catch (error) {
      const defect = defectIn(error);
      if (defect === undefined) throw error;
      return defect;
    }
  }

  private async verifyFrom(reads: Queryable, trail: Trail, pruning: Pruning | undefined): Promise<Verification> {
    const { head } = trail;
    const chain = new Chain(trail, this.guards.key);
    const found =
      (pruning && chain.beginAfter(pruning)) ??
      (await this.entriesDefect(reads, head, chain)) ??
      (await this.headDefect(reads, head, chain)) ??
      this.sealDefect(trail, chain) ??
      this.checkpointsDefect(trail) ??
      (head.id === undefined && trail.stored ? lostTrail(trail.stored.position) : undefined) ??
      anchorDefect(trail.stored, trail.checkpoints) ??
      null;
    const { removed, verifiedUpTo, checkpoints } = chain;
    const entries = head.position - removed;
    return { valid: found === null, verifiedFrom: removed + 1, verifiedUpTo, entries, checkpoints, fault: found };
  }

  private async entriesDefect(reads: Queryable, head: TrailHead, chain: Chain): Promise<Defect | undefined> {
    for await (const rows of entriesUpTo(reads, head))
      for (const row of rows) {
        const found = chain.defectOf(row);
        if (found !== undefined) return found;
      }
    return undefined;
  }

  private async headDefect(reads: Queryable, { id, position, hash }: TrailHead, chain: Chain) {
    if (chain.verifiedUpTo < position) return missingEntry(chain.verifiedUpTo + 1);
    if (!chain.hash.equals(hash))
      return defectOf('HEAD_MISMATCH', position, `The head of the trail is not entry ${position}.`);
    if (id === undefined) return undefined;
    const { entry, checkpoint } = await beyondHead.one(reads, { logId: id });
    if (entry !== null) return defectOf('HEAD_MISMATCH', entry, `Entry ${entry} stands behind the head of the trail.`);
    return checkpoint === null ? undefined : behindHead(checkpoint);
  }

  private sealDefect({ head: { log, position }, seal }: Trail, chain: Chain): Defect | undefined {
    // Sealing it has reported the reason.
    if (seal === undefined) return undefined;
    const { mac, ...sealed } = seal;
    if (!this.guards.key.isSealed({ log, ...sealed }, mac))
      return this.guards.seals.sealDefect({ log, ...sealed }, mac);
    if (seal.position > position) return cutOff(position + 1, seal.position);
    return chain.sealedHash?.equals(seal.hash) === false ? sealMismatch(seal.position) : undefined;
  }

  /** The checkpoints that the seal counts exist, and their digest matches. */
  private checkpointsDefect({ head, seal, checkpoints }: Trail): Defect | undefined {
    const gap = gapIn(checkpoints, seal ?? { position: head.position, checkpoints: 0 });
    if (gap !== undefined) return gap;
    let digest = beginningOf(head.log);
    for (const { number, checkpoint } of checkpoints) {
      const { position, previous } = checkpoint;
      if (!this.guards.key.isSigned(checkpoint)) return invalidCheckpointSignature(position);
      if ((previous ?? digest.toString('hex')) !== digest.toString('hex')) return checkpointMismatch(position);
      digest = digestWith(digest, checkpoint);
      if (number === seal?.checkpoints && !digest.equals(seal.digest)) return checkpointMismatch(position);
    }
    return undefined;
  }
}

/** A trail without its entries: its heads and seals, each read after the previous one. */
interface Trail {
  stored: SignedCheckpoint | undefined;
  seal: Seal | undefined;
  head: TrailHead;
  checkpoints: readonly NumberedCheckpoint[];
}

/** The verified part of the chain. */
class Chain {
  /** Position up to which entries were removed after their retention. */
  removed = 0;
  verifiedUpTo = 0;
  checkpoints = 0;
  hash: Buffer;
  /** Hash of the sealed entry, if the trail still has it. */
  sealedHash: Buffer | undefined;
  private readonly signed: ReadonlyMap<number, SignedCheckpoint>;

  constructor(
    private readonly trail: Trail,
    private readonly key: CheckpointKey,
  ) {
    this.hash = beginningOf(trail.head.log);
    this.signed = new Map(trail.checkpoints.map(({ checkpoint }) => [checkpoint.position, checkpoint]));
  }

  /** Begins after removed entries, unless the record of the removal has a defect. */
  beginAfter({ position, statement }: Pruning): Defect | undefined {
    if (statement === undefined || !this.key.isSigned({ ...statement, log: prunedLog(this.trail.head.log) })) {
      return invalidPruningSignature(position);
    }
    this.removed = this.verifiedUpTo = statement.position;
    this.hash = Buffer.from(statement.hash, 'hex');
    return undefined;
  }

  /** Verifies the next entry and its checkpoint; returns a defect. */
  defectOf({ position, entry, hash }: EntryText): Defect | undefined {
    if (position > this.verifiedUpTo + 1) return missingEntry(this.verifiedUpTo + 1);
    if (position <= this.verifiedUpTo)
      return defectOf('HASH_MISMATCH', position, `Entry ${position} stands before the beginning of the trail.`);
    const expected = createHash('sha256').update(this.hash).update(entry).digest();
    if (!expected.equals(hash)) return hashMismatch(position);
    const checkpoint = this.signed.get(position);
    const found = checkpoint && this.checkpointDefect(checkpoint, expected);
    if (found !== undefined) return found;
    if (checkpoint !== undefined) this.checkpoints += 1;
    this.hash = expected;
    this.verifiedUpTo = position;
    if (position === this.trail.seal?.position) this.sealedHash = expected;
    return undefined;
  }

  private checkpointDefect(checkpoint: SignedCheckpoint, hash: Buffer): Defect | undefined {
    const { position } = checkpoint;
    if (!this.key.isSigned(checkpoint)) return invalidCheckpointSignature(position);
    return checkpoint.hash === hash.toString('hex') ? undefined : checkpointMismatch(position);
  }
}
