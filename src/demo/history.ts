import type { EntityManager } from '@mikro-orm/postgresql';
import { insertSelect, type Queryable, sql, statement, table } from '../database/sql.js';
import { CloudDefender, ThreatBlocker } from '../entities/devices.js';
import { DocumentVersion } from '../entities/documents.js';
import { Incident, IncidentReport } from '../entities/incidents.js';
import { Membership, ServiceAccount, User } from '../entities/members.js';
import { Organization } from '../entities/organizations.js';
import { ControlState, OrganizationWorkflow } from '../entities/workflows.js';
import { PersonalValue } from '../services/audit/personal-values.js';
import { NOTIFYING, record, type AuditSubject } from '../services/audit/record.js';
import { versionSubject } from '../services/audit/subjects.js';
import { controlOf, type WorkflowCatalog } from '../services/workflows/catalog.js';
import type { AuditAction } from '../values/audit.js';
import type { FixtureLoader } from './fixture-loader.js';

interface PastEvent {
  action: AuditAction;
  organization: { id: number };
  subject: AuditSubject;
  /** An event without a time is omitted. */
  at: Date | null | undefined;
  /** A user, or its name; defaults to the owner of the organization. */
  by?: User | string | null | undefined;
  /** New values; empty ones are left out. */
  values?: Readonly<Record<string, unknown>>;
  before?: Readonly<Record<string, unknown>>;
  reason?: string;
}

/** Records the history that led to the organizations' fixture state, oldest first, without notifying members. */
export async function recordHistory(
  tx: Queryable,
  em: EntityManager,
  { fixtures, catalog }: { fixtures: FixtureLoader; catalog: WorkflowCatalog },
): Promise<void> {
  const users = await em.find(User, {}, { populate: ['personalKey'] });
  const owners = fixtures.all(Membership).filter(({ role }) => role === 'ORGANIZATION_OWNER');
  const events = [...changesOf(fixtures), ...workflowChanges(fixtures, catalog)].flatMap((event) =>
    event.at == null ? [] : [{ ...event, at: event.at }],
  );
  for (const { organization, by, values = {}, before = {}, ...event } of events.toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  )) {
    const owner = owners.find((each) => each.organization.id === organization.id)?.user;
    const user = (typeof by === 'string' ? users.find(({ username }) => username === by) : by) ?? owner;
    if (user === undefined) throw new Error('An organization of the demo has no owner');
    const given = Object.entries(values).filter(([, value]) => value != null && value !== '');
    const changes =
      given.length > 0 && Object.fromEntries(given.map(([field, after]) => [field, { before: before[field], after }]));
    const actor = { kind: 'user', userId: user.id, personalKey: user.personalKey ?? null } as const;
    await record(tx, actor, { ...event, organizationId: organization.id, ...(changes && { changes }) });
  }
  for (const consumer of NOTIFYING) await consumeAll.all(tx, { consumer });
}

const l = table('audit_log', 'l');

const consumeAll = statement<{ consumer: string }>()(
  (p) => sql`
    ${insertSelect('event_consumer', { consumer: p('consumer'), log_id: l.id, position: l.position })} from ${l.table}`,
);

function changesOf(fixtures: FixtureLoader): PastEvent[] {
  const devices = [
    ...fixtures.all(CloudDefender).map((device) => ({ device, type: 'CLOUD_DEFENDER', name: device.fqdn }) as const),
    ...fixtures
      .all(ThreatBlocker)
      .map((device) => ({ device, type: 'THREAT_BLOCKER', name: device.deviceId }) as const),
  ];
  return [
    ...fixtures.all(Organization).flatMap((organization): PastEvent[] => {
      const { id, name, createdAt, deletedAt } = organization;
      const common = { organization, subject: { type: 'ORGANIZATION', id, name } } as const;
      return [
        { ...common, action: 'ORGANIZATION_CREATED', at: createdAt, values: { name } },
        { ...common, action: 'ORGANIZATION_DELETED', at: deletedAt },
      ];
    }),
    ...fixtures.all(Membership).flatMap(({ organization, user, role, createdAt: at }): PastEvent[] => {
      if (role === 'ORGANIZATION_OWNER' || user.kind !== 'PERSON') return [];
      const name = new PersonalValue(user.id, user.username);
      const subject = { type: 'MEMBER', id: user.id, name } as const;
      return [{ action: 'MEMBER_JOINED', organization, by: user, at, subject, values: { role } }];
    }),
    ...fixtures.all(ServiceAccount).map((account): PastEvent => {
      const { organization, user, description, responsible, createdBy: by, createdAt: at } = account;
      const subject = { type: 'SERVICE_ACCOUNT', id: user.id, name: user.username } as const;
      const values = { name: user.firstName, description, responsible: responsible?.id };
      return { action: 'SERVICE_ACCOUNT_CREATED', organization, by, at, subject, values };
    }),
    ...fixtures.all(DocumentVersion).map((version): PastEvent => {
      const { organization, originalName: filename, sha256, size, createdBy: by, createdAt: at, uploaderId } = version;
      const values = { filename, sha256, size, uploader: uploaderId };
      return {
        action: 'DOCUMENT_UPLOADED',
        organization,
        by,
        at,
        subject: versionSubject({ ...version, filename }),
        values,
      };
    }),
    ...fixtures.all(Incident).flatMap((incident): PastEvent[] => {
      const { id, organization, title, description, severity, awareAt, significant } = incident;
      const common = { organization, subject: { type: 'INCIDENT', id, name: title } } as const;
      const values = { title, description, severity, status: 'OPEN', awareAt, significant };
      return [
        { ...common, action: 'INCIDENT_OPENED', by: incident.openedBy, at: incident.createdAt, values },
        {
          ...common,
          action: 'INCIDENT_CLOSED',
          by: incident.closedBy,
          at: incident.closedAt,
          values: { status: 'CLOSED' },
          before: { status: 'OPEN' },
        },
      ];
    }),
    ...fixtures.all(IncidentReport).map((report): PastEvent => {
      const { organization, incident, regimeId, stage, number, sentAt, recipient, reference, reason } = report;
      return {
        ...{ organization, by: report.recordedBy, at: report.recordedAt },
        subject: { type: 'INCIDENT', id: incident.id, name: incident.title },
        values: { regimeId, stage, number, sentAt, recipient, reference },
        ...(reason === '' ? { action: 'REPORT_RECORDED' } : { action: 'REPORT_CORRECTED', reason }),
      };
    }),
    ...devices.flatMap(({ device, type, name }): PastEvent[] => {
      const { id, organization, endpoint, services } = device;
      const common = { organization, subject: { type, id, name } };
      return [
        { ...common, action: 'DEVICE_CREATED', at: device.createdAt, values: { endpoint, services } },
        { ...common, action: 'DEVICE_DELETED', at: device.deletedAt },
      ];
    }),
  ];
}

function workflowChanges(fixtures: FixtureLoader, catalog: WorkflowCatalog): PastEvent[] {
  return [
    ...fixtures.all(OrganizationWorkflow).map(({ organization, workflowId: id, createdAt: at }): PastEvent => {
      const subject = { type: 'WORKFLOW', id, name: catalog.find(id)?.name ?? '' } as const;
      return { action: 'WORKFLOW_ASSOCIATED', organization, at, subject };
    }),
    ...fixtures.all(ControlState).map((state): PastEvent => {
      const { organization, workflowId, controlId, status, justification, inclusionReason, note } = state;
      const { owner, dueDate, updatedAt } = state;
      const workflow = catalog.find(workflowId);
      return {
        ...{ action: 'CONTROL_UPDATED', organization, by: owner, at: updatedAt },
        subject: {
          ...{ type: 'CONTROL', id: `${workflowId}/${controlId}`, parent: { type: 'WORKFLOW', id: workflowId } },
          name: (workflow && controlOf(workflow, controlId)?.label) ?? '',
        },
        values: { status, justification, inclusionReason, note, ownerId: owner?.id, dueDate },
      };
    }),
  ];
}
