import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { composed, type Mail } from '../../src/mail/mailer.js';
import type { Role } from '../../src/values/enums.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { expectData } from '../support/matchers.js';
import { buildServiceAccount, newMember } from '../support/people.js';
import { buildOrganization } from '../support/test-data.js';

let gateway: TestGateway;

beforeAll(async () => (gateway = await startGateway()));
afterAll(() => gateway?.close());

/** The mail of an invitation to an organization of this name, and its sender. */
async function mailOf(name: string, role: Role, language = 'en') {
  const { database } = gateway.app;
  const organizationId = await buildOrganization(database, name);
  await database.rows('update organization set language = $2 where id = $1', [organizationId, language]);
  const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  const body = { email: `invited-${organizationId}@example.com`, role };
  expectData(
    await gateway.rest.post(`/api/v1/organizations/${organizationId}/invitations`, { token: owner.token, body }),
    201,
  );
  const [row] = await database.rows<{ id: string; content: Mail }>(
    'select id, content from outgoing_mail where recipient = $1',
    [body.email],
  );
  const mail = { ...row!.content, id: row!.id, to: body.email, date: new Date(), headers: {} };
  return { owner, mail };
}

test('the mail of an invitation shows user input as text, and has the address with the secret behind #', async () => {
  const { subject, html, text } = (await mailOf('<b>Evil</b> & "Sons"', 'ORGANIZATION_OWNER')).mail;
  expect(subject).toBe('Invitation to join “<b>Evil</b> & "Sons"”');
  expect(text).toContain(`${gateway.url}/invitation#inv_`);
  expect(text).toContain('as Organization Owner.');
  expect(text).toContain('\n> <b>Evil</b> & "Sons"\n');
  expect(html).toContain('&#60;b&#62;Evil&#60;/b&#62; &#38; &#34;Sons&#34;');
  expect(html).not.toContain('<b>Evil');
  // The platform's colour if the organization has none of its own.
  expect(html).toContain('bgcolor="#1F6FEB"');
  expect(html).toContain(`href="${gateway.url}/invitation#inv_`);
});

test("the mail of an invitation is in the organization's language", async () => {
  const { owner, mail } = await mailOf('<i>Rossi</i>', 'SECURITY_OFFICER', 'it');
  expect(mail.subject).toBe('Invito a far parte di «<i>Rossi</i>»');
  expect(mail.text).toContain(
    `(${owner.username}@example.com) La invita a far parte di un’organizzazione con il ruolo Responsabile della sicurezza.`,
  );
  expect(mail.text).toMatch(/L’invito è valido fino al \d+ [a-z]+ \d{4}, \d\d:\d\d(:\d\d)? \(UTC\) \(7 giorni\)/);
  expect(mail.html).toContain('<html lang="it">');
  expect(mail.html).toContain('&#60;i&#62;Rossi');
});

test('the mail of an invitation says who invites and who sends it, and quotes what the sender has written', async () => {
  const name = `Your account is blocked. ${'Open http://evil.example now! '.repeat(6)}\u202e\u2066`;
  const { owner, mail } = await mailOf(name, 'VIEWER');
  const sent = composed(mail, gateway.config.mailFrom);
  const shown = name.slice(0, -2).trim();
  expect(sent.subject).toBe(`Invitation to join “${shown.slice(0, 59)}…”`);
  for (const text of [sent.text as string, (sent.html as string).replace(/&#64;/g, '@')]) {
    expect(text).toContain(`(${owner.username}@example.com) invites you to join an organization as Viewer.`);
    expect(text).toContain(`The Compliance Gateway at ${gateway.url} sends this e-mail on that person’s behalf.`);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text.split(shown)).toHaveLength(2);
  }
  expect(sent.text).toContain(`\n> ${shown}`);
  expect(sent.html).toMatch(new RegExp(`<blockquote[^>]*>${shown.replace(/[.!]/g, '\\$&')}`));
});

test('the mail of an invitation by a service account names no person and no address', async () => {
  const { database } = gateway.app;
  const organizationId = await buildOrganization(database, 'Automated');
  const owner = await newMember(database, organizationId, 'ORGANIZATION_OWNER');
  const { id, token } = await buildServiceAccount(database, organizationId, owner, 'ORGANIZATION_MANAGER');
  const body = { email: 'by-an-account@example.com', role: 'VIEWER' };
  expectData(await gateway.rest.post(`/api/v1/organizations/${organizationId}/invitations`, { token, body }), 201);
  const [row] = await database.rows<{ content: Mail }>('select content from outgoing_mail where recipient = $1', [
    body.email,
  ]);
  expect(row!.content.text).toContain(`${gateway.url}/invitation#inv_`);
  // Its address in the table is its id.
  expect(row!.content.text).not.toContain(id);
});
