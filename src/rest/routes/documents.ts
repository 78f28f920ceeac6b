import { operation } from '../documents.js';
import { pathId, pathText } from '../parameters.js';
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

export const DOCUMENTS_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/v-ciso/organizations/{organizationid}/workflows/{workflowid}/documents/{artifactid}/versions',
    operationId: 'uploadDocumentVersion',
    source: 'specification 4.2',
    tag: 'Documents',
    summary: 'Upload a document version',
    description:
      'Uploads a file as a version of a document. Content that the artifact already has (by its SHA-256) makes no new version: the existing one is returned with status 200. The ten newest versions of an artifact are kept.',
    carrier: 'document-versions',
    document: UPLOAD_DOCUMENT_VERSION,
    parameters: [
      pathId('organizationid', 'Whose document it is.'),
      pathText('workflowid', 'A workflow that is associated with the organization.', 'iso-27001-2022'),
      pathText('artifactid', 'A control of that workflow.', 'A.5.1'),
    ],
    errors: [
      'NOT_FOUND',
      'BAD_USER_INPUT',
      'MISSING_CONTENT',
      'INVALID_BASE64',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE_TYPE',
    ],
  },
];
