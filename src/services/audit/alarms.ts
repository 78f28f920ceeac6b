import type { Database, Queryable } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { DomainError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { Fault } from './faults.js';
import { logName, type TrailOwner } from './trails.js';

const insert = statement<Fault & { log: string; now: Date }>()(
  (p) => sql<{ isNew: boolean }>`
    insert into audit_fault (log, reason, position, message, found_at)
    values (${p('log')}, ${p('reason')}, ${p('position')}, ${p('message')}, ${p('now')})
    on conflict do nothing returning true as "isNew"`,
);

const count = statement()(() => db.selectFrom('audit_fault').select(({ fn }) => fn.countAll<number>().as('faults')));

const [c, l] = [table('event_consumer', 'c'), table('audit_log', 'l')];

/** Of a trail that was cut off, consumers would pass over what comes in the place of the entries that are gone. */
const setBack = statement<{ organizationId: number }>()(
  (p) => sql`
    update event_consumer c set position = ${l.position}
      from ${l.table} where ${l.organization_id} = ${p('organizationId')} and ${l.id} = ${c.log_id} and ${c.position} > ${l.position}`,
);

/** Notifies those who manage an organization of a fault of its trail. */
export type NotifyOfFault = (tx: Queryable, organizationId: number, at: Date, fault: Fault) => Promise<void>;

/** Raises an alarm, once, when a trail is not as it was written: in the log, in the metrics, and to who manages the organization. */
export class AuditAlarms {
  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    private readonly now: () => Date,
    private readonly notify: NotifyOfFault,
  ) {}

  /** Throws what `work` throws, and raises an alarm when that is the fault of a trail. */
  async guard<Result>(owner: TrailOwner, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const fault = faultIn(error);
      if (fault !== undefined) await this.raise(owner, fault);
      throw error;
    }
  }

  async raise(owner: TrailOwner, fault: Fault): Promise<void> {
    const now = this.now();
    const log = logName(owner);
    try {
      const isNew = await this.database.transaction(async (tx) => {
        if ('organizationId' in owner) await setBack.all(tx, owner);
        if ((await insert.first(tx, { ...fault, log, now })) === undefined) return false;
        if ('organizationId' in owner) await this.notify(tx, owner.organizationId, now, fault);
        return true;
      });
      if (isNew) this.log.error({ log, fault }, 'an audit trail is not as it was written');
    } catch (err) {
      // What was found is an answer all the same; who looks again raises it.
      this.log.error({ err, log, fault }, 'an audit trail is not as it was written, and the alarm cannot be recorded');
    }
  }

  /** How many faults were found so far. */
  async faults(): Promise<number> {
    return (await count.one(this.database)).faults;
  }
}

/** The fault of a trail that an error carries. */
export function faultIn(error: unknown): Fault | undefined {
  return error instanceof DomainError ? (error.fault as Fault | undefined) : undefined;
}
