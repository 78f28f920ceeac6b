import { createRequire } from 'node:module';
import type { Client } from 'pg';
import type { JobInsert, Queue, QueuePolicy, PgBoss, Db } from 'pg-boss';
import type { DatabaseClock } from './clock.js';
import type { Database, Queryable } from './database.js';
import { LIMITS } from '../values/limits.js';

/** The library's own schema, which our migrations never touch. */
export const JOBS_SCHEMA = 'pgboss';

export interface QueueData {
  mail: { mailId: string };
  recovery: { recoveryId: number };
  'weekly-report': { batch: number };
  import: { organizationId: number; importJobId: number };
  periodic: { name: string };
}
export type QueueName = keyof QueueData;

/** `singletonKey` is what an exclusive queue has at most one job of that waits or runs. */
type NewJob<Data> = Pick<JobInsert<Data>, 'data' | 'singletonKey'>;

/** Seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Where undeliverable mails go; `pg-boss` or SQL can send them back. */
const DEAD_MAIL = 'mail-dead';

interface QueuePlan {
  name: string;
  /** Fixed when the queue is made. */
  policy: QueuePolicy;
  /** Brought up to date by each start. */
  settings: Omit<Queue, 'name' | 'policy' | 'partition'>;
}

/** Every queue; the one that another names comes before it. */
export const QUEUES: readonly QueuePlan[] = [
  { name: DEAD_MAIL, policy: 'standard', settings: { retentionSeconds: 30 * DAY } },
  {
    name: 'mail',
    policy: 'standard',
    settings: {
      deadLetter: DEAD_MAIL,
      retryLimit: LIMITS.mail.attempts - 1,
      // Minutes at first, so that greylisting costs little, and never more than four hours.
      retryDelay: MINUTE,
      retryBackoff: true,
      retryDelayMax: 4 * HOUR,
      // After this a delivery counts as crashed and another instance makes it: beyond the mailer's own limit.
      expireInSeconds: 15 * MINUTE,
      deleteAfterSeconds: HOUR,
      // While no instance works jobs a mail waits for as long as what it says is kept.
      retentionSeconds: 30 * DAY,
    },
  },
  {
    name: 'recovery',
    policy: 'standard',
    settings: {
      retryLimit: 5,
      retryDelay: MINUTE,
      retryBackoff: true,
      expireInSeconds: MINUTE,
      deleteAfterSeconds: HOUR,
    },
  },
  {
    name: 'weekly-report',
    // At most one job of each batch waits or runs; one that failed is put in again a minute later.
    policy: 'exclusive',
    settings: { retryLimit: 0, heartbeatSeconds: 30, expireInSeconds: 10 * MINUTE, deleteAfterSeconds: HOUR },
  },
  {
    name: 'import',
    // At most one job of each import waits or runs; one that was cut off is put in again a minute later.
    policy: 'exclusive',
    settings: { retryLimit: 0, heartbeatSeconds: 30, expireInSeconds: HOUR, deleteAfterSeconds: HOUR },
  },
  {
    name: 'periodic',
    // At most one of each name waits or runs, on however many instances.
    policy: 'exclusive',
    settings: {
      retryLimit: 2,
      retryDelay: MINUTE,
      retryBackoff: true,
      // A crashed worker sends no heartbeat, so that its job is taken over before the job's time is over.
      heartbeatSeconds: 30,
      expireInSeconds: 10 * MINUTE,
      deleteAfterSeconds: HOUR,
    },
  },
];

/** How many jobs of a queue are in a state: `waiting`, `deferred` (to a later try), `active`, `failed`. */
interface JobCount {
  queue: string;
  state: string;
  count: number;
}

// The tables are the library's, which no entity describes; its clock is the database's.
const COUNT = `
  select name as queue, count(*)::int as count,
         case when state = 'active' then 'active' when state = 'failed' then 'failed'
              when start_after > now() then 'deferred' else 'waiting' end as state
    from ${JOBS_SCHEMA}.job
   where state in ('created', 'retry', 'active', 'failed')
   group by 1, 3`;

// Before the first one ended: since when one could have.
const PERIODIC_ENDED = `
  select extract(epoch from coalesce(
           (select max(completed_on) from ${JOBS_SCHEMA}.job where name = 'periodic' and state = 'completed'),
           (select created_on from ${JOBS_SCHEMA}.queue where name = 'periodic')))::float8 as seconds`;

/** As it was before it was taken, but for a moment in which another instance may take it. */
const GIVE_BACK = `
  update ${JOBS_SCHEMA}.job
     set state = (case when retry_count > 0 then 'retry' else 'created' end)::${JOBS_SCHEMA}.job_state, started_on = null,
         start_after = now() + interval '10 seconds'
   where name = 'periodic' and id = $1::uuid and state = 'active'`;

/** The queues in our database. Puts jobs in on every instance, also on one that works none. */
export class JobQueues {
  private opened: Promise<PgBoss> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<DatabaseClock, 'now'>,
  ) {}

  /** Enqueues in the transaction of `tx`: the jobs are there if and only if that commits. */
  async enqueue<Name extends QueueName>(tx: Queryable, queue: Name, jobs: NewJob<QueueData[Name]>[]): Promise<void> {
    const boss = await this.boss();
    await boss.insert(queue, jobs, {
      // eslint-disable-next-line no-restricted-syntax -- the library brings its own SQL
      db: { executeSql: async (text, values) => ({ rows: await tx.rows(text, values) }) },
    });
  }

  /** The library, for the workers of the queues. */
  boss(): Promise<PgBoss> {
    const db: Db = { executeSql: (text, values) => this.database.foreign(text, values) };
    return (this.opened ??= openBoss(db, () => this.clock.now().getTime()));
  }

  /** Leaves a periodic job that this version does not know to an instance of the one that does. */
  async giveBack(id: string): Promise<void> {
    await this.database.foreign(GIVE_BACK, [id]);
  }

  /** How many jobs each queue has in each state, for the metrics. */
  async counts(): Promise<JobCount[]> {
    return (await this.database.foreign(COUNT)).rows as JobCount[];
  }

  /**
   * When a periodic job last succeeded on any instance, in seconds since 1970. Some run each minute: where it is long ago no
   * instance works jobs, and nothing that waits in a queue shows it.
   */
  async periodicSucceeded(): Promise<number> {
    const { rows } = await this.database.foreign(PERIODIC_ENDED);
    return (rows as { seconds: number }[])[0]!.seconds;
  }
}

/**
 * The library over a database of ours. Loaded when it is first needed: a start should not wait for it. Its tables are
 * there already (`installJobs`): the running gateway needs no right to change any.
 */
async function openBoss(db: Db, now = () => Date.now()): Promise<PgBoss> {
  const { PgBoss, systemClock } = await import('pg-boss');
  return new PgBoss({
    db,
    // Its workers measure their pauses by this: set back, the clock of the machine would let them sleep for as long.
    clock: { ...systemClock, now },
    schema: JOBS_SCHEMA,
    migrate: false,
    createSchema: false,
    // Rebuilding an index takes its owner.
    reindex: false,
    maintenanceIntervalSeconds: 60 * 60,
    // Jobs that wait for other jobs: we have none.
    flowIntervalSeconds: 60 * 60,
    cronWorkerIntervalSeconds: 10,
  });
}

/** Whether the queue library's tables, and all queues, are there as this program wants them. */
export async function jobsAreInstalled(client: Client): Promise<boolean> {
  if ((await installedVersion(client)) !== wantedVersion()) return false;
  const { rows } = await client.query<{ name: string }>(`select name from ${JOBS_SCHEMA}.queue`);
  const there = new Set(rows.map(({ name }) => name));
  return QUEUES.every(({ name }) => there.has(name));
}

/** Whether a newer program has brought the queue library's tables to a version that this one does not know. */
export async function jobsAreNewer(client: Client): Promise<boolean> {
  const version = await installedVersion(client);
  return version !== undefined && version > wantedVersion();
}

/**
 * Makes the library's tables or brings them to its version, and makes the queues: a part of migrating, so that a role
 * that may change tables is needed there and nowhere else. The caller holds the lock of migrations: two at once would fail.
 */
export async function installJobs(client: Client): Promise<void> {
  const { getConstructionPlans, getMigrationPlans } = await import('pg-boss');
  const version = await installedVersion(client);
  if (version === undefined) await client.query(getConstructionPlans(JOBS_SCHEMA));
  else if (version < wantedVersion()) await client.query(getMigrationPlans(JOBS_SCHEMA, version));
  const boss = await openBoss({ executeSql: (text, values) => client.query(text, values) });
  for (const { name, policy, settings } of QUEUES) await boss.createQueue(name, { policy, ...settings });
}

async function installedVersion(client: Client): Promise<number | undefined> {
  const { rows: tables } = await client.query(`select to_regclass('${JOBS_SCHEMA}.version') is not null as there`);
  if (!tables[0].there) return undefined;
  const { rows } = await client.query<{ version: number }>(`select version from ${JOBS_SCHEMA}.version`);
  return rows[0]?.version;
}

/** The library says it in its package, so that most starts learn it without loading the library. */
function wantedVersion(): number {
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } };
  return pgboss.schema;
}
