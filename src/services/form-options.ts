import { hash } from 'node:crypto';
import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import { ROLE_LADDER } from '../access/roles.js';
import { BRANDING_DEFAULTS } from '../vocabulary/branding-defaults.js';
import { CHECK_STATUSES } from '../vocabulary/check-statuses.js';
import { CONTROL_STATUSES } from '../vocabulary/control-statuses.js';
import { DEVICE_KINDS } from '../vocabulary/device-kinds.js';
import { DOCUMENT_SOURCES } from '../vocabulary/document-sources.js';
import { fileKinds } from '../vocabulary/file-kinds.js';
import { FRAMEWORKS } from '../vocabulary/frameworks.js';
import { INCIDENT_REPORT_STAGES } from '../vocabulary/incident-reports.js';
import { INCIDENT_STATUSES } from '../vocabulary/incident-statuses.js';
import { INDUSTRIES } from '../vocabulary/industries.js';
import { INFRASTRUCTURES } from '../vocabulary/infrastructures.js';
import { LIMITS } from '../vocabulary/limits.js';
import { NIS2_SECTORS } from '../vocabulary/nis2-sectors.js';
import { NOTIFICATION_ACTIONS } from '../vocabulary/notification-actions.js';
import { NOTIFICATION_TYPES } from '../vocabulary/notification-types.js';
import { SCOPES } from '../vocabulary/scopes.js';
import { SECTORS } from '../vocabulary/sectors.js';
import { SETTING_DEFAULTS } from '../vocabulary/setting-defaults.js';
import { SEVERITIES } from '../vocabulary/severities.js';
import { wireName } from '../vocabulary/wire-name.js';
import { LOGO_KINDS } from './logos.js';
import type { Quotas } from './quotas.js';

/** All that a form can offer: the same for everybody, for as long as this version of ours runs. */
const OPTIONS = {
  sectors: SECTORS,
  industries: INDUSTRIES,
  nis2Sectors: NIS2_SECTORS,
  complianceFrameworks: FRAMEWORKS,
  infrastructures: INFRASTRUCTURES,
  roles: ROLE_LADDER,
  tokenScopes: SCOPES,
  notificationTypes: NOTIFICATION_TYPES,
  notificationActions: NOTIFICATION_ACTIONS,
  severities: SEVERITIES,
  incidentStatuses: INCIDENT_STATUSES,
  incidentReportStages: INCIDENT_REPORT_STAGES,
  controlStatuses: CONTROL_STATUSES,
  deviceKinds: DEVICE_KINDS,
  checkStatuses: Object.entries(CHECK_STATUSES).map(([name, value]) => ({ name, value })),
  documentSources: DOCUMENT_SOURCES,
  fileTypes: fileKinds,
  logoTypes: fileKinds.filter(({ name }) => Object.hasOwn(LOGO_KINDS, name)),
  timeZones: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')],
  settings: SETTING_DEFAULTS,
  branding: BRANDING_DEFAULTS,
  limits: Object.entries(LIMITS).flatMap(([subject, limits]) =>
    Object.entries(limits).map(([name, value]: [string, number]) => ({
      name: `${wireName(subject)}.${wireName(name)}`,
      value,
    })),
  ),
};

/** With what the operator has set: the same for as long as this process runs. */
function answerWith(quotas: Quotas) {
  const set = Object.entries(quotas).filter(([, value]) => Number.isFinite(value));
  const limits = [...OPTIONS.limits, ...set.map(([name, value]) => ({ name: `quota.${wireName(name)}`, value }))];
  const options = { ...OPTIONS, limits };
  return Object.freeze({ ...options, revision: hash('sha256', JSON.stringify(options), 'base64url') });
}

/** Value lists, roles, types and limits, so that no frontend copies them. */
export class FormOptionsService {
  private readonly answer: ReturnType<typeof answerWith>;

  constructor(
    private readonly access: Access,
    quotas: Quotas,
  ) {
    this.answer = answerWith(quotas);
  }

  /**
   * The same for every caller, with a `revision` that changes with what is in it. Throws UNAUTHENTICATED, or FORBIDDEN
   * without the scope `read`.
   */
  read(caller: Caller): ReturnType<typeof answerWith> {
    this.access.authorizeSelf(caller, 'read');
    return this.answer;
  }
}
