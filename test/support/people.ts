import { randomUUID } from 'node:crypto';
import { digestToken, generateToken } from '../../src/auth/token.js';
import type { Database } from '../../src/database/database.js';
import type { Role } from '../../src/values/enums.js';
import { buildPerson, buildToken, join, type Person } from './test-data.js';
import { settled } from './settled.js';

/**
 * Creates a person with this role in the organization. Earlier changes are consumed first, since notifications go to
 * the members at the time of consumption.
 */
export async function newMember(database: Database, organizationId: number, role: Role): Promise<Person> {
  await settled(database);
  const person = await buildPerson(database, role.toLowerCase().slice(0, 20));
  await join(database, person, organizationId, role);
  return person;
}

/** An open invitation made by the owner of the test data, and its secret. */
export async function buildInvitation(
  database: Database,
  facts: { organizationId: number; owner: Pick<Person, 'id'>; email: string; role?: Role; expiresAt?: Date },
): Promise<{ id: number; secret: string }> {
  const secret = generateToken('invitation');
  const [row] = await database.rows<{ id: number }>(
    `insert into invitation (organization_id, email, role, invited_by_id, digest, expires_at, sent_at)
     values ($1, $2, $3, $4, $5, $6, array[now()]) returning id`,
    [
      facts.organizationId,
      facts.email,
      facts.role ?? 'VIEWER',
      facts.owner.id,
      digestToken(secret),
      facts.expiresAt ?? new Date(Date.now() + 7 * 24 * 60 * 60 * 1000),
    ],
  );
  return { id: row!.id, secret };
}

/** The secret of a recovery link of a person, valid for a day. */
export async function buildRecovery(database: Database, { id, username }: Person): Promise<string> {
  const secret = generateToken('recovery');
  await database.rows(
    `insert into token_recovery (email, network, created_at, user_id, digest, expires_at)
     values ($1, '192.0.2.1', now(), $2, $3, now() + interval '1 day')`,
    [`${username}@example.com`, id, digestToken(secret)],
  );
  return secret;
}

/** The secrets in the mails to an address. */
export async function mailedSecrets(database: Database, email: string): Promise<string[]> {
  const rows = await database.rows<{ text: string }>(
    `select content->>'text' as text from outgoing_mail where recipient = $1`,
    [email],
  );
  return rows.map(({ text }) => /#(inv_\w+)/.exec(text)?.[1] ?? '');
}

/** Reads a membership from the database; undefined if there is none. */
export async function membership(
  database: Database,
  organizationId: number,
  { id }: Pick<Person, 'id'>,
): Promise<{ role: Role; active: boolean } | undefined> {
  const [row] = await database.rows<{ role: Role; active: boolean }>(
    'select role, deactivated_at is null as active from membership where organization_id = $1 and user_id = $2',
    [organizationId, id],
  );
  return row;
}

/** Titles of the notifications of a user, oldest first. */
export async function titlesOf(database: Database, { id }: Pick<Person, 'id'>): Promise<string[]> {
  await settled(database);
  const rows = await database.rows<{ title: string }>('select title from notification where user_id = $1 order by id', [
    id,
  ]);
  return rows.map(({ title }) => title);
}

/** A service account of the organization, with a token that reads and writes. */
export async function buildServiceAccount(
  database: Database,
  organizationId: number,
  responsible: Pick<Person, 'id'> | null,
  role: Role = 'SECURITY_ANALYST',
): Promise<Person> {
  const id = randomUUID();
  const username = `service-account:${organizationId}:${id.slice(0, 8)}`;
  await database.rows(
    `with made as (
       insert into app_user (id, kind, username, email, first_name) values ($1, 'SERVICE_ACCOUNT', $2, $1::uuid::text, 'Import') returning id
     ), account as (
       insert into service_account (user_id, organization_id, responsible_id) select id, $3, $4 from made)
     insert into membership (user_id, organization_id, role) select id, $3, $5 from made`,
    [id, username, organizationId, responsible?.id ?? null, role],
  );
  const account = { id, username, token: '' };
  return { ...account, token: await buildToken(database, account, {}) };
}

/** An engagement for a workflow from 2020 on, which ends at `until`. */
export async function buildEngagement(
  database: Database,
  organizationId: number,
  {
    auditor,
    workflow = 'nis2-directive',
    until = new Date(Date.now() + 86_400_000),
  }: { auditor?: Pick<Person, 'id'>; workflow?: string; until?: Date },
): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into engagement (organization_id, name, workflows, period_from, period_to, until)
     values ($1, 'Audit', array[$2], '2020-01-01', '2100-01-01', $3) returning id`,
    [organizationId, workflow, until],
  );
  if (auditor)
    await database.rows('insert into engagement_auditor (engagement_id, user_id) values ($1, $2)', [
      row!.id,
      auditor.id,
    ]);
  return row!.id;
}

/** A statement in an engagement about its whole workflow. */
export async function buildSignOff(database: Database, engagementId: number): Promise<void> {
  await database.rows(
    `insert into sign_off (organization_id, engagement_id, workflow_id, statement, created_by)
     select organization_id, id, 'nis2-directive', 'In force', 'aud' from engagement where id = $1`,
    [engagementId],
  );
}

/** A request in an engagement. */
export async function buildRequest(database: Database, engagementId: number): Promise<number> {
  const [row] = await database.rows<{ id: number }>(
    `insert into evidence_request (organization_id, engagement_id, workflow_id, control_id, text, created_by)
     select organization_id, id, 'nis2-directive', '21.2.a', 'Evidence', 'aud' from engagement where id = $1 returning id`,
    [engagementId],
  );
  return row!.id;
}
