import type { Database } from '../../database/database.js';
import type { Logger } from '../../logger.js';
import type { RecordStore } from '../../storage/record-store.js';
import { AuditAlarms, type NotifyOfDefect } from './alarms.js';
import { CheckpointAnchors } from './checkpoint-anchors.js';
import { CheckpointKey } from './checkpoint-key.js';
import type { TrailGuards } from './checkpoints.service.js';
import { TrailSeals } from './trail-seals.js';

export interface GuardDeps {
  database: Database;
  records: RecordStore;
  config: { secretKey: string; earlierSecretKeys: readonly string[] };
  log: Logger;
  now: () => Date;
}

/** Creates the parts that detect changes of a trail. */
export function createTrailGuards(
  { database, records, config, log, now }: GuardDeps,
  notify: NotifyOfDefect,
): TrailGuards {
  const key = new CheckpointKey(config.secretKey, config.earlierSecretKeys);
  const anchors = new CheckpointAnchors(records, log);
  const seals = new TrailSeals(key, anchors, now);
  return { key, anchors, seals, alarms: new AuditAlarms(database, log, now, notify) };
}
