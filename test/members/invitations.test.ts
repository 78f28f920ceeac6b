import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { generateInvitationSecret } from '../../src/auth/token.js';
import { composed, type Mail } from '../../src/mail/mailer.js';

import { ROLES, type Role } from '../../src/values/enums.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData, expectError, expectStatus } from '../support/matchers.js';
import { buildInvitation, mailedSecrets, newMember, membership, titlesOf } from '../support/people.js';
import { buildOrganization, buildPerson, buildToken, seedTestData, join, type TestData } from '../support/test-data.js';
import { pagingCases } from '../support/rest.js';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-11-20T08:15:30.500Z');

let gateway: TestGateway;
let testData: TestData;
/** What the gateway takes for the present. */
let now: number;

beforeAll(async () => {
  now = START;
  gateway = await startGateway({ now: () => new Date(now) });
  testData = await seedTestData(gateway.app.database);
});

afterAll(() => gateway?.close());

const ACCEPT = '/api/v1/invitations/accept';
const newEmail = (name = 'invited') => `${name}-${randomUUID()}@example.com`;
const list = (organizationId = testData.organizationId) => `/api/v1/organizations/${organizationId}/invitations`;
const invite = (email: string, role: Role = 'VIEWER', token = testData.manager.token, organizationId?: number) =>
  gateway.rest.post(list(organizationId), { token, body: { email, role } });
const accept = (secret: string, options: { token?: string; names?: object } = {}) =>
  gateway.rest.post(ACCEPT, {
    ...(options.token === undefined ? {} : { token: options.token }),
    body: { secret, ...options.names },
  });
/** The secret that opens: mails of one instant have no order, so it is told by its digest. */
async function newestSecret(address: string): Promise<string> {
  const email = address.toLowerCase();
  const rows = await gateway.app.database.rows<{ digest: string }>(
    'select digest from invitation where email = $1 order by id desc limit 1',
    [email],
  );
  const secrets = await mailedSecrets(gateway.app.database, email);
  return secrets.find((secret) => createHash('sha256').update(secret).digest('hex') === rows[0]?.digest) as string;
}
/** One that is under way: its id and the secret of its mail. */
async function invited(email = newEmail(), role: Role = 'VIEWER', token = testData.manager.token) {
  const { id } = expectData(await invite(email, role, token), 201);
  return { id: id as number, email, secret: await newestSecret(email) };
}
const NOT_FOUND = [404, '{"error":1,"messages":[1004]}'];

describe('inviting', () => {
  test('sends one mail with the secret, which is in no answer and in no table, and lasts seven days', async () => {
    const email = newEmail('Mixed.Case');
    const answer = await invite(email, 'SECURITY_ANALYST');
    const data = expectData(answer, 201);
    expect(answer.headers.get('location')).toBe(`${list()}/${data.id}`);
    expect(answer.text).toBe(
      JSON.stringify({
        error: 0,
        messages: [],
        data: {
          id: data.id,
          email: email.toLowerCase(),
          role: 'SECURITY_ANALYST',
          status: 'OPEN',
          invited_by: testData.manager.username,
          mails_sent: 1,
          created_at: new Date(now).toISOString(),
          expires_at: new Date(now + 7 * DAY).toISOString(),
          accepted_at: null,
          viewer_can: { resend: true, cancel: true },
        },
      }),
    );
    const secrets = await mailedSecrets(gateway.app.database, email.toLowerCase());
    expect(secrets).toEqual([expect.stringMatching(/^inv_[0-9A-Za-z]{36}$/)]);
    const rows = await gateway.app.database.rows('select * from invitation where id = $1', [data.id]);
    expect(JSON.stringify(rows)).not.toContain(secrets[0]);
    expect(rows[0]?.['digest']).toBe(
      createHash('sha256')
        .update(secrets[0] as string)
        .digest('hex'),
    );
    expect(await gateway.rest.get(`${list()}/${data.id}`, testData.manager).then(({ text }) => text)).toBe(answer.text);
  });

  test('writes a mail that shows what people have written as text, and the address with the secret behind #', async () => {
    const organizationId = await buildOrganization(gateway.app.database, '<b>Evil</b> & "Sons"');
    const owner = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
    const email = newEmail();
    expectStatus(await invite(email, 'ORGANIZATION_OWNER', owner.token, organizationId), 201);
    const [mail] = await gateway.app.database.rows<{ content: { subject: string; html: string; text: string } }>(
      'select content from outgoing_mail where recipient = $1',
      [email],
    );
    const { subject, html, text } = mail!.content;
    expect(subject).toBe('Invitation to join “<b>Evil</b> & "Sons"”');
    expect(text).toContain(`${gateway.url}/invitation#inv_`);
    expect(text).toContain('as Organization Owner.');
    expect(text).toContain('\n> <b>Evil</b> & "Sons"\n');
    expect(html).toContain('&#60;b&#62;Evil&#60;/b&#62; &#38; &#34;Sons&#34;');
    expect(html).not.toContain('<b>Evil');
    // The platform's colour where the organization has none of its own.
    expect(html).toContain('bgcolor="#1F6FEB"');
    expect(html).toContain(`href="${gateway.url}/invitation#inv_`);
  });

  test('says who invites and for whom the mail is sent, and quotes what the sender has written', async () => {
    const { database } = gateway.app;
    const name = `Your account is blocked. ${'Open http://evil.example now! '.repeat(6)}\u202e\u2066`;
    const organizationId = await buildOrganization(database, name);
    const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    const email = newEmail();
    expectStatus(await invite(email, 'VIEWER', owner.token, organizationId), 201);
    const [row] = await database.rows<{ id: string; content: Mail }>(
      'select id, content from outgoing_mail where recipient = $1',
      [email],
    );
    const mail = { ...row!.content, id: row!.id, to: email, date: new Date(now), headers: {} };
    const sent = composed(mail, gateway.config.mailFrom);
    const shown = name.slice(0, -2).trim();
    expect(sent.subject).toBe(`Invitation to join “${shown.slice(0, 59)}…”`);
    for (const text of [sent.text as string, (sent.html as string).replace(/&#64;/g, '@')]) {
      expect(text).toContain(`(${owner.username}@example.com) invites you to join an organization as Viewer.`);
      expect(text).toContain(`The Compliance Gateway at ${gateway.url} sends this mail on behalf of that person.`);
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(text.split(shown)).toHaveLength(2);
    }
    expect(sent.text).toContain(`\n> ${shown}`);
    expect(sent.html).toMatch(new RegExp(`<blockquote[^>]*>${shown.replace(/[.!]/g, '\\$&')}`));
  });

  test.each(ROLES)('to %s is for who manages that role', async (role) => {
    const managers = role.startsWith('SECURITY') || role === 'VIEWER';
    const byManager = await invite(newEmail(), role, testData.manager.token);
    if (managers) expectStatus(byManager, 201);
    else expectError(byManager, 403, [1003]);
    expectStatus(await invite(newEmail(), role, testData.owner.token), 201);
  });

  test('does not send a mail when it is refused', async () => {
    const email = newEmail();
    await invite(email, 'ORGANIZATION_OWNER', testData.manager.token);
    expect(await mailedSecrets(gateway.app.database, email)).toEqual([]);
  });

  test('refuses who is a member already, deactivated or not, in whatever case', async () => {
    const member = await newMember(gateway.app.database, testData.organizationId, 'VIEWER');
    const email = `${member.username}@EXAMPLE.com`;
    expectError(await invite(email), 409, [1009]);
    await gateway.app.database.rows('update membership set deactivated_at = now() where user_id = $1', [member.id]);
    expectError(await invite(email), 409, [1009]);
  });

  test('has one open invitation for an address, in whatever case, and one for each organization', async () => {
    const { email } = await invited();
    expectError(await invite(email), 409, [1009]);
    expectError(await invite(email.toUpperCase(), 'SECURITY_OFFICER'), 409, [1009]);
    expectStatus(await invite(email, 'VIEWER', testData.nonMember.token, testData.otherOrganizationId), 201);
  });

  test('has 500 open invitations at the most, and those that have expired are not open', async () => {
    const { database } = gateway.app;
    const organizationId = await buildOrganization(database, 'Inviting many');
    const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    const of = { organizationId, owner };
    const { id: expired } = await buildInvitation(database, { ...of, email: newEmail(), expiresAt: new Date(now) });
    await database.rows(
      `insert into invitation (organization_id, email, role, digest, expires_at, sent_at)
       select $1, n || '@many.example.com', 'VIEWER', 'many-' || n, $2, '{}' from generate_series(1, 499) n`,
      [organizationId, new Date(now + 1)],
    );
    const last = expectData(await invite(newEmail(), 'VIEWER', owner.token, organizationId), 201);
    expectError(await invite(newEmail(), 'VIEWER', owner.token, organizationId), 409, [1009]);
    const again = (id: number) => gateway.rest.post(`${list(organizationId)}/${id}/resend`, owner);
    expectError(await again(expired), 409, [1009]);
    expectStatus(await again(last.id), 200);
  });

  test('makes one invitation of many that come at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => invite(index % 2 ? email : email.toUpperCase())),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await mailedSecrets(gateway.app.database, email)).toHaveLength(1);
  });

  test('tells all errors at once', async () => {
    const { token } = testData.manager;
    expectError(await gateway.rest.post(list(), { token, body: {} }), 400, ['email is required', 'role is required']);
    for (const email of ['nobody', 'a@b', 'a b@example.com', ' a@example.com', `${'a'.repeat(250)}@example.com`]) {
      const answer = await gateway.rest.post(list(), { token, body: { email, role: 'VIEWER' } });
      expectStatus(answer, 400);
      expect(answer.body.messages).toHaveLength(1);
    }
  });

  test('does not fill a mailbox: five mails in seven days from one organization, ten in a day from all', async () => {
    const email = newEmail('flooded');
    for (let mail = 0; mail < 5; mail += 1) {
      const { id } = expectData(await invite(email), 201);
      expectStatus(await gateway.rest.delete(`${list()}/${id}`, testData.manager), 200);
    }
    const refused = await invite(email);
    expectError(refused, 429, [1029]);
    expect(refused.headers.get('retry-after')).toBe('86400');
    const fromOthers = async () => {
      const organizationId = await buildOrganization(gateway.app.database, 'Another');
      const owner = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
      return (await invite(email, 'VIEWER', owner.token, organizationId)).status;
    };
    const statuses = await Promise.all(Array.from({ length: 8 }, fromOthers));
    expect(statuses.toSorted()).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    now += 7 * DAY + 1;
    expectStatus(await invite(email), 201);
    now = START;
  });
});

describe('the list of invitations', () => {
  pagingCases((query) => gateway.rest.get(`${list()}?${query}`, testData.manager));

  test('tells of each what has become of it, and filters by that; newest first', async () => {
    const organizationId = await buildOrganization(gateway.app.database, 'With invitations');
    const owner = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
    const made: Record<string, number> = {};
    const make = async (status: string) => {
      const email = newEmail();
      made[status] = expectData(await invite(email, 'VIEWER', owner.token, organizationId), 201).id as number;
      return email;
    };
    const replaced = await make('REPLACED');
    await make('EXPIRED');
    now += 7 * DAY;
    expectStatus(await invite(replaced, 'VIEWER', owner.token, organizationId), 201);
    await make('CANCELLED');
    await gateway.rest.delete(`${list(organizationId)}/${made['CANCELLED']}`, owner);
    expectStatus(await accept(await newestSecret(await make('ACCEPTED'))), 201);
    const statuses = async (query: string) => {
      const answer = await gateway.rest.get(`${list(organizationId)}${query}`, owner);
      const rows = expectData(answer) as { id: number; status: string }[];
      expect(answer.body.total).toBe(rows.length);
      return rows.map(({ status }) => status);
    };
    expect(await statuses('')).toEqual(['ACCEPTED', 'CANCELLED', 'OPEN', 'EXPIRED', 'EXPIRED']);
    for (const [status, count] of Object.entries({ OPEN: 1, ACCEPTED: 1, CANCELLED: 1, EXPIRED: 2 })) {
      expect(await statuses(`?status=${status}`)).toEqual(Array<string>(count).fill(status));
    }
    now = START;
  });

  test('says to a manager what it may do with each', async () => {
    const { id } = await invited(newEmail(), 'ORGANIZATION_MANAGER', testData.owner.token);
    const read = async (token: string) =>
      expectData(await gateway.rest.get(`${list()}/${id}`, { token })).viewer_can as object;
    expect(await read(testData.owner.token)).toEqual({ resend: true, cancel: true });
    expect(await read(testData.manager.token)).toEqual({ resend: false, cancel: false });
    expect(await read(testData.tokens.readOnly)).toEqual({ resend: false, cancel: false });
  });

  test('finds no invitation of another organization', async () => {
    const { id } = await invited();
    const other = `${list(testData.otherOrganizationId)}/${id}`;
    const { token } = testData.nonMember;
    expectError(await gateway.rest.get(other, { token }), 404, [1004]);
    expectError(await gateway.rest.delete(other, { token }), 404, [1004]);
    expectError(await gateway.rest.post(`${other}/resend`, { token }), 404, [1004]);
  });
});

describe('sending an invitation once more', () => {
  const resend = (invitation: number, token = testData.manager.token) =>
    gateway.rest.post(`${list()}/${invitation}/resend`, { token });

  test('has a new secret, the old one opens nothing, and the seven days begin anew, also after they were over', async () => {
    const { id: invitation, email, secret } = await invited();
    now += 8 * DAY;
    const data = expectData(await resend(invitation, testData.owner.token));
    expect(data).toMatchObject({
      mails_sent: 2,
      status: 'OPEN',
      invited_by: testData.owner.username,
      expires_at: new Date(now + 7 * DAY).toISOString(),
    });
    const newer = await newestSecret(email);
    expect(newer).not.toBe(secret);
    expectError(await accept(secret), 404, [1004]);
    expectStatus(await accept(newer), 201);
    now = START;
  });

  test('ends with the fifth mail, however many are asked for at once', async () => {
    const { id: invitation, email } = await invited();
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(invitation)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 409, 409, 409, 409]);
    expect(await mailedSecrets(gateway.app.database, email)).toHaveLength(5);
    expect(expectData(await gateway.rest.get(`${list()}/${invitation}`, testData.manager))).toMatchObject({
      mails_sent: 5,
      viewer_can: { resend: false, cancel: true },
    });
  });

  test('counts as a mail to the address when it goes, whichever invitations the others were of', async () => {
    const email = newEmail('again');
    const cancel = (invitation: number) => gateway.rest.delete(`${list()}/${invitation}`, testData.manager);
    const { id: old } = await invited(email);
    // The first mail counts no more; those that the old invitation sends from now on do.
    now += 8 * DAY;
    for (let mail = 0; mail < 3; mail += 1) expectStatus(await resend(old), 200);
    await cancel(old);
    const { id: second } = await invited(email);
    expectStatus(await resend(second), 200);
    expectError(await resend(second), 429, [1029]);
    await cancel(second);
    expectError(await invite(email), 429, [1029]);
    expect(await mailedSecrets(gateway.app.database, email)).toHaveLength(6);
    now = START;
  });

  test('is refused after the tenth mail of a day, whichever organizations sent the others', async () => {
    const email = newEmail('everywhere');
    const { id: own } = await invited(email);
    for (const more of [4, 3]) {
      const organizationId = await buildOrganization(gateway.app.database, 'Another');
      const { token } = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
      const { id: other } = expectData(await invite(email, 'VIEWER', token, organizationId), 201);
      const path = `${list(organizationId)}/${other}/resend`;
      for (let mail = 0; mail < more; mail += 1) expectStatus(await gateway.rest.post(path, { token }), 200);
    }
    expectError(await resend(own), 429, [1029]);
    now += DAY;
    expectStatus(await resend(own), 200);
    now = START;
  });

  test('is refused for an invitation that was accepted or cancelled, and for roles that the caller does not manage', async () => {
    const accepted = await invited();
    await accept(accepted.secret);
    expectError(await resend(accepted.id), 409, [1009]);
    const cancelled = await invited();
    await gateway.rest.delete(`${list()}/${cancelled.id}`, testData.manager);
    expectError(await resend(cancelled.id), 409, [1009]);
    const high = await invited(newEmail(), 'ORGANIZATION_MANAGER', testData.owner.token);
    expectError(await resend(high.id), 403, [1003]);
  });
});

describe('cancelling an invitation', () => {
  test('makes its secret open nothing; again changes nothing', async () => {
    const { id: invitation, secret } = await invited();
    const first = await gateway.rest.delete(`${list()}/${invitation}`, testData.manager);
    expect(expectData(first)).toMatchObject({ status: 'CANCELLED', viewer_can: { resend: false, cancel: false } });
    expect((await gateway.rest.delete(`${list()}/${invitation}`, testData.manager)).text).toBe(first.text);
    expectError(await accept(secret), 404, [1004]);
  });

  test('is refused when it was accepted, and for roles that the caller does not manage', async () => {
    const accepted = await invited();
    await accept(accepted.secret);
    expectError(await gateway.rest.delete(`${list()}/${accepted.id}`, testData.manager), 409, [1009]);
    const high = await invited(newEmail(), 'ORGANIZATION_OWNER', testData.owner.token);
    expectError(await gateway.rest.delete(`${list()}/${high.id}`, testData.manager), 403, [1003]);
  });
});

describe('accepting an invitation', () => {
  test('makes a user with a first token that works at once, in the role that was offered', async () => {
    const { email, secret } = await invited(newEmail('ada'), 'SECURITY_OFFICER');
    const answer = await accept(secret, { names: { first_name: ' Ada ', last_name: 'Lovelace' } });
    const data = expectData(answer, 201);
    expect(answer.text).toBe(
      JSON.stringify({
        error: 0,
        messages: [],
        data: {
          organization_id: testData.organizationId,
          organization: 'First Organization',
          user_id: data.user_id,
          username: email.split('@', 1)[0],
          email,
          role: 'SECURITY_OFFICER',
          token: data.token,
          token_expires_at: new Date(now + 90 * DAY).toISOString(),
        },
      }),
    );
    const profile = expectData(await gateway.rest.get('/api/v1/profile', { token: data.token }));
    expect(profile).toMatchObject({ id: data.user_id, first_name: 'Ada', last_name: 'Lovelace', email });
    const users = await gateway.rest.get(`/api/v1/organizations/${testData.organizationId}/users`, {
      token: data.token,
    });
    expectStatus(users, 200);
    expect(await titlesOf(gateway.app.database, testData.owner)).toContain('A member has joined');
    expect(await titlesOf(gateway.app.database, { id: data.user_id })).toEqual([]);
  });

  test('gives users of like addresses names of their own', async () => {
    const domain = `${randomUUID()}.example.com`;
    const usernames = new Set<string>();
    for (const email of [`same.name@${domain}`, `same.name@other.${domain}`, `same.name@third.${domain}`]) {
      const { secret } = await invited(email);
      usernames.add(expectData(await accept(secret), 201).username as string);
    }
    expect(usernames.size).toBe(3);
    for (const username of usernames) expect(username).toMatch(/^same\.name(?:-\d+)?$/);
  });

  test('gives a user that exists the membership, and no token: a mail must not open its other organizations', async () => {
    const person = await buildPerson(gateway.app.database, 'existing');
    const { secret } = await invited(`${person.username}@example.com`, 'SECURITY_ANALYST');
    const tokens = () => gateway.app.database.rows('select id from api_token where user_id = $1', [person.id]);
    const before = await tokens();
    const data = expectData(await accept(secret, { names: { first_name: 'Other' } }), 201);
    expect(data).toMatchObject({ user_id: person.id, token: null, token_expires_at: null });
    expect(await tokens()).toEqual(before);
    expect(expectData(await gateway.rest.get('/api/v1/profile', person)).first_name).toBe('existing');
    expect(await membership(gateway.app.database, testData.organizationId, person)).toEqual({
      role: 'SECURITY_ANALYST',
      active: true,
    });
  });

  test('with a token is for the caller whose address it is, in whatever case, and for nobody else', async () => {
    const person = await buildPerson(gateway.app.database, 'self');
    const { secret } = await invited(`${person.username}@example.com`.toUpperCase());
    for (const { token } of [testData.userWithoutOrganization, testData.owner]) {
      expect(await accept(secret, { token }).then(({ status, text }) => [status, text])).toEqual(NOT_FOUND);
    }
    const readOnly = await buildToken(gateway.app.database, person, { scopes: ['read'] });
    expectError(await accept(secret, { token: readOnly }), 403, [1003]);
    expect(expectData(await accept(secret, { token: person.token }), 201)).toMatchObject({ user_id: person.id });
    // What was remembered of it before is forgotten at once.
    const path = `/api/v1/organizations/${testData.organizationId}/branding`;
    expectStatus(await gateway.rest.get(path, person), 200);
  });

  test('with a token makes no user for an address that has none', async () => {
    const { secret } = await invited();
    expectError(await accept(secret, { token: testData.userWithoutOrganization.token }), 404, [1004]);
    expectStatus(await accept(secret), 201);
  });

  test('with a token that is none is like without', async () => {
    const { secret } = await invited();
    expectStatus(await accept(secret, { token: testData.tokens.expired }), 201);
  });

  test('fails alike, whatever is wrong with the secret', async () => {
    const { database } = gateway.app;
    const used = await invited();
    await accept(used.secret);
    const cancelled = await invited();
    await gateway.rest.delete(`${list()}/${cancelled.id}`, testData.manager);
    const expired = await invited();
    now += 7 * DAY;
    const deletedOrganization = await buildOrganization(database, 'Deleted');
    const owner = await newMember(database, deletedOrganization, 'ORGANIZATION_OWNER');
    const ofDeleted = await buildInvitation(database, {
      organizationId: deletedOrganization,
      owner,
      email: newEmail(),
      expiresAt: new Date(now + DAY),
    });
    await database.rows('update organization set deleted_at = now() where id = $1', [deletedOrganization]);
    const deactivated = await buildPerson(database, 'gone');
    const ofDeactivated = await invited(`${deactivated.username}@example.com`);
    await database.rows('update app_user set deactivated_at = now() where id = $1', [deactivated.id]);
    for (const secret of [
      '',
      'x',
      'inv_',
      generateInvitationSecret(),
      `${used.secret} `,
      used.secret.replace('inv_', 'scp_'),
      used.secret,
      cancelled.secret,
      expired.secret,
      ofDeleted.secret,
      ofDeactivated.secret,
      testData.owner.token,
    ]) {
      expect(await accept(secret).then(({ status, text }) => [secret, status, text])).toEqual([secret, ...NOT_FOUND]);
    }
    now = START;
  });

  test('is possible to the last millisecond of the seven days, and not in the next', async () => {
    const late = await invited();
    const tooLate = await invited();
    now = START + 7 * DAY - 1;
    expectStatus(await accept(late.secret), 201);
    now = START + 7 * DAY;
    expectError(await accept(tooLate.secret), 404, [1004]);
    now = START;
  });

  test('does not outlive the right to make the invitation', async () => {
    const { database } = gateway.app;
    const { organizationId } = testData;
    for (const change of [
      `update membership set role = 'SECURITY_OFFICER' where user_id = $1`,
      'update membership set deactivated_at = now() where user_id = $1',
      'delete from membership where user_id = $1',
      'update app_user set deactivated_at = now() where id = $1',
    ]) {
      const inviter = await newMember(database, organizationId, 'ORGANIZATION_MANAGER');
      const { id, email, secret } = await invited(newEmail(), 'VIEWER', inviter.token);
      await database.rows(change, [inviter.id]);
      expectError(await accept(secret), 404, [1004]);
      // Somebody else answers for it then.
      expectStatus(await gateway.rest.post(`${list()}/${id}/resend`, testData.manager), 200);
      expectStatus(await accept(await newestSecret(email)), 201);
    }
    const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
    const { secret } = await invited(newEmail(), 'ORGANIZATION_OWNER', owner.token);
    await database.rows(`update membership set role = 'ORGANIZATION_MANAGER' where user_id = $1`, [owner.id]);
    expectError(await accept(secret), 404, [1004]);
  });

  test('is a conflict for who has become a member in the meantime, and gives a deactivated one nothing back', async () => {
    const person = await buildPerson(gateway.app.database, 'overtaken');
    const { secret } = await invited(`${person.username}@example.com`, 'SECURITY_OFFICER');
    await join(gateway.app.database, person, testData.organizationId, 'VIEWER');
    await gateway.app.database.rows('update membership set deactivated_at = now() where user_id = $1', [person.id]);
    expectError(await accept(secret), 409, [1009]);
    expect(await membership(gateway.app.database, testData.organizationId, person)).toEqual({
      role: 'VIEWER',
      active: false,
    });
  });

  test('succeeds once, however often it is tried at once', async () => {
    const { secret, email } = await invited();
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(secret)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(404)]);
    const rows = await gateway.app.database.rows(
      `select (select count(*) from membership m where m.user_id = u.id) as memberships,
              (select count(*) from api_token t where t.user_id = u.id) as tokens from app_user u where u.email = $1`,
      [email],
    );
    expect(rows).toEqual([{ memberships: 1, tokens: 1 }]);
  });

  test('makes one user of an address that is invited to several organizations and accepts all at once', async () => {
    const email = newEmail();
    const secrets = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const organizationId = await buildOrganization(gateway.app.database, 'One of several');
        const owner = await newMember(gateway.app.database, organizationId, 'ORGANIZATION_OWNER');
        const expiresAt = new Date(now + DAY);
        return (await buildInvitation(gateway.app.database, { organizationId, owner, email, expiresAt })).secret;
      }),
    );
    const answers = await Promise.all(secrets.map((secret) => accept(secret)));
    const data = answers.map((answer) => expectData(answer, 201) as { user_id: string; token: string | null });
    expect(new Set(data.map(({ user_id }) => user_id)).size).toBe(1);
    expect(data.filter(({ token }) => token !== null)).toHaveLength(1);
  });

  test('tells errors of the names only, never of the secret', async () => {
    const names = { first_name: 'n'.repeat(201), last_name: 'a\nb' };
    expectError(await accept('x', { names }), 400, [
      'first_name must not be longer than 200 characters',
      'last_name must not contain control characters',
    ]);
    expectError(await gateway.rest.post(ACCEPT, { body: {} }), 400, ['secret is required']);
  });

  test('is the same through GraphQL, without a token as well', async () => {
    const ask = 'mutation ($secret: String!) { acceptInvitation(input: { secret: $secret }) { email role token } }';
    const { email, secret } = await invited();
    const { acceptInvitation } = await gateway.graphql.data(ask, { variables: { secret } });
    expect(acceptInvitation).toEqual({ email, role: 'VIEWER', token: expect.stringMatching(/^scp_/) });
    expect(await gateway.graphql.error(ask, { variables: { secret } })).toEqual({
      code: 'NOT_FOUND',
      messages: [1004],
    });
    const answer = await gateway.graphql.call(`{ viewer { user { id: databaseId } } } `);
    expect(answer.status).toBe(401);
  });
});
