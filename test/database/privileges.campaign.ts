import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import type { DemoFacts } from '../../src/demo/demo.js';
import { StartupError } from '../../src/errors.js';
import { build, GatewayProcess, SECRET_KEY } from '../resilience/support/gateway-process.js';
import { until } from '../support/until.js';
import { buildAuditEntry, checkpointsOf, signNewest } from '../support/audit.js';
import { adminUrl, createEmptyDatabase, type TestDatabase, withParameters } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { workDue } from '../support/jobs.js';
import { expectData, expectStatus } from '../support/matchers.js';
import { buildOrganization } from '../support/test-data.js';

const OPENAPI = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));

const SUFFIX = randomBytes(6).toString('hex');
const [OWNER, ROLE] = [`owner_${SUFFIX}`, `gateway_${SUFFIX}`];

let database: TestDatabase;
let dataDir: string;
let gateway: TestGateway;
let facts: DemoFacts;
/** The log of the programs. */
let logged: string;

/** Address of the database with another role. */
function as(role: string): string {
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'secret'];
  return url.href;
}

async function run<Row>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows as Row[];
    return rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await build();
  database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const roles = [OWNER, ROLE].map((role) => `create role ${role} login password 'secret'`);
  await run(adminUrl(), ...roles, `alter database "${name}" owner to ${OWNER}`);
  dataDir = await mkdtemp(join(tmpdir(), 'privileges-'));
  const env = { DATABASE_URL: as(ROLE), SECRET_KEY, DATA_DIR: dataDir, LOG_LEVEL: 'warn', DEMO: '1' };
  // The first creates the schema; the second has only the gateway's role.
  for (const address of [{ MIGRATION_DATABASE_URL: as(OWNER) }, {}] as Record<string, string>[]) {
    const program = await GatewayProcess.ready({ ...env, ...address });
    await until('the queue is worked', async () => (await jobNames()).length > 10, 60_000);
    await program.end();
    logged = program.out + program.complaint;
    expect(logged).not.toMatch(/permission denied|42501/);
  }
  facts = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFacts;
  gateway = await startGateway({
    database: { ...database, url: as(ROLE) },
    dataDir,
    config: { secretKey: SECRET_KEY },
  });
});

afterAll(async () => {
  await gateway?.close();
  await database?.drop();
  await run(adminUrl(), `drop role if exists ${ROLE}`, `drop role if exists ${OWNER}`);
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const jobNames = async () =>
  (await run<{ key: string }>(database.url, 'select key from pgboss.schedule')).map(({ key }) => key);

describe("the gateway's role", () => {
  test('reads and writes every table of the gateway and of its queue, but for audit trails and migrations', async () => {
    const tables = await run<{ name: string; privileges: string }>(
      database.url,
      `select c.oid::regclass::text as name, (
          select string_agg(p, ' ') from unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) p
           where has_table_privilege('${ROLE}', c.oid, p)) as privileges
         from pg_class c where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
    );
    const restricted = Object.fromEntries(
      tables
        .filter(({ privileges }) => privileges !== 'select insert update delete')
        .map((row) => [row.name, row.privileges]),
    );
    expect(tables.length).toBeGreaterThan(40);
    expect(restricted).toEqual({
      ...{ audit_entry: 'select insert', audit_checkpoint: 'select insert', audit_log: 'select insert' },
      ...{ audit_seal: 'select insert update', audit_fault: 'select insert update', audit_stray_entry: 'select' },
      schema_migration: 'select',
    });
  });

  test.each([
    'update audit_entry set entry = entry',
    'delete from audit_entry',
    'truncate audit_entry',
    'update audit_checkpoint set signature = signature',
    'delete from audit_checkpoint',
    'truncate audit_checkpoint',
    'update audit_log set organization_id = organization_id',
    'delete from audit_log',
    'truncate audit_log',
    'alter table audit_entry disable trigger audit_entry_append_only',
    'alter table audit_log disable trigger all',
    'drop trigger audit_entry_kept on audit_entry',
    'drop table audit_entry',
    'alter table audit_entry owner to current_user',
    'create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin return old; end $$',
    'create or replace function prune_audit_entries(bigint, bigint) returns int language sql as $$ select 1 $$',
    'create trigger mine before insert on audit_entry for each row execute function refuse_audit_change()',
    'create rule mine as on insert to audit_entry do instead nothing',
    'create table mine ()',
    'set session_replication_role = replica',
    `set role ${OWNER}`,
    `insert into schema_migration (name) values ('Another')`,
  ])('is refused: %s', async (statement) => {
    const refused = gateway.app.database.rows(statement);
    await expect(refused).rejects.toThrow(/^(permission denied|must be owner) /);
  });

  test('is refused what it set a parameter for that only pruning sets', async () => {
    const refused = gateway.app.database.transaction(async (tx) => {
      await tx.rows(`set local audit.pruning = 'on'`);
      await tx.rows('delete from audit_entry');
    });
    await expect(refused).rejects.toThrow(/^permission denied /);
  });

  test('is enough for every periodic job and for the queue', async () => {
    expectStatus(await gateway.rest.post('/api/v1/recovery', { body: { email: 'nobody@example.com' } }), 200);
    for (const name of await jobNames()) if (name !== 'demoDevices.report') await gateway.app.jobs.run(name);
    expect(await workDue(gateway.app)).toBeGreaterThan(0);
  });

  test('is enough to prune a trail, and to delete an organization for good', async () => {
    const { database: db, jobs } = gateway.app;
    const longAgo = new Date('2020-01-01');
    const id = await buildOrganization(db, 'Of long ago');
    await db.rows('update organization set audit_retention_days = 365 where id = $1', [id]);
    await buildAuditEntry(db, id, { at: longAgo });
    await signNewest(await checkpointsOf(gateway, () => longAgo), id);
    await jobs.run('auditPruning.pruneDue');
    await db.rows('update organization set deleted_at = $2 where id = $1', [id, longAgo]);
    await jobs.run('organizationPurge.purgeDeleted');
    const left = await db.rows<{ position: number; action: string }>(
      `select e.position, e.action from audit_entry e join audit_log l on l.id = e.log_id
        where l.organization_id = $1 order by e.position`,
      [id],
    );
    expect(left.map(({ position, action }) => [position, action])).toEqual([
      [2, 'AUDIT_TRAIL_PRUNED'],
      [3, 'ORGANIZATION_PURGED'],
    ]);
  });

  test('is enough to make and to drop months of device reports', async () => {
    const { database: db } = gateway.app;
    await db.rows(`select keep_report_months('2030-01-01', '2030-01-01')`);
    const months = await db.rows<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'threat_blocker_check'::regclass order by 1`,
    );
    expect(months.map(({ name }) => name.replace('threat_blocker_check_', ''))).toEqual([
      '2030_01',
      '2030_02',
      'other',
    ]);
    await gateway.app.jobs.run('reportRetention.keepMonths');
  });

  test('is enough for reading each domain through both APIs', async () => {
    const { organization_id: id, tokens } = facts;
    const data = await gateway.graphql.data(
      `query ($id: ID!) { organization(id: $id) {
         name settings { timeZone } branding { palette } users { totalCount } invitations { totalCount }
         workflows { totalCount } documentVersions { totalCount } incidents { totalCount } cloudDefenders { totalCount }
         threatBlockers { totalCount } auditTrail { totalCount } auditTrailVerification { valid } }
         viewer { user { username } } notifications { totalCount } search(query: "phishing") { totalCount } }`,
      { token: tokens.owner, variables: { id } },
    );
    expect(data).toMatchObject({ organization: { auditTrailVerification: { valid: true } } });
    const values: Record<string, string | number> = {
      ...{ id, organizationid: id, workflowid: facts.workflow_id, artifactid: facts.artifact_id },
      ...{ incidentid: facts.incident_id, controlid: facts.artifact_id },
      ...{ regimeid: 'nis2-it', stage: 'NOTIFICATION' },
      ...{ engagementid: 1, serviceaccountid: '5b1d6a90-3f0e-4c55-9f0b-0f6d6f6d1c11' },
    };
    const { body } = await gateway.rest.call('POST', `/api/v1/organizations/${id}/webhooks`, {
      ...{ token: tokens.owner, body: { url: 'https://receiver.example.com/' } },
    });
    values['webhookendpointid'] = (body.data as { webhook_endpoint: { id: number } }).webhook_endpoint.id;
    // The first job, with the number of the organization.
    const started = await fetch(`${gateway.url}/api/v1/organizations/${id}/invitations/batch`, {
      method: 'POST',
      headers: { 'x-service-token': tokens.owner, 'content-type': 'application/json', prefer: 'respond-async' },
      body: JSON.stringify({ invitations: [{ email: 'many@example.com', role: 'VIEWER' }] }),
    });
    expect(started.status).toBe(202);
    const paths = Object.entries(OPENAPI.paths as Record<string, { get?: object }>)
      .filter(
        ([path, { get }]) =>
          get !== undefined &&
          !/downloads|rehearsal-report|profile.webhook-endpoints.{|[/]{id}$|series|attachments|userid|webhookdeliveryid|organizations.+available-workflows./.test(
            path,
          ),
      )
      .map(([path]) => path.replace(/{(\w+)}/g, (_all, name: string) => String(values[name])));
    expect(paths.length).toBeGreaterThan(25);
    for (const path of paths) {
      const query = path.endsWith('/search') ? '?q=phishing' : '';
      const answer = await fetch(gateway.url + path + query, { headers: { 'x-service-token': tokens.owner } });
      await answer.arrayBuffer();
      expect([path, answer.status]).toEqual([path, 200]);
    }
  });

  test('is enough for writing in each domain', async () => {
    const { organization_id: id, tokens } = facts;
    const workflow = `v-ciso/organizations/${id}/workflows/${facts.workflow_id}`;
    const write = async (method: string, path: string, body?: unknown, key = `${method}:${path}`) => {
      const headers: Record<string, string> = method === 'POST' ? { 'Idempotency-Key': key } : {};
      const {
        status,
        text,
        body: answer,
      } = await gateway.rest.call(method, `/api/v1/${path}`, {
        ...{ token: tokens.owner, body, headers },
      });
      expect([method, path, status < 300, text]).toEqual([method, path, true, text]);
      return answer.data;
    };
    const organization = await write('POST', 'organizations', { name: 'Made under this role' });
    await write('PATCH', `organizations/${id}`, { number_employees: 250 });
    await write('PATCH', `organizations/${id}/settings`, { report_weekday: 3, audit_retention_days: 3_650 });
    await write('PUT', `organizations/${id}/branding`, { palette: 'ocean' });
    await write('DELETE', `organizations/${organization.id}`);
    await write('POST', `organizations/${organization.id}/restore`);
    await write('POST', `organizations/${id}/invitations`, { email: 'luca@example.com', role: 'VIEWER' });
    await write('POST', `organizations/${id}/service-accounts`, { name: 'Import', role: 'VIEWER' });
    await write('PATCH', 'profile', { first_name: 'Elena' });
    await write('PATCH', `organizations/${id}/alerts`, { v_ciso: false });
    const { api_token: token } = await write('POST', 'tokens', { name: 'Nightly import', scopes: ['READ'] });
    await write('POST', `tokens/${token.id}/rotate`, { grace_hours: 1 });
    await write('DELETE', `tokens/${token.id}`);
    await write('POST', `v-ciso/organizations/${organization.id}/workflows`, { id: facts.workflow_id });
    await write('DELETE', `v-ciso/organizations/${organization.id}/workflows/${facts.workflow_id}`);
    await write('PATCH', `${workflow}/controls/${facts.artifact_id}`, { status: 'DONE' });
    const file = { filename: 'policy.txt', content_type: 'text/plain', source: 'attached' };
    const version = await write('POST', `${workflow}/documents/${facts.artifact_id}/versions`, {
      ...{ ...file, content: Buffer.from('A new policy').toString('base64') },
    });
    await write('DELETE', `v-ciso/organizations/${id}/documents/${version.id}`);
    const incident = await write('POST', `v-ciso/incidents/${id}`, { title: 'Stolen laptop', severity: 'HIGH' });
    await write('PATCH', `v-ciso/incidents/${id}/${incident.id}`, { significant: true });
    await write('POST', `v-ciso/incidents/${id}/${incident.id}/reports`, { regime_id: 'nis2', stage: 'EARLY_WARNING' });
    await write('PATCH', `cloud-defender/${facts.cloud_defender_id}`, { services: ['waf'] });
    await write('POST', `atb/${facts.atb_id}/rotate-key`);
    await write('DELETE', `atb/${facts.atb_id}`);
    await write('POST', `atb/${facts.atb_id}/restore`);
    await write('POST', `organizations/${id}/audit-trail/checkpoints`);
    const { notifications } = await gateway.graphql.data('{ notifications(first: 1) { nodes { databaseId } } }', {
      token: tokens.owner,
    });
    await write('PATCH', `notifications/${notifications.nodes[0]!.databaseId}`, { read: true });
    await gateway.graphql.data(
      'mutation ($input: OpenIncidentInput!) { openIncident(input: $input) { incident { id } } }',
      { token: tokens.owner, variables: { input: { organizationId: id, title: 'Phishing wave', severity: 'LOW' } } },
    );
    const trail = await gateway.rest.get(`/api/v1/organizations/${id}/audit-trail/verification`, {
      token: tokens.owner,
    });
    expect(expectData(trail)).toMatchObject({ valid: true });
  });
});

test('a role of DATABASE_URL that could change audit trails is refused in one sentence', async () => {
  for (const url of [database.url, withParameters(as(OWNER), { application_name: 'other' })]) {
    const refused = migrate(url, as(OWNER));
    await expect(refused).rejects.toBeInstanceOf(StartupError);
    await expect(refused).rejects.toThrow(/^The role \w+ of DATABASE_URL could change audit trails: [^\n]+\.$/);
  }
});

test('the start names the missing variable when the role may not create the schema', async () => {
  const empty = await createEmptyDatabase();
  const url = new URL(empty.url);
  [url.username, url.password] = [ROLE, 'secret'];
  const refused = migrate(url.href);
  await expect(refused).rejects.toBeInstanceOf(StartupError);
  await expect(refused).rejects.toThrow(/^The database cannot be [^\n]+ \(42501: .+\): set MIGRATION_DATABASE_URL /);
  await empty.drop();
});
