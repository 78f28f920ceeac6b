import { defineEntity } from '@mikro-orm/core';
import type { ImportJobFailure, ImportJobKind, ImportJobRowOutcome, ImportJobStatus } from '../values/enums.js';
import { creationTime, instant, p } from './columns.js';
import { User } from './members.js';
import { organizationRow } from './organizations.js';
import { ApiToken } from './tokens.js';

/** An import of many rows that runs as a job (docs/adr/0047). */
export const ImportJob = defineEntity({
  name: 'ImportJob',
  properties: {
    ...organizationRow(),
    kind: p.text().$type<ImportJobKind>(),
    /** For controls and documents. */
    workflowId: p.text().nullable(),
    status: p.text().$type<ImportJobStatus>().default('WAITING'),
    failure: p.text().$type<ImportJobFailure>().nullable(),
    /** The user and token whose rights its rows are written with. */
    user: p.manyToOne(User).deleteRule('cascade'),
    token: p.manyToOne(ApiToken).nullable().deleteRule('set null'),
    /** Where the token was sent, and from which address; null when the job has ended. */
    origin: p.json<object>().nullable(),
    /** Content address of the archive; null when the job has ended or has none. */
    archive: p.text().nullable(),
    rows: p.integer(),
    changed: p.integer().default(0),
    unchanged: p.integer().default(0),
    refused: p.integer().default(0),
    /** Attempts since a row was done. */
    attempts: p.integer().default(0),
    /** Earliest time of the next attempt. */
    dueAt: instant(),
    createdAt: creationTime(),
    startedAt: instant().nullable(),
    endedAt: instant().nullable(),
  },
  indexes: [
    { properties: ['organization', 'id'] },
    { properties: ['archive'] },
    { properties: ['token'] },
    { name: 'import_job_due_index', properties: ['dueAt'], where: 'ended_at is null' },
  ],
});

/** A row of an import that runs as a job: its input, then its result. */
export const ImportRow = defineEntity({
  name: 'ImportRow',
  properties: {
    ...organizationRow(),
    importJob: p.manyToOne(ImportJob).deleteRule('cascade'),
    /** Number in the job, from 1. */
    number: p.integer(),
    /** As the results of a request count it. */
    row: p.integer().nullable(),
    /** Key of the object it names; null for an invitation, so that no address is stored. */
    key: p.text().nullable(),
    /** Its content as JSON, null when it was processed. A text column, because jsonb has no NUL. */
    input: p.text().nullable(),
    outcome: p.text().$type<ImportJobRowOutcome>().default('WAITING'),
    changes: p.json<object>().nullable(),
    error: p.json<object>().nullable(),
    /** Id of the invitation or document version. */
    recordId: p.bigint('number').nullable(),
  },
  indexes: [{ properties: ['importJob', 'number'] }, { properties: ['organization', 'id'] }],
});
