import { DateTimeScalar } from '../../schema/shared/scalars.js';
import { ID, pathParameter, queryParameter, TEXT } from '../parameters.js';
import { routesAbout } from '../route.js';

const DOWNLOAD_URL =
  'https://gateway.example/api/v1/downloads/documents/31?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE';

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
  download_url: DOWNLOAD_URL,
};

const VERSION_EXAMPLE = {
  id: 31,
  artifact_id: 'A.5.1',
  original_name: 'information-security-policy.pdf',
  size: 48_213,
  content_type: 'application/pdf',
  source: 'attached',
  created_by: 'a.rossi',
  created_at: '2026-11-20T09:30:00.000Z',
  download_url: DOWNLOAD_URL,
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

const OF_WORKFLOW = [
  pathParameter('organizationid', { description: 'The organization.', schema: ID, example: 1 }),
  pathParameter('workflowid', {
    description: 'A workflow that is associated with the organization.',
    schema: { ...TEXT, minLength: 1 },
    example: 'iso-27001-2022',
  }),
];

const INSTANT = { type: 'string', format: 'date-time', scalar: DateTimeScalar };

export const DOCUMENTS_ROUTES = routesAbout({ tag: 'Documents', examples: { Document: DOCUMENT_EXAMPLE } }, [
  {
    method: 'POST',
    path: VERSIONS_PATH,
    operationId: 'uploadDocumentVersion',
    source: 'specification 4.2',
    summary: 'Upload a document version',
    description:
      'Uploads a file as a version of a document. Content that the artifact already has (by its SHA-256) makes no new version: the existing one is returned with status 200. The ten newest versions of an artifact are kept.',
    costly: 'uploads',
    created: true,
    createdWhen: 'created',
    success: {
      created: 'The new version.',
      existing: 'The artifact already has this content: the existing version.',
    },
    body: {
      upload: 'document',
      content: {
        'application/json': { schema: 'UploadDocumentVersionInput', example: UPLOAD_EXAMPLE },
        'application/x-www-form-urlencoded': { schema: 'UploadDocumentVersionInput', example: UPLOAD_EXAMPLE },
        'multipart/form-data': { schema: 'UploadDocumentVersionForm' },
      },
    },
    data: 'uploadDocumentVersion.version',
    view: 'DocumentVersion',
    errors: [
      'BAD_USER_INPUT',
      'CONFLICT',
      'MISSING_CONTENT',
      'INVALID_BASE64',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE_TYPE',
    ],
    example: VERSION_EXAMPLE,
  },
  {
    method: 'GET',
    path: VERSIONS_PATH,
    operationId: 'listArtifactVersions',
    summary: 'List the versions of a document',
    description: 'The kept versions of one artifact, newest first.',
    data: 'artifactVersions.nodes',
    view: 'Document',
    parameters: 'limit offset',
  },
  {
    method: 'GET',
    path: DOCUMENTS_PATH,
    operationId: 'listDocuments',
    summary: 'List the documents of an organization',
    description: 'Document versions of all workflows, newest first unless ordered otherwise.',
    data: 'organization.documentVersions.nodes',
    view: 'Document',
    parameters: 'limit offset sort workflow_id artifact_id created_by created_from created_before',
    sort: '-created_at',
    sortNames: { FILENAME: 'original_name' },
  },
  {
    method: 'GET',
    path: DOCUMENT_PATH,
    operationId: 'getDocument',
    summary: 'Read a document version',
    description: 'One version, with an address to download it.',
    data: 'documentVersion',
    view: 'Document',
    examples: { id: 12 },
  },
  {
    method: 'PATCH',
    path: DOCUMENT_PATH,
    operationId: 'updateDocumentVersion',
    summary: 'Say when a document version was true, until when it is valid, and what to know of it',
    description: 'Changes what is given: an absent field stays as it is, null empties it. The content never changes.',
    data: 'updateDocumentVersion.version',
    arguments: { id: 'documentVersionId' },
    view: 'Document',
    examples: { id: 12 },
    body: {
      example: { effective_at: '2026-11-02T00:00:00Z', valid_until: '2027-11-01', note: 'Approved by the board.' },
    },
  },
  {
    method: 'DELETE',
    path: DOCUMENT_PATH,
    operationId: 'deleteDocumentVersion',
    summary: 'Delete a document version',
    description:
      'Deletes the version and answers what it was. A member who may upload may delete their own versions; those of others take at least a Security Officer.',
    data: 'deleteDocumentVersion.version',
    arguments: { id: 'documentVersionId' },
    view: 'Document',
    examples: { id: 12 },
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/reuse-suggestions',
    operationId: 'listReuseSuggestions',
    summary: 'List open controls that documents of other workflows cover',
    description:
      'The controls of a workflow that are neither done nor left out and that documents of other workflows of the organization cover, in reading order, each with the newest version of every control that is mapped to it. The workflow need not be associated yet.',
    data: 'reuseSuggestions.nodes',
    view: 'ReuseSuggestion',
    parameters: 'limit offset',
    example: {
      id: '21.2.a',
      label: 'Policies for analysing risk and securing information systems',
      status: 'TO_DO',
      documents: [{ via: null, version: DOCUMENT_EXAMPLE }],
    },
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/evidence-pack',
    operationId: 'downloadEvidencePack',
    summary: 'Download the evidence of a workflow',
    description:
      'One ZIP with the documents of the workflow and those of other workflows that count by a mapping (`mapped.csv`), its controls and statement of applicability, the history of statuses, entries of the audit trail and the incidents of the organization. `manifest.json` is signed, and `sha256sum -c manifest.sha256` verifies the files. `from` and `to` select a period. It is open to a token, and to an address that `evidencePackUrl` has signed.',
    handler: 'evidence-pack',
    costly: 'packs',
    parameters: [
      ...OF_WORKFLOW,
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
      queryParameter('for', {
        description: 'In a signed address: the user name that it was made for.',
        schema: TEXT,
        example: 'a.rossi',
      }),
      EXPIRES,
      SIGNATURE,
    ],
    errors: ['BAD_USER_INPUT'],
    open: 'when signed',
  },
]);

const OSCAL_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/oscal';

export const OSCAL_ROUTES = routesAbout({ tag: 'Workflows' }, [
  {
    method: 'GET',
    path: `${OSCAL_PATH}/assessment-results`,
    operationId: 'exportAssessmentResults',
    summary: 'Export how a workflow stands, as OSCAL',
    description:
      'OSCAL assessment results (JSON, without envelope): a finding for each control with its status, and an observation for each document that counts for it, with the SHA-256 of its content. A control that does not apply is `not-satisfied` with the implementation status `not-applicable`.',
    handler: 'oscal-assessment-results',
    costly: 'packs',
    parameters: OF_WORKFLOW,
  },
  {
    method: 'GET',
    path: `${OSCAL_PATH}/component-definition`,
    operationId: 'exportComponentDefinition',
    summary: 'Export what is done for a workflow, as OSCAL',
    description:
      'An OSCAL component definition (JSON, without envelope): the measures of the organization as one component, with an implemented requirement for each control, its implementation status and its documents.',
    handler: 'oscal-component-definition',
    costly: 'packs',
    parameters: OF_WORKFLOW,
  },
]);

export const FILES_ROUTES = routesAbout({ tag: 'Files' }, [
  {
    method: 'GET',
    path: '/api/v1/downloads/{kind}/{id}',
    operationId: 'downloadFile',
    source: 'specification 2.3',
    summary: 'Download a file',
    description:
      'What a `download_url` leads to. The address is signed, expires, and needs no token. Not found when it has expired or was changed.',
    handler: 'download',
    parameters: [
      pathParameter('kind', {
        description: 'The kind of the file.',
        schema: { type: 'string', enum: ['documents', 'attachments'] },
        example: 'documents',
      }),
      pathParameter('id', { description: 'The file.', schema: ID, example: 1 }),
      { ...EXPIRES, required: true },
      { ...SIGNATURE, required: true },
    ],
    open: true,
  },
]);
