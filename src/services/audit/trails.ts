import { hash } from 'node:crypto';
import type { Queryable } from '../../database/database.js';
import { db, statement, type Placeholders } from '../../database/sql.js';

/** Proves the entry at a position: earlier entries cannot be changed unnoticed. */
export interface Checkpoint {
  /** The audit trail: `organization/<id>` or `user/<id>`. */
  log: string;
  position: number;
  /** Hash of the entry at this position, in lower-case hexadecimal. */
  hash: string;
  /** When it was signed: ISO 8601 in UTC. */
  at: string;
  /** Its number among the checkpoints of the trail; undefined for one that is not chained. */
  number?: number | undefined;
  /** Digest of all earlier checkpoints, in lower-case hexadecimal; undefined for one that is not chained. */
  previous?: string | undefined;
}

export interface SignedCheckpoint extends Checkpoint {
  /** RFC 7638 thumbprint of the public key. */
  keyId: string;
  /** Ed25519 in base64url, over the canonical JSON of time, hash, trail and position. */
  signature: string;
  /** Signature that includes number and previous; undefined for one that is not chained. */
  chainSignature?: string | undefined;
}

/** The organization or user of a trail. */
export type TrailOwner = { organizationId: number } | { userId: string };

/** Name of a trail, the first input of its chain. */
export function logName(owner: TrailOwner): string {
  return 'userId' in owner ? `user/${owner.userId}` : `organization/${owner.organizationId}`;
}

export interface TrailHead {
  /** Undefined while there is no entry. */
  id?: number;
  log: string;
  position: number;
  hash: Buffer;
}

/** The position up to which a trail was sealed, and its number of checkpoints. */
export interface SealedHead {
  log: string;
  position: number;
  /** Hash of the entry at this position. */
  hash: Buffer;
  checkpoints: number;
  /** Digest of the checkpoints. */
  digest: Buffer;
}

const heads = db.selectFrom('audit_log').select(['id', 'position', 'hash']);
const headOfOrganization = statement<{ organizationId: number }>()((p) =>
  heads.where('organization_id', '=', p('organizationId')),
);
const headOfUser = statement<{ userId: string }>()((p) => heads.where('user_id', '=', p('userId')));

/** The head of a trail: its newest entry, or the beginning of the chain. */
export async function headOf(database: Queryable, owner: TrailOwner): Promise<TrailHead> {
  const log = logName(owner);
  const head = await ('userId' in owner
    ? headOfUser.first(database, owner)
    : headOfOrganization.first(database, owner));
  return { log, ...(head ?? { position: 0, hash: beginningOf(log) }) };
}

/** The head that a checkpoint was signed for. */
export function headAt(head: TrailHead, { position, hash: ofEntry }: Checkpoint): TrailHead {
  return { ...head, position, hash: Buffer.from(ofEntry, 'hex') };
}

export function beginningOf(log: string): Buffer {
  return hash('sha256', log, 'buffer');
}

/** The newest record of entries that were removed after their retention. */
export interface Pruning {
  /** Position of the record. */
  position: number;
  /**
   * Signed position of the last removed entry, under the name of `prunedLog`; undefined where the record is
   * malformed.
   */
  statement: SignedCheckpoint | undefined;
}

/** Log name in the signature of a pruning, so that a checkpoint cannot be used as one. */
export function prunedLog(log: string): string {
  return `${log}/pruned`;
}

const newestPruning = statement<{ logId: number }>()((p) =>
  db
    .selectFrom('audit_entry')
    .select(['position', 'entry'])
    .where('log_id', '=', p('logId'))
    .where('action', '=', 'AUDIT_TRAIL_PRUNED')
    .orderBy('position', 'desc')
    .limit(1),
);

/** Undefined when the trail has all entries since its beginning. */
export async function pruningOf(database: Queryable, { id }: TrailHead): Promise<Pruning | undefined> {
  const row = id === undefined ? undefined : await newestPruning.first(database, { logId: id });
  if (row === undefined) return undefined;
  const { changes } = JSON.parse(row.entry) as { changes?: { pruned?: { after?: SignedCheckpoint } } };
  return { position: row.position, statement: changes?.pruned?.after };
}

export interface EntryText {
  position: number;
  entry: string;
  hash: Buffer;
}

/** Entries that are in memory at a time: most have less than 1 KB, the largest some 100 KB. */
const BATCH = 250;

const entriesOf = (p: Placeholders<{ logId: number }>) =>
  db
    .selectFrom('audit_entry')
    .select(['position', 'entry', 'hash'])
    .where('log_id', '=', p('logId'))
    .orderBy('position');

const batch = statement<{ logId: number; after: number; upTo: number }>()((p) =>
  entriesOf(p).where('position', '>', p('after')).where('position', '<=', p('upTo')).limit(BATCH),
);

/** The entries up to the head, in order; batches are read on demand. */
export async function* entriesUpTo(
  database: Queryable,
  { id, position }: TrailHead,
  // Positions begin at 1; entries with lower positions are defects to be found.
  from = Number.MIN_SAFE_INTEGER,
): AsyncGenerator<EntryText[]> {
  for (let after = from; id !== undefined && after < position;) {
    const rows = await batch.all(database, { logId: id, after, upTo: position });
    if (rows.length === 0) return;
    yield rows;
    after = (rows.at(-1) as EntryText).position;
  }
}

export interface CheckpointRow {
  position: number;
  hash: Buffer;
  at: string;
  keyId: string;
  signature: Buffer;
  number: number;
  previous: Buffer | null;
  chainSignature: Buffer | null;
}

export function checkpointOf(log: string, row: CheckpointRow): SignedCheckpoint {
  const { position, hash, at, keyId, signature, number, previous, chainSignature } = row;
  const chained = previous !== null && {
    ...{ number, previous: previous.toString('hex') },
    chainSignature: chainSignature?.toString('base64url'),
  };
  const signed = { log, position, hash: hash.toString('hex'), at, ...chained };
  return { ...signed, keyId, signature: signature.toString('base64url') };
}

export const checkpointsIn = (p: Placeholders<{ logId: number }>) =>
  db
    .selectFrom('audit_checkpoint')
    .select(['position', 'hash', 'created_at as at', 'key_id as keyId', 'signature', 'number', 'previous'])
    .select('chain_signature as chainSignature')
    .where('log_id', '=', p('logId'));

const checkpointsAfter = statement<{ logId: number; after: number }>()((p) =>
  checkpointsIn(p).where('number', '>', p('after')).orderBy('number'),
);

/** The checkpoints of a trail with their numbers, in order, after one of them. */
export async function checkpointsOf(
  database: Queryable,
  { id, log }: Pick<TrailHead, 'id' | 'log'>,
  after = 0,
): Promise<{ number: number; checkpoint: SignedCheckpoint }[]> {
  if (id === undefined) return [];
  const rows = await checkpointsAfter.all(database, { logId: id, after });
  return rows.map((row) => ({ number: row.number, checkpoint: checkpointOf(log, row) }));
}

/** After every instant, as text. */
const END_OF_TIME = '~';

interface Part {
  logId: number;
  upTo: number;
  objects: readonly string[];
  /** Text, as `at` is; every period includes the newest entry. */
  from: string;
  to: string;
}

const positionsAbout = statement<Part>()((p) => {
  const [bySubject, byParent] = (['subject', 'parent'] as const).map((name) =>
    db
      .selectFrom('audit_entry')
      .select('position')
      .where('log_id', '=', p('logId'))
      .where('position', '<=', p('upTo'))
      .where(name, '=', ({ fn }) => fn.any(p('objects')))
      .where(({ and, eb, or }) =>
        or([eb('position', '=', p('upTo')), and([eb('at', '>=', p('from')), eb('at', '<', p('to'))])]),
      ),
  );
  return (bySubject as NonNullable<typeof bySubject>)
    .union(byParent as NonNullable<typeof byParent>)
    .orderBy('position');
});

const entriesAt = statement<{ logId: number; positions: readonly number[] }>()((p) =>
  entriesOf(p).where('position', '=', ({ fn }) => fn.any(p('positions'))),
);

/**
 * The entries of a period up to the head about one of the objects, such as `INCIDENT/7`, or about its parts; with the
 * head.
 */
export async function* entriesAbout(
  database: Queryable,
  { id, position: upTo }: TrailHead,
  objects: readonly string[],
  period: { from?: Date | null; to?: Date | null } = {},
): AsyncGenerator<EntryText[]> {
  const logId = id as number;
  const [from, to] = [period.from?.toISOString() ?? '', period.to?.toISOString() ?? END_OF_TIME];
  const rows = await positionsAbout.all(database, { logId, upTo, objects, from, to });
  const positions = rows.map(({ position }) => position);
  for (let start = 0; start < positions.length; start += BATCH)
    yield await entriesAt.all(database, { logId, positions: positions.slice(start, start + BATCH) });
}
