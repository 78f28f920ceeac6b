import type { DocumentNode } from 'graphql';
import type { ErrorCode } from '../errors.js';
import { NOTIFICATION_TYPES } from '../vocabulary/notification-types.js';
import { ROLES } from '../vocabulary/roles.js';
import * as documents from './documents.js';
import {
  choice,
  flag,
  limit,
  offset,
  pathChoice,
  pathId,
  pathText,
  queryId,
  required,
  seconds,
  sort,
  text,
  type Parameter,
} from './parameters.js';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** In the specification's spelling. A path with a slash at its end is another path, and is not found. */
  readonly path: string;
  /** Its name in clients that are generated from the interface description. */
  readonly operationId: string;
  /** Where it is asked for: a section of the specification, or of the decisions. */
  readonly source: string;
  /** What it is about, in the interface description: a key of openapi/tags.ts. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Who answers: SOFA, or the thin route of that file name. */
  readonly carrier:
    'sofa' | 'create-organization' | 'document-versions' | 'incident-attachments' | 'downloads' | 'openapi';
  /** The operation behind it. */
  readonly document?: DocumentNode;
  readonly parameters: readonly Parameter[];
  /** What may go wrong besides what may go wrong everywhere (openapi/responses.ts). */
  readonly errors: readonly ErrorCode[];
  /** Needs no token. */
  readonly open?: true;
}

export type OperationRoute = Route & { readonly document: DocumentNode };

/** THE table: every path under /api/v1. What is not in it is not found, whoever asks. */
export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/organizations',
    operationId: 'createOrganization',
    source: 'specification 4.1',
    tag: 'Organizations',
    summary: 'Create an organization',
    description: 'Creates an organization. The authenticated user becomes its Organization Owner.',
    carrier: 'create-organization',
    document: documents.CREATE_ORGANIZATION,
    parameters: [],
    errors: ['BAD_USER_INPUT', 'FILE_TOO_LARGE', 'UNSUPPORTED_FILE_TYPE'],
  },
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
    document: documents.UPLOAD_DOCUMENT_VERSION,
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
  {
    method: 'POST',
    path: '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments',
    operationId: 'uploadIncidentAttachment',
    source: 'specification 4.3',
    tag: 'Incidents',
    summary: 'Attach a file to an incident',
    description: 'Uploads a file, 25 MB at most, and attaches it to an incident of the organization.',
    carrier: 'incident-attachments',
    document: documents.UPLOAD_INCIDENT_ATTACHMENT,
    parameters: [pathId('organizationid', 'Whose incident it is.'), pathId('incidentid', 'The incident.')],
    errors: ['NOT_FOUND', 'INVALID_DATA', 'FILE_TOO_LARGE'],
  },
  {
    method: 'GET',
    path: '/api/v1/cloud-defender/{id}',
    operationId: 'getCloudDefender',
    source: 'specification 4.4',
    tag: 'Edge protection',
    summary: 'Read an edge-protection configuration',
    description: 'Only configurations of organizations that the caller can manage are readable.',
    carrier: 'sofa',
    document: documents.CLOUD_DEFENDER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'DELETE',
    path: '/api/v1/cloud-defender/{id}',
    operationId: 'deleteCloudDefender',
    source: 'specification 4.5',
    tag: 'Edge protection',
    summary: 'Delete an edge-protection configuration',
    description: 'Deletes the configuration softly and returns it. Only who manages its organization can.',
    carrier: 'sofa',
    document: documents.DELETE_CLOUD_DEFENDER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'GET',
    path: '/api/v1/atb/{id}',
    operationId: 'getThreatBlocker',
    source: 'specification 1, decisions 8',
    tag: 'Threat blocker',
    summary: 'Read a threat-blocker configuration',
    description: 'Only configurations of organizations that the caller can manage are readable.',
    carrier: 'sofa',
    document: documents.THREAT_BLOCKER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'DELETE',
    path: '/api/v1/atb/{id}',
    operationId: 'deleteThreatBlocker',
    source: 'specification 4.6',
    tag: 'Threat blocker',
    summary: 'Delete a threat-blocker configuration',
    description: 'Deletes the configuration softly and returns it. Only who manages its organization can.',
    carrier: 'sofa',
    document: documents.DELETE_THREAT_BLOCKER,
    parameters: [pathId('id', 'Which configuration.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/users',
    operationId: 'listOrganizationUsers',
    source: 'specification 4.7',
    tag: 'Organizations',
    summary: 'List the users of an organization',
    description: 'The caller belongs to the organization and has at least the Security Officer privilege.',
    carrier: 'sofa',
    document: documents.ORGANIZATION_USERS,
    parameters: [
      pathId('organizationid', 'Whose users.'),
      limit,
      offset,
      sort({ username: 'USERNAME', email: 'EMAIL', role: 'ROLE' }, 'username'),
      choice('role', ROLES, 'Only users of exactly this role.'),
      text('search', 'Only users whose name, username or e-mail contains this text, in whatever case.', 'rossi'),
    ],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/available-workflows',
    operationId: 'listAvailableWorkflows',
    source: 'specification 4.8',
    tag: 'Workflows',
    summary: 'List the available workflows',
    description:
      'The compliance frameworks and task sets that can be enabled for an organization. The `id` of an item is used to associate the workflow with an organization.',
    carrier: 'sofa',
    document: documents.AVAILABLE_WORKFLOWS,
    parameters: [limit, offset],
    errors: ['BAD_USER_INPUT'],
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{id}/branding',
    operationId: 'getBranding',
    source: 'specification 4.9',
    tag: 'Organizations',
    summary: 'Read the branding of an organization',
    description: 'Default values are returned when no branding is configured.',
    carrier: 'sofa',
    document: documents.BRANDING,
    parameters: [pathId('id', 'Whose branding.')],
    errors: ['NOT_FOUND'],
  },
  {
    method: 'GET',
    path: '/api/v1/notifications',
    operationId: 'listNotifications',
    source: 'specification 4.10',
    tag: 'Notifications',
    summary: 'List the notifications of the authenticated user',
    description: 'Notifications of the user that the token belongs to, newest first.',
    carrier: 'sofa',
    document: documents.NOTIFICATIONS,
    parameters: [
      limit,
      offset,
      sort({ datetime: 'DATETIME' }, '-datetime'),
      flag('read', 'Only those that were read, or only those that were not.'),
      choice('type', NOTIFICATION_TYPES, 'Only those of this category.'),
      queryId('organization_id', 'Only those about this organization.'),
    ],
    errors: ['BAD_USER_INPUT'],
  },
  {
    method: 'GET',
    path: '/api/v1/downloads/{kind}/{id}',
    operationId: 'downloadFile',
    source: 'specification 2.3, decisions 6',
    tag: 'Files',
    summary: 'Download a file',
    description:
      'What a `download_url` leads to. The address is signed, expires, and needs no token. Not found when it has expired or was changed.',
    carrier: 'downloads',
    parameters: [
      pathChoice('kind', ['documents', 'attachments'], 'What kind of file.'),
      pathId('id', 'Which file.'),
      required(seconds('expires', 'When the address expires, in Unix seconds.')),
      required(text('signature', 'Signature of the address.', 'k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE')),
    ],
    errors: ['NOT_FOUND'],
    open: true,
  },
  {
    method: 'GET',
    path: '/api/v1/openapi.json',
    operationId: 'getInterfaceDescription',
    source: 'specification 9, decisions 11',
    tag: 'Interface',
    summary: 'Read this description',
    description: 'This very document, as JSON.',
    carrier: 'openapi',
    parameters: [],
    errors: [],
    open: true,
  },
];

export function isOperationRoute(route: Route): route is OperationRoute {
  return route.document !== undefined;
}
