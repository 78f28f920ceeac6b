import { digestToken, generateToken } from '../../../src/auth/token.js';
import type { TestGateway } from '../../support/gateway.js';
import type { Domain } from './pair-scenarios.js';
import type { Fixture } from './pair-fixture.js';

/** Calls besides mutations that may run concurrently with one. */
export interface Call {
  domains: readonly Domain[];
  prepare: (fixture: Fixture) => Promise<unknown>;
  /** An unsuccessful response has a `code`, like an error of a mutation. */
  call: (fixture: Fixture, gateway: TestGateway, headers: Record<string, string>) => Promise<object>;
  /** It skips locked rows until its next run. */
  isRepeated?: true;
}

/** The directory has provisioned the member. */
interface Directory {
  token: string;
  memberId: string;
}

const directories = new WeakMap<Fixture, Directory>();

async function connectDirectory(fixture: Fixture): Promise<void> {
  const { database, organizationId, people } = fixture;
  if (directories.has(fixture)) return;
  const token = generateToken('scim');
  const email = addressOf(fixture, 'member');
  for (const [text, ...values] of [
    [`update identity_domain set verified_at = now() where organization_id = $1`],
    [`update scim_token set digest = $2 where organization_id = $1`, digestToken(token)],
    [
      `update scim_settings set group_roles = $2::jsonb where organization_id = $1`,
      JSON.stringify([{ group: 'Officers', role: 'SECURITY_OFFICER' }]),
    ],
  ] as const)
    await database.rows(text, [organizationId, ...values]);
  await database.rows(`delete from api_token where user_id = $1`, [people.member.id]);
  await database.rows(`update app_user set email = $2 where id = $1`, [people.member.id, email]);
  const [row] = await database.rows<{ id: string }>(
    `insert into scim_user (id, organization_id, membership_id, made_user, user_name, user_name_key, emails, email, active, created_at, updated_at)
     select gen_random_uuid(), $1, id, true, $3, lower($3), '[]', $3, true, now(), now()
       from membership where organization_id = $1 and user_id = $2 returning id`,
    [organizationId, people.member.id, email],
  );
  directories.set(fixture, { token, memberId: row!.id });
}

const addressOf = ({ people }: Fixture, who: 'member' | 'invitee') => `${people[who].username}@example.com`;

const user = (email: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  name: { givenName: 'Given', familyName: 'Family' },
  emails: [{ value: email, type: 'work', primary: true }],
  active: true,
});

const CODES: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

/** A request of the directory; `{id}` is the member. */
function scim(method: string, path: string, bodyOf?: (fixture: Fixture, directory: Directory) => object): Call {
  return {
    domains: ['scim', 'members'],
    prepare: connectDirectory,
    call: async (fixture, gateway, headers) => {
      const directory = directories.get(fixture)!;
      const base = `${gateway.url}/scim/v2/organizations/${fixture.organizationId}`;
      const answer = await fetch(`${base}/${path.replace('{id}', directory.memberId)}`, {
        method,
        headers: { ...headers, authorization: `Bearer ${directory.token}`, 'content-type': 'application/scim+json' },
        ...(bodyOf && { body: JSON.stringify(bodyOf(fixture, directory)) }),
      });
      const said = JSON.parse((await answer.text()) || '{}') as object;
      // Addresses, and the number of changes.
      Reflect.deleteProperty(said, 'meta');
      if (answer.ok) return { status: answer.status, ...said };
      return { code: CODES[answer.status] ?? (answer.status < 500 ? 'CONFLICT' : 'INTERNAL'), ...said };
    },
  };
}

/** A periodic job of the gateway, over the rows that it selects. */
function job(domains: readonly Domain[], run: (gateway: TestGateway) => Promise<unknown>, prepare: string): Call {
  return {
    ...{ domains, isRepeated: true },
    prepare: ({ database, organizationId, people }) =>
      database.rows(
        prepare.replaceAll('$manager', `'${people.manager.id}'`).replaceAll('$member', `'${people.member.id}'`),
        prepare.includes('$1') ? [organizationId] : [],
      ),
    call: (_world, gateway) =>
      run(gateway).then(
        () => ({}),
        (error: Error) => ({ code: 'INTERNAL', error: error.stack }),
      ),
  };
}

const OVERDUE = `
  insert into control_state (organization_id, workflow_id, control_id, status, owner_id, due_date, review_interval_months)
  values ($1, 'nis2-directive', '21.2.a', 'IN_PROGRESS', $manager, '2020-01-01', 3)
  on conflict (organization_id, workflow_id, control_id)
  do update set status = 'IN_PROGRESS', owner_id = $manager, due_date = '2020-01-01', review_interval_months = 3`;
const silent = (table: string) =>
  `update ${table} set status = 1, last_seen_at = now() - interval '3 days' where organization_id = $1`;

/** Requests of a directory, and jobs. */
export const CALLS: Readonly<Record<string, Call>> = {
  'scim: create': scim('POST', 'Users', (fixture) => user(`fresh-${fixture.organizationId}@example.com`)),
  'scim: create a user': scim('POST', 'Users', (fixture) => user(addressOf(fixture, 'invitee'))),
  'scim: rename': scim('PUT', 'Users/{id}', (fixture) => user(addressOf(fixture, 'member'))),
  'scim: readdress': scim('PUT', 'Users/{id}', (fixture) => user(addressOf(fixture, 'invitee'))),
  'scim: deactivate': scim('PATCH', 'Users/{id}', () => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  })),
  'scim: remove': scim('DELETE', 'Users/{id}'),
  'scim: group': scim('POST', 'Groups', (_world, { memberId }) => ({
    displayName: 'Officers',
    members: [{ value: memberId }],
  })),
  'job: remindOverdue': job(['workflows'], ({ app }) => app.services.controlReminders.remindOverdue(), OVERDUE),
  'job: remindExpiring': job(['workflows'], ({ app }) => app.services.controlReminders.remindExpiring(), OVERDUE),
  'job: noticeStale': job(
    ['workflows', 'documents'],
    ({ app }) => app.services.attestationWatch.noticeStale(),
    `update control_state set status = 'IN_PROGRESS' where organization_id = $1`,
  ),
  'job: remind of incidents': job(
    ['incidents'],
    ({ app }) => app.services.incidentReminders.remind(),
    `update incident set next_reminder_at = now() - interval '1 minute', aware_at = now() - interval '23 hours', significant = true
      where organization_id = $1`,
  ),
  'job: markSilent, of cloud defenders': job(
    ['devices'],
    ({ app }) => app.services.cloudDefenders.watch.markSilent(),
    silent('cloud_defender'),
  ),
  'job: markSilent, of threat blockers': job(
    ['devices'],
    ({ app }) => app.services.threatBlockers.watch.markSilent(),
    silent('threat_blocker'),
  ),
  'job: disableWithoutRight': job(
    ['webhooks', 'members'],
    ({ app }) => app.services.webhookEndpoints.disableWithoutRight(),
    `update webhook_endpoint set enabled_by_id = $member where organization_id = $1`,
  ),
  'job: warnExpiring': job(
    ['tokens', 'accounts'],
    ({ app }) => app.services.tokenWarnings.warnExpiring(),
    `update api_token set expires_at = now() + interval '2 days', created_at = now() - interval '60 days' where user_id = $manager`,
  ),
};
