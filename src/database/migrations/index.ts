import { AuditRetention } from './audit-retention.js';
import { AuditTrail } from './audit-trail.js';
import { DeviceReportMonths } from './device-report-months.js';
import { EvidenceReminders } from './evidence-reminders.js';
import { EventConsumers } from './event-consumers.js';
import { EvidenceFreshness } from './evidence-freshness.js';
import { IncidentNotes } from './incident-notes.js';
import { InclusionReasons } from './inclusion-reasons.js';
import { Initial } from './initial.js';
import { MailAllowance } from './mail-allowance.js';
import { MailPreferences } from './mail-preferences.js';
import { ReportingRegimes } from './reporting-regimes.js';
import { SearchIndexes } from './search-indexes.js';
import { SearchableColumns } from './searchable-columns.js';
import { TokenAddresses } from './token-addresses.js';
import { VisiblePages } from './visible-pages.js';
import { WeeklyReportDue } from './weekly-report-due.js';

/** Every migration, in order. */
export const migrations = [
  { name: 'Initial', class: Initial },
  { name: 'AuditTrail', class: AuditTrail },
  { name: 'EventConsumers', class: EventConsumers },
  { name: 'MailPreferences', class: MailPreferences },
  { name: 'AuditRetention', class: AuditRetention },
  { name: 'TokenAddresses', class: TokenAddresses },
  { name: 'DeviceReportMonths', class: DeviceReportMonths },
  { name: 'ReportingRegimes', class: ReportingRegimes },
  { name: 'SearchableColumns', class: SearchableColumns },
  { name: 'IncidentNotes', class: IncidentNotes },
  { name: 'EvidenceFreshness', class: EvidenceFreshness },
  { name: 'MailAllowance', class: MailAllowance },
  { name: 'EvidenceReminders', class: EvidenceReminders },
  { name: 'WeeklyReportDue', class: WeeklyReportDue },
  { name: 'SearchIndexes', class: SearchIndexes },
  { name: 'InclusionReasons', class: InclusionReasons },
  { name: 'VisiblePages', class: VisiblePages },
];
