import type { Db, PgBoss } from 'pg-boss';

/** Where the library keeps its tables: beside ours, and never touched by our migrations. */
export const JOBS_SCHEMA = 'pgboss';

/**
 * The library over a database of ours. Loaded when it is first needed: a start should not wait for it. Its tables are
 * there already (install-jobs.ts): the running gateway needs no right to change any.
 */
export async function openBoss(db: Db): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  return new PgBoss({
    db,
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
