import { createHash } from 'node:crypto';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Queryable } from '../../database/database.js';
import { column, db, sql, statement } from '../../database/sql.js';
import { auditTrailFault } from '../../errors.js';
import type { CheckpointAnchors } from './checkpoint-anchors.js';
import { digestWith, type CheckpointKey } from './checkpoint-key.js';
import {
  anchorDefect,
  behindHead,
  checkpointMismatch,
  checkpointMissing,
  invalidCheckpointSignature,
  cutOff,
  defectOf,
  gapIn,
  hashMismatch,
  missingEntry,
  invalidPruningSignature,
  sealMismatch,
  type Defect,
} from './defects.js';
import {
  beginningOf,
  checkpointsOf,
  entriesUpTo,
  prunedLog,
  pruningOf,
  type EntryText,
  type SealedHead,
  type SignedCheckpoint,
  type TrailHead,
} from './trails.js';

const hashAt = statement<{ logId: number; position: number }>()((p) =>
  db.selectFrom('audit_entry').select('hash').where('log_id', '=', p('logId')).where('position', '=', p('position')),
);

const countOf = statement<{ logId: number }>()((p) =>
  db
    .selectFrom('audit_checkpoint')
    .select(({ fn }) => fn.countAll<number>().as('checkpoints'))
    .where('log_id', '=', p('logId')),
);

const currentHead = statement<{ logId: number }>()((p) =>
  db.selectFrom('audit_log').select(['position', 'hash']).where('id', '=', p('logId')),
);

const COLUMNS = ['logId', 'position', 'hash', 'checkpoints', 'digest', 'mac'] as const;

const lockSeal = statement<{ logId: number }>()((p) =>
  db
    .selectFrom('audit_seal')
    .select(['position', 'hash', 'checkpoints', 'digest', 'mac'])
    .where('log_id', '=', p('logId'))
    .forUpdate(),
);

const begin = statement<{ rows: string }>()(
  (p) => sql<{ logId: number }>`
    ${insertRows('audit_seal', COLUMNS, p('rows'))} on conflict do nothing returning log_id as "logId"`,
);

const MOVED = ['position', 'hash', 'checkpoints', 'digest', 'mac'] as const;

const move = statement<{ rows: string }>()((p) => {
  const set = MOVED.map((name) => sql`${column('audit_seal', name)} = excluded.${column('audit_seal', name)}`);
  return sql`${insertRows('audit_seal', COLUMNS, p('rows'))}
    on conflict (${column('audit_seal', 'log_id')}) do update set ${sql.join(set)}`;
});

const insertCheckpoints = statement<{ rows: string }>()((p) => {
  const columns = [
    ...(['logId', 'position', 'hash', 'createdAt', 'keyId', 'signature', 'number', 'previous'] as const),
    'chainSignature' as const,
  ];
  return insertRows('audit_checkpoint', columns, p('rows'));
});

/** A trail that has entries. */
export type BegunTrail = TrailHead & { id: number };

export interface SealRow extends Omit<SealedHead, 'log'> {
  mac: Buffer;
}

/**
 * Seals of audit trails (docs/adr/0024): the verified head of a trail and its number of checkpoints, under a key that
 * is not in the database. Sealed entries cannot be changed, truncated or restarted unnoticed.
 */
export class TrailSeals {
  constructor(
    private readonly key: CheckpointKey,
    private readonly anchors: CheckpointAnchors,
    private readonly now: () => Date,
  ) {}

  /**
   * Signs the current head of a trail, which must include the newest checkpoint of the storage. Throws CONFLICT with
   * a defect.
   */
  async sign(tx: Queryable, head: BegunTrail, stored: SignedCheckpoint | undefined): Promise<SignedCheckpoint> {
    const sealed = await this.advance(tx, head);
    const made = await checkpointsOf(tx, head, Math.min(stored?.number ?? Infinity, sealed.checkpoints) - 1);
    const defect = anchorDefect(stored, made);
    if (defect !== undefined) throw auditTrailFault(defect);
    if ((await countOf.one(tx, { logId: head.id })).checkpoints < sealed.checkpoints)
      throw auditTrailFault(gapIn(await checkpointsOf(tx, head), sealed) as Defect);
    const newest = made.at(-1)?.checkpoint;
    if (newest?.position === sealed.position) return newest;
    return this.addCheckpoint(tx, head.id, sealed, sealed);
  }

  /** Verifies a trail from its seal to its head, and seals the head. Throws CONFLICT with a defect. */
  async advance(tx: Queryable, known: BegunTrail): Promise<SealedHead> {
    const row = await lockSeal.first(tx, { logId: known.id });
    // Read after the seal is locked: another instance may have sealed entries after the known head.
    const head = { ...known, ...((await currentHead.first(tx, { logId: known.id })) ?? known) };
    if (row === undefined) return this.begin(tx, head);
    const { mac, ...rest } = row;
    const sealed = { log: head.log, ...rest };
    this.refuseForged(sealed, mac);
    const reached = await this.follow(tx, head, sealed);
    const next = await this.withUnchained(tx, head, reached, await checkpointsOf(tx, head, reached.checkpoints));
    if (next.position !== sealed.position || next.checkpoints !== sealed.checkpoints)
      await move.all(tx, { rows: this.rowOf(head.id, next) });
    return next;
  }

  /**
   * The first seals of trails without checkpoints, given with all their entries, each with the checkpoint of its
   * first entry. Throws CONFLICT with a defect. Seals that another instance has made meanwhile remain.
   */
  async beginAll(tx: Queryable, trails: readonly { head: BegunTrail; entries: readonly EntryText[] }[]): Promise<void> {
    const begun = trails.map(({ head, entries }) => {
      const chain = new SealedChain(sealedFrom(head.log));
      for (const entry of entries) chain.add(entry);
      return { logId: head.id, ...this.checkpointAt(head.id, chain.endAt(head), entries[0] ?? head) };
    });
    const rows = this.sealedRows(begun);
    const isNew = new Set((await begin.all(tx, { rows })).map(({ logId }) => logId));
    const added = begun.filter(({ logId }) => isNew.has(logId)).map(({ row }) => row);
    if (added.length > 0) await insertCheckpoints.all(tx, { rows: jsonRows<'audit_checkpoint'>(added) });
  }

  /** Throws CONFLICT unless the seal was made with the key. */
  refuseForged(sealed: SealedHead, mac: Buffer): void {
    const defect = this.sealDefect(sealed, mac);
    if (defect !== undefined) throw auditTrailFault(defect);
  }

  sealDefect(sealed: SealedHead, mac: Buffer): Defect | undefined {
    if (this.key.isSealed(sealed, mac)) return undefined;
    const message = `The seal up to entry ${sealed.position} was not made with the key of this gateway.`;
    return defectOf('SIGNATURE_INVALID', sealed.position, message);
  }

  /** Rows for `move`: the seals of several trails. */
  sealedRows(seals: readonly { logId: number; sealed: SealedHead }[]): string {
    return jsonRows<'audit_seal'>(seals.map(({ logId, sealed }) => this.columnsOf(logId, sealed)));
  }

  async moveAll(tx: Queryable, seals: readonly { logId: number; sealed: SealedHead }[]): Promise<void> {
    if (seals.length > 0) await move.all(tx, { rows: this.sealedRows(seals) });
  }

  /**
   * The first seal of a trail, and the checkpoint of its first entry. A checkpoint in the storage proves an earlier
   * seal: if that is missing, the trail was tampered with.
   */
  private async begin(tx: Queryable, head: BegunTrail): Promise<SealedHead> {
    const isStored = (await this.anchors.newest(head.log)) !== undefined;
    // Another instance may have made it meanwhile.
    if (isStored && (await lockSeal.first(tx, { logId: head.id })) !== undefined) return this.advance(tx, head);
    if (isStored)
      throw auditTrailFault(defectOf('SEAL_MISSING', head.position, 'The trail was sealed, and its seal is missing.'));
    const beginning = await this.beginningOf(tx, head);
    let first: EntryText | undefined;
    const reached = await this.follow(tx, head, beginning, (entry) => (first ??= entry));
    const made = await checkpointsOf(tx, head);
    // The seal decides about entries that another instance has sealed and signed since the head was read.
    if (made.length > 0 && (await lockSeal.first(tx, { logId: head.id })) !== undefined) return this.advance(tx, head);
    const sealed = await this.withUnchained(tx, head, reached, made);
    const isNew = (await begin.first(tx, { rows: this.rowOf(head.id, sealed) })) !== undefined;
    // Another instance has committed first.
    if (!isNew) return this.advance(tx, head);
    if (sealed.checkpoints === 0 && first !== undefined) {
      const added = await this.addCheckpoint(tx, head.id, sealed, { ...head, ...first });
      return { ...sealed, checkpoints: 1, digest: digestWith(sealed.digest, added) };
    }
    return sealed;
  }

  /** The beginning behind entries that were removed after their retention. */
  private async beginningOf(tx: Queryable, head: BegunTrail): Promise<SealedHead> {
    const beginning = sealedFrom(head.log);
    const pruning = await pruningOf(tx, head);
    const statement = pruning?.statement;
    if (pruning !== undefined && !(statement && this.key.isSigned({ ...statement, log: prunedLog(head.log) })))
      throw auditTrailFault(invalidPruningSignature(pruning.position));
    if (!statement) return beginning;
    return { ...beginning, position: statement.position, hash: Buffer.from(statement.hash, 'hex') };
  }

  private async follow(
    tx: Queryable,
    head: BegunTrail,
    sealed: SealedHead,
    visit?: (entry: EntryText) => void,
  ): Promise<SealedHead> {
    const chain = new SealedChain(sealed);
    for await (const rows of entriesUpTo(tx, head, sealed.position))
      for (const row of rows) {
        chain.add(row);
        visit?.(row);
      }
    return chain.endAt(head);
  }

  /** Counts checkpoints of instances of an earlier version, which did not chain them. */
  private async withUnchained(
    tx: Queryable,
    head: BegunTrail,
    sealed: SealedHead,
    made: readonly { number: number; checkpoint: SignedCheckpoint }[],
  ): Promise<SealedHead> {
    let { checkpoints, digest } = sealed;
    for (const { number, checkpoint } of made) {
      const { position } = checkpoint;
      if (!this.key.isSigned(checkpoint)) throw auditTrailFault(invalidCheckpointSignature(position));
      if (number !== checkpoints + 1) throw auditTrailFault(checkpointMissing(checkpoints + 1, position));
      if (position > head.position) throw auditTrailFault(behindHead(position));
      const entry = await hashAt.first(tx, { logId: head.id, position });
      const isOther = entry !== undefined && entry.hash.toString('hex') !== checkpoint.hash;
      if (isOther || (checkpoint.previous ?? digest.toString('hex')) !== digest.toString('hex'))
        throw auditTrailFault(checkpointMismatch(position));
      checkpoints = number;
      digest = digestWith(digest, checkpoint);
    }
    return { ...sealed, checkpoints, digest };
  }

  private async addCheckpoint(
    tx: Queryable,
    logId: number,
    sealed: SealedHead,
    { position, hash }: { position: number; hash: Buffer },
  ): Promise<SignedCheckpoint> {
    const { checkpoint, row, sealed: next } = this.checkpointAt(logId, sealed, { position, hash });
    await insertCheckpoints.all(tx, { rows: jsonRows<'audit_checkpoint'>([row]) });
    await move.all(tx, { rows: this.rowOf(logId, next) });
    return checkpoint;
  }

  /** The next checkpoint, its row, and the seal that includes it. */
  private checkpointAt(logId: number, sealed: SealedHead, { position, hash }: { position: number; hash: Buffer }) {
    const { log, digest: previous } = sealed;
    const at = this.now().toISOString();
    const number = sealed.checkpoints + 1;
    const said = { log, position, hash: hash.toString('hex'), at, number, previous: previous.toString('hex') };
    const checkpoint = this.key.sign(said);
    const { keyId } = checkpoint;
    const signature = Buffer.from(checkpoint.signature, 'base64url');
    const chainSignature = Buffer.from(checkpoint.chainSignature as string, 'base64url');
    const row = { logId, position, hash, createdAt: at, keyId, signature, number, previous, chainSignature };
    return { checkpoint, row, sealed: { ...sealed, checkpoints: number, digest: digestWith(previous, checkpoint) } };
  }

  private rowOf(logId: number, sealed: SealedHead): string {
    return this.sealedRows([{ logId, sealed }]);
  }

  private columnsOf(logId: number, sealed: SealedHead) {
    const { position, hash, checkpoints, digest } = sealed;
    return { logId, position, hash, checkpoints, digest, mac: this.key.macOf(sealed) };
  }
}

/** The sealed head of a trail before its first entry. */
function sealedFrom(log: string): SealedHead {
  const nothing = beginningOf(log);
  return { log, position: 0, hash: nothing, checkpoints: 0, digest: nothing };
}

/** A chain from the sealed entry on. */
export class SealedChain {
  private position: number;
  private hash: Buffer;

  constructor(private readonly sealed: SealedHead) {
    this.position = sealed.position;
    this.hash = sealed.hash;
  }

  /** Adds the next entry. Throws CONFLICT with a defect. */
  add({ position, entry, hash }: EntryText): void {
    if (position !== this.position + 1) throw auditTrailFault(missingEntry(this.position + 1));
    const expected = createHash('sha256').update(this.hash).update(entry).digest();
    if (!expected.equals(hash)) throw auditTrailFault(hashMismatch(position));
    this.position = position;
    this.hash = expected;
  }

  /** Throws CONFLICT with a defect unless the head is the last entry. */
  endAt(head: Pick<TrailHead, 'position' | 'hash'>): SealedHead {
    if (head.position < this.sealed.position) throw auditTrailFault(cutOff(head.position + 1, this.sealed.position));
    if (this.position < head.position) throw auditTrailFault(missingEntry(this.position + 1));
    // No entry was added since: the head itself was changed.
    if (!this.hash.equals(head.hash)) throw auditTrailFault(sealMismatch(head.position));
    return { ...this.sealed, position: this.position, hash: this.hash };
  }
}
