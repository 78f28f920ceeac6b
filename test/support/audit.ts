import type { Database } from '../../src/database/database.js';
import { record, type AuditEvent } from '../../src/services/audit/record.js';
import type { Actor } from '../../src/auth/caller.js';

const JOB: Actor = { kind: 'system', name: 'tests.record' };

/** Appends an entry to the audit trail of an organization, about an incident unless said otherwise. */
export function buildAuditEntry(
  database: Database,
  organizationId: number,
  event: Partial<Omit<AuditEvent, 'organizationId' | 'userId'>> = {},
  actor: Actor = JOB,
): Promise<void> {
  const subject = { type: 'INCIDENT', id: 1, name: 'Phishing wave' } as const;
  return record(database, actor, { organizationId, action: 'INCIDENT_OPENED', at: new Date(), subject, ...event });
}
