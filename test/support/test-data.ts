import { randomUUID } from 'node:crypto';
import { DAY } from '../../src/common/time.js';
import type { Database } from '../../src/database/database.js';
import { issueToken } from '../../src/services/tokens/token-minting.js';
import type { Role, TokenScope } from '../../src/values/enums.js';

/** A user with a token. */
export interface Person {
  id: string;
  username: string;
  token: string;
}

/** Two organizations and every kind of caller. */
export interface TestData {
  organizationId: number;
  otherOrganizationId: number;
  owner: Person;
  manager: Person;
  officer: Person;
  analyst: Person;
  viewer: Person;
  /** Owns the other organization, and is not a member of the first. */
  nonMember: Person;
  /** A user without organization. */
  userWithoutOrganization: Person;
  /** Tokens of the owner with fewer or no scopes; and one whose user was deactivated. */
  tokens: {
    readOnly: string;
    writeOnly: string;
    telemetry: string;
    expired: string;
    revoked: string;
    deactivated: string;
  };
}

/** Creates two organizations and every kind of caller. */
export async function seedTestData(database: Database): Promise<TestData> {
  const organizationId = await buildOrganization(database, 'First Organization');
  const otherOrganizationId = await buildOrganization(database, 'Other Organization');
  const member = async (name: string, role: Role, organization = organizationId) => {
    const person = await buildPerson(database, name);
    await join(database, person, organization, role);
    return person;
  };
  const owner = await member('owner', 'ORGANIZATION_OWNER');
  const token = (scopes: TokenScope[]) => buildToken(database, owner, { scopes });
  const revoked = await token(['read', 'write']);
  await database.rows('update api_token set revoked_at = now() where prefix = $1 and user_id = $2', [
    revoked.slice(0, 8),
    owner.id,
  ]);
  const gone = await buildPerson(database, 'gone');
  await database.rows('update app_user set deactivated_at = now() where id = $1', [gone.id]);
  return {
    organizationId,
    otherOrganizationId,
    owner,
    manager: await member('manager', 'ORGANIZATION_MANAGER'),
    officer: await member('officer', 'SECURITY_OFFICER'),
    analyst: await member('analyst', 'SECURITY_ANALYST'),
    viewer: await member('viewer', 'VIEWER'),
    nonMember: await member('nonMember', 'ORGANIZATION_OWNER', otherOrganizationId),
    userWithoutOrganization: await buildPerson(database, 'userWithoutOrganization'),
    tokens: {
      readOnly: await token(['read']),
      writeOnly: await token(['write']),
      telemetry: await token(['telemetry']),
      expired: await buildToken(database, owner, { expiresAt: new Date(0) }),
      revoked,
      deactivated: gone.token,
    },
  };
}

/** A user without organization, with a token that reads and writes. The name becomes a part of the user name. */
export async function buildPerson(database: Database, name: string): Promise<Person> {
  const id = randomUUID();
  const username = `${name}-${id.slice(0, 8)}`;
  await database.rows('insert into app_user (id, username, email, first_name, last_name) values ($1, $2, $3, $4, $5)', [
    id,
    username,
    `${username}@example.com`,
    name,
    'Person',
  ]);
  const person = { id, username, token: '' };
  return { ...person, token: await buildToken(database, person, {}) };
}

/** A further token of a person. */
export async function buildToken(
  database: Database,
  { id }: Pick<Person, 'id'>,
  {
    scopes = ['read', 'write'],
    expiresAt = new Date(Date.now() + 90 * DAY),
  }: { scopes?: TokenScope[]; expiresAt?: Date },
): Promise<string> {
  const { token } = await issueToken(database, { userId: id, name: 'test', scopes, createdAt: new Date(), expiresAt });
  return token;
}

/** Makes a person a member of an organization. */
export async function join(
  database: Database,
  { id }: Pick<Person, 'id'>,
  organizationId: number,
  role: Role,
): Promise<void> {
  await database.rows('insert into membership (user_id, organization_id, role) values ($1, $2, $3)', [
    id,
    organizationId,
    role,
  ]);
}

/** An organization in the scope of NIS 2, without members; returns its id. */
export async function buildOrganization(database: Database, name: string): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into organization (name, sectors, industries, nis2_sector, compliance_frameworks, contacts, domains, ips)
     values ($1, '{}', '{}', 'Infrastrutture digitali', '[]', '[]', '{}', '{}') returning id`,
    [name],
  );
  return row!.id;
}

/** Associates a shipped workflow with an organization. */
export async function buildWorkflow(
  database: Database,
  organizationId: number,
  workflowId = 'iso-27001-2022',
): Promise<void> {
  await database.rows('insert into organization_workflow (organization_id, workflow_id) values ($1, $2)', [
    organizationId,
    workflowId,
  ]);
}

/** An edge-protection device; returns its id. */
export async function buildCloudDefender(database: Database, organizationId: number): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into cloud_defender (organization_id, email, fqdn, endpoint, services)
     values ($1, 'edge@example.com', 'www.example.com', '192.0.2.10', '{waf,proxy}') returning id`,
    [organizationId],
  );
  return row!.id;
}

/** A threat-blocker device; returns its id. */
export async function buildThreatBlocker(database: Database, organizationId: number): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into threat_blocker (organization_id, atb_key, type, email, endpoint, private_ip, services, device_id, plugin_name, plugin_config)
     values ($1, gen_random_uuid(), 'appliance', 'atb@example.com', '192.0.2.20', '10.0.0.2', '{dnsbl,iplist}', 'dev-1', 'pf', '{"snake_key": {"camelKey": 1, "__proto__x": [true, null]}}')
     returning id`,
    [organizationId],
  );
  return row!.id;
}

/** An open, significant incident; returns its id. */
export async function buildIncident(database: Database, organizationId: number): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into incident (organization_id, title, severity, aware_at, significant, next_reminder_at)
     values ($1, 'Phishing wave', 'HIGH', now(), true, now()) returning id`,
    [organizationId],
  );
  return row!.id;
}

/** Notifications of a person, of all types, every second one read. */
export async function buildNotifications(
  database: Database,
  { id }: Pick<Person, 'id'>,
  organizationId: number,
  count: number,
): Promise<void> {
  await database.rows(
    `insert into notification (user_id, organization_id, title, message, type, action, read, created_at, icon, href)
     select $1, $2, 'Title ' || n, 'Message ' || n, (array['INCIDENT','DOCUMENT','DEVICE','WORKFLOW','MEMBER','TOKEN','SYSTEM'])[1 + n % 7],
            'OPEN', n % 2 = 0, now() - make_interval(mins => n), 'fa fa-bell', '/notifications/' || n
       from generate_series(1, $3::int) n`,
    [id, organizationId, count],
  );
}
