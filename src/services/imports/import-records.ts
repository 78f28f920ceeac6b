import type { Actor, Caller } from '../../auth/caller.js';
import type { Queryable } from '../../database/database.js';
import { DomainError, type ErrorCode } from '../../errors.js';
import type { ImportJobFailure, ImportJobKind, ImportJobStatus } from '../../values/enums.js';
import { record, type AuditFacts } from '../audit/record.js';
import type { RowRefusal } from '../shared/rows.js';
import { endJob, leaveRows, type JobKey } from './import-statements.js';

/** The actor of the gateway's own changes. */
export const SYSTEM = { kind: 'system', name: 'importJobs.work' } as const;

interface RecordedJob extends JobKey {
  kind: ImportJobKind;
}

/** Records an event of a job in the trail of its organization. */
export function recordJob(tx: Queryable, actor: Actor | Caller, job: RecordedJob, facts: AuditFacts): Promise<void> {
  const { id, organizationId, kind } = job;
  return record(tx, actor, { ...facts, organizationId, subject: { type: 'IMPORT_JOB', id, name: kind } });
}

interface Ending {
  action: 'IMPORT_ENDED' | 'IMPORT_CANCELLED';
  status: Exclude<ImportJobStatus, 'WAITING' | 'RUNNING'>;
  failure?: ImportJobFailure;
  at: Date;
}

/** Ends a locked job: its remaining rows are not processed. */
export async function endLockedJob(
  tx: Queryable,
  actor: Actor | Caller,
  job: RecordedJob & { status: ImportJobStatus },
  { action, status, failure, at }: Ending,
): Promise<void> {
  const { organizationId, id } = job;
  await leaveRows.all(tx, { organizationId, id });
  const end = { organizationId, id, status, failure: failure ?? null, now: at };
  const { rows, changed, unchanged, refused } = await endJob.one(tx, end);
  const counted = { rows, changed, unchanged, refused };
  await recordJob(tx, actor, job, {
    ...{ action, at },
    changes: {
      status: { before: job.status, after: status },
      ...(failure !== undefined && { failure: { after: failure } }),
      ...Object.fromEntries(Object.entries(counted).map(([field, after]) => [field, { after }])),
    },
  });
}

/** A refusal as it is stored. */
export interface StoredRefusal extends Omit<RowRefusal, 'cause'> {
  cause: Pick<DomainError, 'messages' | 'retryAfter' | 'reason' | 'fields' | 'allowed'> & { code: ErrorCode };
}

export function storedRefusal({ code, field, cause }: RowRefusal): StoredRefusal {
  const { messages, retryAfter, reason, fields, allowed } = cause;
  const said = { code: cause.code, messages };
  return {
    ...{ code, field },
    cause: Object.assign(
      said,
      retryAfter && { retryAfter },
      reason && { reason },
      fields && { fields },
      allowed && { allowed },
    ),
  };
}

export function refusalFrom({ code, field, cause }: StoredRefusal): RowRefusal {
  const { messages, retryAfter, reason, fields, allowed } = cause;
  const error = new DomainError(cause.code, messages, retryAfter, reason, fields);
  return { code, field, cause: Object.assign(error, allowed && { allowed }) };
}
