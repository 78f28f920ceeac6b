import { afterAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { UnsubscribeLinks } from '../../src/services/shared/unsubscribe-links.js';
import { brokenRules, HAS_CHROMIUM, overflowOf, startChromium, WINDOWS } from '../support/chromium.js';
import { startProvider } from '../support/identity-providers.js';
import { buildInvitation, buildRecovery } from '../support/people.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildNotifications, buildOrganization, buildPerson, join } from '../support/test-data.js';

const records = new Map<string, string>();
const { gateway, testData } = await startSeededGateway({
  resolveTxt: async (name) => [[records.get(name) ?? '']],
});
const { url } = gateway;
const { database } = gateway.app;
const chromium = HAS_CHROMIUM ? await startChromium() : undefined;
const provider = await startProvider(`${url}/sign-in/callback`, {
  anna: { email: 'anna@valdoria.example', email_verified: true, given_name: 'Anna', family_name: 'Rossi' },
  carla: { email: 'carla@valdoria.example', email_verified: true },
  // Its address is not verified: the account is linked by a token.
  bruno: { email: 'bruno@valdoria.example' },
});
afterAll(() => Promise.all([provider.close(), chromium?.close()]));

const seen = HAS_CHROMIUM ? describe : describe.skip;
const open = (path: string, options?: object) => chromium!.open(`${url}${path}`, options);
let invited = 0;
const invite = () => {
  const email = `guest${(invited += 1)}@example.org`;
  return buildInvitation(database, { organizationId: testData.organizationId, owner: testData.owner, email });
};

/** An owner whose organization has connected the provider, by its name. */
async function connect(name: string): Promise<number> {
  const organizationId = await buildOrganization(database, name);
  const owner = await buildPerson(database, 'owner');
  const { token } = owner;
  await join(database, owner, organizationId, 'ORGANIZATION_OWNER');
  const path = `/api/v1/organizations/${organizationId}/identity-providers`;
  const domain = 'valdoria.example';
  const settings = { name, issuer: provider.issuer, client_id: 'gateway', client_secret: 'a secret of the client' };
  const made = await gateway.rest.post(path, {
    token,
    body: { ...settings, domains: [domain], default_role: 'VIEWER' },
  });
  const { id, domain_proofs: proofs } = made.body.data;
  records.set(proofs[0].record_name, proofs[0].record_text);
  const verified = await gateway.rest.post(`${path}/${id}/verify-domain`, { token, body: { domain } });
  expect(verified.status).toBe(200);
  return organizationId;
}
const valdoria = await connect('valdoria');

const savePicture = async (page: Page, name: string) => {
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/${name}.png` });
};

/** Target of the link in the mail of a weekly report that unsubscribes its contact. */
const stopReports = () =>
  new UnsubscribeLinks('', gateway.config.secretKey).address({
    organizationId: testData.organizationId,
    email: 'anna@example.com',
  });

/** Targets of the visible links in the bar. */
const barOf = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('header.band a')].filter((link) => link.checkVisibility()).map(({ pathname }) => pathname)`,
  );
const BAR = ['/', '/guides', '/docs', '/graphiql', '/portfolio'];

/** Whether a token is one of the gateway's, and valid. */
const works = async (token: string) => (await gateway.rest.get('/api/v1/profile', { token })).status === 200;

const PAGES: [name: string, path: () => string | Promise<string>, shown: string, onTelephone?: string][] = [
  ['the start page', () => '/', 'Compliance'],
  ['the reference', () => '/docs', 'Incidents'],
  ['the guides', () => '/guides', 'Guides'],
  ['a guide', () => '/guides/rest', 'REST'],
  ['the reporting regimes', () => '/regimes', 'Reporting regimes'],
  ['the choice of an explorer', () => '/graphql', 'GraphiQL'],
  ['GraphiQL', () => '/graphiql', 'WhoAmI', 'needs a window of at least 640 pixels'],
  ['an invitation', async () => `/invitation#${(await invite()).secret}`, 'Accept the invitation'],
  ['an invitation without its secret', () => '/invitation', 'complete link'],
  ['the recovery of access', () => '/recovery', 'Send the link'],
  ['the sign-in', () => '/sign-in', 'identity provider'],
  ['a sign-in that is refused', () => '/sign-in?organization=unknown&redirect_uri=x', 'Not signed in'],
  ['the end of reports by mail', stopReports, 'Unsubscribe from the weekly report'],
  ['a missing page', () => '/nowhere/at/all', 'does not exist'],
  ['the application before there is a token', () => '/portfolio', 'Continue with the token'],
  ['where a sign-in comes back to', () => '/signed-in', 'Start again'],
];

seen('a page in a browser', () => {
  describe.each(PAGES)('%s', (_name, path, shown, onTelephone = shown) => {
    test.each(Object.entries(WINDOWS))(
      '%s: breaks no rule of accessibility and no policy',
      async (_window, options) => {
        const { page, errors } = await open(await path(), options);
        await page
          .locator(`:visible:has-text(${JSON.stringify(_window === 'telephone' ? onTelephone : shown)})`)
          .last()
          .waitFor();
        await savePicture(page, `${_name}-${_window}`);
        expect(await barOf(page)).toEqual(BAR);
        expect(await brokenRules(page)).toEqual([]);
        expect(await overflowOf(page)).toBe(0);
        expect(errors).toEqual([]);
        await page.context().close();
      },
    );
  });

  test.each([
    ['/', 'First request'],
    ['/guides', 'Getting started'],
    ['/guides/rest', 'Envelope'],
    ['/regimes', 'In force since'],
    ['/sign-in', 'Continue'],
    ['/nowhere', 'does not exist'],
    // An automated browser does not show the content of `noscript`, even without scripts.
    ['/docs', 'Loading the reference'],
    ['/graphiql', 'Loading GraphiQL'],
    ['/invitation', 'Invitation'],
  ])('%s is read without JavaScript, in the same look', async (path, shown) => {
    const { page } = await open(path, { ...WINDOWS.wide, javaScriptEnabled: false });
    await page.getByText(shown).first().waitFor();
    expect(await barOf(page)).toEqual(BAR);
    const colour = 'getComputedStyle(document.querySelector("header.band")).backgroundColor';
    expect(await page.evaluate(colour)).toBe('rgb(31, 111, 235)');
    await page.context().close();
  });

  test.each([
    ['it', ['Guide', 'Riferimento', 'GraphiQL', 'Portfolio']],
    ['de', ['Anleitungen', 'Referenz', 'GraphiQL', 'Portfolio']],
  ])('the bar of a page for people speaks %s, and has room on a telephone', async (locale, words) => {
    for (const path of ['/recovery', '/sign-in', '/nowhere', '/portfolio']) {
      const { page } = await open(path, { ...WINDOWS.telephone, locale });
      await page.locator('h1').waitFor();
      expect([path, await page.locator('header.band nav a').allInnerTexts()]).toEqual([path, words]);
      expect(await overflowOf(page)).toBe(0);
      await page.context().close();
    }
  });

  test('the bar is used with the keyboard alone, and says which page is open', async () => {
    const { page } = await open('/');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/guides`);
    expect(await page.locator('header.band [aria-current=page]').allInnerTexts()).toEqual(['Guides']);
    await page.context().close();
  });

  test('leads from the choice of an explorer to GraphiQL', async () => {
    const { page } = await open('/graphql');
    await page.locator('main').getByRole('link', { name: 'GraphiQL' }).click();
    await page.waitForURL(`${url}/graphiql`);
    await page.context().close();
  });

  test('shows an invitation, and a token to who accepts it', async () => {
    const { secret } = await invite();
    const { page, errors } = await open(`/invitation#${secret}`);
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('button', { name: 'Copy the token' }).waitFor();
    expect(await works(await page.locator('#secret').innerText())).toBe(true);
    expect([await page.getByRole('heading', { level: 1 }).innerText(), page.url()]).toEqual([
      expect.stringContaining('Welcome, '),
      `${url}/invitation`,
    ]);
    expect(errors).toEqual([]);
  });

  test('cuts no name that is too long for an invitation', async () => {
    const { secret } = await invite();
    const { page } = await open(`/invitation#${secret}`);
    const name = page.getByLabel('Last name');
    await name.focus();
    await page.keyboard.insertText('L'.repeat(300));
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByText('must not be longer than').waitFor();
    expect(await name.inputValue()).toBe('L'.repeat(300));
    await name.fill('Lovelace');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('button', { name: 'Copy the token' }).waitFor();
    await page.context().close();
  });

  test('gives a new token to who has lost every one', async () => {
    const { page, errors } = await open(`/recovery#${await buildRecovery(database, testData.viewer)}`);
    await page.getByRole('button', { name: 'Create a new token' }).click();
    await page.getByRole('button', { name: 'Copy the token' }).waitFor();
    expect(await works(await page.locator('#secret').innerText())).toBe(true);
    expect(errors).toEqual([]);
  });

  test('signs a person in at the provider of the organization, shows a token and ends it', async () => {
    const { page } = await open('/sign-in');
    await page.getByLabel('E-mail address').fill('anna@valdoria.example');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.locator('[name=login]').fill('anna');
    await page.locator('[name=password]').fill('any');
    await page.locator('[type=submit]').click();
    await page.getByText('You are signed in as').waitFor();
    expect([page.url(), await brokenRules(page)]).toEqual([`${url}/sign-in`, []]);
    await page.getByRole('button', { name: 'Show my token' }).click();
    const token = await page.locator('p > code').last().innerText();
    expect(await works(token)).toBe(true);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Your token has been revoked').waitFor();
    expect(await works(token)).toBe(false);
  });

  test.each([
    ['stays where the same person', 'anna', ['Of one person.']],
    ['is removed where another', 'carla', []],
  ])('what a person has typed %s signs in at the provider in the same tab', async (_what, login, left) => {
    const { page } = await open(`/organizations/${valdoria}`);
    const signIn = async (name: string) => {
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Sign in through your organization' }).click();
      await page.getByLabel('E-mail address').fill('any@valdoria.example');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(`${provider.issuer}/**`);
      await page.locator('[name=login]').fill(name);
      await page.locator('[name=password]').fill('any');
      await page.locator('[type=submit]').click();
      await page.waitForURL(`${url}/organizations/${valdoria}`);
      await page.getByRole('heading', { level: 1, name: 'valdoria' }).waitFor();
    };
    const drafts = () =>
      page.evaluate(`Object.keys(sessionStorage).flatMap((name) =>
      name.startsWith('draft ') ? [sessionStorage.getItem(name)] : [])`);
    await signIn('anna');
    await page.evaluate(`sessionStorage.setItem('draft /organizations/1 note', 'Of one person.')`);
    const token = await page.evaluate<string>(`sessionStorage.getItem('token')`);
    const { body } = await gateway.rest.get('/api/v1/token', { token });
    await gateway.rest.delete(`/api/v1/tokens/${body.data.token.id}`, { token });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await signIn(login);
    expect(await drafts()).toEqual(left);
    await page.context().close();
  });

  test.each([
    ['en', 'Is this you?', 'Signed in', 'Your token', 'Signed out'],
    ['it', 'È Lei?', 'Accesso effettuato', 'Il Suo token', 'Disconnessione effettuata'],
    ['de', 'Sind Sie das?', 'Angemeldet', 'Ihr Token', 'Abgemeldet'],
  ])(
    'links an account, shows the token and signs out with the keyboard alone, in the language %s, on a telephone',
    async (locale, ...headings) => {
      const member = await buildPerson(database, 'bruno');
      await join(database, member, valdoria, 'VIEWER');
      await database.rows('delete from user_identity');
      const { page } = await open('/sign-in', { ...WINDOWS.telephone, locale });
      const [isItYou, signedIn, token, out] = headings as [string, string, string, string];
      const looked = async (text: string) => {
        await page.getByRole('heading', { level: 1, name: text, exact: true }).waitFor();
        await savePicture(page, `sign-in-${locale}-${text.replaceAll(/\W/g, '')}`);
        expect(await page.locator('html').getAttribute('lang')).toBe(locale);
        expect([text, await brokenRules(page), await overflowOf(page)]).toEqual([text, [], 0]);
      };
      // The field has the initial focus.
      await page.locator('[name=who]:focus').waitFor();
      await page.keyboard.type('valdoria');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${provider.issuer}/**`);
      await page.locator('[name=login]').fill('bruno');
      await page.locator('[name=password]').fill('any');
      await page.keyboard.press('Enter');
      await looked(isItYou);
      await page.locator('[name=token]:focus').waitFor();
      await page.keyboard.type(member.token);
      await page.keyboard.press('Enter');
      await looked(signedIn);
      const tabTo = async (selector: string) => {
        for (let keys = 0; keys < 30; keys += 1) {
          await page.keyboard.press('Tab');
          if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
        }
        throw new Error(`No key leads to ${selector}`);
      };
      await tabTo('form[action$="/token"] button');
      await page.keyboard.press('Enter');
      await looked(token);
      await tabTo('main a[href$="sign-in"]');
      await page.keyboard.press('Enter');
      await looked(signedIn);
      await tabTo('form[action$="/out"] button');
      await page.keyboard.press('Enter');
      await looked(out);
      await page.context().close();
    },
  );

  test('finds a section of a guide by its words', async () => {
    const { page, errors } = await open('/guides');
    await page.getByLabel('Search the guides').fill('idempotency');
    await page.locator('main a[href*="#"]').first().click();
    expect(new URL(page.url()).hash).not.toBe('');
    expect(errors).toEqual([]);
  });

  test.each([
    ['a query', 'WhoAmI', '/graphql', testData.viewer.username],
    ['a subscription', 'Live', '/graphql/stream', 'Message 1'],
  ])('runs %s in GraphiQL with the token of its headers', async (_what, operation, path, answered) => {
    const { page, errors } = await open('/graphiql');
    await page.locator('.view-line:visible', { hasText: 'X-Service-Token' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.insertText(testData.viewer.token);
    const run = page.waitForResponse(
      (response) => response.url() === `${url}${path}` && response.request().postData()?.includes(operation) === true,
    );
    await page.getByRole('button', { name: 'Execute query' }).click();
    await page.getByRole('menuitem', { name: operation }).click();
    await run;
    await buildNotifications(database, testData.viewer, testData.organizationId, 1);
    await page.getByText(answered).first().waitFor();
    expect(errors).toEqual([]);
  });
});
