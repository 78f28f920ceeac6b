import { record } from '../../../src/services/audit/record.js';
import { inParallel, keepAlive, send, type Received, type Sent } from '../support/http.js';
import { cpuOf } from '../support/process-figures.js';
import type { Testbed } from '../support/testbed.js';

/** Maximum milliseconds of processor time per point. */
const ALLOWED = 20;
/** Processor time that one measurement takes at least, in microseconds: /proc counts in steps of 10,000. */
const MEASURED_MICROSECONDS = 200_000;
const MAX_SENT = 200;
const NOTES = 50;
const HUGE = '999999999';

/**
 * Processor time of requests per point of their cost, through both APIs, in an organization with 1,000 incidents, 1,000
 * documents, 3,000 audit entries and an incident with 50 long notes.
 */
export async function points(testbed: Testbed): Promise<void> {
  const { start, report, facts, quick } = testbed;
  await fill(testbed);
  const limits = ['READS', 'WRITES', 'UPLOADS', 'SEARCHES', 'GRAPHQL'].map((name) => [`RATE_LIMIT_${name}`, HUGE]);
  const gateway = await start(Object.fromEntries(limits) as Record<string, string>);
  const agent = keepAlive(1);
  const { owner: token } = facts.tokens;
  const rows: string[][] = [];
  for (const [name, request] of Object.entries(requestsOf(testbed))) {
    const sent = { ...request, token };
    let last = await send(gateway, sent, { agent });
    const before = { cpu: cpuOf(gateway.pid), left: leftIn(last) };
    let [count, taken, charged] = [0, 0, 0];
    while (count < (quick ? 3 : MAX_SENT) && (taken < MEASURED_MICROSECONDS || count < 3)) {
      const left = leftIn(last);
      // Another draft each time: a repeated one is cached.
      if (request.path.endsWith('.pdf')) await addNote(testbed);
      last = await send(gateway, sent, { agent });
      // A new window begins with the full budget.
      charged = Math.max(charged, left - leftIn(last));
      count += 1;
      taken = cpuOf(gateway.pid) - before.cpu;
    }
    const milliseconds = taken / 1000 / count;
    const each = milliseconds / charged;
    const isFine = last.status === 200 && !last.text.includes('"errors"') && each <= ALLOWED;
    rows.push([name, milliseconds.toFixed(1), String(charged), each.toFixed(2), String(last.bytes.length)]);
    report.record(
      `costs what it counts: ${name}`,
      count,
      isFine,
      `${each.toFixed(2)} ms a point; ${last.status} ${isFine ? '' : last.text.slice(0, 200)}`,
    );
  }
  agent.destroy();
  report.table('Server time and points', ['request', 'ms', 'points', 'ms a point', 'bytes'], rows);
}

/** Sum of the remaining points of the policies in a response. */
function leftIn({ headers }: Received): number {
  return [...(headers['ratelimit'] ?? '').matchAll(/;r=(\d+)/g)].reduce((sum, [, left]) => sum + Number(left), 0);
}

function requestsOf({ facts }: Testbed): Record<string, Sent> {
  const { organization_id: id, workflow_id: workflow, incident_id: incident } = facts;
  const [org, vciso] = [`/api/v1/organizations/${id}`, `/api/v1/v-ciso/organizations/${id}`];
  const draft = `/api/v1/v-ciso/incidents/${id}/${incident}/reports/nis2-it/PROGRESS_REPORT/draft`;
  const rest = Object.fromEntries(
    [
      '/api/v1/organizations',
      org,
      `${org}/users`,
      `${org}/audit-trail?limit=100`,
      `${org}/audit-trail/verification`,
      `${org}/audit-trail.ndjson`,
      `${org}/audit-trail.csv`,
      '/api/v1/profile/audit-trail/verification',
      '/api/v1/profile/export',
      `${org}/weekly-report`,
      '/api/v1/notifications?limit=100',
      '/api/v1/notifications?format=csv',
      '/api/v1/notifications?format=xlsx',
      '/api/v1/search?q=department',
      '/api/v1/v-ciso/overview?limit=200',
      '/api/v1/v-ciso/work?limit=100',
      `/api/v1/v-ciso/incidents/${id}?limit=100`,
      `/api/v1/v-ciso/incidents/${id}?format=csv`,
      `/api/v1/v-ciso/incidents/${id}/${incident}`,
      `/api/v1/v-ciso/incidents/${id}/${incident}/timeline?limit=100`,
      `/api/v1/v-ciso/incidents/${id}/${incident}/notes?limit=100`,
      draft,
      `${draft}.html`,
      `${draft}.pdf`,
      `${vciso}/documents?limit=100`,
      `${vciso}/documents?format=xlsx`,
      `${vciso}/workflows`,
      `${vciso}/workflows/${workflow}`,
      `${vciso}/workflows/${workflow}/progress`,
      `${vciso}/workflows/${workflow}/controls?limit=100`,
      `${vciso}/workflows/${workflow}/reuse-suggestions`,
      `${vciso}/workflows/${workflow}/oscal/assessment-results`,
      `${vciso}/workflows/${workflow}/oscal/component-definition`,
      `${vciso}/workflows/${workflow}/evidence-pack`,
      '/api/v1/v-ciso/available-workflows',
      `/api/v1/v-ciso/available-workflows/${workflow}/controls?limit=100`,
      '/api/v1/cloud-defender?limit=100&include=series',
      '/api/v1/options',
    ].map((path) => [`GET ${path}`, { path }]),
  );
  const ofWorkflow = (field: string) =>
    `{ organizationWorkflow(organizationId: ${id}, workflowId: "${workflow}") { ${field} } }`;
  const ofOrganization = (field: string) => `{ organization(id: ${id}) { ${field} } }`;
  const documents = [
    ofOrganization('auditTrailVerification { valid }'),
    '{ viewer { auditTrailVerification { valid } } }',
    `{ weeklyReportPreview(organizationId: ${id}) { subject html } }`,
    '{ search(query: "department") { nodes { title } } }',
    '{ portfolio(first: 200) { nodes { organization { name } progress { total } overdueControls nextDeadline { dueAt } incidents { open overdue } } } }',
    '{ work(first: 100) { nodes { title } } }',
    ofWorkflow('oscalAssessmentResults'),
    ofWorkflow(Array.from({ length: 20 }, (_, n) => `a${n}: oscalAssessmentResults`).join(' ')),
    ofWorkflow('oscalComponentDefinition'),
    ofWorkflow('progress { total }'),
    ofWorkflow('progressHistory { totalCount }'),
    ofWorkflow('controls(first: 100) { nodes { id } }'),
    ofWorkflow('staleEvidence'),
    `{ draftIncidentReport(organizationId: ${id}, incidentId: ${incident}, regimeId: "nis2-it", stage: PROGRESS_REPORT) { fields { value } } }`,
    ofOrganization('incidents(first: 100) { totalCount nodes { title description } }'),
    '{ notifications(first: 100) { totalCount nodes { title message } } }',
  ];
  const graphql = documents.map((query) => [
    `GraphQL ${query.slice(0, 110)}`,
    { method: 'POST', path: '/graphql', body: { query } } as Sent,
  ]);
  return { ...rest, ...(Object.fromEntries(graphql) as Record<string, Sent>) };
}

async function addNote({ installation: { database }, facts }: Testbed): Promise<void> {
  const values = [facts.organization_id, facts.incident_id];
  await database.rows(
    `insert into incident_note (organization_id, incident_id, text, created_by) values ($1, $2, 'One more', 'owner')`,
    values,
  );
}

async function fill({ installation, facts }: Testbed): Promise<void> {
  const { database } = installation;
  const { organization_id: id, incident_id: incident } = facts;
  const [owner] = await database.rows<{ id: string }>(
    `select user_id as id from membership where organization_id = $1 and role = 'ORGANIZATION_OWNER'`,
    [id],
  );
  const words = `(array['Phishing of','Ransomware in'])[1 + n % 2] || ' department ' || n`;
  const statements: [string, unknown[]][] = [
    [
      `insert into incident (organization_id, title, description, severity, status, significant, aware_at, opened_by, created_at, updated_at)
       select $1, ${words}, repeat('What happened. ', 60), 'HIGH', (array['OPEN','CLOSED'])[1 + n % 2], n % 4 = 0, now() - make_interval(hours => n), 'owner', now(), now()
         from generate_series(1, 1000) n`,
      [id],
    ],
    [
      `insert into document_version (organization_id, workflow_id, artifact_id, original_name, size, content_type, source, sha256, created_by, created_at)
       select $1, $2, 'X.' || n, 'evidence ' || n || '.pdf', size, content_type, 'attached', sha256, 'owner', now() - make_interval(hours => n)
         from (select * from document_version where organization_id = $1 order by id limit 1) d, generate_series(1, 1000) n`,
      [id, facts.workflow_id],
    ],
    [
      `insert into notification (user_id, organization_id, title, message, type, action, created_at, icon, href)
       select $2, $1, 'Title ' || n, ${words}, 'SYSTEM', 'OPEN', now() - make_interval(mins => n), '', '' from generate_series(1, 5000) n`,
      [id, owner!.id],
    ],
    [
      `insert into incident_note (organization_id, incident_id, text, created_by, created_at)
       select $1, $2, repeat('The mail server was taken off the network at ' || n || ' o''clock. ', 200), 'owner', now() from generate_series(1, ${NOTES}) n`,
      [id, incident],
    ],
  ];
  for (const [text, values] of statements) await database.rows(text, values);
  const subject = { type: 'INCIDENT', id: incident, name: 'Much happened' } as const;
  await inParallel(3_000, 2, () =>
    record(database, { kind: 'system', name: 'attack' }, {
      organizationId: id,
      at: new Date(),
      action: 'INCIDENT_UPDATED',
      subject,
      changes: { title: { after: 'Much' } },
    } as never),
  );
}
