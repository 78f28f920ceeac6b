import type { Route } from './route.js';
import { ORGANIZATIONS_ROUTES } from './routes/organizations.js';
import { ORGANIZATION_LIFECYCLE_ROUTES } from './routes/organization-lifecycle.js';
import { SETTINGS_ROUTES } from './routes/settings.js';
import { MEMBERS_ROUTES } from './routes/members.js';
import { INVITATIONS_ROUTES } from './routes/invitations.js';
import { TOKENS_ROUTES } from './routes/tokens.js';
import { TOKEN_RECOVERY_ROUTES } from './routes/token-recovery.js';
import { ORGANIZATION_TOKENS_ROUTES } from './routes/organization-tokens.js';
import { PROFILE_ROUTES } from './routes/profile.js';
import { BRANDING_ROUTES } from './routes/branding.js';
import { WORKFLOWS_ROUTES } from './routes/workflows.js';
import { WORKFLOW_IMPORTS_ROUTES } from './routes/workflow-imports.js';
import { CONTROLS_ROUTES } from './routes/controls.js';
import { DOCUMENTS_ROUTES } from './routes/documents.js';
import { EVIDENCE_PACK_ROUTES } from './routes/evidence-pack.js';
import { INCIDENTS_ROUTES } from './routes/incidents.js';
import { INCIDENT_REPORTS_ROUTES } from './routes/incident-reports.js';
import { INCIDENT_ATTACHMENTS_ROUTES } from './routes/incident-attachments.js';
import { CLOUD_DEFENDER_ROUTES } from './routes/cloud-defender.js';
import { THREAT_BLOCKER_ROUTES } from './routes/threat-blocker.js';
import { NOTIFICATIONS_ROUTES } from './routes/notifications.js';
import { WEEKLY_REPORTS_ROUTES } from './routes/weekly-reports.js';
import { SEARCH_ROUTES } from './routes/search.js';
import { FILES_ROUTES } from './routes/files.js';
import { OPTIONS_ROUTES } from './routes/options.js';
import { INTERFACE_ROUTES } from './routes/interface.js';

/**
 * THE table: every path under /api/v1, noun by noun. What is not in it is not found, whoever asks.
 */
export const ROUTES: readonly Route[] = [
  ...ORGANIZATIONS_ROUTES,
  ...ORGANIZATION_LIFECYCLE_ROUTES,
  ...SETTINGS_ROUTES,
  ...MEMBERS_ROUTES,
  ...INVITATIONS_ROUTES,
  ...PROFILE_ROUTES,
  ...TOKENS_ROUTES,
  ...TOKEN_RECOVERY_ROUTES,
  ...ORGANIZATION_TOKENS_ROUTES,
  ...BRANDING_ROUTES,
  ...WORKFLOWS_ROUTES,
  ...CONTROLS_ROUTES,
  ...WORKFLOW_IMPORTS_ROUTES,
  ...DOCUMENTS_ROUTES,
  ...EVIDENCE_PACK_ROUTES,
  ...INCIDENTS_ROUTES,
  ...INCIDENT_REPORTS_ROUTES,
  ...INCIDENT_ATTACHMENTS_ROUTES,
  ...CLOUD_DEFENDER_ROUTES,
  ...THREAT_BLOCKER_ROUTES,
  ...NOTIFICATIONS_ROUTES,
  ...WEEKLY_REPORTS_ROUTES,
  ...SEARCH_ROUTES,
  ...FILES_ROUTES,
  ...OPTIONS_ROUTES,
  ...INTERFACE_ROUTES,
];
