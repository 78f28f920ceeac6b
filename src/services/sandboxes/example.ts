import type { Caller, UserCaller } from '../../auth/caller.js';
import { NO_FIELDS } from '../../common/selection.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import { SETTING_DEFAULTS } from '../../values/enums.js';
import { CLOUD_DEFENDER, THREAT_BLOCKER, type DeviceKind } from '../devices/device-kind.js';
import type { DeviceService } from '../devices/devices.service.js';
import type { DocumentVersionUpdateService } from '../documents/document-version-update.service.js';
import type { IncidentUpdateService, NewIncident } from '../incidents/incident-update.service.js';
import type { IncidentNoteService } from '../incidents/notes.service.js';
import type { IncidentReportService, NewIncidentReport } from '../incidents/reports.service.js';
import type { OrganizationValues } from '../organizations/organization-update.service.js';
import type { ControlUpdate, ControlUpdateService } from '../workflows/control-update.service.js';
import type { WorkflowService } from '../workflows/workflows.service.js';
import { fileOf, readFixtures, timeOf, type DemoFile } from './fixtures.js';

type Values = Record<string, unknown>;

/** The use cases that fill a sandbox. */
export interface ExampleUseCases {
  workflows: WorkflowService;
  controlUpdates: ControlUpdateService;
  documentUpdates: DocumentVersionUpdateService;
  incidentUpdates: IncidentUpdateService;
  incidentReports: IncidentReportService;
  incidentNotes: IncidentNoteService;
  cloudDefenders: DeviceService;
  threatBlockers: DeviceService;
}

/** The organization of `demo/` that is copied into a sandbox. */
const EXAMPLE = 'valdoria';

/** Rows of a file of `demo/`, by entity; only of the example organization where they name one. */
function rowsOf(file: string): Map<string, Values[]> {
  const rows = readFixtures(file).filter(({ values }) => (values['organization'] ?? EXAMPLE) === EXAMPLE);
  const grouped = Map.groupBy(rows, ({ entity }) => entity);
  return new Map([...grouped].map(([entity, own]) => [entity, own.map(({ values }) => values)]));
}

const PROFILE = [
  ...(['description', 'numberEmployees', 'website', 'sectors', 'industries', 'nis2Sector'] as const),
  ...(['complianceFrameworks', 'infrastructure', 'contacts', 'domains', 'ips', 'timeZone', 'country'] as const),
];

/** Profile, settings and branding of a reset sandbox; its name stays. */
export function exampleProfile(): Partial<OrganizationValues> {
  const example = rowsOf('organizations.yaml')
    .get('Organization')
    ?.find(({ key }) => key === EXAMPLE);
  const profile = Object.fromEntries(PROFILE.map((name) => [name, example?.[name]]));
  return { ...SETTING_DEFAULTS, ...profile, logo: '', logoBytes: 0, palette: null, customColors: null };
}

/**
 * Fills an organization with the example of `demo/` as its caller would: deterministic, with times relative to
 * `now`. The caller owns every control.
 */
export async function fillWithExample(
  useCases: ExampleUseCases,
  caller: Caller,
  organizationId: number,
  now: Date,
): Promise<void> {
  const example = { useCases, caller, organizationId, now };
  const workflowIds = await fillWorkflows(example);
  await fillDocuments(example, workflowIds);
  await fillIncidents(example);
  await fillDevices(example);
}

interface Example {
  useCases: ExampleUseCases;
  caller: Caller;
  organizationId: number;
  now: Date;
}

const CONTROL = ['status', 'justification', 'inclusionReason', 'note', 'reviewIntervalMonths'] as const;

async function fillWorkflows({ useCases, caller, organizationId, now }: Example): Promise<ReadonlySet<unknown>> {
  const rows = rowsOf('workflows.yaml');
  const { userId: ownerId } = caller as UserCaller;
  const workflowIds = (rows.get('OrganizationWorkflow') ?? []).map(({ workflowId }) => workflowId as string);
  for (const workflowId of workflowIds)
    await useCases.workflows.associate(caller, { organizationId, workflowId }, NO_FIELDS);
  for (const [workflowId, states] of Map.groupBy(rows.get('ControlState') ?? [], (state) => state['workflowId'])) {
    const updates = states.map((state): ControlUpdate => {
      const given = Object.fromEntries(CONTROL.flatMap((name) => (name in state ? [[name, state[name]]] : [])));
      const { controlId, dueDate, owner } = state as { controlId: string; dueDate?: string; owner?: string };
      return {
        ...{ ...given, controlId },
        ...(dueDate !== undefined && { dueDate: dayOf(dueDate, now) }),
        ...(owner !== undefined && { ownerId }),
      };
    });
    await useCases.controlUpdates.updateAll(caller, { organizationId, workflowId: workflowId as string }, { updates });
  }
  return new Set(workflowIds);
}

function dayOf(text: string, now: Date): string {
  return timeOf(text, now).toISOString().slice(0, 10);
}

interface DocumentRow {
  workflowId: string;
  artifactId: string;
  file: string;
  source: string;
  effectiveAt?: string;
  validUntil?: string;
}

async function fillDocuments(example: Example, workflowIds: ReadonlySet<unknown>): Promise<void> {
  const { useCases, caller, organizationId, now } = example;
  const fixtures = readFixtures('documents.yaml');
  const files = new Map(
    fixtures.filter(({ entity }) => entity === 'File').map((row) => [row.values['key'], fileOf(row, now)]),
  );
  const versions = (rowsOf('documents.yaml').get('DocumentVersion') ?? []) as unknown as DocumentRow[];
  for (const { workflowId, artifactId, file, source, effectiveAt, validUntil } of versions) {
    if (!workflowIds.has(workflowId)) continue;
    const given = {
      ...{ organizationId, workflowId, artifactId, file: incoming(files.get(file) as DemoFile, source) },
      effectiveAt: effectiveAt === undefined ? null : timeOf(effectiveAt, now),
      validUntil: validUntil === undefined ? null : dayOf(validUntil, now),
    };
    await useCases.documentUpdates.upload(caller, given, NO_FIELDS);
  }
}

function incoming({ name, content }: DemoFile, source: string): IncomingFile {
  return { bytes: bytesOf(content), facts: async () => ({ filename: name, source }) };
}

async function* bytesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}

const INCIDENT = [
  ...(['title', 'description', 'severity', 'significant', 'suspectedMalicious', 'crossBorder'] as const),
  ...(['affectsTrustService', 'affectsQualifiedTrustService', 'personalDataConcerned'] as const),
  ...(['exploitedVulnerability', 'productConcerned'] as const),
  ...(['category', 'indicators', 'impact', 'rootCause', 'mitigation'] as const),
];

async function fillIncidents({ useCases, caller, organizationId, now }: Example): Promise<void> {
  const rows = rowsOf('incidents.yaml');
  const of = (entity: string, key: unknown) =>
    (rows.get(entity) ?? []).filter(({ incident }) => key !== undefined && incident === key);
  for (const row of rows.get('Incident') ?? []) {
    const { key, status, awareAt, occurredAt, handledAt } = row as Partial<
      Record<'key' | 'status' | 'awareAt' | 'occurredAt' | 'handledAt', string>
    >;
    const incidentId = await useCases.incidentUpdates.open(caller, {
      ...Object.fromEntries(INCIDENT.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
      ...{ organizationId, awareAt: timeOf(awareAt ?? 'now', now) },
      ...(occurredAt !== undefined && { occurredAt: timeOf(occurredAt, now) }),
      ...(handledAt !== undefined && { handledAt: timeOf(handledAt, now) }),
      ...(status !== 'CLOSED' && { status }),
    } as NewIncident);
    const incident = { organizationId, incidentId };
    for (const report of of('IncidentReport', key)) {
      // A correction names a reason.
      if ('reason' in report) continue;
      const { regimeId, stage, sentAt, reference } = report as unknown as NewIncidentReport & { sentAt: string };
      await useCases.incidentReports.record(caller, {
        ...{ ...incident, regimeId, stage, sentAt: timeOf(sentAt, now) },
        ...(reference !== undefined && { reference }),
      });
    }
    for (const { text } of of('IncidentNote', key))
      await useCases.incidentNotes.add(caller, { ...incident, text: text as string }, NO_FIELDS);
    if (status === 'CLOSED') await useCases.incidentUpdates.close(caller, incident);
  }
}

async function fillDevices({ useCases, caller, organizationId }: Example): Promise<void> {
  const rows = rowsOf('devices.yaml');
  const create = async (entity: string, kind: DeviceKind, devices: DeviceService) => {
    for (const { privateIp: privateIP, ...row } of rows.get(entity) ?? []) {
      if ('deletedAt' in row) continue;
      const values = Object.entries({ ...row, ...(privateIP !== undefined && { privateIP }) });
      const written = values.filter(([name]) => name in kind.written);
      await devices.create(caller, organizationId, Object.fromEntries(written), NO_FIELDS);
    }
  };
  await create('CloudDefender', CLOUD_DEFENDER, useCases.cloudDefenders);
  await create('ThreatBlocker', THREAT_BLOCKER, useCases.threatBlockers);
}
