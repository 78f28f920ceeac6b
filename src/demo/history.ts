import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../auth/caller.js';
import { insertSelect, type Queryable, sql, statement, table } from '../database/sql.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { DocumentVersion } from '../entities/documents.js';
import { Incident, IncidentReport } from '../entities/incidents.js';
import { Membership, User } from '../entities/members.js';
import { Organization } from '../entities/organizations.js';
import { ControlState, OrganizationWorkflow } from '../entities/workflows.js';
import { PersonalValue } from '../services/audit/personal-values.js';
import { record, type AuditFacts, type AuditSubject, type FieldChange } from '../services/audit/record.js';
import { fileChanges, versionSubject } from '../services/audit/subjects.js';
import { controlOf, type WorkflowCatalog } from '../services/workflows/catalog.js';
import type { FixtureLoader } from './fixture-loader.js';

/** What a member did; undefined is the owner of the organization. */
interface PastEvent {
  by: User | undefined;
  event: AuditFacts & { organizationId: number; subject: AuditSubject };
}

/** Records how the organizations came to what fixtures give them, oldest first. No member is notified of it. */
export async function recordHistory(
  tx: Queryable,
  em: EntityManager,
  { fixtures, catalog }: { fixtures: FixtureLoader; catalog: WorkflowCatalog },
): Promise<void> {
  const users = await em.find(User, {}, { populate: ['personalKey'] });
  const owners = new Map(
    fixtures
      .all(Membership)
      .filter(({ role }) => role === 'ORGANIZATION_OWNER')
      .map(({ organization, user }) => [organization.id, user]),
  );
  const events = [
    ...organizationEvents(fixtures),
    ...memberEvents(fixtures),
    ...workflowEvents(fixtures, catalog),
    ...documentEvents(fixtures, users),
    ...incidentEvents(fixtures, users),
    ...reportEvents(fixtures, users),
    ...deviceEvents(fixtures),
  ].toSorted((one, other) => one.event.at.getTime() - other.event.at.getTime());
  for (const { by, event } of events) {
    const user = by ?? owners.get(event.organizationId);
    if (user === undefined) throw new Error('An organization of the demo has no owner');
    const actor: Actor = { kind: 'user', userId: user.id, personalKey: user.personalKey ?? null };
    await record(tx, actor, event);
  }
  for (const consumer of ['notifications', 'mails']) await consumeAll.all(tx, { consumer });
}

const l = table('audit_log', 'l');

const consumeAll = statement<{ consumer: string }>()(
  (p) => sql`
    ${insertSelect('event_consumer', { consumer: p('consumer'), log_id: l.id, position: l.position })} from ${l.table}`,
);

function organizationEvents(fixtures: FixtureLoader): PastEvent[] {
  return fixtures.all(Organization).flatMap(({ id, name, createdAt, deletedAt }) => {
    const common = { organizationId: id, subject: { type: 'ORGANIZATION', id, name } } as const;
    const created = { ...common, action: 'ORGANIZATION_CREATED', at: createdAt, changes: added({ name }) } as const;
    const deleted = deletedAt && ({ ...common, action: 'ORGANIZATION_DELETED', at: deletedAt } as const);
    return [created, ...(deleted ? [deleted] : [])].map((event) => ({ by: undefined, event }));
  });
}

function memberEvents(fixtures: FixtureLoader): PastEvent[] {
  return fixtures
    .all(Membership)
    .filter(({ role }) => role !== 'ORGANIZATION_OWNER')
    .map(({ organization, user, role, createdAt }) => {
      const subject = { type: 'MEMBER', id: user.id, name: new PersonalValue(user.id, user.username) } as const;
      const facts = { action: 'MEMBER_JOINED', at: createdAt, changes: added({ role }) } as const;
      return { by: user, event: { ...facts, organizationId: organization.id, subject } };
    });
}

function workflowEvents(fixtures: FixtureLoader, catalog: WorkflowCatalog): PastEvent[] {
  const associated = fixtures.all(OrganizationWorkflow).map(({ organization, workflowId, createdAt: at }) => {
    const subject = { type: 'WORKFLOW', id: workflowId, name: catalog.find(workflowId)?.name ?? '' } as const;
    const event = { action: 'WORKFLOW_ASSOCIATED', at, organizationId: organization.id, subject } as const;
    return { by: undefined, event };
  });
  const changed = fixtures.all(ControlState).map((state) => {
    const { organization, workflowId, controlId, status, justification, inclusionReason, note } = state;
    const { owner, dueDate, updatedAt } = state;
    const workflow = catalog.find(workflowId);
    const subject = {
      type: 'CONTROL',
      id: `${workflowId}/${controlId}`,
      name: (workflow && controlOf(workflow, controlId)?.label) ?? '',
      parent: { type: 'WORKFLOW', id: workflowId },
    } as const;
    const changes = added({ status, justification, inclusionReason, note, ownerId: owner?.id, dueDate });
    const facts = { action: 'CONTROL_UPDATED', at: updatedAt, changes } as const;
    return { by: owner ?? undefined, event: { ...facts, organizationId: organization.id, subject } };
  });
  return [...associated, ...changed];
}

function documentEvents(fixtures: FixtureLoader, users: readonly User[]): PastEvent[] {
  return fixtures.all(DocumentVersion).map((version) => {
    const { id, organization, workflowId, artifactId, originalName: filename, sha256, size, createdAt } = version;
    const by = named(users, version.createdBy);
    const subject = versionSubject({ id, filename, workflowId, artifactId });
    const changes = fileChanges({ filename, sha256, size, uploader: by?.id ?? null }, 'after');
    const facts = { action: 'DOCUMENT_UPLOADED', at: createdAt, changes } as const;
    return { by, event: { ...facts, organizationId: organization.id, subject } };
  });
}

function incidentEvents(fixtures: FixtureLoader, users: readonly User[]): PastEvent[] {
  return fixtures.all(Incident).flatMap((incident) => {
    const { id, organization, title, description, severity, awareAt, significant, createdAt, closedAt } = incident;
    const common = { organizationId: organization.id, subject: { type: 'INCIDENT', id, name: title } } as const;
    const changes = added({ title, description, severity, status: 'OPEN', awareAt, significant });
    const opened = { ...common, action: 'INCIDENT_OPENED', at: createdAt, changes } as const;
    const events: PastEvent[] = [{ by: named(users, incident.openedBy), event: opened }];
    if (closedAt == null) return events;
    const status = { status: { before: 'OPEN', after: 'CLOSED' } };
    const closed = { ...common, action: 'INCIDENT_CLOSED', at: closedAt, changes: status } as const;
    return [...events, { by: named(users, incident.closedBy), event: closed }];
  });
}

function reportEvents(fixtures: FixtureLoader, users: readonly User[]): PastEvent[] {
  return fixtures.all(IncidentReport).map((report) => {
    const { organization, incident, regimeId, stage, number, recipient, reference, reason, recordedAt: at } = report;
    const sentAt = report.sentAt?.toISOString();
    const subject = { type: 'INCIDENT', id: incident.id, name: incident.title } as const;
    const action = reason === '' ? 'REPORT_RECORDED' : 'REPORT_CORRECTED';
    const changes = added({ regimeId, stage, number, sentAt, recipient, reference });
    const facts = { action, at, changes, ...(reason !== '' && { reason }) } as const;
    return { by: named(users, report.recordedBy), event: { ...facts, organizationId: organization.id, subject } };
  });
}

function deviceEvents(fixtures: FixtureLoader): PastEvent[] {
  const devices = [
    ...fixtures.all(CloudDefender).map((device) => ({ type: 'CLOUD_DEFENDER', device, name: device.fqdn }) as const),
    ...fixtures
      .all(ThreatBlocker)
      .map((device) => ({ type: 'THREAT_BLOCKER', device, name: device.deviceId }) as const),
  ];
  return devices.flatMap(({ type, device: { id, organization, createdAt, deletedAt, endpoint, services }, name }) => {
    const common = { organizationId: organization.id, subject: { type, id, name } };
    const created = {
      ...common,
      action: 'DEVICE_CREATED',
      at: createdAt,
      changes: added({ endpoint, services }),
    } as const;
    const deleted = deletedAt && ({ ...common, action: 'DEVICE_DELETED', at: deletedAt } as const);
    return [created, ...(deleted ? [deleted] : [])].map((event) => ({ by: undefined, event }));
  });
}

function named(users: readonly User[], username: string | null | undefined): User | undefined {
  return users.find((user) => user.username === username);
}

/** Of something new; what is empty is left out. */
function added(values: Record<string, unknown>): Record<string, FieldChange> {
  const given = Object.entries(values).filter(([, value]) => value != null && value !== '');
  return Object.fromEntries(given.map(([field, after]) => [field, { after }]));
}
