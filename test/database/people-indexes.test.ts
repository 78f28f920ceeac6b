import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Access } from '../../src/access/access.js';
import { generateInvitationSecret } from '../../src/access/token.js';
import { Database } from '../../src/database/database.js';
import { ApiTokenService } from '../../src/services/api-tokens.js';
import { InvitationAcceptanceService } from '../../src/services/invitation-acceptance.js';
import { InvitationService } from '../../src/services/invitations.js';
import { InvitingService } from '../../src/services/inviting.js';
import { MemberService, type MemberSort } from '../../src/services/members.js';
import { OrganizationTokenService } from '../../src/services/organization-tokens.js';
import { TokenWarningService } from '../../src/services/token-warnings.js';
import { INVITATION_STATUSES } from '../../src/vocabulary/invitation-statuses.js';
import type { Selection } from '../../src/vocabulary/selection.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';
import { buildOrganization } from '../support/world.js';

const ORGANIZATIONS = 20;
const PEOPLE_EACH = 100;
/** People of other organizations, so that each one is small beside all of them. */
const OTHERS = 60_000;

let testDatabase: TestDatabase;
let database: Database;
let organizationId: number;
let statements: SentStatement[];

const SYSTEM = { kind: 'system', name: 'test' } as const;
const FIELDS: Selection = { fields: ['id', 'email', 'username', 'viewerCan'], has: () => false, of: () => FIELDS };
const page = { first: 10 };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, 2);
  for (let count = 0; count < ORGANIZATIONS; count += 1) {
    organizationId = await buildOrganization(database, `Number ${count}`);
    await database.rows(
      `with people as (
         insert into app_user (id, username, email, first_name, last_name)
         select gen_random_uuid(), 'user-' || $1::int || '-' || n, 'user-' || $1::int || '-' || n || '@example.com', '', ''
           from generate_series(1, $2::int) n returning id, username
       ), members as (
         insert into membership (user_id, organization_id, role) select id, $1::int, 'VIEWER' from people
       )
       insert into api_token (user_id, name, digest, prefix, scopes, created_at, expires_at)
       select id, 'n', username, 'scp_0000', '{read}', now() - interval '80 days', now() + make_interval(days => 1 + length(username))
         from people`,
      [organizationId, PEOPLE_EACH],
    );
    await database.rows(
      `insert into invitation (organization_id, email, role, digest, expires_at, accepted_at, sent_at)
       select $1::int, 'invited-' || n || '@example.com', 'VIEWER', $1::int || '-' || n, now() + interval '7 days',
              case when n % 2 = 0 then now() end, array[now()]
         from generate_series(1, $2::int) n`,
      [organizationId, PEOPLE_EACH],
    );
  }
  await database.rows(
    `with people as (
       insert into app_user (id, username, email, first_name, last_name)
       select gen_random_uuid(), 'other-' || n, 'other-' || n || '@example.com', '', '' from generate_series(1, $1::int) n
       returning id, username
     )
     insert into api_token (user_id, name, digest, prefix, scopes, expires_at)
     select id, 'n', username, 'scp_0000', '{read}', now() + interval '90 days' from people`,
    [OTHERS],
  );
  await database.rows('analyze');
}, 120_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function expectIndexed(run: (recorder: Database) => Promise<unknown>): Promise<void> {
  statements = [];
  await run(recording(database, statements)).catch((error: unknown) => {
    // What finds nothing has asked nevertheless.
    if ((error as { code?: string }).code !== 'NOT_FOUND') throw error;
  });
  expect(statements.length).toBeGreaterThan(0);
  for (const { text, values } of statements) {
    if (!/^\s*(?:select|with|insert|update|delete)/.test(text)) continue;
    const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
    const scans = plan
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /Seq Scan on (?:app_user|membership|api_token|invitation)\b/.test(line));
    expect([text, scans]).toEqual([text, []]);
  }
}

const access = () => new Access({} as never, { isFresh: () => false }, () => undefined);

describe('no sequential scan', () => {
  test.each(['USERNAME', 'EMAIL', 'ROLE'] as const)('for members by %s', async (sort: MemberSort) => {
    for (const query of [{}, { role: 'VIEWER' as const }, { active: false }, { search: 'user-1' }]) {
      await expectIndexed((recorder) =>
        new MemberService(recorder, access()).ofOrganizations(
          [organizationId],
          { page, sort, ...query },
          { items: FIELDS, total: true },
        ),
      );
    }
  });

  test.each([undefined, ...INVITATION_STATUSES])('for invitations that are %s', (status) =>
    expectIndexed((recorder) =>
      new InvitationService(recorder, access()).ofOrganizations(
        [organizationId],
        { page, status: status ?? null },
        { items: FIELDS, total: true },
      ),
    ),
  );

  test('for inviting, and for accepting', async () => {
    const deps = { mails: { post: async () => '' }, publicUrl: 'http://localhost', now: () => new Date() };
    const email = `${randomUUID()}@example.com`;
    await expectIndexed((recorder) =>
      new InvitingService(recorder, access(), deps).invite(SYSTEM, { organizationId, email, role: 'VIEWER' }),
    );
    await expectIndexed((recorder) =>
      new InvitationAcceptanceService(recorder, access()).accept(SYSTEM, { secret: generateInvitationSecret() }),
    );
  });

  test('for the tokens of a user and of an organization', async () => {
    const [person] = await database.rows<{ id: string }>('select id from app_user limit 1');
    const caller = {
      kind: 'user',
      userId: person!.id,
      username: '',
      tokenId: 1,
      scopes: new Set(['read'] as const),
      form: 'header',
      blockedIn: new Set<number>(),
    } as const;
    await expectIndexed((recorder) =>
      new ApiTokenService(recorder, access()).list(caller, page, { items: FIELDS, total: true }),
    );
    await expectIndexed((recorder) =>
      new OrganizationTokenService(recorder, access()).ofOrganizations([organizationId], page, {
        items: FIELDS,
        total: true,
      }),
    );
  });

  test('for tokens that end soon', async () => {
    // Among many that were told of already, and a few that were not.
    await database.rows('update api_token set warned_at = now() where id % 100 <> 0');
    await database.rows('analyze api_token');
    await expectIndexed((recorder) => new TokenWarningService(recorder).warnExpiring());
  });
});
