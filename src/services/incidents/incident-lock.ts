import type { Queryable } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { conflict, notFound } from '../../errors.js';
import type { IncidentStatus, Severity } from '../../values/enums.js';

import type { IncidentClockFacts } from './reporting-clock.js';

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

/** What rules need to know of an incident. */
export const INCIDENT_FACTS = [
  'i.id',
  'i.organization_id as organizationId',
  'i.title',
  'i.description',
  'i.severity',
  'i.status',
  'i.significant',
  'i.aware_at as awareAt',
  'i.early_warning_sent_at as earlyWarningSentAt',
  'i.early_warning_sent_by as earlyWarningSentBy',
  'i.notification_sent_at as notificationSentAt',
  'i.notification_sent_by as notificationSentBy',
  'i.final_report_sent_at as finalReportSentAt',
  'i.final_report_sent_by as finalReportSentBy',
] as const;

const lock = statement<IncidentKey>()((p) =>
  db
    .selectFrom('incident as i')
    .select(INCIDENT_FACTS)
    .where('i.id', '=', p('incidentId'))
    .where('i.organization_id', '=', p('organizationId'))
    .forNoKeyUpdate(),
);

/**
 * Locks an incident: what may be done with it is decided by one transaction at a time. Throws NOT_FOUND. The lock is the
 * weaker one, so that files are attached meanwhile.
 */
export async function lockIncident(tx: Queryable, key: IncidentKey): Promise<LockedIncident> {
  const incident = await lock.first(tx, key);
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
