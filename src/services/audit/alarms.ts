import type { Database, Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { DomainError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { Defect } from './defects.js';
import { logName, type TrailOwner } from './trails.js';

const insert = statement<Defect & { log: string; now: Date }>()((p) =>
  db
    .insertInto('audit_fault')
    .values({
      log: p('log'),
      reason: p('reason'),
      position: p('position'),
      message: p('message'),
      found_at: p('now'),
    })
    .onConflict((on) =>
      on
        .columns(['log', 'reason', 'position'])
        .doUpdateSet({ message: p('message'), found_at: p('now'), resolved_at: null })
        .where('audit_fault.resolved_at', 'is not', null),
    )
    .returning('position'),
);

/**
 * Resolves defects of signatures that verify now, because their key was not configured before. Other defects remain.
 */
const resolve = statement<{ log: string; before: Date; now: Date }>()((p) =>
  db
    .updateTable('audit_fault')
    .set({ resolved_at: p('now') })
    .where('log', '=', p('log'))
    .where('reason', '=', 'SIGNATURE_INVALID')
    .where('found_at', '<=', p('before'))
    .where('resolved_at', 'is', null)
    .returning(['reason', 'position', 'message', 'found_at as foundAt']),
);

const count = statement()(() =>
  db
    .selectFrom('audit_fault')
    .select(({ fn }) => fn.countAll<number>().as('defects'))
    .where('resolved_at', 'is', null),
);

/** After a trail was truncated, consumers would skip the entries that replace the missing ones. */
const setBack = statement<{ organizationId: number }>()((p) =>
  db
    .updateTable('event_consumer as c')
    .from('audit_log as l')
    .set((eb) => ({ position: eb.ref('l.position') }))
    .where('l.organization_id', '=', p('organizationId'))
    .whereRef('l.id', '=', 'c.log_id')
    .whereRef('c.position', '>', 'l.position'),
);

/** Notifies those who manage an organization of a defect of its trail. */
export type NotifyOfDefect = (tx: Queryable, organizationId: number, at: Date, defect: Defect) => Promise<void>;

/**
 * Raises an alarm once for a defect of a trail: in the log, in the metrics, and to the managers of the organization.
 */
export class AuditAlarms {
  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    readonly now: () => Date,
    private readonly notify: NotifyOfDefect,
  ) {}

  /** Rethrows errors of `work`, and raises an alarm for a defect of a trail. */
  async guard<Result>(owner: TrailOwner, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const defect = defectIn(error);
      if (defect !== undefined) await this.raise(owner, defect);
      throw error;
    }
  }

  /** Records at the end of a request that shares a transaction: its answer is an error, which rolls back its writes. */
  async raise(owner: TrailOwner, defect: Defect): Promise<void> {
    await this.database.request.afterwards(() => this.record(owner, defect));
  }

  private async record(owner: TrailOwner, defect: Defect): Promise<void> {
    const now = this.now();
    const log = logName(owner);
    try {
      const isNew = await this.database.transaction(async (tx) => {
        if ('organizationId' in owner) await setBack.all(tx, owner);
        if ((await insert.first(tx, { ...defect, log, now })) === undefined) return false;
        if ('organizationId' in owner) await this.notify(tx, owner.organizationId, now, defect);
        return true;
      });
      if (isNew) this.log.error({ log, fault: defect }, 'an audit trail is not as it was written');
    } catch (err) {
      // The defect is returned anyway; the next verification raises it again.
      this.log.error(
        { err, log, fault: defect },
        'an audit trail is not as it was written, and the alarm cannot be recorded',
      );
    }
  }

  /** Called with the start of a verification that found no defect in the whole trail. */
  async resolve(owner: TrailOwner, before: Date): Promise<void> {
    const log = logName(owner);
    for (const defect of await resolve.all(this.database, { log, before, now: this.now() }))
      this.log.warn(
        { log, fault: defect },
        'a signature of an audit trail that did not verify does now: its fault is resolved',
      );
  }

  /** The number of defects that are not resolved. */
  async unresolved(): Promise<number> {
    return (await count.one(this.database)).defects;
  }
}

/** The defect of a trail that an error carries. */
export function defectIn(error: unknown): Defect | undefined {
  return error instanceof DomainError ? (error.fault as Defect | undefined) : undefined;
}
