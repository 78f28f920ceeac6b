import { beforeEach, expect, test } from '@jest/globals';
import type { Contact } from '../../src/entities/organizations.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { postedMails, postWeeklyReports } from '../support/jobs.js';
import { buildOrganization } from '../support/test-data.js';

let organizationId: number;
/** As the mail's header has it. */
let link: string;

const CONTACTS: Contact[] = [
  { name: 'Anna', role: 'CISO', email: 'anna+soc@example.com', phone: '1', emailReport: true },
  { name: 'Bruno', role: '', email: 'bruno@example.com', phone: '', emailReport: true },
];

const gateway = await startSharedGateway();

beforeEach(async () => {
  const { database } = gateway.app;
  await database.rows('delete from organization');
  await database.rows('delete from outgoing_mail');
  organizationId = await buildOrganization(database, 'Rossi & Figli');
  await database.rows(`update organization set contacts = $2, created_at = '2020-01-01' where id = $1`, [
    organizationId,
    JSON.stringify(CONTACTS),
  ]);
  await postWeeklyReports(gateway.app);
  const mail = (await postedMails(database)).find(({ recipient }) => recipient.startsWith('anna'));
  link = /^<(.*)>$/.exec(mail!.content!.headers['List-Unsubscribe']!)![1]!;
  expect(mail!.content!.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  expect(mail!.content!.html).toContain(`href="${link.replaceAll('&', '&#38;')}"`);
  expect(mail!.content!.text).toContain(link);
});

async function stored(): Promise<{ contacts: Contact[]; version: number }> {
  const [row] = await gateway.app.database.rows<{ contacts: Contact[]; version: number }>(
    'select contacts, version from organization where id = $1',
    [organizationId],
  );
  return row!;
}

/** The request of a mail program for its reader (RFC 8058). */
const oneClick = (address = link) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

test('one click ends the reports of that contact, without a token, and changes nothing else', async () => {
  const before = await stored();
  const answer = await oneClick();
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('The weekly report has been stopped');
  const after = await stored();
  expect(after.contacts).toEqual([{ ...CONTACTS[0], emailReport: false }, CONTACTS[1]]);
  // A concurrent change of the organization conflicts, and does not restore the flag unnoticed.
  expect(after.version).toBe(before.version + 1);
});

test('answers alike each time, and changes nothing the second time', async () => {
  const first = await (await oneClick()).text();
  const { version } = await stored();
  const again = await Promise.all([oneClick(), oneClick(), oneClick()]);
  for (const answer of again) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(first);
  }
  expect((await stored()).version).toBe(version);
});

test('is on record once, as a change of the contacts without their values', async () => {
  await oneClick();
  await oneClick();
  const entries = await gateway.app.database.rows<{ action: string; actor: string; entry: string }>(
    `select action, actor, entry from audit_entry where subject = 'ORGANIZATION/' || $1 and actor = 'unsubscribe'`,
    [organizationId],
  );
  expect(entries.map(({ entry, ...facts }) => ({ ...facts, changes: JSON.parse(entry).changes }))).toEqual([
    { action: 'ORGANIZATION_UPDATED', actor: 'unsubscribe', changes: { contacts: { after: 'changed' } } },
  ]);
});

test('a link that is followed changes nothing: a page with one button comes first', async () => {
  const answer = await fetch(link);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; form-action 'self'");
  const page = await answer.text();
  expect(page).toContain('<form method="post">');
  expect(page).toContain('Rossi &#38; Figli');
  expect(page).toContain('anna+soc@example.com');
  expect((await stored()).contacts).toEqual(CONTACTS);
  const head = await fetch(link, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(Buffer.byteLength(page))]);
});

test.each([
  ['another contact', (url: URL) => url.searchParams.set('email', 'bruno@example.com')],
  ['another organization', (url: URL) => url.searchParams.set('organization', '1')],
  [
    'a changed signature',
    (url: URL) => url.searchParams.set('signature', url.searchParams.get('signature')!.replace(/.$/, '_')),
  ],
  ['no signature', (url: URL) => url.searchParams.delete('signature')],
  ['nothing at all', (url: URL) => (url.search = '')],
])('a link with %s looks like any page that is not there, whatever the method', async (_what, tamper) => {
  const url = new URL(link);
  tamper(url);
  const missing = await (await fetch(`${gateway.url}/no-such-page`)).text();
  for (const method of ['GET', 'POST', 'PUT']) {
    const answer = await fetch(url, { method });
    expect([method, answer.status, await answer.text()]).toEqual([method, 404, missing]);
  }
  expect((await stored()).contacts).toEqual(CONTACTS);
});

test('other methods are refused with a list of those that are allowed', async () => {
  const answer = await fetch(link, { method: 'DELETE' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test('works still when the contact has changed its spelling, or is gone, or the organization is', async () => {
  const { database } = gateway.app;
  const renamed = [{ ...CONTACTS[0]!, email: 'Anna+SOC@example.com' }];
  await database.rows('update organization set contacts = $2 where id = $1', [organizationId, JSON.stringify(renamed)]);
  expect((await oneClick()).status).toBe(200);
  expect((await stored()).contacts).toEqual([{ ...renamed[0], emailReport: false }]);

  await database.rows(`update organization set contacts = '[]' where id = $1`, [organizationId]);
  expect((await oneClick()).status).toBe(200);
  expect((await stored()).contacts).toEqual([]);

  await database.rows('update organization set contacts = $2, deleted_at = now() where id = $1', [
    organizationId,
    JSON.stringify(CONTACTS),
  ]);
  const page = await (await oneClick()).text();
  expect([page.includes('this organization'), page.includes('Rossi')]).toEqual([true, false]);
  // It can be restored, and its reports must not restart then.
  expect((await stored()).contacts).toEqual([{ ...CONTACTS[0], emailReport: false }, CONTACTS[1]]);
});

test('a manager can start the reports again, and the same link ends them again', async () => {
  await oneClick();
  await gateway.app.database.rows('update organization set contacts = $2 where id = $1', [
    organizationId,
    JSON.stringify(CONTACTS),
  ]);
  await oneClick();
  expect((await stored()).contacts[0]?.emailReport).toBe(false);
});

test('the page is in the language that the reader has chosen, else in the one that the browser requests', async () => {
  const get = async (language: string) => {
    const answer = await fetch(link, { headers: { 'accept-language': language } });
    return [answer.headers.get('content-language'), answer.headers.get('vary'), await answer.text()] as const;
  };
  const [tag, vary, text] = await get('fr;q=0.9, it-CH;q=0.8, en;q=0.1');
  expect([tag, vary]).toEqual(['it', expect.stringContaining('Accept-Language')]);
  expect(text).toContain('<html lang="it">');
  expect(text).toContain('<strong>Rossi &#38; Figli</strong> viene inviato a <strong>anna+soc@example.com</strong>.');
  await gateway.app.database.rows(
    `insert into app_user (id, username, email, email_verified_at, language)
     values (gen_random_uuid(), 'anna-soc', 'anna+soc@example.com', now(), 'de')`,
  );
  const [chosen] = await get('it');
  await gateway.app.database.rows(`delete from app_user where username = 'anna-soc'`);
  expect(chosen).toBe('de');
});
