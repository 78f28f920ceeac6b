import { routesOf, type Route, type RouteGroup, type View } from './route.js';
import { AUDIT, OWN_AUDIT } from './routes/audit.routes.js';
import { ATB_KEY, CLOUD_DEFENDER, THREAT_BLOCKER } from './routes/devices.routes.js';
import { DOCUMENTS, FILES, OSCAL } from './routes/documents.routes.js';
import { EVENTS } from './routes/events.routes.js';
import { IDENTITY, SIGN_IN } from './routes/identity.routes.js';
import { ATTESTATIONS } from './routes/attestations.routes.js';
import { ENGAGEMENTS } from './routes/engagements.routes.js';
import { IMPORT_JOBS } from './routes/imports.routes.js';
import { INCIDENT_RECORDS, REHEARSALS } from './routes/incident-records.routes.js';
import { INCIDENTS } from './routes/incidents.routes.js';
import { REPORT_DRAFTS } from './routes/report-drafts.routes.js';
import { INTERFACE } from './routes/interface.routes.js';
import { INVITATIONS, INVITED, MEMBERS, PROFILE } from './routes/members.routes.js';
import { NOTIFICATIONS } from './routes/notifications.routes.js';
import { BRANDING, ORGANIZATIONS, WEEKLY_REPORTS } from './routes/organizations.routes.js';
import { PORTFOLIO, SEARCH } from './routes/portfolio.routes.js';
import { SCIM } from './routes/scim.routes.js';
import { SERVICE_ACCOUNTS } from './routes/service-accounts.routes.js';
import { ORGANIZATION_TOKENS, TOKENS } from './routes/tokens.routes.js';
import { WEBHOOKS } from './routes/webhooks.routes.js';
import { WORKFLOWS } from './routes/workflows.routes.js';

/** All paths under /api/v1, in the order of the interface description. */
const GROUPS: readonly RouteGroup[] = [
  ...[ORGANIZATIONS, MEMBERS, INVITATIONS, INVITED, PROFILE, OWN_AUDIT, TOKENS, ORGANIZATION_TOKENS, BRANDING, AUDIT],
  ...[IDENTITY, SIGN_IN, SCIM, SERVICE_ACCOUNTS, ENGAGEMENTS],
  ...[
    WORKFLOWS,
    ATTESTATIONS,
    DOCUMENTS,
    OSCAL,
    IMPORT_JOBS,
    INCIDENTS,
    REPORT_DRAFTS,
    REHEARSALS,
    INCIDENT_RECORDS,
    CLOUD_DEFENDER,
    THREAT_BLOCKER,
    ATB_KEY,
  ],
  ...[EVENTS, WEBHOOKS, NOTIFICATIONS, WEEKLY_REPORTS, PORTFOLIO, SEARCH, FILES, INTERFACE],
];

/** A path that is not in it is not found. */
export const ROUTES: readonly Route[] = GROUPS.flatMap(routesOf);

/** Each view is declared with the routes of its domain. */
export const VIEWS: Readonly<Record<string, View>> = Object.assign({}, ...GROUPS.map(({ views }) => views));

/** Examples of types of the core, for the interface description. */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object.assign(
  {},
  ...GROUPS.map(({ examples }) => examples),
);
