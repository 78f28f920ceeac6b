import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Access } from '../../src/auth/access.js';
import { accessRecords } from '../../src/database/access-records.js';
import type { Database } from '../../src/database/database.js';
import { generateToken } from '../../src/auth/token.js';
import { TokenService } from '../../src/services/tokens/tokens.service.js';
import { InvitationService } from '../../src/services/members/invitations.service.js';
import { InviteService } from '../../src/services/members/invite.service.js';
import { MemberService, type MemberQuery } from '../../src/services/members/members.service.js';
import { OrganizationTokenService } from '../../src/services/tokens/organization-tokens.service.js';
import { TokenWarningService } from '../../src/services/tokens/token-warnings.service.js';
import { INVITATION_STATUSES } from '../../src/values/enums.js';
import { testConfig } from '../support/gateway.js';
import { anonymousAccess, selecting, SYSTEM, userCaller } from '../support/callers.js';
import { PlannedDatabase } from '../support/planned-database.js';
import { planNodes } from '../support/plans.js';
import { recording, type SentStatement } from '../support/recorded-statements.js';

const ORGANIZATIONS = 200;
const PEOPLE_EACH = 30;
/** People of other organizations, so that each one is a small part. */
const OTHERS = 20_000;
/** Tokens of one of them. */
const TOKENS = 100;

/** What the services of this file use. */
const depsOf = (database: Database) => ({
  ...{ database, access: anonymousAccess(), now: () => new Date(), mails: { post: async () => [] } },
  config: testConfig('http://localhost', ''),
});

let planned: PlannedDatabase;
let userId: string;
/** One parent, and more: nested lists are read for all their parents at once. */
const PARENTS = [[10], [10, 11, 12]];

beforeAll(async () => {
  planned = await PlannedDatabase.open();
  await planned.fillOrganizations(ORGANIZATIONS);
  await fillPeople();
  await planned.fill(
    `with people as (
       insert into app_user (id, username, email, first_name, last_name)
       select gen_random_uuid(), 'other-' || n, 'other-' || n || '@example.com', '', '' from generate_series(1, $1::int) n
       returning id, username
     )
     insert into api_token (user_id, name, digest, prefix, scopes, expires_at)
     select id, 'n', username, 'scp_0000', '{read}', now() + interval '90 days' from people`,
    [OTHERS],
  );
  [{ id: userId } = { id: '' }] = await planned.database.rows<{ id: string }>(
    `select id from app_user where username = 'other-1'`,
  );
  await planned.fill(
    `insert into api_token (user_id, name, digest, prefix, scopes, expires_at)
     select $1, 'n', 'more-' || n, 'scp_0000', '{read}', now() + interval '90 days' from generate_series(1, $2::int) n`,
    [userId, TOKENS],
  );
  await planned.analyze(['app_user', 'membership', 'api_token', 'invitation']);
  await planned.makeVisible('membership');
});

afterAll(() => planned?.close());

async function fillPeople(): Promise<void> {
  const everywhere = `from generate_series(1, ${ORGANIZATIONS}) o cross join generate_series(1, ${PEOPLE_EACH}) n`;
  await planned.fill(
    `insert into app_user (id, username, email, first_name, last_name)
     select gen_random_uuid(), 'user-' || o || '-' || n, 'user-' || o || '-' || n || '@example.com', '', '' ${everywhere}`,
  );
  await planned.fill(
    `insert into membership (user_id, organization_id, person_name, role, deactivated_at)
     select id, split_part(username, '-', 2)::int, username, 'VIEWER', case when username like '%7' then now() end from app_user`,
  );
  await planned.fill(
    `insert into api_token (user_id, name, digest, prefix, scopes, created_at, expires_at)
     select id, 'n', username, 'scp_0000', '{read}', now() - interval '80 days', now() + make_interval(days => 1 + length(username))
       from app_user`,
  );
  // Of every status: accepted, open, expired, and cancelled.
  await planned.fill(
    `insert into invitation (organization_id, email, role, digest, expires_at, accepted_at, closed_at, sent_at)
     select o, 'invited-' || n || '@example.com', 'VIEWER', o || '-' || n,
            now() + make_interval(days => case when n % 4 = 1 then -1 else 7 end),
            case when n % 4 = 2 then now() end, case when n % 4 = 3 then now() end, array[now()] ${everywhere}`,
  );
}

const FIELDS = selecting('id', 'email', 'username', 'viewerCan');

describe('no sequential scan', () => {
  const filters: Omit<MemberQuery, 'page'>[] = [{}, { role: 'VIEWER' }, { active: false }, { search: 'user-1' }];

  test.each(['USERNAME', 'EMAIL', 'ROLE'] as const)('for members by %s', async (field) => {
    for (const parents of PARENTS)
      for (const filter of filters)
        await planned.expectPagesIndexed(async (recorder, page) => {
          const service = new MemberService(depsOf(recorder));
          return (
            await service.ofOrganizations(
              parents,
              { page, orderBy: { field }, ...filter },
              { items: FIELDS, total: true },
            )
          ).get(10)!;
        });
  });

  test.each([null, 'VIEWER'] as const)(
    'for members of role %s by user name, and rows of the page alone',
    async (role) => {
      const statements: SentStatement[] = [];
      const service = new MemberService(depsOf(recording(planned.database, statements)));
      const fields = selecting('id', 'email', 'username');
      await service.ofOrganizations([10], { page: { first: 10 }, role }, { items: fields, total: true });
      for (const mode of ['custom', 'generic'] as const) {
        const nodes = await planNodes(planned.database, statements[0]!, mode);
        const usersBy = nodes.filter((node) => node['Relation Name'] === 'app_user').map((node) => node['Index Name']);
        expect([mode, usersBy]).toEqual([mode, ['app_user_pkey']]);
        const ways = nodes
          .filter((node) => node['Index Name'] === 'membership_person_index')
          .map((node) => node['Node Type']);
        // The total, and the keys of the page.
        expect([mode, ways]).toEqual([mode, ['Index Only Scan', 'Index Only Scan']]);
      }
    },
  );

  test.each([null, ...INVITATION_STATUSES])('for invitations that are %s', async (status) => {
    for (const parents of PARENTS)
      await planned.expectPagesIndexed(async (recorder, page) => {
        const service = new InvitationService(depsOf(recorder));
        return (await service.ofOrganizations(SYSTEM, parents, { page, status }, { items: FIELDS, total: true })).get(
          10,
        )!;
      });
  });

  test('for inviting, and for accepting', async () => {
    const invited = { organizationId: 10, email: `${randomUUID()}@example.com`, role: 'VIEWER' } as const;
    const [owner] = await planned.database.rows<{ id: string }>(
      `update membership set role = 'ORGANIZATION_OWNER' where organization_id = 10 and person_name = 'user-10-1' returning user_id as id`,
    );
    const access = new Access(accessRecords(planned.database), { isFresh: () => false }, () => undefined);
    await planned.expectIndexed((recorder) =>
      new InviteService({ ...depsOf(recorder), access }).invite(userCaller(owner!.id), invited),
    );
    await planned.expectIndexed((recorder) => acceptUnknown(recorder));
  });

  test('for the tokens of a user', () =>
    planned.expectPagesIndexed((recorder, page) =>
      new TokenService(depsOf(recorder)).list(userCaller(userId), page, { items: FIELDS, total: true }),
    ));

  test('for the tokens of an organization', async () => {
    for (const parents of PARENTS)
      await planned.expectPagesIndexed(async (recorder, page) => {
        const service = new OrganizationTokenService(depsOf(recorder));
        return (await service.ofOrganizations(parents, page, { items: FIELDS, total: true })).get(10)!;
      });
  });

  test('for tokens that end soon', async () => {
    // Among many that have notifications already, and a few that do not.
    await planned.fill('update api_token set warned_at = now() where id % 100 <> 0');
    await planned.analyze(['api_token']);
    await planned.expectIndexed((recorder) => new TokenWarningService(depsOf(recorder)).warnExpiring());
  });
});

/** Accepts an invitation that does not exist: its statements run before the refusal. */
async function acceptUnknown(recorder: Database): Promise<void> {
  const accepting = new InvitationService(depsOf(recorder));
  await accepting.accept(SYSTEM, { secret: generateToken('invitation') }).catch((error: { code?: string }) => {
    if (error.code !== 'NOT_FOUND') throw error;
  });
}
