import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement } from '../../database/sql.js';
import type { CheckpointKey, SignedCheckpoint } from './checkpoint-key.js';
import { headOf, type TrailHead } from './trails.js';

/** Trails that get their checkpoints with one statement. */
const AT_ONCE = 500;

const movedOn = statement<{ after: number }>()((p) =>
  db
    .selectFrom('audit_log as l')
    .leftJoin('audit_checkpoint as c', (join) =>
      join.onRef('c.log_id', '=', 'l.id').onRef('c.position', '=', 'l.position'),
    )
    .select(['l.id', 'l.position', 'l.hash', 'l.organization_id as organizationId', 'l.user_id as userId'])
    .where('c.log_id', 'is', null)
    .where('l.id', '>', p('after'))
    .orderBy('l.id')
    .limit(AT_ONCE),
);

/** One list for each column. */
interface NewCheckpoints {
  logIds: number[];
  positions: number[];
  hashes: Buffer[];
  at: string;
  keyIds: string[];
  signatures: Buffer[];
}

const insert = statement<NewCheckpoints>()(
  (p) => sql`
    ${insertSelect('audit_checkpoint', {
      log_id: sql.ref('new.log'),
      position: sql.ref('new.place'),
      hash: sql.ref('new.hashed'),
      created_at: sql`${p('at')}::timestamptz`,
      key_id: sql.ref('new.key'),
      signature: sql.ref('new.signed'),
    })}
    from unnest(${p('logIds')}::bigint[], ${p('positions')}::bigint[], ${p('hashes')}::bytea[],
                ${p('keyIds')}::text[], ${p('signatures')}::bytea[]) as new(log, place, hashed, key, signed)
    on conflict do nothing`,
);

/** Signed checkpoints of audit trails: daily ones, and those that are kept outside of the database (docs/adr/0024). */
export class AuditCheckpointService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly key: CheckpointKey,
    private readonly now: () => Date,
  ) {}

  /** The public keys that checkpoints are signed with. */
  get keySet(): object {
    return this.key.keySet;
  }

  /** Signs the newest entry of an organization's trail; that nothing was recorded is signed as position 0. */
  async create(caller: Caller, organizationId: number): Promise<SignedCheckpoint> {
    await this.access.authorize(caller, 'READ_AUDIT_TRAIL', organizationId);
    return this.sign(this.database, await headOf(this.database, { organizationId }));
  }

  /** Signs and stores one for a head. */
  async sign(tx: Queryable, head: TrailHead): Promise<SignedCheckpoint> {
    return (await this.store(tx, [head]))[0] as SignedCheckpoint;
  }

  /** The Ed25519 signature of a manifest that names its checkpoint: 64 bytes. */
  signManifest(text: string): Buffer {
    return this.key.signManifest(text);
  }

  /** Signs and stores one for each trail that has moved on since its last one. */
  async createDue(): Promise<void> {
    for (let after = 0; ;) {
      const heads = await movedOn.all(this.database, { after });
      const last = heads.at(-1);
      if (last === undefined) return;
      await this.store(
        this.database,
        heads.map(({ organizationId, userId, ...head }) => {
          return { ...head, log: organizationId === null ? `user/${userId}` : `organization/${organizationId}` };
        }),
      );
      after = last.id;
    }
  }

  private async store(tx: Queryable, heads: readonly TrailHead[]): Promise<SignedCheckpoint[]> {
    const at = this.now().toISOString();
    const signed = heads.map(({ log, position, hash }) =>
      this.key.sign({ log, position, hash: hash.toString('hex'), at }),
    );
    // A trail without an entry has no row to which a checkpoint could belong.
    const stored = signed.flatMap((checkpoint, index) => {
      const id = heads[index]?.id;
      return id === undefined ? [] : [{ ...checkpoint, id }];
    });
    if (stored.length > 0)
      await insert.all(tx, {
        logIds: stored.map(({ id }) => id),
        positions: stored.map(({ position }) => position),
        hashes: stored.map(({ hash }) => Buffer.from(hash, 'hex')),
        at,
        keyIds: stored.map(({ keyId }) => keyId),
        signatures: stored.map(({ signature }) => Buffer.from(signature, 'base64url')),
      });
    return signed;
  }
}
