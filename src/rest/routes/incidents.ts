import { operation } from '../documents.js';
import { pathId } from '../parameters.js';
import type { Route } from '../route.js';

const UPLOAD_INCIDENT_ATTACHMENT = operation(/* GraphQL */ `
  mutation UploadIncidentAttachment($organizationid: Int!, $incidentid: Int!, $file: Upload!) {
    uploadIncidentAttachment(input: { organizationId: $organizationid, incidentId: $incidentid, file: $file }) {
      data: attachment {
        ...IncidentAttachment
      }
    }
  }
`);

export const INCIDENTS_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/v-ciso/incidents/{organizationid}/{incidentid}/attachments',
    operationId: 'uploadIncidentAttachment',
    source: 'specification 4.3',
    tag: 'Incidents',
    summary: 'Attach a file to an incident',
    description: 'Uploads a file, 25 MB at most, and attaches it to an incident of the organization.',
    carrier: 'incident-attachments',
    document: UPLOAD_INCIDENT_ATTACHMENT,
    parameters: [pathId('organizationid', 'Whose incident it is.'), pathId('incidentid', 'The incident.')],
    errors: ['NOT_FOUND', 'INVALID_DATA', 'FILE_TOO_LARGE'],
  },
];
