import { operation } from '../documents.js';
import { instant, limit, offset, pathId, pathText, sort, text } from '../parameters.js';
import type { Route } from '../route.js';

const UPLOAD_DOCUMENT_VERSION = operation(/* GraphQL */ `
  mutation UploadDocumentVersion($organizationid: Int!, $workflowid: ID!, $artifactid: ID!, $file: Upload!) {
    uploadDocumentVersion(
      input: { organizationId: $organizationid, workflowId: $workflowid, artifactId: $artifactid, file: $file }
    ) {
      created
      data: version {
        ...DocumentVersion
      }
    }
  }
`);

const DOCUMENTS = operation(/* GraphQL */ `
  query Documents(
    $organizationid: Int!
    $limit: Int
    $offset: Int
    $sort: DocumentVersionOrder
    $workflow_id: ID
    $artifact_id: ID
    $created_by: String
    $created_from: DateTime
    $created_before: DateTime
  ) {
    organization(id: $organizationid) {
      documentVersions(
        first: $limit
        offset: $offset
        orderBy: $sort
        filter: {
          workflowId: $workflow_id
          artifactId: $artifact_id
          createdBy: $created_by
          createdFrom: $created_from
          createdBefore: $created_before
        }
      ) {
        data: nodes {
          ...Document
        }
        total: totalCount
      }
    }
  }
`);

const ARTIFACT_VERSIONS = operation(/* GraphQL */ `
  query ArtifactVersions($organizationid: Int!, $workflowid: ID!, $artifactid: ID!, $limit: Int, $offset: Int) {
    artifactVersions(
      organizationId: $organizationid
      workflowId: $workflowid
      artifactId: $artifactid
      first: $limit
      offset: $offset
    ) {
      data: nodes {
        ...Document
      }
      total: totalCount
    }
  }
`);

const DOCUMENT = operation(/* GraphQL */ `
  query Document($organizationid: Int!, $id: Int!) {
    data: documentVersion(organizationId: $organizationid, id: $id) {
      ...Document
    }
  }
`);

const UPDATE_DOCUMENT_VERSION = operation(/* GraphQL */ `
  mutation UpdateDocumentVersion($input: UpdateDocumentVersionInput!) {
    updateDocumentVersion(input: $input) {
      data: version {
        ...Document
      }
    }
  }
`);

const DELETE_DOCUMENT_VERSION = operation(/* GraphQL */ `
  mutation DeleteDocumentVersion($organizationid: Int!, $id: Int!) {
    deleteDocumentVersion(input: { organizationId: $organizationid, id: $id }) {
      data: version {
        ...Document
      }
    }
  }
`);

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
  note: 'Approved by the board.',
  download_url:
    'https://gateway.example/api/v1/downloads/documents/31?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
};

const VERSIONS_PATH =
  '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/{artifactid}/versions';
const DOCUMENTS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/documents';
const DOCUMENT_PATH = `${DOCUMENTS_PATH}/{id}`;

const DOCUMENT_PARAMETERS = [pathId('organizationid', 'Whose document it is.'), pathId('id', 'Which version.', 12)];
const ARTIFACT_PARAMETERS = [
  pathId('organizationid', 'Whose document it is.'),
  pathText('workflowid', 'A workflow that is associated with the organization.', 'iso-27001-2022'),
  pathText('artifactid', 'A control of that workflow.', 'A.5.1'),
];

export const DOCUMENTS_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: VERSIONS_PATH,
    operationId: 'uploadDocumentVersion',
    source: 'specification 4.2',
    tag: 'Documents',
    summary: 'Upload a document version',
    description:
      'Uploads a file as a version of a document. Content that the artifact already has (by its SHA-256) makes no new version: the existing one is returned with status 200. The ten newest versions of an artifact are kept.',
    carrier: 'document-versions',
    limit: 'uploads',
    costly: 'uploads',
    document: UPLOAD_DOCUMENT_VERSION,
    parameters: ARTIFACT_PARAMETERS,
    errors: [
      'NOT_FOUND',
      'BAD_USER_INPUT',
      'CONFLICT',
      'MISSING_CONTENT',
      'INVALID_BASE64',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE_TYPE',
    ],
  },
  {
    method: 'GET',
    path: VERSIONS_PATH,
    operationId: 'listArtifactVersions',
    source: 'decisions 6',
    tag: 'Documents',
    summary: 'List the versions of a document',
    description: 'The kept versions of one artifact, newest first.',
    carrier: 'sofa',
    document: ARTIFACT_VERSIONS,
    parameters: [...ARTIFACT_PARAMETERS, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: DOCUMENT_EXAMPLE,
  },
  {
    method: 'GET',
    path: DOCUMENTS_PATH,
    operationId: 'listDocuments',
    source: 'decisions 6',
    tag: 'Documents',
    summary: 'List the documents of an organization',
    description: 'Document versions of all workflows, newest first unless ordered otherwise.',
    carrier: 'sofa',
    document: DOCUMENTS,
    parameters: [
      pathId('organizationid', 'Whose documents.'),
      limit,
      offset,
      sort({ created_at: 'CREATED_AT', effective_at: 'EFFECTIVE_AT', original_name: 'ORIGINAL_NAME' }, '-created_at'),
      text('workflow_id', 'Only those of this workflow.', 'iso-27001-2022'),
      text('artifact_id', 'Only those of this control.', 'A.5.1'),
      text('created_by', 'Only those of the uploader of this user name, as it was then.', 'a.rossi'),
      instant('created_from', 'Only those uploaded at this instant or later.'),
      instant('created_before', 'Only those uploaded before this instant.'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: DOCUMENT_EXAMPLE,
  },
  {
    method: 'GET',
    path: DOCUMENT_PATH,
    operationId: 'getDocument',
    source: 'decisions 6',
    tag: 'Documents',
    summary: 'Read a document version',
    description: 'One version, with an address to download it.',
    carrier: 'sofa',
    document: DOCUMENT,
    parameters: DOCUMENT_PARAMETERS,
    errors: ['NOT_FOUND'],
    example: DOCUMENT_EXAMPLE,
  },
  {
    method: 'PATCH',
    path: DOCUMENT_PATH,
    operationId: 'updateDocumentVersion',
    source: 'decisions 6',
    tag: 'Documents',
    summary: 'Say when a document version was true, and what to know of it',
    description: 'Changes what is given: an absent field stays as it is, null empties it. The content never changes.',
    carrier: 'sofa',
    document: UPDATE_DOCUMENT_VERSION,
    parameters: DOCUMENT_PARAMETERS,
    body: {
      input: 'UpdateDocumentVersionInput',
      example: { effective_at: '2026-11-02T00:00:00Z', note: 'Approved by the board.' },
    },
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: DOCUMENT_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: DOCUMENT_PATH,
    operationId: 'deleteDocumentVersion',
    source: 'decisions 6',
    tag: 'Documents',
    summary: 'Delete a document version',
    description:
      'Deletes the version and answers what it was. Whoever may upload may delete their own; those of others take at least a Security Officer.',
    carrier: 'sofa',
    document: DELETE_DOCUMENT_VERSION,
    parameters: DOCUMENT_PARAMETERS,
    errors: ['NOT_FOUND'],
    example: DOCUMENT_EXAMPLE,
  },
];
