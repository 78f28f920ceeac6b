import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { CheckpointKey } from './checkpoint-key.js';
import { recordOrganization } from './subjects.js';
import { checkpointOf, logName, prunedLog, type CheckpointRow } from './trails.js';

/** Entries of one transaction, as far as checkpoints allow. */
const BATCH = 5_000;

interface PrunableTrail extends CheckpointRow {
  id: number;
  organizationId: number;
  name: string;
  /** Whether the organization was permanently deleted. */
  isGone: boolean;
  /** Hash of the entry of the checkpoint. */
  entryHash: Buffer | null;
}

const [l, o, c] = [table('audit_log', 'l'), table('organization', 'o'), table('audit_checkpoint', 'c')];
const [e, tombstone] = [table('audit_entry', 'e'), table('audit_entry', 't')];

/** The next trail with entries past their retention, and the checkpoint up to which they are removed. */
const nextTrail = statement<{ after: number }>()(
  (p) => sql<PrunableTrail>`
    select ${l.id}, ${l.organization_id} as "organizationId", found.*, ${o.id} is null as "isGone",
           coalesce(${o.name}, (select ${tombstone.entry}::jsonb #>> '{subject,name}' from ${tombstone.table}
             where ${tombstone.log_id} = ${l.id} and ${tombstone.action} = 'ORGANIZATION_PURGED'), '') as name
      from ${l.table}
      left join ${o.table} on ${o.id} = ${l.organization_id}
      cross join lateral (select min(${e.position}) as position from ${e.table} where ${e.log_id} = ${l.id}) first
      cross join lateral (
        select ${c.position}, ${c.hash}, ${c.created_at} as at, ${c.key_id} as "keyId", ${c.signature}, ${c.number}, ${c.previous},
               ${c.chain_signature} as "chainSignature",
               (select ${e.hash} from ${e.table} where ${e.log_id} = ${l.id} and ${e.position} = ${c.position}) as "entryHash"
          from ${c.table}
         where ${c.log_id} = ${l.id} and ${c.position} between first.position and prunable_audit_position(${l.id})
         order by greatest(${c.position}, first.position + ${BATCH}), ${c.position} desc limit 1) found
     where ${l.id} > ${p('after')}
     order by ${l.id} limit 1`,
);

const removeEntries = statement<{ id: number; upTo: number }>()(
  (p) => sql<{ removed: number }>`select prune_audit_entries(${p('id')}, ${p('upTo')}) as removed`,
);

const JOB = { kind: 'system', name: 'auditPruning.pruneDue' } as const;

/** Removes entries of audit trails after their retention (docs/adr/0024). */
export class AuditPruningService {
  constructor(
    private readonly database: Database,
    private readonly key: CheckpointKey,
    private readonly now: () => Date,
    /**
     * Stores the state of an existing organization after an entry, before which no state can be read any more.
     * Returns its SHA-256.
     */
    private readonly storeState: (
      tx: Queryable,
      organizationId: number,
      position: number,
    ) => Promise<string | undefined>,
  ) {}

  /**
   * Uses the clock of the database, which checks the rule. Returns how many entries were removed. Errors of trails
   * are thrown at the end.
   */
  async pruneDue(): Promise<number> {
    const failures: Error[] = [];
    let removed = 0;
    for (let after = 0; ;) {
      const trail = await nextTrail.first(this.database, { after });
      if (trail === undefined) break;
      after = trail.id;
      try {
        removed += await this.prune(trail);
        // The trail may have more entries to remove.
        after -= 1;
      } catch (error) {
        failures.push(error as Error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
    return removed;
  }

  private async prune(trail: PrunableTrail): Promise<number> {
    const { id, organizationId, name, isGone, position, hash } = trail;
    const log = logName({ organizationId });
    // A changed entry must not be removed with a valid signature.
    if (trail.entryHash?.equals(hash) !== true || !this.key.isSigned(checkpointOf(log, trail)))
      throw new Error(`Entry ${position} of the audit trail ${log} does not fit its checkpoint`);
    const at = this.now();
    const signed = { log: prunedLog(log), position, hash: hash.toString('hex'), at: at.toISOString() };
    return this.database.transaction(async (tx) => {
      const stateSha256 = isGone ? undefined : await this.storeState(tx, organizationId, position);
      const changes = {
        pruned: { after: this.key.sign(signed) },
        ...(stateSha256 && { stateSha256: { after: stateSha256 } }),
      };
      await recordOrganization(tx, JOB, { id: organizationId, name }, { action: 'AUDIT_TRAIL_PRUNED', at, changes });
      return (await removeEntries.one(tx, { id, upTo: position })).removed;
    });
  }
}
