import type { RouteGroup } from '../route.js';

const JOB = {
  id: 5,
  kind: 'DOCUMENTS',
  workflow_id: 'iso-27001-2022',
  status: 'RUNNING',
  failure: null,
  row_count: 4_000,
  done_count: 1_250,
  changed_count: 1_200,
  unchanged_count: 48,
  refused_count: 2,
  created_by: 'a.rossi',
  created_at: '2026-11-20T09:30:00.000Z',
  started_at: '2026-11-20T09:30:01.000Z',
  ended_at: null,
  kept_until: null,
};

const ROW = {
  ...{ number: 12, row: 12, key: 'policies/access.pdf', outcome: 'REFUSED', record_id: null, changes: [] },
  error: { code: 'MISSING_CONTENT', field: null, message: 'There is no content, or it is empty.' },
};

const JOBS_PATH = '/api/v1/organizations/{organizationid}/import-jobs';
const JOB_PATH = `${JOBS_PATH}/{id}`;
const WORKFLOW_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}';

const STARTED = {
  accepted: JOB_PATH,
  costly: 'packs',
  example: {
    status: 'WAITING',
    done_count: 0,
    changed_count: 0,
    unchanged_count: 0,
    refused_count: 0,
    started_at: null,
  },
} as const;

export const TABLE_BODY = {
  upload: 'table',
  content: { 'text/csv': { schema: 'TableText' }, 'multipart/form-data': { schema: 'TableForm' } },
} as const;

const TABLE_STARTED = {
  ...STARTED,
  notAsJob: 'dry_run',
  body: TABLE_BODY,
  errors: ['CONFLICT', 'FILE_TOO_LARGE', 'INVALID_DATA', 'MISSING_CONTENT'],
} as const;

export const ARCHIVE_BODY = {
  upload: 'archive',
  content: {
    'application/zip': { schema: 'DocumentArchive' },
    'multipart/form-data': { schema: 'DocumentArchiveForm' },
  },
} as const;

export const IMPORT_JOBS: RouteGroup = {
  tag: 'Organizations',
  examples: { ImportJob: JOB, ImportJobRow: ROW },
  views: {
    ImportJob: [
      'id kind workflowId status failure rowCount doneCount changedCount unchangedCount refusedCount createdBy.username',
      'createdAt startedAt endedAt keptUntil',
    ],
    ImportJobRow: ['number row key outcome recordId', { changes: ['column before after'], error: 'RowError' }],
  },
  routes: {
    'POST /api/v1/organizations/{organizationid}/users/import': {
      ...TABLE_STARTED,
      operationId: 'startMemberImport',
      data: 'startMemberImport.importJob',
    },
    'POST /api/v1/organizations/{organizationid}/invitations/batch': {
      ...STARTED,
      operationId: 'startInvitations',
      data: 'startInvitations.importJob',
      body: { example: { invitations: [{ email: 'sara.conti@example.com', role: 'VIEWER' }] } },
      errors: ['CONFLICT'],
    },
    [`POST ${WORKFLOW_PATH}/controls/import`]: {
      ...TABLE_STARTED,
      operationId: 'startControlImport',
      data: 'startControlImport.importJob',
    },
    [`POST ${WORKFLOW_PATH}/documents/import`]: {
      ...STARTED,
      operationId: 'startDocumentImport',
      data: 'startDocumentImport.importJob',
      body: ARCHIVE_BODY,
      errors: ['BAD_USER_INPUT', 'CONFLICT', 'FILE_TOO_LARGE', 'INVALID_DATA', 'MISSING_CONTENT'],
    },
    [`GET ${JOBS_PATH}`]: {
      past: 'IMPORTS',
      operationId: 'listImportJobs',
      data: 'organization.importJobs.nodes',
    },
    [`GET ${JOB_PATH}`]: {
      past: 'IMPORTS',
      operationId: 'getImportJob',
      remarks: 'Ask again every few seconds until `ended_at` is there.',
      data: 'importJob',
    },
    [`GET ${JOB_PATH}/rows`]: {
      past: 'IMPORTS',
      operationId: 'listImportJobRows',
      data: 'importJob.rows.nodes',
      parameters: 'outcome',
    },
    [`POST ${JOB_PATH}/cancel`]: {
      operationId: 'cancelImportJob',
      data: 'cancelImportJob.importJob',
      arguments: { id: 'importJobId' },
      errors: ['CONFLICT'],
      example: { status: 'CANCELLED', ended_at: '2026-11-20T09:31:00.000Z', kept_until: '2026-11-27T09:31:00.000Z' },
    },
  },
};
