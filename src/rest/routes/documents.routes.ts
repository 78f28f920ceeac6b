import { DateTimeScalar } from '../../schema/shared/scalars.js';
import { ID, queryParameter, TEXT } from '../request/parameters.js';
import { COSTS } from '../../values/costs.js';
import type { RouteGroup } from '../route.js';
import { ARCHIVE_BODY } from './imports.routes.js';

const DOCUMENT_EXAMPLE = {
  id: 31,
  workflow_id: 'iso-27001-2022',
  artifact_id: 'A.5.1',
  original_name: 'information-security-policy.pdf',
  size: 48_213,
  content_type: 'application/pdf',
  source: 'attached',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  created_by: 'a.rossi',
  created_at: '2026-11-20T09:30:00.000Z',
  effective_at: '2026-11-02T00:00:00.000Z',
  valid_until: '2027-11-01',
  evidence_state: 'FRESH',
  note: 'Approved by the board.',
  download_url:
    'https://gateway.example/api/v1/downloads/documents/31?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
};

const UPLOAD_EXAMPLE = {
  filename: 'information-security-policy.txt',
  content: Buffer.from('Our information security policy.').toString('base64'),
  content_type: 'text/plain',
  source: 'attached',
};

const VERSIONS_PATH =
  '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/{artifactid}/versions';
const DOCUMENTS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/documents';
const DOCUMENT_PATH = `${DOCUMENTS_PATH}/{id}`;

/** Of an address that may be signed. */
export const EXPIRES = queryParameter('expires', {
  description: 'When the signed address expires, in Unix seconds.',
  schema: { type: 'integer', format: 'int64', minimum: 0 },
  example: 1_795_000_000,
});

export const SIGNATURE = queryParameter('signature', {
  description: 'The signature of the address.',
  schema: TEXT,
  example: 'k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
});

/** Of an address that was signed for a member by its user name. */
export const SIGNED_FOR_MEMBER = [
  queryParameter('for', {
    description: 'In a signed address: the user name that it was made for.',
    schema: TEXT,
    example: 'a.rossi',
  }),
  EXPIRES,
  SIGNATURE,
];

export const INSTANT = { type: 'string', format: 'date-time', scalar: DateTimeScalar };

export const DOCUMENTS: RouteGroup = {
  tag: 'Documents',
  examples: { DocumentVersion: DOCUMENT_EXAMPLE },
  views: {
    DocumentVersion: ['id artifactId filename size contentType source createdBy.username createdAt downloadUrl'],
    Document: {
      of: 'DocumentVersion',
      fields: [
        'id workflowId artifactId filename size contentType source sha256 createdBy.username createdAt effectiveAt validUntil',
        'evidenceState note downloadUrl',
      ],
    },
    ImportedDocumentRow: ['row path outcome', { documentVersion: 'Document', error: 'RowError' }],
    ReuseSuggestion: ['controlId label status', { documents: ['via', { documentVersion: 'Document' }] }],
  },
  routes: {
    [`POST ${VERSIONS_PATH}`]: {
      operationId: 'uploadDocumentVersion',
      etag: 'none',
      remarks: 'Contents are compared by their SHA-256; one that is there is answered with status 200.',
      data: 'uploadDocumentVersion.documentVersion',
      costly: 'uploads',
      created: true,
      createdWhen: 'created',
      body: {
        upload: 'document',
        content: {
          'application/json': { schema: 'UploadDocumentVersionInput', example: UPLOAD_EXAMPLE },
          'application/x-www-form-urlencoded': { schema: 'UploadDocumentVersionInput', example: UPLOAD_EXAMPLE },
          'multipart/form-data': { schema: 'UploadDocumentVersionForm' },
        },
      },
      errors: ['CONFLICT', 'MISSING_CONTENT', 'INVALID_BASE64', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
      example: { original_name: UPLOAD_EXAMPLE.filename, size: 32, content_type: UPLOAD_EXAMPLE.content_type },
    },
    'POST /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/import': {
      operationId: 'importDocuments',
      remarks:
        'The body is the archive, or a form with it as its part `file`. The status is 200 also where documents are refused: each says what has become of it.',
      data: 'importDocuments.rows',
      costly: 'packs',
      body: ARCHIVE_BODY,
      errors: ['FILE_TOO_LARGE', 'INVALID_DATA', 'MISSING_CONTENT'],
      example: {
        ...{ row: 1, path: 'documents/A.5.1/812-access-control-policy.pdf', outcome: 'ADDED' },
        ...{ document_version: {}, error: null },
      },
    },
    [`GET ${VERSIONS_PATH}`]: {
      past: true,
      operationId: 'listArtifactVersions',
      data: 'artifactVersions.nodes',
      view: 'Document',
    },
    [`GET ${DOCUMENTS_PATH}`]: {
      past: true,
      operationId: 'listDocuments',
      remarks: 'Those of all workflows.',
      data: 'organization.documentVersions.nodes',
      view: 'Document',
      parameters: 'workflow_id artifact_id created_by created_from created_before',
      sort: '-created_at',
      sortNames: { FILENAME: 'original_name' },
    },
    [`GET ${DOCUMENT_PATH}`]: {
      past: true,
      operationId: 'getDocument',
      remarks: '`download_url` leads to its bytes.',
      data: 'documentVersion',
      view: 'Document',
    },
    [`PATCH ${DOCUMENT_PATH}`]: {
      operationId: 'updateDocumentVersion',
      remarks: 'An absent field stays as it is, null empties it.',
      data: 'updateDocumentVersion.documentVersion',
      view: 'Document',
      arguments: { id: 'documentVersionId' },
      body: {
        example: { effective_at: '2026-11-02T00:00:00Z', valid_until: '2027-11-01', note: 'Approved by the board.' },
      },
    },
    [`DELETE ${DOCUMENT_PATH}`]: {
      operationId: 'deleteDocumentVersion',
      data: 'deleteDocumentVersion.documentVersion',
      view: 'Document',
      arguments: { id: 'documentVersionId' },
    },
    'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/reuse-suggestions': {
      past: 'SUGGESTIONS',
      operationId: 'listReuseSuggestions',
      remarks:
        'Open are those that are neither done nor left out; each comes with the newest version of every control that is mapped to it.',
      data: 'reuseSuggestions.nodes',
      example: {
        id: '21.2.a',
        label: 'Policies for analysing risk and securing information systems',
        status: 'TO_DO',
        documents: [{ version: {} }],
      },
    },
    'GET /api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/evidence-pack': {
      past: 'FILES',
      operationId: 'downloadEvidencePack',
      description:
        'One ZIP with the documents of the workflow and those of other workflows that count by a mapping (`mapped.csv`), its controls and statement of applicability, the history of statuses, entries of the audit trail and the incidents of the organization. `manifest.json` is signed, and `sha256sum -c manifest.sha256` verifies the files. `from` and `to` select a period. It is open to a token, and to an address that `evidencePackUrl` of GraphQL has signed.',
      handler: 'evidence-pack',
      cost: COSTS.evidencePack,
      data: 'organizationWorkflow',
      own: [
        queryParameter('from', {
          description: 'Only what happened then or later.',
          schema: INSTANT,
          example: '2026-01-01T00:00:00Z',
        }),
        queryParameter('to', {
          description: 'Only what happened before.',
          schema: INSTANT,
          example: '2027-01-01T00:00:00Z',
        }),
        queryParameter('names', {
          description: 'In a signed address: whether persons of the audit trail are named.',
          schema: { type: 'boolean' },
          example: true,
        }),
        ...SIGNED_FOR_MEMBER,
      ],
      costly: 'packs',
      errors: ['CONFLICT'],
      open: 'when signed',
    },
  },
};

const OSCAL_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal';

export const OSCAL: RouteGroup = {
  tag: 'Workflows',
  routes: {
    [`GET ${OSCAL_PATH}/assessment-results`]: {
      past: 'FILES',
      operationId: 'exportAssessmentResults',
      description:
        'OSCAL assessment results (JSON, without envelope): a finding for each control with its status, and an observation for each document that counts for it, with the SHA-256 of its content. A control that does not apply is `not-satisfied` with the implementation status `not-applicable`.',
      handler: 'oscal-assessment-results',
      cost: COSTS.oscalExport,
      data: 'organizationWorkflow',
      costly: 'packs',
    },
    [`GET ${OSCAL_PATH}/component-definition`]: {
      past: 'FILES',
      operationId: 'exportComponentDefinition',
      description:
        'An OSCAL component definition (JSON, without envelope): the measures of the organization as one component, with an implemented requirement for each control, its implementation status and its documents.',
      handler: 'oscal-component-definition',
      cost: COSTS.oscalExport,
      data: 'organizationWorkflow',
      costly: 'packs',
    },
  },
};

// Specification 2.3.
export const FILES: RouteGroup = {
  tag: 'Files',
  routes: {
    'GET /api/v1/downloads/{kind}/{id}': {
      operationId: 'downloadFile',
      description:
        'What a `download_url` leads to. The address is signed, expires, and needs no token. Not found when it has expired or was changed.',
      handler: 'download',
      own: [
        {
          name: 'kind',
          in: 'path',
          required: true,
          description: 'The kind of the file.',
          schema: { type: 'string', enum: ['documents', 'attachments'] },
          example: 'documents',
        },
        { name: 'id', in: 'path', required: true, description: 'The file.', schema: ID, example: 1 },
        queryParameter('engagement', {
          description: 'In an address that was made for an auditor: the engagement, with which it ends.',
          schema: ID,
          example: 1,
        }),
        queryParameter('for', {
          description:
            'In an address that was made for an auditor: the user, who is recorded as the one who downloads.',
          schema: { type: 'string', format: 'uuid' },
          example: 'b1a7c9de-6a0e-4f0c-8a55-1f0f4a1c9d21',
        }),
        { ...EXPIRES, required: true },
        { ...SIGNATURE, required: true },
      ],
      open: true,
    },
  },
};
