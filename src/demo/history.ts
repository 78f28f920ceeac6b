import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../auth/caller.js';
import { insertSelect, type Queryable, sql, statement, table } from '../database/sql.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { DocumentVersion } from '../entities/documents.js';
import { Incident, IncidentReport } from '../entities/incidents.js';
import { Membership, ServiceAccount, User } from '../entities/members.js';
import { Organization } from '../entities/organizations.js';
import { ControlState, OrganizationWorkflow } from '../entities/workflows.js';
import { PersonalValue } from '../services/audit/personal-values.js';
import { NOTIFYING, record, type AuditFacts, type AuditSubject, type FieldChange } from '../services/audit/record.js';
import { fileChanges, versionSubject } from '../services/audit/subjects.js';
import { controlOf, type WorkflowCatalog } from '../services/workflows/catalog.js';
import type { FixtureLoader } from './fixture-loader.js';

/** What a member did; without one it was the owner of the organization. */
type PastEvent = AuditFacts & { by?: User | null | undefined; organizationId: number; subject: AuditSubject };

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
    ...serviceAccountEvents(fixtures),
    ...workflowEvents(fixtures, catalog),
    ...documentEvents(fixtures, users),
    ...incidentEvents(fixtures, users),
    ...reportEvents(fixtures, users),
    ...deviceEvents(fixtures),
  ].toSorted((one, other) => one.at.getTime() - other.at.getTime());
  for (const { by, ...event } of events) {
    const user = by ?? owners.get(event.organizationId);
    if (user === undefined) throw new Error('An organization of the demo has no owner');
    const actor: Actor = { kind: 'user', userId: user.id, personalKey: user.personalKey ?? null };
    await record(tx, actor, event);
  }
  for (const consumer of NOTIFYING) await consumeAll.all(tx, { consumer });
}

const l = table('audit_log', 'l');

const consumeAll = statement<{ consumer: string }>()(
  (p) => sql`
    ${insertSelect('event_consumer', { consumer: p('consumer'), log_id: l.id, position: l.position })} from ${l.table}`,
);

function organizationEvents(fixtures: FixtureLoader): PastEvent[] {
  return fixtures.all(Organization).flatMap(({ id, name, createdAt, deletedAt }) => {
    const common = { organizationId: id, subject: { type: 'ORGANIZATION', id, name } } as const;
    const created: PastEvent = { ...common, action: 'ORGANIZATION_CREATED', at: createdAt, changes: added({ name }) };
    return deletedAt == null ? [created] : [created, { ...common, action: 'ORGANIZATION_DELETED', at: deletedAt }];
  });
}

function memberEvents(fixtures: FixtureLoader): PastEvent[] {
  const members = fixtures
    .all(Membership)
    .filter(({ role, user }) => role !== 'ORGANIZATION_OWNER' && user.kind === 'PERSON');
  return members.map(({ organization, user, role, createdAt }) => ({
    ...{ by: user, organizationId: organization.id },
    subject: { type: 'MEMBER', id: user.id, name: new PersonalValue(user.id, user.username) },
    ...{ action: 'MEMBER_JOINED', at: createdAt, changes: added({ role }) },
  }));
}

function serviceAccountEvents(fixtures: FixtureLoader): PastEvent[] {
  return fixtures.all(ServiceAccount).map(({ organization, user, description, responsible, createdBy, createdAt }) => ({
    ...{ by: createdBy, organizationId: organization.id },
    subject: { type: 'SERVICE_ACCOUNT', id: user.id, name: user.username },
    ...{ action: 'SERVICE_ACCOUNT_CREATED', at: createdAt },
    changes: added({ name: user.firstName, description, responsible: responsible?.id }),
  }));
}

function workflowEvents(fixtures: FixtureLoader, catalog: WorkflowCatalog): PastEvent[] {
  const associated = fixtures.all(OrganizationWorkflow).map(({ organization, workflowId, createdAt }): PastEvent => ({
    organizationId: organization.id,
    subject: { type: 'WORKFLOW', id: workflowId, name: catalog.find(workflowId)?.name ?? '' },
    ...{ action: 'WORKFLOW_ASSOCIATED', at: createdAt },
  }));
  const changed = fixtures.all(ControlState).map((state): PastEvent => {
    const { organization, workflowId, controlId, status, justification, inclusionReason, note } = state;
    const { owner, dueDate, updatedAt } = state;
    const workflow = catalog.find(workflowId);
    return {
      ...{ by: owner, organizationId: organization.id },
      subject: {
        type: 'CONTROL',
        id: `${workflowId}/${controlId}`,
        name: (workflow && controlOf(workflow, controlId)?.label) ?? '',
        parent: { type: 'WORKFLOW', id: workflowId },
      },
      ...{ action: 'CONTROL_UPDATED', at: updatedAt },
      changes: added({ status, justification, inclusionReason, note, ownerId: owner?.id, dueDate }),
    };
  });
  return [...associated, ...changed];
}

function documentEvents(fixtures: FixtureLoader, users: readonly User[]): PastEvent[] {
  return fixtures.all(DocumentVersion).map((version) => {
    const { id, organization, workflowId, artifactId, originalName: filename, sha256, size, createdAt } = version;
    const by = named(users, version.createdBy);
    return {
      ...{ by, organizationId: organization.id, subject: versionSubject({ id, filename, workflowId, artifactId }) },
      ...{ action: 'DOCUMENT_UPLOADED', at: createdAt },
      changes: fileChanges({ filename, sha256, size, uploader: by?.id ?? null }, 'after'),
    };
  });
}

function incidentEvents(fixtures: FixtureLoader, users: readonly User[]): PastEvent[] {
  return fixtures.all(Incident).flatMap((incident) => {
    const { id, organization, title, description, severity, awareAt, significant, createdAt, closedAt } = incident;
    const common = { organizationId: organization.id, subject: { type: 'INCIDENT', id, name: title } } as const;
    const opened: PastEvent = {
      ...{ ...common, by: named(users, incident.openedBy), action: 'INCIDENT_OPENED', at: createdAt },
      changes: added({ title, description, severity, status: 'OPEN', awareAt, significant }),
    };
    if (closedAt == null) return [opened];
    const changes = { status: { before: 'OPEN', after: 'CLOSED' } };
    return [
      opened,
      { ...common, by: named(users, incident.closedBy), action: 'INCIDENT_CLOSED', at: closedAt, changes },
    ];
  });
}

function reportEvents(fixtures: FixtureLoader, users: readonly User[]): PastEvent[] {
  return fixtures.all(IncidentReport).map((report) => {
    const { organization, incident, regimeId, stage, number, recipient, reference, reason, recordedAt: at } = report;
    const sentAt = report.sentAt?.toISOString();
    return {
      ...{ by: named(users, report.recordedBy), organizationId: organization.id, at },
      subject: { type: 'INCIDENT', id: incident.id, name: incident.title },
      changes: added({ regimeId, stage, number, sentAt, recipient, reference }),
      ...(reason === '' ? { action: 'REPORT_RECORDED' } : { action: 'REPORT_CORRECTED', reason }),
    };
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
    const changes = added({ endpoint, services });
    const created: PastEvent = { ...common, action: 'DEVICE_CREATED', at: createdAt, changes };
    return deletedAt == null ? [created] : [created, { ...common, action: 'DEVICE_DELETED', at: deletedAt }];
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
