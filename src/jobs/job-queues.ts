import type { PgBoss } from 'pg-boss';
import type { Database, Queryable } from '../database/database.js';
import { JOBS_SCHEMA, openBoss } from './boss.js';
import type { QueueData, QueueName } from './queues.js';

/** How many jobs of a queue are in a state: `waiting`, `deferred` (to a later try), `active`, `failed`. */
export interface JobCount {
  queue: string;
  state: string;
  count: number;
}

// Times are the queue's own, which knows no other clock.
const COUNT = `
  select name as queue, count(*)::int as count,
         case when state = 'active' then 'active' when state = 'failed' then 'failed'
              when start_after > now() then 'deferred' else 'waiting' end as state
    from ${JOBS_SCHEMA}.job
   where state in ('created', 'retry', 'active', 'failed')
   group by 1, 3`;

/** The queues in our database. Puts jobs in on every instance, also on one that works none. */
export class JobQueues {
  private opened: Promise<PgBoss> | undefined;

  constructor(private readonly database: Database) {}

  /** Enqueues in the transaction of `tx`: the job is there if and only if that commits. */
  async enqueue<Name extends QueueName>(tx: Queryable, queue: Name, data: QueueData[Name]): Promise<void> {
    const boss = await this.boss();
    await boss.send(queue, data, {
      db: { executeSql: async (text, values) => ({ rows: await tx.rows(text, values) }) },
    });
  }

  /** The library, for whoever works the queues. */
  boss(): Promise<PgBoss> {
    this.opened ??= openBoss({ executeSql: (text, values) => this.database.foreign(text, values) });
    return this.opened;
  }

  /** How many jobs each queue has in each state, for the metrics. */
  async counts(): Promise<JobCount[]> {
    return (await this.database.foreign(COUNT)).rows as JobCount[];
  }
}
