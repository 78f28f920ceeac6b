import type { RouteGroup } from '../route.js';
import { INCIDENT_PATH } from './incidents.routes.js';

const NOTE_EXAMPLE = {
  id: 3,
  text: 'The provider has confirmed that **no** mailbox was forwarded.',
  created_by: 'l.bianchi',
  created_at: '2026-11-19T17:10:00.000Z',
};

const ATTACHMENT_EXAMPLE = {
  id: 12,
  original_name: 'phishing-mail.eml',
  content_type: 'message/rfc822',
  size: 20_480,
  created_at: '2026-11-20T09:30:00.000Z',
  download_url:
    'https://gateway.example/api/v1/downloads/attachments/12?expires=1795167900&signature=k2Jx0v3wq0N1mG5o8bY4uT7cR6eH9aLsDfPzXiQhVtE',
};

export const INCIDENT_RECORDS: RouteGroup = {
  tag: 'Incidents',
  examples: { IncidentNote: NOTE_EXAMPLE, IncidentAttachment: ATTACHMENT_EXAMPLE },
  views: {
    IncidentNote: ['id text createdBy.username createdAt'],
    IncidentTimelineItem: [
      'at kind actor.username',
      { entry: 'AuditEntry', report: 'IncidentReport', attachment: 'IncidentAttachment', note: 'IncidentNote' },
    ],
    IncidentAttachment: ['id filename contentType size createdAt downloadUrl'],
  },
  routes: {
    [`GET ${INCIDENT_PATH}/notes`]: { past: true, operationId: 'listIncidentNotes', data: 'incident.notes.nodes' },
    [`POST ${INCIDENT_PATH}/notes`]: {
      operationId: 'addIncidentNote',
      data: 'addIncidentNote.note',
      body: { example: { text: NOTE_EXAMPLE.text } },
      created: true,
    },
    [`GET ${INCIDENT_PATH}/timeline`]: {
      past: true,
      operationId: 'listIncidentTimeline',
      remarks: 'The field that `kind` names has the object, the others are null.',
      data: 'incident.timeline.nodes',
      sort: 'at',
      example: {
        at: NOTE_EXAMPLE.created_at,
        kind: 'NOTE',
        actor: NOTE_EXAMPLE.created_by,
        note: {},
      },
    },
    [`GET ${INCIDENT_PATH}/attachments`]: {
      past: true,
      operationId: 'listIncidentAttachments',
      data: 'incident.attachments.nodes',
    },
    [`POST ${INCIDENT_PATH}/attachments`]: {
      operationId: 'uploadIncidentAttachment',
      data: 'uploadIncidentAttachment.attachment',
      costly: 'uploads',
      created: true,
      body: { upload: 'attachment', content: { 'multipart/form-data': { schema: 'UploadIncidentAttachmentForm' } } },
      errors: ['CONFLICT', 'INVALID_DATA', 'FILE_TOO_LARGE'],
    },
    [`GET ${INCIDENT_PATH}/attachments/{id}`]: {
      past: true,
      operationId: 'readIncidentAttachment',
      remarks: '`download_url` leads to them.',
      data: 'incidentAttachment',
    },
    [`DELETE ${INCIDENT_PATH}/attachments/{id}`]: {
      operationId: 'deleteIncidentAttachment',
      data: 'deleteIncidentAttachment.attachment',
      errors: ['CONFLICT'],
    },
  },
};

const REHEARSAL_PATH = `${INCIDENT_PATH}/rehearsal-report`;

export const REHEARSALS: RouteGroup = {
  tag: 'Incidents',
  views: {
    RehearsalReport: [
      'incidentId title openedAt closedAt speed firstNoteAt',
      {
        stages: ['regimeId regimeName stage number state dueAt sentAt sentBy.username lateSeconds'],
        reactions: ['user.username action at secondsAfterOpening'],
      },
    ],
  },
  routes: {
    [`GET ${REHEARSAL_PATH}`]: {
      past: true,
      operationId: 'getRehearsalReport',
      etag: 'none',
      data: 'rehearsalReport',
      example: {
        incident_id: 12,
        title: 'Ransomware on two workstations',
        opened_at: '2026-11-20T09:00:00.000Z',
        closed_at: '2026-11-20T11:30:00.000Z',
        speed: 60,
        first_note_at: '2026-11-20T09:06:00.000Z',
        stages: [
          {
            ...{ regime_id: 'nis2', regime_name: 'NIS 2', stage: 'EARLY_WARNING', number: 1, state: 'SENT' },
            due_at: '2026-11-20T09:24:00.000Z',
            sent_at: '2026-11-20T09:26:30.000Z',
            sent_by: 'a.rossi',
            late_seconds: 150,
          },
        ],
        reactions: [
          { user: 'a.rossi', action: 'NOTE_ADDED', at: '2026-11-20T09:06:00.000Z', seconds_after_opening: 360 },
        ],
      },
    },
    [`GET ${REHEARSAL_PATH}.pdf`]: {
      past: 'DRAFTS',
      data: 'rehearsalReport',
      operationId: 'downloadRehearsalReport',
      description: 'The report as a PDF document, the same once the rehearsal is closed. The download is recorded.',
      handler: 'rehearsal-report-pdf',
      costly: 'packs',
    },
  },
};
