import { hash } from 'node:crypto';
import type { Caller } from '../../auth/caller.js';
import { ROLE_LADDER } from '../../auth/roles.js';
import type { Foundation } from '../foundation.js';
import {
  BRANDING_DEFAULTS,
  CHECK_STATUSES,
  CONTROL_STATUSES,
  DEVICE_KINDS,
  DOCUMENT_SOURCES,
  FRAMEWORKS,
  INCIDENT_REPORT_STAGES,
  INCIDENT_STATUSES,
  INFRASTRUCTURES,
  NOTIFICATION_ACTIONS,
  NOTIFICATION_TYPES,
  TOKEN_SCOPES,
  SETTING_DEFAULTS,
  SEVERITIES,
} from '../../values/enums.js';
import { fileKinds } from '../../values/file-types.js';
import { INDUSTRIES, NIS2_SECTORS, SECTORS } from '../../values/sectors.js';
import { LANGUAGES, languageOf, type Language } from '../../messages/language.js';
import { LIMITS } from '../../values/limits.js';
import { TIME_ZONES } from '../../values/time-zones.js';
import { toSnakeCase } from '../../common/naming.js';
import { logoTypes } from './logo.js';
import type { Config } from '../../config.js';

/** Values of GraphQL with their labels. */
const labelled = (spellings: readonly string[]) => spellings.map((label) => ({ value: label, label }));

/** All options of forms: the same for all callers of this version. */
const OPTIONS = {
  sectors: labelled(SECTORS),
  industries: labelled(INDUSTRIES),
  nis2Sectors: labelled(NIS2_SECTORS.filter((sector) => sector !== '')),
  complianceFrameworks: FRAMEWORKS.map((framework) => ({ ...framework, label: framework.value })),
  infrastructures: labelled(INFRASTRUCTURES),
  roles: ROLE_LADDER,
  tokenScopes: TOKEN_SCOPES,
  notificationTypes: NOTIFICATION_TYPES,
  notificationActions: NOTIFICATION_ACTIONS,
  severities: SEVERITIES,
  incidentStatuses: INCIDENT_STATUSES,
  incidentReportStages: INCIDENT_REPORT_STAGES,
  controlStatuses: CONTROL_STATUSES,
  deviceKinds: labelled(DEVICE_KINDS),
  checkStatuses: Object.entries(CHECK_STATUSES).map(([name, value]) => ({ name, value })),
  documentSources: DOCUMENT_SOURCES,
  fileTypes: fileKinds,
  logoTypes,
  timeZones: TIME_ZONES,
  languages: LANGUAGES.map((tag) => ({ tag, name: languageOf(tag).name })),
  settings: SETTING_DEFAULTS,
  branding: BRANDING_DEFAULTS,
  limits: Object.entries(LIMITS).flatMap(([subject, limits]) =>
    Object.entries(limits).map(([name, value]: [string, number]) => ({
      name: `${toSnakeCase(subject)}.${toSnakeCase(name)}`,
      value,
    })),
  ),
};

const LINK_MINUTES = 'document.download_link_minutes';

type Configured = Pick<Config, 'quotas' | 'downloadLinkMinutes'>;

/** With the operator's settings: constant for this process. */
function answerWith({ quotas, downloadLinkMinutes }: Configured, language: Language) {
  const set = Object.entries(quotas).filter(([, value]) => Number.isFinite(value));
  const limits = [
    ...OPTIONS.limits.filter(({ name }) => name !== LINK_MINUTES),
    { name: LINK_MINUTES, value: downloadLinkMinutes },
    ...set.map(([name, value]) => ({ name: `quota.${toSnakeCase(name)}`, value })),
  ];
  const options = { ...OPTIONS, limits, labels: language.valueLabels() };
  return Object.freeze({ ...options, revision: hash('sha256', JSON.stringify(options), 'base64url') });
}

/** Value lists, roles, types and limits, so that no frontend copies them. */
export class FormOptionsService {
  private readonly answers: ReadonlyMap<Language, ReturnType<typeof answerWith>>;

  constructor(private readonly deps: Pick<Foundation, 'access' | 'config'>) {
    const { config } = deps;
    this.answers = new Map(LANGUAGES.map(languageOf).map((language) => [language, answerWith(config, language)]));
  }

  /**
   * The same for every caller, with labels in a language and a `revision` that changes with the content. Throws
   * UNAUTHENTICATED, or FORBIDDEN without the scope `read`.
   */
  read(caller: Caller, language: Language): ReturnType<typeof answerWith> {
    this.deps.access.authorizeToken(caller, 'read');
    return this.answers.get(language)!;
  }
}
