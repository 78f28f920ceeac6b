import type { Route } from './route.js';
import { AUDIT_ROUTES, OWN_AUDIT_ROUTES } from './routes/audit.routes.js';
import { CONTROLS_ROUTES } from './routes/controls.routes.js';
import { CLOUD_DEFENDER_ROUTES, THREAT_BLOCKER_ROUTES } from './routes/devices.routes.js';
import { DOCUMENTS_ROUTES, EVIDENCE_PACK_ROUTES, FILES_ROUTES } from './routes/documents.routes.js';
import {
  INCIDENTS_ROUTES,
  INCIDENT_REPORTS_ROUTES,
  INCIDENT_NOTES_ROUTES,
  INCIDENT_TIMELINE_ROUTES,
  INCIDENT_ATTACHMENTS_ROUTES,
} from './routes/incidents.routes.js';
import { REPORT_DRAFTS_ROUTES, REPORTING_REGIMES_ROUTES } from './routes/report-drafts.routes.js';
import { OPTIONS_ROUTES, INTERFACE_ROUTES } from './routes/interface.routes.js';
import { INVITATIONS_ROUTES } from './routes/invitations.routes.js';
import { MEMBERS_ROUTES, PROFILE_ROUTES } from './routes/members.routes.js';
import { NOTIFICATIONS_ROUTES } from './routes/notifications.routes.js';
import { ORGANIZATION_LIFECYCLE_ROUTES } from './routes/organization-lifecycle.routes.js';
import { ORGANIZATIONS_ROUTES, SETTINGS_ROUTES, BRANDING_ROUTES } from './routes/organizations.routes.js';
import { WEEKLY_REPORTS_ROUTES } from './routes/reports.routes.js';
import { OSCAL_ROUTES } from './routes/oscal.routes.js';
import { PORTFOLIO_ROUTES } from './routes/portfolio.routes.js';
import { SEARCH_ROUTES } from './routes/search.routes.js';
import { TOKENS_ROUTES, TOKEN_RECOVERY_ROUTES, ORGANIZATION_TOKENS_ROUTES } from './routes/tokens.routes.js';
import { WORKFLOWS_ROUTES, WORKFLOW_IMPORTS_ROUTES } from './routes/workflows.routes.js';

/**
 * The table of all paths under /api/v1, domain by domain. A path that is not in it is not found.
 */
export const ROUTES: readonly Route[] = [
  ...ORGANIZATIONS_ROUTES,
  ...ORGANIZATION_LIFECYCLE_ROUTES,
  ...SETTINGS_ROUTES,
  ...MEMBERS_ROUTES,
  ...INVITATIONS_ROUTES,
  ...PROFILE_ROUTES,
  ...OWN_AUDIT_ROUTES,
  ...TOKENS_ROUTES,
  ...TOKEN_RECOVERY_ROUTES,
  ...ORGANIZATION_TOKENS_ROUTES,
  ...BRANDING_ROUTES,
  ...AUDIT_ROUTES,
  ...WORKFLOWS_ROUTES,
  ...CONTROLS_ROUTES,
  ...WORKFLOW_IMPORTS_ROUTES,
  ...DOCUMENTS_ROUTES,
  ...EVIDENCE_PACK_ROUTES,
  ...OSCAL_ROUTES,
  ...INCIDENTS_ROUTES,
  ...INCIDENT_REPORTS_ROUTES,
  ...REPORTING_REGIMES_ROUTES,
  ...REPORT_DRAFTS_ROUTES,
  ...INCIDENT_NOTES_ROUTES,
  ...INCIDENT_TIMELINE_ROUTES,
  ...INCIDENT_ATTACHMENTS_ROUTES,
  ...CLOUD_DEFENDER_ROUTES,
  ...THREAT_BLOCKER_ROUTES,
  ...NOTIFICATIONS_ROUTES,
  ...WEEKLY_REPORTS_ROUTES,
  ...PORTFOLIO_ROUTES,
  ...SEARCH_ROUTES,
  ...FILES_ROUTES,
  ...OPTIONS_ROUTES,
  ...INTERFACE_ROUTES,
];
