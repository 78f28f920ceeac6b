import { beforeAll, expect, test } from '@jest/globals';
import {
  buildSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLNamedType,
} from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { exampleInput, isOfOrganization, madeBy } from '../support/example-inputs.js';
import { buildRequest, buildSignOff } from '../support/people.js';
import { buildReport } from '../support/seeded-organization.js';
import { buildIncident, buildNotifications } from '../support/test-data.js';
import { OPTIONAL } from '../support/rest-values.js';

const schema = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));
const { gateway, testData } = await startSeededGateway();
const { token } = testData.owner;

type Input = Record<string, unknown>;

async function change(name: string, input: Input) {
  made.add(name);
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
  const field = schema.getMutationType()!.getFields()[name]!;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) ${selectionOf(getNamedType(field.type), 4)} }`;
  const answer = (await gateway.graphql.data(query, { token, variables: { input } }))[name];
  look(field.type, answer, name);
  return answer;
}

async function read(query: string, type: string, at: string, as = token) {
  const data = await gateway.graphql.data(
    query.replace('...', selectionOf(schema.getType(type)!, /Connection$/.test(type) ? 3 : 4)),
    { token: as },
  );
  look(
    schema.getType(type)!,
    at.split('.').reduce((value, key) => value[key], data),
    at,
  );
}

async function readNode(id: string) {
  const type = id.split(':')[0]!;
  const data = await gateway.graphql.data(
    `{ node(id: "${id}") { ... on ${type} ${selectionOf(schema.getType(type)!, 4)} } }`,
    { token },
  );
  look(schema.getType(type)!, data.node, id);
}

/** Addresses, logs and exports that are composed of more than the object. */
const LEFT_OUT = new Set([
  ...['organization', 'blockedInOrganizations', 'edges'],
  ...['evidencePackUrl', 'oscalAssessmentResults', 'oscalComponentDefinition'],
]);

/** Every field that needs no arguments, so many levels deep. */
function selectionOf(type: GraphQLNamedType, levels: number): string {
  if (!isObjectType(type) && !isInterfaceType(type)) return isLeafType(type) ? '' : '{ __typename }';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some(isRequiredArgument) || (LEFT_OUT.has(field.name) && !type.name.endsWith('Payload'))) return [];
    const below = getNamedType(field.type);
    if (isLeafType(below)) return [field.name];
    return levels > 1
      ? [
          `${field.name}${field.args.some(({ name }) => name === 'first') ? '(first: 4)' : ''} ${selectionOf(below, levels - 1)}`,
        ]
      : [];
  });
  return `{ __typename ${fields.join(' ')} }`;
}

const made = new Set<string>();
const empty: string[] = [];
const nulls = new Set<string>();
const types = new Set<string>();

/** Records which fields of a response are empty texts, and which are null, except in JSON that was sent or recorded. */
function look(type: GraphQLNamedType | GraphQLField<unknown, unknown>['type'], value: unknown, path: string): void {
  if (Array.isArray(value)) return value.forEach((item, index) => look(type, item, `${path}.${index}`));
  // Recorded values of a trail are verified by their hash, and shown unchanged.
  if (value === '' && !path.endsWith('> AuditSubject.name')) empty.push(path);
  if (typeof value !== 'object' || value === null) return;
  const { __typename: name } = value as { __typename?: string };
  const of = name === undefined ? undefined : schema.getType(name);
  if (name !== undefined) types.add(name);
  if (!isObjectType(of)) return;
  for (const [key, inner] of Object.entries(value)) {
    const field = of.getFields()[key];
    if (field === undefined || getNamedType(field.type).name.startsWith('JSON')) continue;
    if (inner === null) nulls.add(`${of.name}.${key}`);
    look(field.type, inner, `${path} > ${of.name}.${key}`);
  }
}

const terms = { source: { text: 'Ours' }, licence: 'Ours' };
const RULES = { id: 'rules', name: 'Rules', version: '1', ...terms };
const CONTROLS = [{ id: 'H1', label: 'Lock the door', kind: 'control' }];

/** Records of former versions: of an unknown person, of a law that is not shipped any more, and without a link. */
async function buildOlder(organizationId: number) {
  const { database } = gateway.app;
  const incidentId = await buildIncident(database, organizationId);
  await buildReport(database, incidentId);
  await database.rows(`update incident_report set regime_id = 'gone' where incident_id = $1`, [incidentId]);
  await buildNotifications(database, testData.owner, organizationId, 1);
  await database.rows(
    `update notification set href = '', title = 'Risky', action = 'NONE' where organization_id = $1`,
    [organizationId],
  );
}

beforeAll(async () => {
  const { organization } = await change('createOrganization', { name: 'A' });
  const organizationId = organization.id;
  const contacts = [{ email: 'a@example.com' }, { phone: '1' }];
  await change('updateOrganization', { organizationId, contacts });
  await change('updateProfile', { firstName: '', lastName: '' });
  await buildOlder(organization.databaseId);
  const workflowId = 'incident-readiness';
  await change('associateWorkflow', { organizationId, workflowId });
  await change('updateControl', { organizationId, workflowId, controlId: 'IR-02', ownerId: testData.owner.id });
  await change('uploadDocumentVersion', {
    ...{ organizationId, workflowId, artifactId: 'IR-02' },
    ...{ content: 'YQ', filename: 'a.txt', contentType: 'text/plain' },
  });
  await change('updateControl', { organizationId, workflowId, controlId: 'IR-02', status: 'DONE' });
  await change('attestControl', { organizationId, workflowId, controlId: 'IR-02', statement: 'Done' });
  await change('importWorkflow', { organizationId, ...RULES, controls: CONTROLS });
  await change('importWorkflow', {
    organizationId,
    ...terms,
    mode: 'MAPPING',
    id: 'map',
    from: 'rules',
    to: workflowId,
    pairs: [{ control: 'H1', matches: ['IR-02'] }],
  });
  const other = [{ ...CONTROLS[0], id: 'H2' }];
  await change('previewWorkflowImport', { organizationId, ...RULES, controls: other });
  const { incident } = await change('openIncident', {
    organizationId,
    title: 'Risky',
    severity: 'LOW',
    personalDataConcerned: true,
  });
  const incidentId = incident.id;
  await change('addIncidentNote', { organizationId, incidentId, text: 'Seen' });
  await change('recordIncidentReport', { organizationId, incidentId, regimeId: 'nis2', stage: 'EARLY_WARNING' });
  const { threatBlocker } = await change('createThreatBlocker', {
    ...{ organizationId, type: 'appliance', email: 'a@example.com', endpoint: '192.0.2.1' },
  });
  await change('createApiToken', { name: 'A' });
  await change('inviteMember', { organizationId, email: 'new@example.com', role: 'VIEWER' });
  await change('createAuditCheckpoint', { organizationId });
  const { importJob } = await change('startMemberImport', { organizationId, text: 'id\nx\n' });
  await readNode(importJob.id);
  const { serviceAccount } = await change('createServiceAccount', { organizationId, name: 'CI', role: 'VIEWER' });
  const account = { organizationId, serviceAccountId: serviceAccount.id };
  const { token: ofAccount } = await change('createServiceAccountToken', { ...account, name: 'CI' });
  await change('createIdentityProvider', {
    ...{ organizationId, name: 'bare', issuer: 'https://login.example.com', clientId: 'gateway' },
    ...{ domains: ['example.com'], groupRoles: [{ group: 'staff', role: 'VIEWER' }] },
  });
  const { engagement } = await change('createEngagement', {
    ...{ organizationId, name: 'Audit', workflowIds: [workflowId] },
    ...{ from: '2026-01-01T00:00:00Z', to: '2126-01-01T00:00:00Z', until: new Date(Date.now() + 86_400_000) },
  });
  await buildRequest(gateway.app.database, engagement.databaseId);
  await buildSignOff(gateway.app.database, engagement.databaseId);
  await readNode(engagement.id);
  const { webhookEndpoint } = await change('createWebhookEndpoint', { organizationId, url: 'https://a.example.com/' });
  const [attempt] = await gateway.app.database.rows<{ delivery: number }>(
    `with delivery as (
       insert into webhook_delivery (endpoint_id, organization_id, seq, log_id, position, action, subject)
       values ($1, $2, 0, 0, 1, 'INCIDENT_OPENED', 'INCIDENT/1') returning id)
     insert into webhook_attempt (delivery_id, number, attempted_at, milliseconds) select id, 1, now(), 1 from delivery
     returning delivery_id as delivery`,
    [webhookEndpoint.databaseId, organization.databaseId],
  );
  const older = await gateway.graphql.data(
    `{ organization(id: "${organizationId}") { incidents(first: 2) { nodes { id } } } }`,
    { token },
  );
  for (const { id } of older.organization.incidents.nodes) await readNode(id);
  for (const id of [
    organization.id,
    incidentId,
    threatBlocker.id,
    webhookEndpoint.id,
    `WebhookDelivery:${attempt!.delivery}`,
    `OrganizationControl:${organization.databaseId}/${workflowId}/IR-02`,
  ])
    await readNode(id);
  for (const mutation of Object.values(schema.getMutationType()!.getFields())) {
    const { name } = mutation;
    const field = madeBy(schema, name);
    if (!name.startsWith('create') || made.has(name) || field === undefined || !isOfOrganization(mutation)) continue;
    const answer = await change(name, { organizationId, ...exampleInput(schema, name, 'required') });
    await readNode(answer[field].id);
  }
  await read('{ viewer ... }', 'Viewer', 'viewer');
  await read('{ viewer { user ... } }', 'User', 'viewer.user', ofAccount);
  await read('{ formOptions ... }', 'FormOptions', 'formOptions');
  await read('{ portfolio(first: 5) ... }', 'OrganizationOverviewConnection', 'portfolio');
  await read('{ organizations(first: 5) ... }', 'OrganizationConnection', 'organizations');
  await read('{ availableWorkflows(first: 5) ... }', 'WorkflowConnection', 'availableWorkflows');
  const place = `organizationId: "${organizationId}", workflowId: "incident-readiness"`;
  await read(`{ reuseSuggestions(${place}) ... }`, 'ReuseSuggestionConnection', 'reuseSuggestions');
  const report = `organizationId: "${organizationId}", incidentId: "${incidentId}", regimeId: "gdpr", stage: NOTIFICATION`;
  await read(`{ draftIncidentReport(${report}) ... }`, 'IncidentReportDraft', 'draftIncidentReport');
  const ofIncident = `organizationId: "${organizationId}", incidentId: "${incidentId}"`;
  await read(`{ significanceQuestions(${ofIncident}) ... }`, 'SignificanceQuestions', 'significanceQuestions');
  await read('{ notifications ... }', 'NotificationConnection', 'notifications');
  await read('{ search(query: "risky") ... }', 'SearchResultConnection', 'search');
  await read('{ work(assignee: ANYONE) ... }', 'WorkItemConnection', 'work');
  await read('{ reportingRegimes ... }', 'ReportingRegimeConnection', 'reportingRegimes');
  await read(
    `{ weeklyReportPreview(organizationId: "${organizationId}") ... }`,
    'WeeklyReportPreview',
    'weeklyReportPreview',
  );
});

test('no field of objects that have nothing but what is required is the empty text', () => {
  expect(empty).toEqual([]);
});

/** Types without an optional text. */
const NOT_READ = [
  ...[
    'AsOf',
    'AuditSubjectParent',
    'AuditTrailFault',
    'CellChange',
    'ChartStat',
    'ComplianceFramework',
    'ControlEvidenceSource',
  ],
  ...[
    'ControlWorkItem',
    'DeviceReceipt',
    'DeviceReportRow',
    'EngagementAuditor',
    'Event',
    'EventSubject',
    'ImportedDocumentRow',
    'ImportedRow',
    'IncidentAttachment',
    'IncidentAttachmentPermissions',
    'InvitationPreview',
    'InvitedRow',
  ],
  ...[
    'NextWorkingDay',
    'NotificationMarks',
    'RateLimit',
    'RateLimitPolicy',
    'RegimeAlternative',
    'RegimeException',
    'RehearsalReaction',
    'RehearsalReport',
    'RehearsalStage',
    'ReportDerogation',
    'ReportField',
    'ReportJudgement',
  ],
  ...[
    'ReusableDocument',
    'ReuseSuggestion',
    'ReviewWorkItem',
    'RowError',
    'ScimSettings',
    'UnreadNotificationCount',
    'UserWebhookEndpoint',
    'WebStat',
    'WeeklyReportDelivery',
  ],
  'WorkflowControl',
];

test('every type was read, but for those without a text that may be absent', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const all = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !roots.includes(type));
  const isWrapper = (name: string) => /^__|(?:Edge|Connection|Payload)$/.test(name);
  const left = all.map(({ name }) => name).filter((name) => !types.has(name) && !isWrapper(name));
  expect(left.toSorted()).toEqual(NOT_READ);
});

test('every field that may have none is null where there is none', () => {
  const optional = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type)
      ? Object.values(type.getFields()).flatMap(({ name, description }) =>
          description?.endsWith(OPTIONAL) ? [`${type.name}.${name}`] : [],
        )
      : [],
  );
  expect(optional.filter((field) => !nulls.has(field)).toSorted()).toEqual([]);
  expect(optional.length).toBeGreaterThan(35);
});
