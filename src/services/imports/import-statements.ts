import { insertRows } from '../../database/columns.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { person, projected, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table, type Placeholders } from '../../database/sql.js';
import type { ImportJobFailure, ImportJobKind, ImportJobRowOutcome, ImportJobStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';

export interface ImportRowQuery extends ListQuery<'NUMBER'> {
  outcome?: ImportJobRowOutcome | null;
}

/** A job, with the columns for authorization. */
interface ManagedImportJob {
  id: number;
  organizationId: number;
  kind: ImportJobKind;
  userId: string;
  endedAt: string | null;
}

const [j, old] = [table('import_job', 'j'), table('import_job', 'old')];
const r = table('import_row', 'r');
const u = table('app_user', 'u');

const FROM = sql`${j.table} join ${u.table} on ${u.id} = ${j.user_id}`;

export const jobListing = new Listing<ListQuery<'NEWEST'>>({
  from: FROM,
  ...orderedByKey(j.id, 'NEWEST', 'DESC'),
  parent: { column: j.organization_id, type: 'bigint' },
});

/** Jobs of members and invitations are visible to those who manage members. */
export const seenIn = filter<{ managed: readonly number[] }>(
  (p) => sql`(${j.kind} in ('CONTROLS', 'DOCUMENTS') or ${j.organization_id} = any(${p('managed')}::bigint[]))`,
);

export const jobProjection = new Projection(
  'ImportJob',
  {
    ...properties(j, 'id', 'organization_id', 'kind', 'workflow_id', 'status', 'failure', 'user_id'),
    cursor: jobListing.place,
    rowCount: j.rows,
    doneCount: sql`${j.changed} + ${j.unchanged} + ${j.refused}`,
    changedCount: j.changed,
    unchangedCount: j.unchanged,
    refusedCount: j.refused,
    createdBy: person(u.username),
    workflow: { needs: properties(j, 'workflow_id') },
    ...properties(j, 'created_at', 'started_at', 'ended_at'),
    keptUntil: sql`${j.ended_at} + make_interval(days => ${sql.lit(LIMITS.importJob.keptDays)})`,
  },
  ['id', 'organizationId', 'kind', 'userId', 'endedAt'],
);

export const oneJob = projected<{ id: number; organizationId: number | null }>()(
  (p, { select }) => sql<ManagedImportJob>`
    select ${sql.join(select)} from ${FROM} where ${j.id} = ${p('id')}
       and (${p('organizationId')}::bigint is null or ${j.organization_id} = ${p('organizationId')})`,
);

export const rowListing = new Listing<ImportRowQuery>({
  from: sql`${r.table}`,
  id: { column: r.id, type: 'bigint' },
  parent: { column: r.import_job_id, type: 'bigint' },
  sorts: { NUMBER: { column: r.number, type: 'int' } },
  order: { field: 'NUMBER', direction: 'ASC' },
  filters: { outcome: (outcome) => sql`${r.outcome} = ${outcome}` },
});

/** The record created for a row, and the kind of the job, which determines its type. */
const RECORD = {
  recordId: r.record_id,
  kind: sql`(select ${j.kind} from ${j.table} where ${j.organization_id} = ${r.organization_id} and ${j.id} = ${r.import_job_id})`,
};

export const rowProjection = new Projection('ImportJobRow', {
  ...properties(r, 'number', 'row', 'key', 'outcome', 'record_id', 'changes', 'error'),
  invitation: { needs: RECORD },
  documentVersion: { needs: RECORD },
});

export interface JobKey {
  organizationId: number;
  id: number;
}

const OF_JOB = (p: Placeholders<JobKey>) =>
  sql<boolean>`${j.organization_id} = ${p('organizationId')} and ${j.id} = ${p('id')}`;
const OF_ROW = (p: Placeholders<JobKey>) =>
  sql<boolean>`${r.organization_id} = ${p('organizationId')} and ${r.import_job_id} = ${p('id')}`;

interface NewJob {
  organizationId: number;
  kind: ImportJobKind;
  workflowId: string | null;
  userId: string;
  tokenId: number;
  origin: string;
  archive: string | null;
  rows: number;
  refused: number;
  now: Date;
}

/** Serializes the counting of an organization's jobs. */
export const lockJobs = statement<{ organizationId: number }>()(
  (p) => sql`select pg_advisory_xact_lock(hashtextextended('import ' || ${p('organizationId')}::bigint, 0))`,
);

export const countUnended = statement<{ organizationId: number }>()((p) =>
  db
    .selectFrom('import_job')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('organization_id', '=', p('organizationId'))
    .where('ended_at', 'is', null),
);

export const insertJob = statement<NewJob>()((p) =>
  db
    .insertInto('import_job')
    .values({
      ...{ organization_id: p('organizationId'), kind: p('kind'), workflow_id: p('workflowId'), user_id: p('userId') },
      ...{ token_id: p('tokenId'), origin: sql`${p('origin')}::jsonb`, archive: p('archive'), rows: p('rows') },
      ...{ refused: p('refused'), due_at: p('now'), created_at: p('now') },
    })
    .returning('id'),
);

const ROW_PROPERTIES = [
  ...(['organizationId', 'importJobId', 'number', 'row', 'key', 'input', 'outcome', 'error'] as const),
];

export const insertJobRows = statement<{ rows: string }>()((p) =>
  insertRows('import_row', ROW_PROPERTIES, sql`${p('rows')}::json`),
);

/** Jobs that may run now. */
export const dueJobs = statement<{ now: Date }>()((p) =>
  db
    .selectFrom('import_job')
    .select(['id', 'organization_id as organizationId'])
    .where('ended_at', 'is', null)
    .where('due_at', '<=', p('now'))
    .orderBy('due_at'),
);

/** Begins an attempt; no row if the job has ended or is not due. */
export const beginAttempt = statement<JobKey & { now: Date }>()(
  (p) => sql<{
    id: number;
    organizationId: number;
    kind: ImportJobKind;
    workflowId: string | null;
    userId: string;
    archive: string | null;
    attempts: number;
    tokenId: number | null;
    origin: { form: 'header' | 'query'; address?: string; requestId?: string };
  }>`
    update ${j.table} set status = 'RUNNING', attempts = ${j.attempts} + 1,
           started_at = coalesce(${j.started_at}, ${p('now')})
     where ${OF_JOB(p)} and ${j.ended_at} is null and ${j.due_at} <= ${p('now')}
    returning ${j.id}, ${j.organization_id} as "organizationId", ${j.kind}, ${j.workflow_id} as "workflowId",
              ${j.user_id} as "userId", ${j.archive}, ${j.attempts}, ${j.token_id} as "tokenId", ${j.origin}`,
);

export const digestOf = statement<{ tokenId: number }>()((p) =>
  db.selectFrom('api_token').select('digest').where('id', '=', p('tokenId')),
);

/** Rows of one batch. */
const BATCH = 100;

export const waitingRows = statement<JobKey & { after: number }>()(
  (p) => sql<{ number: number; input: string }>`
    select ${r.number}, ${r.input} from ${r.table}
     where ${OF_ROW(p)} and ${r.outcome} = 'WAITING' and ${r.number} > ${p('after')}
     order by ${r.number} limit ${BATCH}`,
);

/** Locks a job that has not ended: one of its rows is processed at a time, and none after its end. */
export const lockJob = statement<JobKey>()((p) =>
  db
    .selectFrom('import_job as j')
    .select(['j.id', 'j.organization_id as organizationId', 'j.kind', 'j.status', 'j.archive'])
    .where(OF_JOB(p))
    .where('j.ended_at', 'is', null)
    .forUpdate(),
);

export const statusOf = statement<JobKey>()((p) =>
  db.selectFrom('import_job as j').select('j.status').where(OF_JOB(p)),
);

export const isWaiting = statement<JobKey & { number: number }>()((p) =>
  db
    .selectFrom('import_row as r')
    .select('r.number')
    .where(OF_ROW(p))
    .where('r.number', '=', p('number'))
    .where('r.outcome', '=', 'WAITING'),
);

interface DoneRow extends JobKey {
  number: number;
  outcome: ImportJobRowOutcome;
  changes: string | null;
  error: string | null;
  recordId: number | null;
}

export const endRow = statement<DoneRow>()(
  (p) => sql`
    update ${r.table} set outcome = ${p('outcome')}, changes = ${p('changes')}::jsonb, error = ${p('error')}::jsonb,
           record_id = ${p('recordId')}, input = null
     where ${OF_ROW(p)} and ${r.number} = ${p('number')}`,
);

export const countRow = statement<JobKey & { outcome: ImportJobRowOutcome }>()((p) => {
  const oneIf = (outcome: ImportJobRowOutcome) =>
    sql`case when ${p('outcome')}::text = ${sql.lit(outcome)} then 1 else 0 end`;
  return sql`
    update ${j.table} set attempts = 0, changed = ${j.changed} + ${oneIf('CHANGED')},
           unchanged = ${j.unchanged} + ${oneIf('UNCHANGED')}, refused = ${j.refused} + ${oneIf('REFUSED')}
     where ${OF_JOB(p)}`;
});

/** Pauses a job until this instant. Waiting for a limit of mails, which may last seven days, counts as no attempt. */
export const postpone = statement<JobKey & { until: Date }>()((p) =>
  db
    .updateTable('import_job as j')
    .set({ due_at: p('until'), attempts: 0 })
    .where(OF_JOB(p)),
);

export const endJob = statement<JobKey & { status: ImportJobStatus; failure: ImportJobFailure | null; now: Date }>()(
  (p) =>
    db
      .updateTable('import_job as j')
      .set({ status: p('status'), failure: p('failure'), ended_at: p('now'), archive: null, origin: null })
      .where(OF_JOB(p))
      .returning(['j.rows', 'j.changed', 'j.unchanged', 'j.refused']),
);

export const leaveRows = statement<JobKey>()((p) =>
  db
    .updateTable('import_row as r')
    .set({ outcome: sql`'NOT_DONE'`, input: null })
    .where(OF_ROW(p))
    .where('r.outcome', '=', 'WAITING'),
);

/** Jobs per statement. */
export const PURGED_AT_ONCE = 20;

export const purgeSome = statement<{ before: Date }>()(
  (p) => sql`
    delete from ${j.table} where ${j.id} in (
      select ${old.id} from ${old.table} where ${old.ended_at} < ${p('before')} order by 1 limit ${sql.lit(PURGED_AT_ONCE)})
    returning ${j.id}`,
);
