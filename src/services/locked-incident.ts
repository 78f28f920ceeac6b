import type { QueryResultRow } from 'pg';
import type { Queryable } from '../database/database.js';
import { conflict, notFound } from '../errors.js';
import type { IncidentStatus } from '../vocabulary/incident-statuses.js';
import type { Severity } from '../vocabulary/severities.js';
import type { IncidentClockFacts } from './incident-clock.js';

export interface IncidentKey {
  organizationId: number;
  incidentId: number;
}

/** An incident as it stays until the transaction ends. */
export interface LockedIncident extends IncidentClockFacts {
  id: number;
  organizationId: number;
  title: string;
  description: string;
  severity: Severity;
  status: IncidentStatus;
}

/** What rules are told of an incident, as a select list; its alias is `i`. */
export const INCIDENT_FACTS = `
  i.id, i.organization_id as "organizationId", i.title, i.description, i.severity, i.status, i.significant,
  i.aware_at as "awareAt",
  i.early_warning_sent_at as "earlyWarningSentAt", i.early_warning_sent_by as "earlyWarningSentBy",
  i.notification_sent_at as "notificationSentAt", i.notification_sent_by as "notificationSentBy",
  i.final_report_sent_at as "finalReportSentAt", i.final_report_sent_by as "finalReportSentBy"`;

const LOCK = `select ${INCIDENT_FACTS} from incident i where i.id = $1 and i.organization_id = $2 for no key update`;

/**
 * Waits for whoever else is at this incident: what may be done with it is decided by one at a time. Throws NOT_FOUND.
 * The lock is the weaker one, so that files are attached meanwhile.
 */
export async function lockIncident(
  tx: Queryable,
  { organizationId, incidentId }: IncidentKey,
): Promise<LockedIncident> {
  const [incident] = await tx.rows<LockedIncident & QueryResultRow>(LOCK, [incidentId, organizationId]);
  if (incident === undefined) throw notFound();
  return incident;
}

/** Like `lockIncident`; an incident that is closed is CONFLICT: it has to be opened again before it is changed. */
export async function lockOpenIncident(tx: Queryable, key: IncidentKey): Promise<LockedIncident> {
  const incident = await lockIncident(tx, key);
  if (incident.status === 'CLOSED') throw conflict();
  return incident;
}

/** Where the pages of an incident are, as a relative link. */
export function incidentHref({ id, organizationId }: Pick<LockedIncident, 'id' | 'organizationId'>): string {
  return `/organizations/${organizationId}/incidents/${id}`;
}
