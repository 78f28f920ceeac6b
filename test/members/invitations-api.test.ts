import { beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { DAY } from '../../src/common/time.js';
import { generateToken } from '../../src/auth/token.js';
import { ROLES, type Role } from '../../src/values/enums.js';
import {
  APIS,
  callThrough,
  dataOf,
  expectConflict,
  expectFailure,
  type Operation,
  type Result,
} from '../support/apis.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { mutation } from '../support/operations.js';
import { buildEngagement, buildInvitation, mailedSecrets, membership, newMember, titlesOf } from '../support/people.js';
import { buildOrganization, buildPerson, buildToken, join, type Person } from '../support/test-data.js';

const START = Date.parse('2026-11-20T08:15:30.500Z');

const INVITATION = `id: databaseId email role engagement_id: engagementId status invited_by: invitedBy { username } mails_sent: mailsSent
  created_at: createdAt expires_at: expiresAt accepted_at: acceptedAt viewer_can: viewerCan { resend cancel }`;

const OPERATIONS = {
  list: {
    rest: 'GET /api/v1/organizations/{organization_id}/invitations',
    graphql: `query ($organizationId: ID!, $first: Int, $filter: InvitationFilter) { organization(id: $organizationId) {
      invitations(first: $first, filter: $filter) { totalCount nodes { ${INVITATION} } } } }`,
    at: 'organization.invitations',
  },
  read: {
    rest: 'GET /api/v1/organizations/{organization_id}/invitations/{id}',
    graphql: `query ($organizationId: ID!, $id: ID!) { invitation(organizationId: $organizationId, id: $id) { ${INVITATION} } }`,
    at: 'invitation',
  },
  invite: mutation(
    'POST /api/v1/organizations/{organization_id}/invitations',
    'inviteMember',
    `invitation { ${INVITATION} }`,
  ),
  resend: mutation(
    'POST /api/v1/organizations/{organization_id}/invitations/{id}/resend',
    'resendInvitation',
    `invitation { ${INVITATION} }`,
    { id: 'invitationId' },
  ),
  cancel: mutation(
    'DELETE /api/v1/organizations/{organization_id}/invitations/{id}',
    'cancelInvitation',
    `invitation { ${INVITATION} }`,
    { id: 'invitationId' },
  ),
  preview: {
    rest: 'POST /api/v1/invitations/preview',
    graphql: `query ($input: InvitationPreviewInput!) {
      invitationPreview(input: $input) { organization: organizationName inviter email role expires_at: expiresAt } }`,
    at: 'invitationPreview',
  },
  accept: {
    rest: 'POST /api/v1/invitations/accept',
    graphql: `mutation ($input: AcceptInvitationInput!) { acceptInvitation(input: $input) {
      organization_id: organizationId organization: organizationName engagement_id: engagementId user_id: userId username email role token token_expires_at: tokenExpiresAt } }`,
    at: 'acceptInvitation',
  },
} satisfies Record<string, Operation>;

/** The current time of the gateway. */
let now: number;

const { gateway, testData } = await startSeededGateway({ now: () => new Date(now) });
beforeEach(() => {
  now = START;
});

const sql = (text: string, values: unknown[] = []) => gateway.app.database.rows(text, values);
const newEmail = (name = 'invited') => `${name}-${randomUUID()}@example.com`;
const emailOf = ({ username }: Person) => `${username}@example.com`;
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');
const codesOf = (results: Result[]) => results.map(({ code }) => code).toSorted();
const times = <Value>(count: number, value: Value) => Array<Value>(count).fill(value);

/** A separate organization for a case, and its owner. */
async function newOrganization(name = 'Another'): Promise<{ organizationId: number; owner: Person }> {
  const organizationId = await buildOrganization(gateway.app.database, name);
  return { organizationId, owner: await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER') };
}

/** The valid secret: mails of one instant have no order, so it is found by its digest. */
async function newestSecret(address: string): Promise<string> {
  const email = address.toLowerCase();
  const [row] = await sql('select digest from invitation where email = $1 order by id desc limit 1', [email]);
  const secrets = await mailedSecrets(gateway.app.database, email);
  return secrets.find((secret) => digestOf(secret) === row?.['digest']) as string;
}

/** Seconds until a refused invitation may be sent again. */
async function secondsToWait(organizationId: number, token: string, email: string): Promise<number> {
  const path = `/api/v1/organizations/${organizationId}/invitations`;
  const refused = await gateway.rest.post(path, { token, body: { email, role: 'VIEWER' } });
  return Number(refused.headers.get('retry-after'));
}

describe.each(APIS)('through %s', (api) => {
  const call = (name: keyof typeof OPERATIONS, input: object, token?: string) =>
    callThrough(api, gateway, OPERATIONS[name], { ...input }, token);
  const onInvitation =
    (name: keyof typeof OPERATIONS) =>
    (id: number, token = testData.manager.token) =>
      call(name, { organization_id: testData.organizationId, id }, token);
  const [read, resend, cancel] = [onInvitation('read'), onInvitation('resend'), onInvitation('cancel')];
  const invite = (
    email: string,
    role: Role = 'VIEWER',
    token = testData.manager.token,
    organization_id = testData.organizationId,
  ) => call('invite', { organization_id, email, role }, token);
  const accept = (secret: string, { token, names }: { token?: string; names?: object } = {}) =>
    call('accept', { secret, ...names }, token);
  /** An open invitation: its id and the secret of its mail. */
  async function invited(email = newEmail(), role: Role = 'VIEWER', token = testData.manager.token) {
    const { id } = dataOf(await invite(email, role, token));
    return { id: id as number, email, secret: await newestSecret(email) };
  }

  describe('inviting', () => {
    test('sends one mail with the secret, which is in no answer and in no table, and is open for seven days', async () => {
      const email = newEmail('Mixed.Case');
      const invitation = dataOf(await invite(email, 'SECURITY_ANALYST'));
      expect(JSON.stringify(invitation)).toBe(
        JSON.stringify({
          id: invitation.id,
          email: email.toLowerCase(),
          role: 'SECURITY_ANALYST',
          engagement_id: null,
          status: 'OPEN',
          invited_by: testData.manager.username,
          mails_sent: 1,
          created_at: new Date(now).toISOString(),
          expires_at: new Date(now + 7 * DAY).toISOString(),
          accepted_at: null,
          viewer_can: { resend: true, cancel: true },
        }),
      );
      const secrets = await mailedSecrets(gateway.app.database, email.toLowerCase());
      expect(secrets).toEqual([expect.stringMatching(/^inv_[0-9A-Za-z]{36}$/)]);
      const rows = await sql('select * from invitation where id = $1', [invitation.id]);
      expect(JSON.stringify(rows)).not.toContain(secrets[0]);
      expect(rows[0]?.['digest']).toBe(digestOf(secrets[0] as string));
      expect(dataOf(await read(invitation.id))).toEqual(invitation);
    });

    test.each(ROLES)('to %s is possible for callers who manage that role', async (role) => {
      const byManager = await invite(newEmail(), role, testData.manager.token);
      if (role.startsWith('SECURITY') || role === 'VIEWER') dataOf(byManager);
      else expectFailure(byManager, 'FORBIDDEN');
      dataOf(await invite(newEmail(), role, testData.owner.token));
    });

    test('does not send a mail when it is refused', async () => {
      const email = newEmail();
      expectFailure(await invite(email, 'ORGANIZATION_OWNER', testData.manager.token), 'FORBIDDEN');
      expect(await mailedSecrets(gateway.app.database, email)).toEqual([]);
    });

    test('is a conflict for an address of a member, deactivated or not, in whatever case', async () => {
      const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
      const email = `${member.username}@EXAMPLE.com`;
      expectConflict(await invite(email), 'ALREADY_MEMBER');
      await sql('update membership set deactivated_at = now() where user_id = $1', [member.id]);
      expectConflict(await invite(email), 'ALREADY_MEMBER');
    });

    test('makes one open invitation for an address, in whatever case, in each organization', async () => {
      const { email } = await invited();
      expectConflict(await invite(email), 'ALREADY_INVITED');
      expectConflict(await invite(email.toUpperCase(), 'SECURITY_OFFICER'), 'ALREADY_INVITED');
      dataOf(await invite(email, 'VIEWER', testData.nonMember.token, testData.otherOrganizationId));
    });

    test('stops at 500 open invitations, and those that have expired are not open', async () => {
      const { organizationId, owner } = await newOrganization();
      const facts = { organizationId, owner, email: newEmail(), expiresAt: new Date(now) };
      const { id: expired } = await buildInvitation(gateway.app.database, facts);
      await sql(
        `insert into invitation (organization_id, email, role, digest, expires_at, sent_at)
         select $1::bigint, n || '@many.example.com', 'VIEWER', 'many-' || $1::bigint || '-' || n, $2, '{}' from generate_series(1, 499) n`,
        [organizationId, new Date(now + 1)],
      );
      const another = () => invite(newEmail(), 'VIEWER', owner.token, organizationId);
      const again = (id: number) => call('resend', { organization_id: organizationId, id }, owner.token);
      const last = dataOf(await another());
      expectConflict(await another(), 'INVITATION_LIMIT');
      expectConflict(await again(expired), 'INVITATION_LIMIT');
      dataOf(await again(last.id));
    });

    test('makes one invitation of many requests that come at once', async () => {
      const email = newEmail();
      const results = await Promise.all([...Array(8).keys()].map((n) => invite(n % 2 ? email : email.toUpperCase())));
      expect(codesOf(results)).toEqual([...times(7, 'CONFLICT'), 'OK']);
      expect(await mailedSecrets(gateway.app.database, email)).toHaveLength(1);
    });

    test('reports every error at once, and takes nothing but a mail address', async () => {
      const send = (input: object) =>
        call('invite', { organization_id: testData.organizationId, ...input }, testData.manager.token);
      expectFailure(await send({ email: undefined }), 'BAD_USER_INPUT', ['email is required', 'role is required']);
      for (const email of ['nobody', 'a@b', 'a b@example.com', ' a@example.com', `${'a'.repeat(250)}@example.com`]) {
        const { code, messages } = await send({ email, role: 'VIEWER' });
        expect([email, code, messages.length]).toEqual([email, 'BAD_USER_INPUT', 1]);
      }
    });

    test('sends an address five mails in seven days from one organization, and ten in a day from all', async () => {
      const email = newEmail('flooded');
      for (let mail = 0; mail < 5; mail += 1) dataOf(await cancel(dataOf(await invite(email)).id));
      expectFailure(await invite(email), 'RATE_LIMITED');
      const fromAnother = async () => {
        const { organizationId, owner } = await newOrganization();
        return invite(email, 'VIEWER', owner.token, organizationId);
      };
      const results = await Promise.all(Array.from({ length: 8 }, fromAnother));
      expect(codesOf(results)).toEqual([...times(5, 'OK'), ...times(3, 'RATE_LIMITED')]);
      expect(await secondsToWait(testData.organizationId, testData.manager.token, email)).toBe((7 * DAY) / 1000);
      const { organizationId, owner } = await newOrganization();
      now += 1_500;
      expect(await secondsToWait(organizationId, owner.token, email)).toBe(DAY / 1000 - 1);
      now += 7 * DAY;
      dataOf(await invite(email));
    });

    test('replaces an invitation that has had its five mails once it has expired, and its last secret is valid until then', async () => {
      const email = newEmail('reminded');
      const { id } = await invited(email);
      for (let mail = 1; mail < 5; mail += 1) dataOf(await resend(id));
      expectConflict(await resend(id), 'MAIL_LIMIT');
      dataOf(await call('preview', { secret: await newestSecret(email) }));
      expectConflict(await invite(email), 'ALREADY_INVITED');
      now += 7 * DAY;
      dataOf(await invite(email));
    });
  });

  describe('the list of invitations', () => {
    test('shows the status of each, newest first, and is filtered by it', async () => {
      const { organizationId, owner } = await newOrganization();
      const make = async (email = newEmail()) => {
        const { id } = dataOf(await invite(email, 'VIEWER', owner.token, organizationId));
        return { id: id as number, email };
      };
      const replaced = await make();
      await make();
      now += 7 * DAY;
      await make(replaced.email);
      const { id } = await make();
      dataOf(await call('cancel', { organization_id: organizationId, id }, owner.token));
      dataOf(await accept(await newestSecret((await make()).email)));
      const statuses = async (filter: object) => {
        const { data, total } = await call('list', { organization_id: organizationId, ...filter }, owner.token);
        expect(total).toBe(data.length);
        return data.map(({ status }: { status: string }) => status);
      };
      expect(await statuses({})).toEqual(['ACCEPTED', 'CANCELLED', 'OPEN', 'EXPIRED', 'EXPIRED']);
      for (const [status, count] of Object.entries({ OPEN: 1, ACCEPTED: 1, CANCELLED: 1, EXPIRED: 2 })) {
        expect(await statuses({ status })).toEqual(times(count, status));
      }
    });

    test('says what the caller may do with each', async () => {
      const { id } = await invited(newEmail(), 'ORGANIZATION_MANAGER', testData.owner.token);
      const permissions = async (token: string) => dataOf(await read(id, token)).viewer_can;
      expect(await permissions(testData.owner.token)).toEqual({ resend: true, cancel: true });
      expect(await permissions(testData.manager.token)).toEqual({ resend: false, cancel: false });
      expect(await permissions(testData.tokens.readOnly)).toEqual({ resend: false, cancel: false });
    });

    test('says that one whose address was invited anew after it had expired is not sent again', async () => {
      const { id, email } = await invited();
      now += 7 * DAY;
      expect(dataOf(await read(id))).toMatchObject({ status: 'EXPIRED', viewer_can: { resend: true, cancel: true } });
      dataOf(await invite(email));
      expect(dataOf(await read(id))).toMatchObject({ status: 'EXPIRED', viewer_can: { resend: false, cancel: false } });
      expectConflict(await resend(id), 'INVITATION_CLOSED');
    });

    test('says that one of a person who has joined otherwise, or to an ended engagement, is not sent again', async () => {
      const { database } = gateway.app;
      const person = await buildPerson(database, 'member');
      const { id } = await invited(emailOf(person));
      await join(database, person, testData.organizationId, 'VIEWER');
      expect(dataOf(await read(id)).viewer_can).toEqual({ resend: false, cancel: true });
      expectConflict(await resend(id), 'ALREADY_MEMBER');
      const audit = await invited();
      const engagement = await buildEngagement(database, testData.organizationId, { until: new Date(now + DAY) });
      await sql(`update invitation set role = 'AUDITOR', engagement_id = $1 where id = $2`, [engagement, audit.id]);
      expect(dataOf(await read(audit.id)).viewer_can).toEqual({ resend: true, cancel: true });
      now += DAY;
      expect(dataOf(await read(audit.id)).viewer_can).toEqual({ resend: false, cancel: true });
      expectFailure(await resend(audit.id), 'NOT_FOUND');
    });

    test('has no invitation of another organization', async () => {
      const { id } = await invited();
      for (const name of ['read', 'cancel', 'resend'] as const) {
        const input = { organization_id: testData.otherOrganizationId, id };
        expectFailure(await call(name, input, testData.nonMember.token), 'NOT_FOUND');
      }
    });
  });

  describe('sending an invitation once more', () => {
    test('makes a new secret in place of the old one, open for seven days, also after the old one has expired', async () => {
      const { id, email, secret } = await invited();
      now += 8 * DAY;
      expect(dataOf(await resend(id, testData.owner.token))).toMatchObject({
        mails_sent: 2,
        status: 'OPEN',
        invited_by: testData.owner.username,
        expires_at: new Date(now + 7 * DAY).toISOString(),
      });
      const newer = await newestSecret(email);
      expect(newer).not.toBe(secret);
      expectFailure(await accept(secret), 'NOT_FOUND');
      dataOf(await accept(newer));
    });

    test('stops after the fifth mail, however many are requested at once', async () => {
      const { id, email } = await invited();
      const results = await Promise.all(Array.from({ length: 8 }, () => resend(id)));
      expect(codesOf(results)).toEqual([...times(4, 'CONFLICT'), ...times(4, 'OK')]);
      expect(await mailedSecrets(gateway.app.database, email)).toHaveLength(5);
      const viewer_can = { resend: false, cancel: true };
      expect(dataOf(await read(id))).toMatchObject({ mails_sent: 5, viewer_can });
    });

    test('counts as a mail to the address when it is sent, whichever invitations the others belong to', async () => {
      const email = newEmail('again');
      const { id: old } = await invited(email);
      // The first mail is not counted any more; later ones of the old invitation are.
      now += 8 * DAY;
      for (let mail = 0; mail < 3; mail += 1) dataOf(await resend(old));
      await cancel(old);
      const { id: second } = await invited(email);
      dataOf(await resend(second));
      expectFailure(await resend(second), 'RATE_LIMITED');
      await cancel(second);
      expectFailure(await invite(email), 'RATE_LIMITED');
      expect(await mailedSecrets(gateway.app.database, email)).toHaveLength(6);
    });

    test('is refused after the tenth mail of a day, whichever organizations sent the others', async () => {
      const email = newEmail('everywhere');
      const { id: own } = await invited(email);
      for (const more of [4, 3]) {
        const { organizationId, owner } = await newOrganization();
        const { id } = dataOf(await invite(email, 'VIEWER', owner.token, organizationId));
        for (let mail = 0; mail < more; mail += 1) {
          dataOf(await call('resend', { organization_id: organizationId, id }, owner.token));
        }
      }
      expectFailure(await resend(own), 'RATE_LIMITED');
      now += DAY;
      dataOf(await resend(own));
    });

    test('is refused after five mails of one invitation, and for a person who has joined otherwise', async () => {
      const person = await buildPerson(gateway.app.database, 'reminded');
      const { id } = await invited(emailOf(person));
      for (let mail = 1; mail < 5; mail += 1) {
        now += 8 * DAY;
        dataOf(await resend(id));
      }
      now += 8 * DAY;
      expectConflict(await resend(id), 'MAIL_LIMIT');
      await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
      expectConflict(await resend(id), 'ALREADY_MEMBER');
    });

    test('is refused for an invitation that was accepted or cancelled, and to a role that the caller does not manage', async () => {
      const accepted = await invited();
      await accept(accepted.secret);
      expectConflict(await resend(accepted.id), 'INVITATION_CLOSED');
      const cancelled = await invited();
      await cancel(cancelled.id);
      expectConflict(await resend(cancelled.id), 'INVITATION_CLOSED');
      const high = await invited(newEmail(), 'ORGANIZATION_MANAGER', testData.owner.token);
      expectFailure(await resend(high.id), 'FORBIDDEN');
    });
  });

  describe('cancelling an invitation', () => {
    test('makes its secret invalid, and changes nothing when it is repeated', async () => {
      const { id, secret } = await invited();
      const first = dataOf(await cancel(id));
      expect(first).toMatchObject({ status: 'CANCELLED', viewer_can: { resend: false, cancel: false } });
      expect(dataOf(await cancel(id))).toEqual(first);
      expectFailure(await accept(secret), 'NOT_FOUND');
    });

    test('is refused when it was accepted, and to a role that the caller does not manage', async () => {
      const accepted = await invited();
      await accept(accepted.secret);
      expectConflict(await cancel(accepted.id), 'INVITATION_CLOSED');
      const high = await invited(newEmail(), 'ORGANIZATION_OWNER', testData.owner.token);
      expectFailure(await cancel(high.id), 'FORBIDDEN');
    });
  });

  describe('the preview of an invitation', () => {
    const build = (facts: { owner?: { id: string }; organizationId?: number; expiresAt?: Date } = {}) =>
      buildInvitation(gateway.app.database, { ...testData, email: newEmail(), ...facts });

    test('shows organization, inviter, address, role and expiry, with or without a token, and changes nothing', async () => {
      const inviter = await newMember(gateway.app.database, testData.organizationId, 'ORGANIZATION_OWNER');
      await sql(`update app_user set first_name = 'Ada', last_name = 'Lovelace' where id = $1`, [inviter.id]);
      const { id, email, secret } = await invited(newEmail(), 'SECURITY_OFFICER', inviter.token);
      const row = () => sql('select i::text from invitation i where id = $1', [id]);
      const before = await row();
      for (const token of [undefined, testData.nonMember.token, 'nonsense']) {
        expect(dataOf(await call('preview', { secret }, token))).toEqual({
          organization: 'First Organization',
          inviter: 'Ada Lovelace',
          email,
          role: 'SECURITY_OFFICER',
          expires_at: new Date(now + 7 * DAY).toISOString(),
        });
      }
      expect(await row()).toEqual(before);
      dataOf(await accept(secret));
    });

    test('names an inviter who has no name by the user name', async () => {
      const inviter = await newMember(gateway.app.database, testData.organizationId, 'ORGANIZATION_OWNER');
      await sql(`update app_user set first_name = '', last_name = '' where id = $1`, [inviter.id]);
      const { secret } = await build({ owner: inviter });
      expect(dataOf(await call('preview', { secret })).inviter).toBe(inviter.username);
    });

    test('answers the same bytes for every secret that cannot be accepted', async () => {
      const { organizationId, owner } = await newOrganization('Deleted');
      const inviter = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
      const changed = async (change: string) => {
        const { id, secret } = await build();
        await sql(`update invitation set ${change} where id = $1`, [id]);
        return secret;
      };
      const until = new Date(now - 1000);
      const engagement = await buildEngagement(gateway.app.database, testData.organizationId, { until });
      const secrets = {
        'of an engagement that has ended': await changed(`role = 'AUDITOR', engagement_id = ${engagement}`),
        empty: '',
        malformed: 'inv_',
        unknown: generateToken('invitation'),
        expired: (await build({ expiresAt: new Date(now - 1000) })).secret,
        used: await changed('accepted_at = now()'),
        cancelled: await changed('closed_at = now()'),
        'of an inviter without the right': (await build({ owner: inviter })).secret,
        'of a deleted organization': (await build({ organizationId, owner })).secret,
      };
      await sql('update organization set deleted_at = now() where id = $1', [organizationId]);
      const bodies = new Set<string | undefined>();
      for (const [kind, secret] of Object.entries(secrets)) {
        const result = await call('preview', { secret });
        expect([kind, result.code]).toEqual([kind, 'NOT_FOUND']);
        bodies.add(result.story.split('\n').at(-1));
      }
      expect(bodies.size).toBe(1);
    });

    test('requires a secret', async () => {
      expectFailure(await call('preview', { secret: undefined }), 'BAD_USER_INPUT', ['secret is required']);
    });
  });

  describe('accepting an invitation', () => {
    test('makes a user with a first token that works at once, in the role that was offered', async () => {
      const { email, secret } = await invited(newEmail('ada'), 'SECURITY_OFFICER');
      const data = dataOf(await accept(secret, { names: { first_name: ' Ada ', last_name: 'Lovelace' } }));
      expect(JSON.stringify(data)).toBe(
        JSON.stringify({
          organization_id: testData.organizationId,
          organization: 'First Organization',
          engagement_id: null,
          user_id: data.user_id,
          username: email.split('@', 1)[0],
          email,
          role: 'SECURITY_OFFICER',
          token: data.token,
          token_expires_at: new Date(now + 90 * DAY).toISOString(),
        }),
      );
      const { token } = data;
      const profile = (await gateway.rest.get('/api/v1/profile', { token })).body.data;
      expect(profile).toMatchObject({ id: data.user_id, first_name: 'Ada', last_name: 'Lovelace', email });
      const users = await gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/users`, { token });
      expect(users.status).toBe(200);
      expect(await titlesOf(gateway.app.database, testData.owner)).toContain('A member has joined');
      expect(await titlesOf(gateway.app.database, { id: data.user_id })).toEqual([]);
    });

    test('gives users of similar addresses names of their own', async () => {
      const domain = `${randomUUID()}.example.com`;
      const name = `same.${randomUUID()}`;
      const usernames = new Set<string>();
      for (const email of [`${name}@${domain}`, `${name}@other.${domain}`, `${name}@third.${domain}`]) {
        usernames.add(dataOf(await accept((await invited(email)).secret)).username);
      }
      expect(usernames.size).toBe(3);
      for (const username of usernames) expect(username).toMatch(new RegExp(`^${name}(?:-\\d+)?$`));
    });

    test('gives an existing user the membership and no token, as a mail must not open its other organizations', async () => {
      const person = await buildPerson(gateway.app.database, 'existing');
      const { secret } = await invited(emailOf(person), 'SECURITY_ANALYST');
      const tokens = () => sql('select id from api_token where user_id = $1', [person.id]);
      const before = await tokens();
      const data = dataOf(await accept(secret, { names: { first_name: 'Other' } }));
      expect(data).toMatchObject({ user_id: person.id, token: null, token_expires_at: null });
      expect(await tokens()).toEqual(before);
      expect((await gateway.rest.get('/api/v1/profile', person)).body.data.first_name).toBe('existing');
      const asInvited = { role: 'SECURITY_ANALYST', active: true };
      expect(await membership(gateway.app.database, testData.organizationId, person)).toEqual(asInvited);
    });

    test('with a token is possible only for the user whose address it is, in whatever case', async () => {
      const person = await buildPerson(gateway.app.database, 'self');
      const { secret } = await invited(emailOf(person).toUpperCase());
      for (const { token } of [testData.userWithoutOrganization, testData.owner]) {
        expectFailure(await accept(secret, { token }), 'NOT_FOUND');
      }
      const readOnly = await buildToken(gateway.app.database, person, { scopes: ['read'] });
      expectFailure(await accept(secret, { token: readOnly }), 'FORBIDDEN');
      expect(dataOf(await accept(secret, { token: person.token }))).toMatchObject({ user_id: person.id });
      // The new membership is effective at once.
      const branding = await gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/branding`, person);
      expect(branding.status).toBe(200);
    });

    test('with a token of another user makes no user for an address that has none', async () => {
      const { secret } = await invited();
      expectFailure(await accept(secret, { token: testData.userWithoutOrganization.token }), 'NOT_FOUND');
      dataOf(await accept(secret));
    });

    test('with an expired token is the same as without a token', async () => {
      const { secret } = await invited();
      dataOf(await accept(secret, { token: testData.tokens.expired }));
    });

    test('answers the same bytes, whatever is wrong with the secret', async () => {
      const used = await invited();
      await accept(used.secret);
      const cancelled = await invited();
      await cancel(cancelled.id);
      const expired = await invited();
      now += 7 * DAY;
      const { organizationId, owner } = await newOrganization('Deleted');
      const facts = { organizationId, owner, email: newEmail(), expiresAt: new Date(now + DAY) };
      const ofDeleted = await buildInvitation(gateway.app.database, facts);
      await sql('update organization set deleted_at = now() where id = $1', [organizationId]);
      const deactivated = await buildPerson(gateway.app.database, 'gone');
      const ofDeactivated = await invited(emailOf(deactivated));
      await sql('update app_user set deactivated_at = now() where id = $1', [deactivated.id]);
      const bodies = new Set<string | undefined>();
      for (const secret of [
        '',
        'x',
        'inv_',
        generateToken('invitation'),
        `${used.secret} `,
        used.secret.replace('inv_', 'scp_'),
        used.secret,
        cancelled.secret,
        expired.secret,
        ofDeleted.secret,
        ofDeactivated.secret,
        testData.owner.token,
      ]) {
        const result = await accept(secret);
        expect([secret, result.code]).toEqual([secret, 'NOT_FOUND']);
        bodies.add(result.story.split('\n').at(-1));
      }
      expect(bodies.size).toBe(1);
    });

    test('is possible to the last millisecond of the seven days, and not in the next', async () => {
      const [late, tooLate] = [await invited(), await invited()];
      now = START + 7 * DAY - 1;
      dataOf(await accept(late.secret));
      now = START + 7 * DAY;
      expectFailure(await accept(tooLate.secret), 'NOT_FOUND');
    });

    test('is not possible after the inviter has lost the right to invite', async () => {
      for (const change of [
        `update membership set role = 'SECURITY_OFFICER' where user_id = $1`,
        'update membership set deactivated_at = now() where user_id = $1',
        'delete from membership where user_id = $1',
        'update app_user set deactivated_at = now() where id = $1',
      ]) {
        const inviter = await newMember(gateway.app.database, testData.organizationId, 'ORGANIZATION_MANAGER');
        const { id, email, secret } = await invited(newEmail(), 'VIEWER', inviter.token);
        await sql(change, [inviter.id]);
        expectFailure(await accept(secret), 'NOT_FOUND');
        // The inviter is then another manager.
        dataOf(await resend(id));
        dataOf(await accept(await newestSecret(email)));
      }
      const owner = await newMember(gateway.app.database, testData.organizationId, 'ORGANIZATION_OWNER');
      const { secret } = await invited(newEmail(), 'ORGANIZATION_OWNER', owner.token);
      await sql(`update membership set role = 'ORGANIZATION_MANAGER' where user_id = $1`, [owner.id]);
      expectFailure(await accept(secret), 'NOT_FOUND');
    });

    test('is a conflict for a user who has become a member meanwhile, and leaves a deactivated one deactivated', async () => {
      const person = await buildPerson(gateway.app.database, 'overtaken');
      const { secret } = await invited(emailOf(person), 'SECURITY_OFFICER');
      await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
      await sql('update membership set deactivated_at = now() where user_id = $1', [person.id]);
      expectConflict(await accept(secret), 'ALREADY_MEMBER');
      const unchanged = { role: 'VIEWER', active: false };
      expect(await membership(gateway.app.database, testData.organizationId, person)).toEqual(unchanged);
    });

    test.each(['is removed', 'leaves'])('is not possible for a person who joined otherwise and %s', async (how) => {
      const { organizationId, owner } = await newOrganization();
      const person = await buildPerson(gateway.app.database, 'returning');
      dataOf(await invite(emailOf(person), 'SECURITY_OFFICER', owner.token, organizationId));
      const secret = await newestSecret(emailOf(person));
      const other = newEmail();
      dataOf(await invite(other, 'VIEWER', owner.token, organizationId));
      await join(gateway.app.database, person, organizationId, 'VIEWER');
      const path = `/api/v1/organizations/${organizationId}`;
      const ended =
        how === 'leaves'
          ? await gateway.rest.post(`${path}/leave`, { token: person.token })
          : await gateway.rest.call('DELETE', `${path}/users/${person.id}`, { token: owner.token });
      expect(ended.status).toBe(200);
      expectFailure(await accept(secret), 'NOT_FOUND');
      expect(await membership(gateway.app.database, organizationId, person)).toBeUndefined();
      const listed = dataOf(await call('list', { organization_id: organizationId }, owner.token));
      expect(listed.map(({ email, status }: { email: string; status: string }) => [email, status])).toEqual([
        [other, 'OPEN'],
        [emailOf(person), 'CANCELLED'],
      ]);
      const entries = await sql(
        `select action from audit_entry e join audit_log l on l.id = e.log_id where l.organization_id = $1 order by e.position`,
        [organizationId],
      );
      expect(entries.slice(2).map(({ action }) => action)).toEqual([
        'INVITATION_CANCELLED',
        how === 'leaves' ? 'MEMBER_LEFT' : 'MEMBER_REMOVED',
      ]);
      // The person is invited anew.
      dataOf(await invite(emailOf(person), 'VIEWER', owner.token, organizationId));
      dataOf(await accept(await newestSecret(emailOf(person))));
    });

    test('succeeds once when many requests are sent at once', async () => {
      const { secret, email } = await invited();
      const results = await Promise.all(Array.from({ length: 8 }, () => accept(secret)));
      expect(codesOf(results)).toEqual([...times(7, 'NOT_FOUND'), 'OK']);
      const rows = await sql(
        `select (select count(*) from membership m where m.user_id = u.id) as memberships,
                (select count(*) from api_token t where t.user_id = u.id) as tokens from app_user u where u.email = $1`,
        [email],
      );
      expect(rows).toEqual([{ memberships: 1, tokens: 1 }]);
    });

    test('makes one user of an address that accepts invitations of several organizations at once', async () => {
      const email = newEmail();
      const expiresAt = new Date(now + DAY);
      const build = async () =>
        buildInvitation(gateway.app.database, { ...(await newOrganization()), email, expiresAt });
      const built = await Promise.all(Array.from({ length: 5 }, build));
      const accepted = (await Promise.all(built.map(({ secret }) => accept(secret)))).map(dataOf);
      expect(new Set(accepted.map(({ user_id }) => user_id)).size).toBe(1);
      expect(accepted.filter(({ token }) => token !== null)).toHaveLength(1);
    });

    test('reports errors of the names and a missing secret, never an error of the secret', async () => {
      const names = { first_name: 'n'.repeat(201), last_name: 'a\nb' };
      expectFailure(await accept('x', { names }), 'BAD_USER_INPUT', [
        'first_name must not be longer than 200 characters',
        'last_name must not contain control characters',
      ]);
      expectFailure(await call('accept', { secret: undefined }), 'BAD_USER_INPUT', ['secret is required']);
    });
  });
});
