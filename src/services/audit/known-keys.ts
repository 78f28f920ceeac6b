import type { Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { StartupError } from '../../errors.js';
import { CheckpointKey } from './checkpoint-key.js';

const c = table('audit_checkpoint', 'c');

/**
 * Key ids of the first checkpoint of the first trail and of the last one of the last: the oldest key and one of the
 * newest.
 */
const signers = statement()(
  () => sql<{ keyId: string }>`
    (select ${c.key_id} as "keyId" from ${c.table} order by ${c.log_id}, ${c.number} limit 1)
    union (select ${c.key_id} from ${c.table} order by ${c.log_id} desc, ${c.number} desc limit 1)`,
);

const OTHER_KEY =
  'Audit trails of this database were signed with another SECRET_KEY: set it again, or name it in EARLIER_SECRET_KEYS. ' +
  'Without it every trail would be reported as changed, and secrets of webhooks and identity providers could not be opened. ' +
  'Where it is lost for good, EARLIER_SECRET_KEYS=lost goes on without it.';

export interface Keys {
  secretKey: string;
  earlierSecretKeys: readonly string[];
  isEarlierKeyLost: boolean;
}

/** Throws StartupError where a key of the database is missing, before alarms are raised for all of its trails. */
export async function requireKnownKeys(database: Queryable, keys: Keys): Promise<void> {
  if (keys.isEarlierKeyLost) return;
  const own = new CheckpointKey(keys.secretKey, keys.earlierSecretKeys);
  const found = await signers.all(database);
  if (!found.every(({ keyId }) => own.knows(keyId))) throw new StartupError(OTHER_KEY);
}
