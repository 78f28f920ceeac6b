import { createPrivateKey, createPublicKey, hash, hkdfSync, sign, verify, type KeyObject } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import { insertRows, jsonRows } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement } from '../../database/sql.js';
import { canonicalJson } from './personal-values.js';
import { headOf, logName, type Checkpoint, type SignedCheckpoint, type TrailHead } from './trails.js';

const PURPOSE = 'audit checkpoint';
/** A private Ed25519 key in PKCS#8 (RFC 8410) but for its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** Signs checkpoints with a key that is derived from the secret key (HKDF-SHA-256): each instance has the same. */
export class CheckpointKey {
  /** The public key as a JSON Web Key Set (RFC 7517, RFC 8037). */
  readonly keySet: object;
  private readonly id: string;
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(secretKey: string) {
    const seed = Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSE, SEED_BYTES));
    this.privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = createPublicKey(this.privateKey);
    const { crv, kty, x } = this.publicKey.export({ format: 'jwk' });
    this.id = hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url');
    this.keySet = { keys: [{ kty, crv, x, kid: this.id, alg: 'EdDSA', use: 'sig' }] };
  }

  sign(checkpoint: Checkpoint): SignedCheckpoint {
    const signature = sign(null, textOf(checkpoint), this.privateKey).toString('base64url');
    return { ...checkpoint, keyId: this.id, signature };
  }

  /** Signs a manifest, which is indented and can therefore not be taken for the canonical JSON of a checkpoint. */
  signManifest(text: string): Buffer {
    return sign(null, Buffer.from(text), this.privateKey);
  }

  /** Whether it was signed with this very key. */
  isSigned({ keyId, signature, ...checkpoint }: SignedCheckpoint): boolean {
    const bytes = Buffer.from(String(signature), 'base64url');
    return keyId === this.id && verify(null, textOf(checkpoint), this.publicKey, bytes);
  }
}

function textOf({ at, hash: ofEntry, log, position }: Checkpoint): Buffer {
  return Buffer.from(canonicalJson({ at, hash: ofEntry, log, position }));
}

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

const insert = statement<{ rows: string }>()((p) => {
  const columns = ['logId', 'position', 'hash', 'createdAt', 'keyId', 'signature'] as const;
  return sql`${insertRows('audit_checkpoint', columns, p('rows'))} on conflict do nothing`;
});

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
          return { ...head, log: logName(organizationId === null ? { userId: userId as string } : { organizationId }) };
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
    const rows = heads.flatMap(({ id: logId, position, hash }, index) => {
      const { keyId, signature } = signed[index] as SignedCheckpoint;
      const row = { position, hash, createdAt: at, keyId, signature: Buffer.from(signature, 'base64url') };
      return logId === undefined ? [] : [{ logId, ...row }];
    });
    if (rows.length > 0) await insert.all(tx, { rows: jsonRows<'audit_checkpoint'>(rows) });
    return signed;
  }
}
