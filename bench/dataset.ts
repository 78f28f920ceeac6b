import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { REGISTERED } from './graphql-documents.js';
import { wireTypes } from '../src/database/wire.js';
import { digestToken, generateToken, tokenPrefix } from '../src/auth/token.js';

/** A user with a token, and the organization whose members it lists. */
export interface Reader {
  id: string;
  token: string;
  organizationId: number;
}

/** Facts of the data that servers and load generator need. */
export interface Facts {
  /** Fifty, of twenty organizations with 200 members each. */
  readers: readonly Reader[];
  /** Each server uploads to its own organization: their files are in separate folders. */
  uploadOrganizations: { gateway: number; byHand: number };
  /** The user who creates and uploads. */
  writerId: string;
  writerName: string;
  writerToken: string;
}

/** One control for each connection of the generator, so that they do not wait for each other's artifact lock. */
export const WORKFLOW = 'iso-27001-2022';
export const ARTIFACTS = Array.from({ length: 32 }, (_, index) => `A.5.${index + 1}`);

/** Members of an organization and notifications of a reader: more than a page, so that the total is counted. */
const ROWS = 200;
const ORGANIZATIONS = 20;
const READERS = 50;
/** Members who are notified of an upload, besides its uploader. */
const NOTIFIED = 20;

/** Rows that no request reads, so that the requested ones are found by index. */
const BACKGROUND = `
  insert into app_user (id, username, email, first_name, last_name)
  select gen_random_uuid(), 'user' || n, 'user' || n || '@example.com', (array['Ada','Bruno','Chiara','Dario','Elena'])[1 + n % 5],
         (array['Rossi','Russo','Ferrari','Esposito','Bianchi','Romano'])[1 + n % 6] || ' ' || n
    from generate_series(1, 5000) n;
  insert into organization (name, description, website, logo, sectors, industries, compliance_frameworks, infrastructure, contacts, domains, ips)
  select 'Organization ' || n, repeat('Keeps what it promises. ', 10), 'https://www' || n || '.example.com',
         'https://cdn.example.com/logos/organization-' || n || '.png', '{Energy,Utilities}', '{Oil/Energy/Solar/Greentech}', '[]',
         'hybrid', '[]', array['www' || n || '.example.com'], '{192.0.2.1}'
    from generate_series(1, 200) n;
  insert into membership (user_id, organization_id, role, alert_atb, alert_cloud_defender, alert_v_ciso)
  select u.id, 1 + (u.n * 7 + k * 61) % 200, (array['VIEWER','SECURITY_ANALYST','SECURITY_OFFICER'])[1 + u.n % 3],
         u.n % 2 = 0, u.n % 3 = 0, u.n % 5 = 0
    from (select id, row_number() over (order by username) as n from app_user) u, generate_series(0, 1) k;`;

const NOTIFICATIONS = `
  insert into notification (user_id, organization_id, title, message, type, action, read, created_at, icon, href)
  select m.user_id, m.organization_id, 'A control changed its status (' || n || ')',
         'The control A.5.' || 1 + n % 37 || ' went from IN_PROGRESS to DONE; its owner and the date it is due did not change.',
         (array['INCIDENT','DOCUMENT','DEVICE','WORKFLOW','MEMBER','TOKEN','SYSTEM'])[1 + n % 7],
         (array['OPEN','NONE'])[1 + n % 2], n % 3 = 0, now() - make_interval(mins => n),
         'fa fa-shield', '/organizations/' || m.organization_id || '/workflows/iso-27001-2022#A.5.' || 1 + n % 37
    from (select *, row_number() over (order by id) as k from membership where user_id`;

/** Published like the command does it. */
const DOCUMENT = `
  with version as (insert into application_version (application, label, documents) values ('bench', '1', 1) returning id),
       document as (insert into trusted_document (sha256, text, tokens) values ($1, $2, 1) returning id)
  insert into application_document (application_version_id, document_id) select version.id, document.id from version, document`;

/** Registers the document of (e); builds without trusted documents cannot do this. */
export async function registerDocument(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { sha256, text } = REGISTERED;
  await client.query(DOCUMENT, [sha256, text]).finally(() => client.end());
}

/** Fills a migrated, empty database. */
export async function fillDatabase(url: string): Promise<Facts> {
  const client = new pg.Client({ connectionString: url, types: wireTypes });
  await client.connect();
  try {
    await client.query(BACKGROUND);
    await client.query(`${NOTIFICATIONS} is not null) m, generate_series(1, 10) n`);
    const facts = await fillMeasured(client);
    await client.query('vacuum analyze');
    return facts;
  } finally {
    await client.end();
  }
}

async function fillMeasured(client: pg.Client): Promise<Facts> {
  const writer = await addUser(client, 'writer');
  const readers: Reader[] = [];
  for (let made = 0; made < READERS; made += 1) {
    const { id, token } = await addUser(client, `reader${made}`);
    const organizationId = readers[made - ORGANIZATIONS]?.organizationId ?? (await addOrganization(client, 'Measured'));
    await addMember(client, id, organizationId, 'SECURITY_OFFICER');
    for (let other = 10; other < 14; other += 1) await addMember(client, id, other + made, 'VIEWER');
    // Distributed in turn over its five organizations.
    await client.query(`${NOTIFICATIONS} = $1) m, generate_series(1, $2) n where n % 5 = m.k % 5`, [id, ROWS]);
    readers.push({ id, token, organizationId });
  }
  await client.query(
    `insert into membership (user_id, organization_id, role)
     select u.id, o.id, 'VIEWER' from unnest($1::bigint[]) o (id),
            lateral (select id from app_user where username like 'user%' order by username
                      limit $2 - (select count(*) from membership where organization_id = o.id)) u`,
    [readers.slice(0, ORGANIZATIONS).map(({ organizationId }) => organizationId), ROWS],
  );
  const uploadOrganizations = {
    gateway: await addUploadOrganization(client, writer.id, 'Uploads to the gateway'),
    byHand: await addUploadOrganization(client, writer.id, 'Uploads by hand'),
  };
  return {
    readers,
    uploadOrganizations,
    writerId: writer.id,
    writerName: writer.username,
    writerToken: writer.token,
  };
}

/** Adds a user with a token that reads and writes. */
export async function addUser(client: pg.Client, username: string) {
  const id = randomUUID();
  const token = generateToken();
  await client.query(
    `insert into app_user (id, username, email, first_name, last_name) values ($1, $2, $2 || '@example.com', 'Anna', 'Neri')`,
    [id, username],
  );
  await client.query(
    `insert into api_token (user_id, name, digest, prefix, scopes, expires_at)
     values ($1, 'bench', $2, $3, '{read,write}', now() + interval '1 day')`,
    [id, digestToken(token), tokenPrefix(token)],
  );
  return { id, username, token };
}

async function addOrganization(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into organization (name, logo, sectors, industries, compliance_frameworks, contacts, domains, ips)
     values ($1, 'https://cdn.example.com/logos/measured.png', '{}', '{}', '[]', '[]', '{}', '{}') returning id`,
    [name],
  );
  return rows[0]!.id;
}

async function addMember(client: pg.Client, userId: string, organizationId: number, role: string): Promise<void> {
  await client.query('insert into membership (user_id, organization_id, role) values ($1, $2, $3)', [
    userId,
    organizationId,
    role,
  ]);
}

async function addUploadOrganization(client: pg.Client, userId: string, name: string): Promise<number> {
  const id = await addOrganization(client, name);
  await addMember(client, userId, id, 'SECURITY_ANALYST');
  // These members are notified of each upload.
  await client.query(
    `insert into membership (user_id, organization_id, role)
     select id, $1, 'VIEWER' from (select id from app_user where username like 'user%' order by username limit $2) u`,
    [id, NOTIFIED],
  );
  await client.query('insert into organization_workflow (organization_id, workflow_id) values ($1, $2)', [
    id,
    WORKFLOW,
  ]);
  return id;
}
