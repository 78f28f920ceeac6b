import { throwFailures } from '../../common/failures.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { auditTrailFault } from '../../errors.js';
import { defectIn, type AuditAlarms } from './alarms.js';
import type { CheckpointAnchors } from './checkpoint-anchors.js';
import type { CheckpointKey } from './checkpoint-key.js';
import { lostTrail } from './defects.js';
import type { TrailSeals } from './trail-seals.js';
import { headOf, logName, type SignedCheckpoint, type TrailHead, type TrailOwner } from './trails.js';

/** Trails that one statement finds. */
const AT_ONCE = 500;

const movedOn = statement<{ after: number }>()((p) =>
  db
    .selectFrom('audit_log as l')
    .leftJoin('audit_checkpoint as c', (join) =>
      join.onRef('c.log_id', '=', 'l.id').onRef('c.position', '=', 'l.position'),
    )
    .select(['l.id', 'l.organization_id as organizationId', 'l.user_id as userId'])
    .where('c.log_id', 'is', null)
    .where('l.id', '>', p('after'))
    .orderBy('l.id')
    .limit(AT_ONCE),
);

/** Parts that detect a change of a trail. */
export interface TrailGuards {
  key: CheckpointKey;
  seals: TrailSeals;
  anchors: CheckpointAnchors;
  alarms: AuditAlarms;
}

/** Signs a head in its transaction. */
export type SignHead = (head: TrailHead) => Promise<SignedCheckpoint>;

/**
 * Signed checkpoints of audit trails: daily ones, and those that are stored outside of the database (docs/adr/0024).
 */
export class AuditCheckpointService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly guards: TrailGuards,
    private readonly now: () => Date,
  ) {}

  /** The public keys of checkpoints. */
  get keySet(): object {
    return this.guards.key.keySet;
  }

  /** Signs the newest entry of an organization's trail; position 0 for a trail without entries. */
  async create(caller: Caller, organizationId: number): Promise<SignedCheckpoint> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    return this.createFor({ organizationId });
  }

  /**
   * Runs `work` in a transaction in which it can sign heads of this trail. Publishes the checkpoints to the storage and
   * the log after COMMIT. Throws CONFLICT, and raises an alarm, when the trail has a defect.
   */
  signing<Result>(owner: TrailOwner, work: (tx: Queryable, sign: SignHead) => Promise<Result>): Promise<Result> {
    const { anchors, alarms } = this.guards;
    return alarms.guard(owner, async () => {
      const stored = await anchors.newest(logName(owner));
      const logIds = new Set<number>();
      const result = await this.database.transaction((tx) =>
        work(tx, (head) => {
          if (head.id !== undefined) logIds.add(head.id);
          return this.sign(tx, head, stored);
        }),
      );
      await this.database.request.afterwards((committed) => (committed ? this.publish([...logIds]) : undefined));
      return result;
    });
  }

  /** Whether `sign` found no defect in the trail; a defect raises an alarm. */
  async isSigned(owner: TrailOwner, sign: () => Promise<unknown>): Promise<boolean> {
    try {
      await sign();
      return true;
    } catch (error) {
      const defect = defectIn(error);
      if (defect === undefined) throw error;
      await this.guards.alarms.raise(owner, defect);
      return false;
    }
  }

  /** The Ed25519 signature of a manifest that names its checkpoint: 64 bytes. */
  signManifest(text: string): Buffer {
    return this.guards.key.signManifest(text);
  }

  /**
   * The last line of a proof: the SHA-256 of the lines before it, signed in a form that differs from checkpoints and
   * manifests.
   */
  signProof(sha256: string): string {
    const signature = this.guards.key.signManifest(`proof ${sha256}`).toString('base64url');
    return `${JSON.stringify({ signature: { sha256, signature } })}\n`;
  }

  /** Signs a checkpoint of each trail that has grown since its last one. Failures do not affect other trails. */
  async createDue(): Promise<void> {
    const failures = new Map<number, unknown>();
    for (let after = 0; ;) {
      const trails = await movedOn.all(this.database, { after });
      for (const { id, organizationId, userId } of trails) {
        const owner = organizationId === null ? { userId: userId as string } : { organizationId };
        await this.createFor(owner).catch((error: unknown) => {
          if (defectIn(error) === undefined) failures.set(id, error);
        });
      }
      const last = trails.at(-1);
      if (last === undefined) break;
      after = last.id;
    }
    throwFailures(failures, 'not signed', 'audit trails');
  }

  /** Writes all checkpoints into a storage that has none. */
  publishAgain(): Promise<void> {
    return this.guards.anchors.publishAgain(this.database);
  }

  /** Mails the checkpoints since the last mail, some hundreds in each mail. */
  async mailDue(post: (tx: Queryable, checkpoints: readonly SignedCheckpoint[]) => Promise<unknown>): Promise<void> {
    const { anchors } = this.guards;
    for (let isMore = true; isMore;)
      isMore = await this.database.transaction((tx) => anchors.mail(tx, async (made) => void (await post(tx, made))));
  }

  private createFor(owner: TrailOwner): Promise<SignedCheckpoint> {
    return this.signing(owner, async (tx, sign) => sign(await headOf(tx, owner)));
  }

  private async sign(
    tx: Queryable,
    { id, ...head }: TrailHead,
    stored: SignedCheckpoint | undefined,
  ): Promise<SignedCheckpoint> {
    if (id !== undefined) return this.guards.seals.sign(tx, { id, ...head }, stored);
    if (stored !== undefined) throw auditTrailFault(lostTrail(stored.position));
    // A trail without entries has no row that a checkpoint could refer to.
    const { log, position, hash } = head;
    return this.guards.key.sign({ log, position, hash: hash.toString('hex'), at: this.now().toISOString() });
  }

  /** Publishes checkpoints; the sealer retries those that fail. */
  private async publish(logIds: readonly number[]): Promise<void> {
    await this.guards.anchors.publish(this.database, logIds).catch(() => undefined);
  }
}
