import { createRequire } from 'node:module';
import type { Client } from 'pg';
import type { JobInsert, Queue, QueuePolicy, PgBoss, Db } from 'pg-boss';
import type { DatabaseClock } from './clock.js';
import type { Database, Queryable } from './database.js';
import { LIMITS } from '../values/limits.js';

/** The schema of pg-boss, which our migrations never change. */
export const JOBS_SCHEMA = 'pgboss';

export interface QueueData {
  mail: { mailId: string };
  recovery: { recoveryId: number };
  'weekly-report': { batch: number };
  import: { organizationId: number; importJobId: number };
  periodic: { name: string };
}
export type QueueName = keyof QueueData;

/** `singletonKey` identifies jobs of which an exclusive queue has at most one that waits or runs. */
type NewJob<Data> = Pick<JobInsert<Data>, 'data' | 'singletonKey'>;

/** Seconds. */
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The queue of undeliverable mails; `pg-boss` or SQL can send them back. */
const DEAD_MAIL = 'mail-dead';

interface QueuePlan {
  name: string;
  /** Fixed when the queue is created. */
  policy: QueuePolicy;
  /** Updated by each start. */
  settings: Omit<Queue, 'name' | 'policy' | 'partition'>;
}

/** Every queue; those that others refer to come first. */
export const QUEUES: readonly QueuePlan[] = [
  { name: DEAD_MAIL, policy: 'standard', settings: { retentionSeconds: 30 * DAY } },
  {
    name: 'mail',
    policy: 'standard',
    settings: {
      deadLetter: DEAD_MAIL,
      retryLimit: LIMITS.mail.attempts - 1,
      // Minutes at first, so that greylisting costs little, and at most four hours.
      retryDelay: MINUTE,
      retryBackoff: true,
      retryDelayMax: 4 * HOUR,
      // Longer than the mailer's own limit: then a delivery counts as crashed, and another instance repeats it.
      expireInSeconds: 15 * MINUTE,
      deleteAfterSeconds: HOUR,
      // While no instance runs jobs, mails wait for as long as their contents are stored.
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
    // At most one job of each batch waits or runs; a failed one is enqueued again a minute later.
    policy: 'exclusive',
    settings: { retryLimit: 0, heartbeatSeconds: 30, expireInSeconds: 10 * MINUTE, deleteAfterSeconds: HOUR },
  },
  {
    name: 'import',
    // At most one job of each import waits or runs; an interrupted one is enqueued again a minute later.
    policy: 'exclusive',
    settings: { retryLimit: 0, heartbeatSeconds: 30, expireInSeconds: HOUR, deleteAfterSeconds: HOUR },
  },
  {
    name: 'periodic',
    // At most one job of each name waits or runs, on any number of instances.
    policy: 'exclusive',
    settings: {
      retryLimit: 2,
      retryDelay: MINUTE,
      retryBackoff: true,
      // A crashed worker sends no heartbeat, so that another takes its job over before it expires.
      heartbeatSeconds: 30,
      expireInSeconds: 10 * MINUTE,
      deleteAfterSeconds: HOUR,
    },
  },
];

/** Number of jobs of a queue in a state: `waiting`, `deferred` (to a later attempt), `active`, `failed`. */
interface JobCount {
  queue: string;
  state: string;
  count: number;
}

// The library's tables have no entities; its clock is the database's.
const COUNT = `
  select name as queue, count(*)::int as count,
         case when state = 'active' then 'active' when state = 'failed' then 'failed'
              when start_after > now() then 'deferred' else 'waiting' end as state
    from ${JOBS_SCHEMA}.job
   where state in ('created', 'retry', 'active', 'failed')
   group by 1, 3`;

// Before the first one has ended: since when one could have.
const PERIODIC_ENDED = `
  select extract(epoch from coalesce(
           (select max(completed_on) from ${JOBS_SCHEMA}.job where name = 'periodic' and state = 'completed'),
           (select created_on from ${JOBS_SCHEMA}.queue where name = 'periodic')))::float8 as seconds`;

/** The state before it was fetched, except for a moment in which another instance may fetch it. */
const GIVE_BACK = `
  update ${JOBS_SCHEMA}.job
     set state = (case when retry_count > 0 then 'retry' else 'created' end)::${JOBS_SCHEMA}.job_state, started_on = null,
         start_after = now() + interval '10 seconds'
   where name = 'periodic' and id = $1::uuid and state = 'active'`;

/** The queues in our database. Enqueues jobs on every instance, also on one that runs none. */
export class JobQueues {
  private opened: Promise<PgBoss> | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<DatabaseClock, 'now'>,
  ) {}

  /** Enqueues in the transaction of `tx`: the jobs exist if and only if it commits. */
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

  /** Returns a periodic job that this version does not know to instances of the version that does. */
  async giveBack(id: string): Promise<void> {
    await this.database.foreign(GIVE_BACK, [id]);
  }

  /** Number of jobs of each queue in each state, for the metrics. */
  async counts(): Promise<JobCount[]> {
    return (await this.database.foreign(COUNT)).rows as JobCount[];
  }

  /**
   * Seconds since 1970 at which a periodic job last succeeded on any instance. Some run each minute: an old value
   * means that no instance runs jobs, which no waiting job would show.
   */
  async periodicSucceeded(): Promise<number> {
    const { rows } = await this.database.foreign(PERIODIC_ENDED);
    return (rows as { seconds: number }[])[0]!.seconds;
  }
}

/**
 * The library on our database, loaded on demand so that starts do not wait for it. `installJobs` has created its
 * tables: the running gateway needs no right to change them.
 */
async function openBoss(db: Db, now = () => Date.now()): Promise<PgBoss> {
  const { PgBoss, systemClock } = await import('pg-boss');
  return new PgBoss({
    db,
    // Its workers measure pauses by this clock, which changes of the machine's clock do not affect.
    clock: { ...systemClock, now },
    schema: JOBS_SCHEMA,
    migrate: false,
    createSchema: false,
    // Rebuilding an index requires its owner.
    reindex: false,
    maintenanceIntervalSeconds: 60 * 60,
    // No job waits for other jobs.
    flowIntervalSeconds: 60 * 60,
    cronWorkerIntervalSeconds: 10,
  });
}

/** Whether the library's tables and all queues exist as this version needs them. */
export async function jobsAreInstalled(client: Client): Promise<boolean> {
  if ((await installedVersion(client)) !== wantedVersion()) return false;
  const { rows } = await client.query<{ name: string }>(`select name from ${JOBS_SCHEMA}.queue`);
  const there = new Set(rows.map(({ name }) => name));
  return QUEUES.every(({ name }) => there.has(name));
}

/** Whether a newer version has migrated the library's tables beyond the version that this one knows. */
export async function jobsAreNewer(client: Client): Promise<boolean> {
  const version = await installedVersion(client);
  return version !== undefined && version > wantedVersion();
}

/**
 * Creates the library's tables or migrates them, and creates the queues: a part of migrating, so that no other role
 * needs the right to change tables. The caller must have the lock of migrations: two concurrent calls would fail.
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

/** The version in the package of the library, which most starts read without loading it. */
function wantedVersion(): number {
  const { pgboss } = createRequire(import.meta.url)('pg-boss/package.json') as { pgboss: { schema: number } };
  return pgboss.schema;
}
