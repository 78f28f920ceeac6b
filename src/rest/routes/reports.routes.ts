import { routesAbout } from '../route.js';

export const WEEKLY_REPORTS_ROUTES = routesAbout({ tag: 'Organizations' }, [
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/weekly-report',
    operationId: 'previewWeeklyReport',
    source: 'specification 2.2',
    summary: 'Preview the weekly report of an organization',
    description:
      'The mail that contacts with `email_report` get, as it would go out now. The caller manages the organization.',
    data: 'weeklyReportPreview',
    view: 'WeeklyReportPreview',
    example: {
      week: '2026-W47',
      subject: 'Rossi Energia S.p.A.: weekly security report, week 47 of 2026',
      html: '<!doctype html>…',
      text: 'Hello,\n\nthis is the security report of Rossi Energia S.p.A. for week 47 of 2026 …',
    },
  },
  {
    method: 'GET',
    path: '/api/v1/organizations/{organizationid}/weekly-report/deliveries',
    operationId: 'listWeeklyReportDeliveries',
    source: 'specification 2.2',
    summary: 'List what became of weekly reports',
    description: 'One item for each report to each contact, the newest first. The caller manages the organization.',
    data: 'organization.weeklyReportDeliveries.nodes',
    view: 'WeeklyReportDelivery',
    parameters: 'limit offset week state',
    examples: { week: '2026-W47' },
    example: {
      id: 51,
      week: '2026-W47',
      email: 'anna@rossi-energia.example',
      state: 'SENT',
      attempts: 1,
      created_at: '2026-11-16T07:00:20.000Z',
      sent_at: '2026-11-16T07:00:22.000Z',
      last_error: null,
    },
  },
]);
