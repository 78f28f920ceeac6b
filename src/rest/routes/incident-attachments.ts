import { operation } from '../documents.js';
import { limit, offset, pathId } from '../parameters.js';
import type { Route } from '../route.js';
import { INCIDENT_PARAMETERS, INCIDENT_PATH } from './incident-path.js';

const INCIDENT_ATTACHMENTS = operation(/* GraphQL */ `
  query IncidentAttachments($organizationid: Int!, $incidentid: Int!, $limit: Int, $offset: Int) {
    incident(organizationId: $organizationid, id: $incidentid) {
      attachments(first: $limit, offset: $offset) {
        data: nodes {
          ...IncidentAttachment
        }
        total: totalCount
      }
    }
  }
`);

const INCIDENT_ATTACHMENT = operation(/* GraphQL */ `
  query IncidentAttachment($organizationid: Int!, $incidentid: Int!, $id: Int!) {
    data: incidentAttachment(organizationId: $organizationid, incidentId: $incidentid, id: $id) {
      ...IncidentAttachment
    }
  }
`);

const UPLOAD_INCIDENT_ATTACHMENT = operation(/* GraphQL */ `
  mutation UploadIncidentAttachment($organizationid: Int!, $incidentid: Int!, $file: Upload!) {
    uploadIncidentAttachment(input: { organizationId: $organizationid, incidentId: $incidentid, file: $file }) {
      data: attachment {
        ...IncidentAttachment
      }
    }
  }
`);

const DELETE_INCIDENT_ATTACHMENT = operation(/* GraphQL */ `
  mutation DeleteIncidentAttachment($organizationid: Int!, $incidentid: Int!, $id: Int!) {
    deleteIncidentAttachment(input: { organizationId: $organizationid, incidentId: $incidentid, id: $id }) {
      data: attachment {
        ...IncidentAttachment
      }
    }
  }
`);

const ATTACHMENT_EXAMPLE = {
  id: 12,
  original_name: 'phishing-mail.eml',
  content_type: 'message/rfc822',
  size: 20_480,
  created_at: '2026-11-20T09:30:00.000Z',
  download_url:
    'https://gateway.example/api/v1/downloads/attachments/12?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
};

const FILE = pathId('id', 'Which file.');

export const INCIDENT_ATTACHMENTS_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/attachments`,
    operationId: 'listIncidentAttachments',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'List the files of an incident',
    description: 'Files that are attached to the incident, newest first.',
    carrier: 'sofa',
    document: INCIDENT_ATTACHMENTS,
    parameters: [...INCIDENT_PARAMETERS, limit, offset],
    errors: ['NOT_FOUND', 'BAD_USER_INPUT'],
    example: ATTACHMENT_EXAMPLE,
  },
  {
    method: 'POST',
    path: `${INCIDENT_PATH}/attachments`,
    operationId: 'uploadIncidentAttachment',
    source: 'specification 4.3',
    tag: 'Incidents',
    summary: 'Attach a file to an incident',
    description: 'Uploads a file, 25 MB at most, and attaches it to an incident of the organization.',
    carrier: 'incident-attachments',
    limit: 'uploads',
    costly: 'uploads',
    document: UPLOAD_INCIDENT_ATTACHMENT,
    parameters: INCIDENT_PARAMETERS,
    errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE'],
  },
  {
    method: 'GET',
    path: `${INCIDENT_PATH}/attachments/{id}`,
    operationId: 'readIncidentAttachment',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Read a file of an incident',
    description: 'What the file is, and where it can be downloaded.',
    carrier: 'sofa',
    document: INCIDENT_ATTACHMENT,
    parameters: [...INCIDENT_PARAMETERS, FILE],
    errors: ['NOT_FOUND'],
    example: ATTACHMENT_EXAMPLE,
  },
  {
    method: 'DELETE',
    path: `${INCIDENT_PATH}/attachments/{id}`,
    operationId: 'deleteIncidentAttachment',
    source: 'decisions 7',
    tag: 'Incidents',
    summary: 'Delete a file of an incident',
    description:
      'Deletes the file and answers what it was. Whoever may attach files may delete their own; those of others take at least a Security Officer.',
    carrier: 'sofa',
    document: DELETE_INCIDENT_ATTACHMENT,
    parameters: [...INCIDENT_PARAMETERS, FILE],
    errors: ['NOT_FOUND', 'CONFLICT'],
    example: ATTACHMENT_EXAMPLE,
  },
];
