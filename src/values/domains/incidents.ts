import { allows, toAuditors, toMembers } from './domain.js';

const PATH = 'v-ciso/incidents/{organization}';

export const INCIDENTS = {
  privileges: {
    ...allows('VIEWER', 'read', {
      READ_INCIDENTS: 'Read incidents and their attachments.',
    }),
    ...allows('SECURITY_ANALYST', 'write', {
      EDIT_INCIDENTS: 'Open and edit incidents.',
      // Specification 4.3.
      ATTACH_FILES: 'Attach files to incidents.',
    }),
    ...allows('SECURITY_OFFICER', 'write', {
      CORRECT_REPORTS:
        'Correct or take back recorded reports, record one as not due, and change what puts a report off.',
      REOPEN_INCIDENTS: 'Open closed incidents again.',
    }),
  },
  subjects: {
    INCIDENT: { text: 'An incident; its number.', path: `${PATH}/{id}` },
    INCIDENT_ATTACHMENT: { text: 'A file of an incident; its number.', path: `${PATH}/{parent}/attachments/{id}` },
  },
  actions: {
    INCIDENT_OPENED: toMembers('incident.opened', 'An incident was opened.'),
    INCIDENT_UPDATED: toMembers('incident.updated', 'An incident was changed.'),
    INCIDENT_ASSESSED: toMembers('incident.assessed', 'Whether an incident is significant was assessed by questions.'),
    INCIDENT_CLOSED: toMembers('incident.closed', 'An incident was closed.'),
    INCIDENT_REOPENED: toMembers('incident.reopened', 'A closed incident was opened again.'),
    INCIDENT_REJUDGED: toMembers(
      'incident.rejudged',
      'An incident was judged anew, by the facts of its organization at that moment.',
    ),
    REPORT_RECORDED: toMembers(
      'incident.report_recorded',
      'It was recorded that a report of an incident was sent, provided already, or is not due.',
    ),
    REPORT_CORRECTED: toMembers('incident.report_corrected', 'What was recorded about a report was corrected.'),
    REPORT_DRAFT_DOWNLOADED: toAuditors(
      'incident.report_draft_downloaded',
      'The draft of a report was downloaded for printing.',
    ),
    REHEARSAL_REPORT_DOWNLOADED: toAuditors(
      'incident.rehearsal_report_downloaded',
      'The report of a rehearsal was downloaded.',
    ),
    REPORT_DUE_SOON: toMembers('incident.report_due_soon', 'The deadline of a report is near.'),
    REPORT_OVERDUE: toMembers(
      'incident.report_overdue',
      'The deadline of a report passed, and the report is not recorded as sent.',
    ),
    ATTACHMENT_ADDED: toMembers('incident.attachment_added', 'A file was attached to an incident.'),
    ATTACHMENT_DELETED: toMembers('incident.attachment_deleted', 'A file of an incident was deleted.'),
    ATTACHMENT_DOWNLOADED: toAuditors(
      'incident.attachment_downloaded',
      'A file of an incident was downloaded by its signed address.',
    ),
    NOTE_ADDED: toMembers('incident.note_added', 'A note was added to an incident.'),
  },
} as const;
