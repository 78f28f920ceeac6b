import type { Route } from './route.js';
import { AUDIT_ROUTES, OWN_AUDIT_ROUTES } from './routes/audit.routes.js';
import { CLOUD_DEFENDER_ROUTES, ATB_KEY_ROUTES, THREAT_BLOCKER_ROUTES } from './routes/devices.routes.js';
import { DOCUMENTS_ROUTES, FILES_ROUTES, OSCAL_ROUTES } from './routes/documents.routes.js';
import { INCIDENT_RECORDS_ROUTES, INCIDENTS_ROUTES } from './routes/incidents.routes.js';
import { INTERFACE_ROUTES } from './routes/interface.routes.js';
import { INVITATIONS_ROUTES, INVITED_ROUTES } from './routes/invitations.routes.js';
import { MEMBERS_ROUTES, PROFILE_ROUTES } from './routes/members.routes.js';
import { REPORT_DRAFTS_ROUTES } from './routes/report-drafts.routes.js';
import { NOTIFICATIONS_ROUTES } from './routes/notifications.routes.js';
import { BRANDING_ROUTES, ORGANIZATIONS_ROUTES } from './routes/organizations.routes.js';
import { WEEKLY_REPORTS_ROUTES } from './routes/reports.routes.js';
import { PORTFOLIO_ROUTES } from './routes/portfolio.routes.js';
import { SEARCH_ROUTES } from './routes/search.routes.js';
import { ORGANIZATION_TOKENS_ROUTES, TOKENS_ROUTES } from './routes/tokens.routes.js';
import { WORKFLOWS_ROUTES } from './routes/workflows.routes.js';

/** The table of all paths under /api/v1, domain by domain. A path that is not in it is not found. */
export const ROUTES: readonly Route[] = [
  ...ORGANIZATIONS_ROUTES,
  ...MEMBERS_ROUTES,
  ...INVITATIONS_ROUTES,
  ...INVITED_ROUTES,
  ...PROFILE_ROUTES,
  ...OWN_AUDIT_ROUTES,
  ...TOKENS_ROUTES,
  ...ORGANIZATION_TOKENS_ROUTES,
  ...BRANDING_ROUTES,
  ...AUDIT_ROUTES,
  ...WORKFLOWS_ROUTES,
  ...DOCUMENTS_ROUTES,
  ...OSCAL_ROUTES,
  ...INCIDENTS_ROUTES,
  ...REPORT_DRAFTS_ROUTES,
  ...INCIDENT_RECORDS_ROUTES,
  ...CLOUD_DEFENDER_ROUTES,
  ...THREAT_BLOCKER_ROUTES,
  ...ATB_KEY_ROUTES,
  ...NOTIFICATIONS_ROUTES,
  ...WEEKLY_REPORTS_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...SEARCH_ROUTES,
  ...FILES_ROUTES,
  ...INTERFACE_ROUTES,
];
