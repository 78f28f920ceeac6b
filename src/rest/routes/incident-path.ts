import { pathId } from '../parameters.js';

/** What the routes of incidents, of their reports and of their files have in common. */
export const INCIDENTS_PATH = '/api/v1/v-ciso/incidents/{organizationid}';
export const INCIDENT_PATH = `${INCIDENTS_PATH}/{incidentid}`;

export const ORGANIZATION = pathId('organizationid', 'Whose incident it is.');
export const incidentParameters = (example: number) => [ORGANIZATION, pathId('incidentid', 'The incident.', example)];
export const INCIDENT_PARAMETERS = incidentParameters(2);

export const INCIDENT_EXAMPLE = {
  id: 12,
  organization: { id: 1, name: 'Rossi Energia S.p.A.', logo: 'https://www.rossi-energia.example/logo.png' },
  title: 'Phishing wave',
  description: 'Several mailboxes were taken over.',
  severity: 'HIGH',
  status: 'CONTAINED',
  significant: true,
  aware_at: '2026-11-19T08:15:30.000Z',
  clock: {
    applies: true,
    early_warning: {
      state: 'SENT',
      due_at: '2026-11-20T08:15:30.000Z',
      sent_at: '2026-11-19T16:00:00.000Z',
      sent_by: 'a.rossi',
    },
    notification: { state: 'PENDING', due_at: '2026-11-22T08:15:30.000Z', sent_at: null, sent_by: null },
    final_report: { state: 'PENDING', due_at: null, sent_at: null, sent_by: null },
  },
  opened_by: 'l.bianchi',
  created_at: '2026-11-19T08:20:00.000Z',
  updated_at: '2026-11-19T16:00:00.000Z',
  closed_at: null,
  closed_by: null,
};
