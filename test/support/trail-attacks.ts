import { createHash } from 'node:crypto';
import type { SqlStatement } from './audit.js';

type Rows = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Removes the entries after a position, and resets the head. */
export const cutAfter = (logId: number, position: number): SqlStatement[] => [
  ['delete from audit_entry where log_id = $1 and position > $2', [logId, position]],
  [
    `update audit_log l set position = e.position, hash = e.hash from audit_entry e
      where l.id = $1 and e.log_id = l.id and e.position = $2`,
    [logId, position],
  ],
];

const sha256 = (before: Buffer, text: string) => createHash('sha256').update(before).update(text).digest();

/** Replaces texts of entries from a position on, with all dependent hashes, including the head's. */
async function rewrittenFrom(rows: Rows, logId: number, position: number): Promise<SqlStatement[]> {
  const entries = await rows<{ position: number; entry: string; hash: Buffer }>(
    'select position, entry, hash from audit_entry where log_id = $1 and position >= $2 order by position',
    [logId, position - 1],
  );
  let hash = entries[0]!.hash;
  const statements: SqlStatement[] = [];
  for (const { position: at, entry } of entries.slice(1)) {
    const forged = entry.replace('Number', 'Forged');
    hash = sha256(hash, forged);
    const values = [logId, at, forged, hash];
    statements.push(['update audit_entry set entry = $3, hash = $4 where log_id = $1 and position = $2', values]);
  }
  return [...statements, ['update audit_log set hash = $2 where id = $1', [logId, hash]]];
}

/** A manipulation of a trail, and the resulting violation. */
export interface TrailAttack {
  what: string;
  attack: (logId: number) => Promise<SqlStatement[]> | SqlStatement[];
  found: { position: number; reason: string; message: string };
}

/** Deletes the rows of a trail. */
export const allOf = (logId: number, ...tables: string[]): SqlStatement[] =>
  tables.map((table) => [`delete from ${table} where ${table === 'audit_log' ? 'id' : 'log_id'} = $1`, [logId]]);

const CUT = {
  ...{ position: 27, reason: 'POSITION_MISSING' },
  message: 'There is no entry 27, and the trail was sealed up to entry 27.',
};

/**
 * Manipulations by a database superuser of a trail of 27 entries with checkpoints of the entries 1, 5, 12 and 27, and
 * the resulting violations.
 */
export const attacks = (rows: Rows): TrailAttack[] => [
  {
    what: 'the tail cut off with the head set back',
    attack: (logId) => [
      ...cutAfter(logId, 26),
      ['delete from audit_checkpoint where log_id = $1 and position > 26', [logId]],
    ],
    found: CUT,
  },
  {
    what: 'twenty entries cut off with the later checkpoints',
    attack: (logId) => [
      ...cutAfter(logId, 7),
      ['delete from audit_checkpoint where log_id = $1 and position > 7', [logId]],
    ],
    found: {
      ...{ position: 8, reason: 'POSITION_MISSING' },
      message: 'There is no entry 8, and the trail was sealed up to entry 27.',
    },
  },
  {
    what: 'twenty entries cut off with the later checkpoints and the seal',
    attack: (logId) => [
      ...cutAfter(logId, 7),
      ['delete from audit_checkpoint where log_id = $1 and position > 7', [logId]],
      ...allOf(logId, 'audit_seal'),
    ],
    found: {
      ...{ position: 27, reason: 'CHECKPOINT_MISSING' },
      message: 'The storage has checkpoint 4, of entry 27, and the trail has not.',
    },
  },
  {
    what: 'the whole chain written anew after a change, with all checkpoints deleted',
    attack: async (logId) => [...(await rewrittenFrom(rows, logId, 3)), ...allOf(logId, 'audit_checkpoint')],
    found: {
      ...{ position: 27, reason: 'SEAL_MISMATCH' },
      message: 'Entry 27 is not the one that was sealed.',
    },
  },
  {
    what: 'the whole chain written anew after a change, with all checkpoints and the seal deleted',
    attack: async (logId) => [
      ...(await rewrittenFrom(rows, logId, 3)),
      ...allOf(logId, 'audit_checkpoint', 'audit_seal'),
    ],
    found: {
      ...{ position: 27, reason: 'CHECKPOINT_MISSING' },
      message: 'The storage has checkpoint 4, of entry 27, and the trail has not.',
    },
  },
  {
    what: 'everything deleted',
    attack: (logId) => allOf(logId, 'audit_entry', 'audit_checkpoint', 'audit_seal', 'audit_log'),
    found: {
      ...{ position: 1, reason: 'POSITION_MISSING' },
      message: 'There is no entry 1, and the storage has a checkpoint of entry 27.',
    },
  },
  {
    what: 'one checkpoint deleted',
    attack: (logId) => [['delete from audit_checkpoint where log_id = $1 and position = 12', [logId]]],
    found: {
      ...{ position: 27, reason: 'CHECKPOINT_MISSING' },
      message: 'Checkpoint 3 is missing, before the one of entry 27.',
    },
  },
  {
    what: 'the newest checkpoint deleted',
    attack: (logId) => [['delete from audit_checkpoint where log_id = $1 and position = 27', [logId]]],
    found: {
      ...{ position: 27, reason: 'CHECKPOINT_MISSING' },
      message: 'Checkpoint 4 is missing: the trail was sealed with 4 checkpoints.',
    },
  },
  {
    what: 'a seal that says another position',
    attack: (logId) => [
      ...cutAfter(logId, 26),
      ['delete from audit_checkpoint where log_id = $1 and position > 26', [logId]],
      [
        `update audit_seal s set position = 26, checkpoints = 3, hash = e.hash from audit_entry e
          where s.log_id = $1 and e.log_id = s.log_id and e.position = 26`,
        [logId],
      ],
    ],
    found: {
      ...{ position: 26, reason: 'SIGNATURE_INVALID' },
      message: 'The seal up to entry 26 was not made with the key of this gateway.',
    },
  },
];
