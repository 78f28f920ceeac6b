import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { record } from '../../src/services/audit/record.js';
import { brokenRules, HAS_CHROMIUM, overflowOf, repeatedNames, startChromium, WINDOWS } from '../support/chromium.js';
import { buildEngagement, buildRequest, buildServiceAccount, newMember } from '../support/people.js';
import { fillOrganization, HOSTILE } from '../support/filled-organization.js';
import { multipart } from '../support/rest.js';
import { samples } from '../support/sample-files.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import {
  buildImport,
  buildNote,
  buildReport,
  buildWebhook,
  seedOrganization,
  UPLOAD_RULES,
} from '../support/seeded-organization.js';
import {
  buildCloudDefender,
  buildIncident,
  buildOrganization,
  buildPerson,
  buildThreatBlocker,
  buildToken,
  buildWorkflow,
  join,
} from '../support/test-data.js';
import { until } from '../support/until.js';

const { gateway, testData } = await startSeededGateway();
const { url } = gateway;
const { database } = gateway.app;
const chromium = HAS_CHROMIUM ? await startChromium() : undefined;
afterAll(() => chromium?.close());

const seen = HAS_CHROMIUM ? describe : describe.skip;

/** Maximum rows of a page of a list. */
const PAGE = 25;
/** An organization of one owner, with nothing else in it. */
async function found(name: string) {
  const id = await buildOrganization(database, name);
  const owner = await buildPerson(database, 'owner');
  await join(database, owner, id, 'ORGANIZATION_OWNER');
  return { id, owner };
}

/** Opens a page with a token that is entered at the sign-in in place of the page. */
async function open(path: string, token: string, options: object = WINDOWS.wide) {
  const opened = await chromium!.open(new URL(path, url).href, options);
  await opened.page.getByLabel('Token').fill(token);
  await opened.page.getByRole('button', { name: 'Continue with the token' }).click();
  await settled(opened.page);
  return opened;
}

async function settled(page: Page): Promise<void> {
  // After the sign-in, whose content is narrow.
  await page.locator('main.wide h1').waitFor();
  await page.locator('main.wide:not(:has(.sketch))').waitFor();
}

/** Opens another page in the same tab, like a link in a mail. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${url}${path}`);
  await settled(page);
}

/** The width of an element. */
const IS_FOCUSED = (element: unknown) =>
  element === (globalThis as { document?: { activeElement: unknown } }).document?.activeElement;

/** The text of the focused element. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.innerText');

async function picture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'])
    await page.screenshot({ path: `${process.env['PICTURES']}/${name}.png`, fullPage: true });
}

const one = async (text: string, values: unknown[]) => (await database.rows<{ value: number }>(text, values))[0]!.value;

seen('the application', () => {
  const empty = { id: 0, token: '' };
  /** Ids of objects with their own page, one of each type. */
  const NONE = { owner: '', incident: 0, webhook: 0, engagement: 0, defender: 0, blocker: 0 };
  const bare = { ...NONE, id: 0, token: '' };
  const full = { ...NONE, id: 0, token: '', control: '21.2.a' };
  const some = { ...NONE, id: testData.organizationId, token: testData.owner.token, owner: testData.owner.id };

  /** One object of each type with a page, empty otherwise. */
  async function buildParts(of: typeof bare): Promise<void> {
    await buildWorkflow(database, of.id, 'nis2-directive');
    of.incident = await buildIncident(database, of.id);
    of.webhook = (await buildWebhook(database, of.id)).webhookEndpointId;
    await database.rows('delete from webhook_delivery where endpoint_id = $1', [of.webhook]);
    of.engagement = await buildEngagement(database, of.id, {});
    of.defender = await buildCloudDefender(database, of.id);
    of.blocker = await buildThreatBlocker(database, of.id);
  }

  beforeAll(async () => {
    const nothing = await found('Without anything');
    Object.assign(empty, { id: nothing.id, token: nothing.owner.token });
    const seeded = await seedOrganization(database, some.id, testData.owner);
    some.incident = seeded.incidentId;
    some.webhook = seeded.webhookEndpointId;
    some.engagement = seeded.engagementId;
    some.defender = seeded.cloudDefenderId;
    some.blocker = seeded.threatBlockerId;
    const parts = await found('With nothing in anything');
    Object.assign(bare, { id: parts.id, token: parts.owner.token, owner: parts.owner.id });
    await buildParts(bare);
    const many = await found(HOSTILE[0]!);
    Object.assign(full, { id: many.id, token: many.owner.token, owner: many.owner.id });
    // The trail of the organization, which is then extended.
    await gateway.rest.patch(`/api/v1/organizations/${full.id}`, { token: full.token, body: { description: 'Full' } });
    await buildParts(full);
    await fillOrganization(database, full);
  }, 300_000);

  const listsOf = ({ id }: { id: number }) => [
    `/organizations/${id}`,
    `/organizations/${id}/incidents`,
    `/organizations/${id}/users`,
    `/organizations/${id}/service-accounts`,
    `/organizations/${id}/audit-trail`,
    `/organizations/${id}/webhooks`,
    '/portfolio',
    '/tokens',
  ];
  const partsOf = ({ id, owner, incident, webhook, engagement, defender, blocker }: typeof bare) => [
    `/organizations/${id}/users/${owner}`,
    `/organizations/${id}/incidents/${incident}`,
    `/organizations/${id}/webhooks/${webhook}`,
    `/organizations/${id}/engagements/${engagement}`,
    `/organizations/${id}/workflows/nis2-directive`,
    `/organizations/${id}/workflows/nis2-directive/controls/21.2.a`,
    `/cloud-defender/${defender}`,
    `/atb/${blocker}`,
  ];
  const CASES = [
    ['no rows', () => [empty.token, listsOf(empty)]],
    ['nothing in what has a page', () => [bare.token, partsOf(bare)]],
    ['some rows', () => [some.token, [...listsOf(some), ...partsOf(some)]]],
    ['ten thousand rows and hostile texts', () => [full.token, [...listsOf(full), ...partsOf(full)]]],
  ] as const satisfies readonly (readonly [string, () => readonly [string, readonly string[]]])[];

  test('every page of the application is seen with no rows, some and ten thousand', async () => {
    const source = await readFile(resolve(import.meta.dirname, '../../web/main.tsx'), 'utf8');
    const routes = [...source.matchAll(/\{ path: '([^']+)', page: \w+ \}/g)].map(([, path]) => path!);
    const others = routes.filter((path) => path !== 'signed-in');
    expect(others.length).toBeGreaterThan(10);
    for (const [none, ...paths] of [
      ['none', ...listsOf(empty), ...partsOf(bare)],
      ['some', ...listsOf(some), ...partsOf(some)],
      ['many', ...listsOf(full), ...partsOf(full)],
    ])
      for (const route of others) {
        const pattern = new RegExp(`^/${route.replaceAll(/:\w+/g, '[^/]+')}$`);
        expect([none, route, paths.some((path) => pattern.test(path))]).toEqual([none, route, true]);
      }
  });

  describe.each(CASES)('with %s', (name, given) => {
    test.each(Object.entries(WINDOWS))(
      '%s: breaks no rule of accessibility and no policy, names no two controls alike, and runs no text',
      async (window, options) => {
        const [token, paths] = given();
        const { page, errors: problems } = await open('/portfolio', token, options);
        for (const path of paths) {
          await visit(page, path);
          await picture(page, `${name}${path.replaceAll('/', ' ')}-${window}`);
          expect([path, await page.locator('.trouble').allInnerTexts()]).toEqual([path, []]);
          expect([path, await brokenRules(page)]).toEqual([path, []]);
          // Ten thousand rows are copies of a few.
          if (token !== full.token) expect([path, await repeatedNames(page)]).toEqual([path, []]);
          expect([path, await overflowOf(page)]).toEqual([path, 0]);
          expect(await page.locator('.lines > li, .portfolio > li').count()).toBeLessThanOrEqual(5 * PAGE);
          expect(await page.evaluate('globalThis.ran')).toBeUndefined();
        }
        expect(problems).toEqual([]);
        await page.context().close();
      },
    );
  });

  test('reads the page of an organization in one request, and pages through a long list', async () => {
    const { page } = await open('/tokens', full.token);
    const operations: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) operations.push(JSON.parse(request.postData()!).operationName);
    });
    await visit(page, `/organizations/${full.id}`);
    expect(operations).toEqual(['OrganizationPage']);
    await visit(page, `/organizations/${full.id}/incidents`);
    const first = await page.locator('.lines > li a').first().innerText();
    expect(await page.locator('.lines > li').count()).toBe(PAGE);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Previous' }).waitFor();
    expect(await page.locator('.lines > li a').first().innerText()).not.toBe(first);
    await page.goBack();
    await page.getByText(first).first().waitFor();
    // Cursors of pages that have become empty: the page beside them is the first or the last.
    const [before, after] = ['3000-01-01T00:00:00.000Z', '2000-01-01T00:00:00.000Z'].map((at) =>
      Buffer.from(JSON.stringify(['CREATED_AT', at, 1])).toString('base64url'),
    );
    for (const [query, link, rows] of [
      [`before=${before}`, 'Next', PAGE],
      [`after=${after}`, 'Previous', PAGE],
    ] as const) {
      await visit(page, `/organizations/${full.id}/incidents?${query}`);
      expect([query, await page.locator('.lines > li').count()]).toEqual([query, 0]);
      await page.getByRole('link', { name: link }).click();
      await page.locator('.lines > li a').first().waitFor();
      expect([query, await page.locator('.lines > li').count()]).toEqual([query, rows]);
    }
    await page.context().close();
  });

  test('shows of an organization the controls that are overdue for longest and the report that is to be sent first', async () => {
    const { id, owner } = await found('With much that is due');
    await buildWorkflow(database, id, 'nis2-directive');
    await database.rows(
      `insert into control_state (organization_id, workflow_id, control_id, status, due_date)
       select $1, 'nis2-directive', '21.2.' || chr(96 + n), 'TO_DO', '2026-01-31'::date - n from generate_series(1, 10) n`,
      [id],
    );
    // The final report by the CRA may be sent until the end of its due day, and the other one until half past.
    const dayBegins = new Date().setUTCHours(0, 0, 0, 0);
    const [day, hour] = [24 * 3_600_000, 3_600_000];
    for (let count = 0; count < 13; count += 1) {
      const later = await buildIncident(database, id);
      await database.rows(
        `update incident set title = 'Later', significant = false, exploited_vulnerability = true, aware_at = $2, fix_available_at = $2
          where id = $1`,
        [later, new Date(dayBegins - 14 * day)],
      );
      for (const stage of ['EARLY_WARNING', 'NOTIFICATION']) await buildReport(database, later, stage);
      await database.rows("update incident_report set regime_id = 'cra-vulnerability' where incident_id = $1", [later]);
    }
    const sooner = await buildIncident(database, id);
    await database.rows(`update incident set title = 'Sooner', aware_at = $2 where id = $1`, [
      sooner,
      new Date(dayBegins + hour / 2 - day),
    ]);
    const { page } = await open(`/organizations/${id}`, owner.token);
    const first = (title: string) =>
      page
        .locator('.card', { has: page.getByRole('heading', { name: title }) })
        .locator('li a')
        .first()
        .innerText();
    expect(await first('Overdue controls')).toMatch(/^21\.2\.j /);
    expect(await first('Legal deadlines')).toBe(`#${sooner} Sooner`);
    await page.context().close();
  });

  test('prints the colours that say something, and whole texts, and nothing to click', async () => {
    const { page } = await open(`/organizations/${some.id}/workflows/nis2-directive`, some.token);
    await page.emulateMedia({ media: 'print' });
    const adjustmentOf = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).printColorAdjust`);
    for (const selector of ['.band', '.cell', '.bar-track'])
      expect([selector, await adjustmentOf(selector)]).toEqual([selector, 'exact']);
    for (const selector of ['.tabs', '.band nav'])
      expect([selector, await page.locator(selector).isVisible()]).toEqual([selector, false]);
    await visit(page, '/guides/recipes');
    const cut = `[...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth).length`;
    await page.setViewportSize({ width: 640, height: 900 });
    expect(await page.evaluate<number>(cut)).toBe(0);
    await page.context().close();
  });

  /** The width between margins of 1 cm, in pixels. */
  test.each([
    ['Letter', 740],
    ['A4', 718],
  ])('prints every column of a table: %s', async (_paper, width) => {
    const { page } = await chromium!.open(`${url}/guides`, { viewport: { width, height: 1000 } });
    await page.emulateMedia({ media: 'print' });
    const cut = `[...document.querySelectorAll('td, th, .table')].filter((each) => {
      const { right } = each.getBoundingClientRect();
      return right > document.documentElement.clientWidth || each.scrollWidth > each.clientWidth;
    }).map((each) => each.outerHTML.slice(0, 120))`;
    for (const path of ['/guides/rest', '/guides/limits', '/guides/events', '/regimes']) {
      await page.goto(`${url}${path}`);
      await page.locator('.table').first().waitFor();
      expect([path, await page.evaluate<string[]>(cut)]).toEqual([path, []]);
    }
    await page.context().close();
  });

  test('shows bars, and which tab is open, where the system sets the colours', async () => {
    const path = `/organizations/${some.id}/workflows/nis2-directive`;
    const { page } = await open(path, some.token, { forcedColors: 'active' });
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    const paper = await styleOf('body', 'backgroundColor');
    expect(await styleOf('.bar-track', 'backgroundColor')).not.toBe(paper);
    expect(await styleOf('.tabs a[aria-current]', 'borderBottomColor')).not.toBe(paper);
    expect(await styleOf('.tabs a:not([aria-current])', 'borderBottomColor')).toBe(paper);
    await page.context().close();
  });

  test('shows every tab in a window of half the width', async () => {
    const options = { viewport: { width: 640, height: 450 }, locale: 'it-IT' };
    const { page } = await chromium!.open(`${url}/organizations/${some.id}`, options);
    await page.evaluate<void>(`sessionStorage.setItem('token', '${some.token}')`);
    await page.reload();
    await page.locator('.tabs').waitFor();
    const beyond = `[...document.querySelectorAll('.tabs a')].filter((tab) => tab.getBoundingClientRect().right > innerWidth).length`;
    expect(await page.evaluate<number>(beyond)).toBe(0);
    await page.context().close();
  });

  test.each([
    ['en', ['Overdue', 'Fresh evidence', 'Expiring or stale evidence']],
    ['it', ['Scaduto', 'Evidenze aggiornate', 'Evidenze in scadenza o non più aggiornate']],
    ['de', ['Überfällig', 'Aktuelle Nachweise', 'Bald ablaufende oder veraltete Nachweise']],
  ])(
    'explains every mark of a map, on paper and where the system sets the colours as well: %s',
    async (locale, words) => {
      const path = `/organizations/${some.id}/workflows/nis2-directive`;
      const { page } = await chromium!.open(`${url}${path}`, { ...WINDOWS.wide, locale });
      await page.evaluate<void>(`sessionStorage.setItem('token', '${some.token}')`);
      await visit(page, path);
      const legend = page.locator('.legend li');
      for (const media of [
        { media: 'screen', forcedColors: 'none' },
        { media: 'print', forcedColors: 'none' },
        { media: 'screen', forcedColors: 'active' },
      ] as const) {
        await page.emulateMedia(media);
        const shown = await legend.filter({ visible: true }).allInnerTexts();
        expect([media, shown.slice(4).map((each) => each.replace('!', '').trim())]).toEqual([media, words]);
        const looks = (where: string) =>
          page.evaluate<string[]>(
            `[...document.querySelectorAll('${where} .dot')].map((dot) => [getComputedStyle(dot).backgroundColor, getComputedStyle(dot).borderRadius].join(' '))`,
          );
        const explained = await looks('.legend');
        expect([media, new Set(explained).size]).toEqual([media, 2]);
        expect([media, explained]).toEqual([media, expect.arrayContaining(await looks('.map'))]);
      }
      await page.context().close();
    },
  );

  test('downloads an evidence pack by an address that is made then, and says why there is none', async () => {
    const officer = await newMember(database, bare.id, 'SECURITY_OFFICER');
    const { page } = await open(`/organizations/${bare.id}/workflows/nis2-directive`, officer.token);
    const pack = page.getByText('Download the evidence pack');
    const [download] = await Promise.all([page.waitForEvent('download'), pack.click()]);
    expect([download.suggestedFilename(), await download.failure()]).toEqual([expect.stringMatching(/\.zip$/), null]);
    const { body } = await gateway.rest.get('/api/v1/token', { token: officer.token });
    await gateway.rest.delete(`/api/v1/tokens/${body.data.token.id}`, { token: officer.token });
    await pack.click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.context().close();
  });

  test.each([
    ['a control', async () => `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.h`],
    [
      'an engagement',
      async () => `/organizations/${some.id}/engagements/${await buildEngagement(database, some.id, {})}`,
    ],
  ])('downloads a document by an address that is made then, and says that it is gone: %s', async (of, pathOf) => {
    const { token } = testData.analyst;
    const filename = `of ${of}.txt`;
    const organization = `/api/v1/v-ciso/organizations/${some.id}`;
    const stored = await gateway.rest.post(`${organization}/workflows/nis2-directive/documents/21.2.h/versions`, {
      ...{ token, body: { filename, content: btoa(of), content_type: 'text/plain' } },
    });
    const path = await pathOf();
    const { page, errors: problems } = await open(path, testData.officer.token);
    const document = page.getByRole('button', { name: filename });
    await document.waitFor();
    expect(await page.content()).not.toContain('signature=');
    const [download] = await Promise.all([page.waitForEvent('download'), document.click()]);
    expect([download.suggestedFilename(), await readFile(await download.path(), 'utf8')]).toEqual([filename, of]);
    await page.emulateMedia({ media: 'print' });
    expect(await document.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    expect([await brokenRules(page), problems]).toEqual([[], []]);
    await gateway.rest.delete(`${organization}/documents/${stored.body.data.id}`, { token: some.token });
    await document.click();
    await page.locator('.trouble', { hasText: 'This does not exist, or you have no access to it.' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.context().close();
  });

  test('counts the controls of a map where it shows all of them', async () => {
    const { page } = await open(`/organizations/${bare.id}/workflows/nis2-directive`, bare.token);
    const counts = () =>
      page
        .locator('.card', { has: page.locator('.map') })
        .locator('h2 .count')
        .count();
    expect(await counts()).toBe(1);
    for (const query of ['status=DONE', `as_of=${new Date().toISOString().slice(0, 10)}`]) {
      await visit(page, `/organizations/${bare.id}/workflows/nis2-directive?${query}`);
      expect([query, await counts()]).toEqual([query, 0]);
    }
    await page.context().close();
  });

  test('opens the page that a mail leads to after the token was entered', async () => {
    const { page } = await open(`/organizations/${some.id}/incidents/${some.incident}`, some.token);
    await page.getByRole('heading', { level: 1, name: 'Phishing wave' }).waitFor();
    expect(page.url()).toBe(`${url}/organizations/${some.id}/incidents/${some.incident}`);
    // Another tab has no token, and neither has this one after the sign-out.
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.context().close();
  });

  test('shows the logo of an organization, also at another address than the public one', async () => {
    const { id, owner } = await found('Rossi Energia');
    const { filename, contentType: type, bytes } = samples.PNG;
    const form = multipart([{ name: 'logo', filename, type, content: bytes }]);
    const stored = await gateway.rest.call('PUT', `/api/v1/organizations/${id}/logo`, { token: owner.token, ...form });
    expect(stored.status).toBe(200);
    for (const origin of [url, url.replace('127.0.0.1', 'localhost')]) {
      const { page, errors } = await open(`${origin}/organizations/${id}`, owner.token);
      const logo = page.locator('header.band img');
      const problem = await logo.evaluate((image) =>
        (image as unknown as { decode(): Promise<void> }).decode().catch((error: unknown) => String(error)),
      );
      expect([origin, problem, errors]).toEqual([origin, undefined, []]);
      await page.context().close();
    }
  });

  /** A page with an unsent note, opened with the token of a sign-in, without a network. */
  async function signingOutOffline(locale: string) {
    const officer = await newMember(database, some.id, 'SECURITY_OFFICER');
    const token = await buildToken(database, officer, { scopes: ['read', 'write'] });
    await database.rows(
      `update api_token set origin = 'SIGN_IN', provider_id = (select id from identity_provider where organization_id = $1 limit 1)
        where user_id = $2 and prefix = $3`,
      [some.id, officer.id, token.slice(0, 8)],
    );
    const path = `/organizations/${some.id}/incidents/${some.incident}`;
    const { page } = await chromium!.open(`${url}${path}`, { ...WINDOWS.telephone, locale });
    await page.locator('input[type=password]').fill(token);
    await page.locator('form button').last().click();
    await settled(page);
    await page.locator('textarea').last().fill('Not sent yet.');
    await page.context().setOffline(true);
    await page.locator('header nav button.plain').click();
    await page.getByRole('dialog').waitFor();
    await picture(page, `signing-out-offline-${locale}`);
    const dialog = page.getByRole('dialog');
    expect([await brokenRules(page), await overflowOf(page)]).toEqual([[], 0]);
    const isValid = async () => (await gateway.rest.get('/api/v1/token', { token })).status === 200;
    return { page, dialog, isValid };
  }

  test.each([
    ['en', 'You are still signed in', 'Stay signed in', 'Try again'],
    ['it', 'L’accesso è ancora attivo', 'Mantieni l’accesso', 'Riprova'],
    ['de', 'Sie sind noch angemeldet', 'Angemeldet bleiben', 'Erneut versuchen'],
  ])('says that a sign-in could not be ended, and keeps it until it is: %s', async (locale, title, stay, again) => {
    const { page, dialog, isValid } = await signingOutOffline(locale);
    await dialog.getByRole('heading', { name: title }).waitFor();
    await dialog.getByRole('button', { name: stay }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.matches("header nav button.plain")')).toBe(true);
    expect(await page.locator('textarea').last().inputValue()).toBe('Not sent yet.');
    await page.locator('header nav button.plain').click();
    await dialog.getByRole('button', { name: again }).click();
    expect([await dialog.count(), await isValid()]).toEqual([1, true]);
    await page.context().setOffline(false);
    await dialog.getByRole('button', { name: again }).click();
    await page.locator('main.narrow input[type=password]').waitFor();
    expect([await isValid(), await page.evaluate('sessionStorage.length')]).toEqual([false, 0]);
    await page.context().close();
  });

  test('forgets a sign-in that could not be ended where the reader wants it, and the token goes on', async () => {
    const { page, dialog, isValid } = await signingOutOffline('en');
    await dialog.getByRole('button', { name: 'Sign out of this tab anyway' }).click();
    await page.getByLabel('Token').waitFor();
    expect([await isValid(), await page.evaluate('sessionStorage.length')]).toEqual([true, 0]);
    await page.context().close();
  });

  test('shows the next reader in the tab nothing of what the one before could see', async () => {
    const { page } = await open(`/organizations/${some.id}`, some.token);
    const name = await page.locator('header.band a.name').innerText();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').fill(empty.token);
    await page.getByRole('button', { name: 'Continue with the token' }).click();
    await page.getByText('This does not exist, or you have no access to it.').waitFor();
    expect(name).not.toBe('');
    expect(await page.locator('body').innerText()).not.toContain(name);
    await page.context().close();
  });

  test('shows who signs in again in the place of another nothing of an organization of that one alone', async () => {
    const officer = await newMember(database, some.id, 'SECURITY_OFFICER');
    const { page } = await open(`/organizations/${some.id}/incidents`, officer.token);
    const name = await page.locator('header.band a.name').innerText();
    const { body } = await gateway.rest.get('/api/v1/token', { token: officer.token });
    await gateway.rest.delete(`/api/v1/tokens/${body.data.token.id}`, { token: officer.token });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Token').fill(empty.token);
    await dialog.getByRole('button', { name: 'Continue with the token' }).click();
    await page.getByText('This does not exist, or you have no access to it.').waitFor();
    expect(name).not.toBe('');
    expect(await page.locator('body').innerText()).not.toContain(name);
    expect(await page.locator('nav.tabs').count()).toBe(0);
    await page.context().close();
  });

  test('reads a page anew where a link to it is followed: a role may be a lower one since', async () => {
    const manager = await newMember(database, some.id, 'ORGANIZATION_MANAGER');
    const { page } = await open(`/organizations/${some.id}/service-accounts`, manager.token);
    await page.locator('section.card').waitFor();
    await gateway.graphql.data('mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { __typename } }', {
      ...{ token: some.token, variables: { input: { organizationId: some.id, userId: manager.id, role: 'VIEWER' } } },
    });
    await page.getByRole('link', { name: 'Service accounts' }).click();
    await page.locator('.trouble', { hasText: 'Your role or your token does not allow this.' }).waitFor();
    expect(await page.locator('section.card').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Service accounts' }).count()).toBe(0);
    await page.context().close();
  });

  test('says to a member who was removed that there is no access, and retains what was typed', async () => {
    const officer = await newMember(database, some.id, 'SECURITY_OFFICER');
    const path = `/organizations/${some.id}/incidents/${some.incident}`;
    const { page } = await open(path, officer.token);
    await page.getByLabel('New note').fill('Typed before the removal.');
    const removed = await gateway.rest.delete(`/api/v1/organizations/${some.id}/users/${officer.id}`, some);
    expect(removed.status).toBe(200);
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('form .trouble', { hasText: 'This does not exist, or you have no access to it.' }).waitFor();
    expect(await page.getByLabel('New note').inputValue()).toBe('Typed before the removal.');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.locator('main > .trouble', { hasText: 'This does not exist, or you have no access to it.' }).waitFor();
    await join(database, officer, some.id, 'SECURITY_OFFICER');
    await visit(page, path);
    expect(await page.getByLabel('New note').inputValue()).toBe('Typed before the removal.');
    await page.context().close();
  });

  /** Suspends requests of an operation until they are released, and waits for the response to one. */
  async function suspend(page: Page, operation: string) {
    const released = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (JSON.parse(route.request().postData()!).operationName !== operation) return route.fallback();
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    const sentRequest = page.waitForRequest((each) => each.postData()?.includes(operation) ?? false);
    const answered = page.waitForEvent('requestfinished', (each) => each.postData()?.includes(operation) ?? false);
    const release = async () => {
      released.resolve();
      await answered;
    };
    return { request: sentRequest, release };
  }

  test('leaves the session of the next reader as it is where a token of the one before is rotated late', async () => {
    const person = await newMember(database, some.id, 'VIEWER');
    const { page } = await open('/tokens', person.token);
    const { request: sentRequest, release } = await suspend(page, 'RotateToken');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await sentRequest;
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').fill(some.token);
    await page.getByRole('button', { name: 'Continue with the token' }).click();
    await settled(page);
    await release();
    await visit(page, '/tokens');
    expect(await page.evaluate(`sessionStorage.getItem('token')`)).toBe(some.token);
    await page.getByText(testData.owner.username).first().waitFor();
    await page.context().close();
  });

  test('goes on with the new token where an answer to the old one comes late', async () => {
    const officer = await newMember(database, some.id, 'SECURITY_OFFICER');
    const { page } = await open(`/organizations/${some.id}/incidents/${some.incident}`, officer.token);
    const { body } = await gateway.rest.get('/api/v1/token', { token: officer.token });
    await gateway.rest.delete(`/api/v1/tokens/${body.data.token.id}`, { token: officer.token });
    const { request: sentRequest, release } = await suspend(page, 'AddNote');
    await page.getByLabel('New note').fill('Slowly.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await sentRequest;
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByLabel('Token').fill(await buildToken(database, officer, {}));
    await dialog.getByRole('button', { name: 'Continue with the token' }).click();
    await dialog.waitFor({ state: 'detached' });
    await release();
    await page.locator('form .trouble', { hasText: 'You are not signed in.' }).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.notes', { hasText: 'Slowly.' }).waitFor();
    await page.context().close();
  });

  test.each([3_000_000, 6_000_000])(
    'says of a text of %d characters why it is not accepted, and retains it',
    async (size) => {
      const { page, errors: problems } = await open(`/organizations/${some.id}/incidents/${some.incident}`, some.token);
      const note = page.getByLabel('New note');
      const paste = `field.value = 'x'.repeat(${size}); field.dispatchEvent(new Event('input', { bubbles: true }))`;
      await note.evaluate((field, script) => Function('field', script)(field), paste);
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.locator('form .trouble').waitFor();
      expect(await note.inputValue()).toHaveLength(size);
      await note.fill(`Of ${size} characters.`);
      await page.getByRole('button', { name: 'Add note' }).click();
      await page.locator('.notes', { hasText: `Of ${size} characters.` }).waitFor();
      // The console of the browser shows the refusal.
      expect(problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([]);
      await page.context().close();
    },
  );

  test('retains a note that was typed while the network was lost, and sends it once it is back', async () => {
    const incident = await buildIncident(database, some.id);
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, some.token);
    await page.getByLabel('New note').fill('The firewall was replaced.');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('The gateway cannot be reached').first().waitFor();
    expect(await page.getByLabel('New note').inputValue()).toBe('The firewall was replaced.');
    await page.context().setOffline(false);
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('New note').inputValue()).toBe('The firewall was replaced.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.notes', { hasText: 'The firewall was replaced.' }).waitFor();
    expect(await one('select count(*)::int as value from incident_note where incident_id = $1', [incident])).toBe(1);
    expect(await page.getByLabel('New note').inputValue()).toBe('');
    await page.context().close();
  });

  test('adds a note once whose answer was lost, also after the page was reloaded', async () => {
    const incident = await buildIncident(database, some.id);
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, some.token);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()!.includes('AddNote')) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    const add = () => page.getByRole('button', { name: 'Add note' }).click();
    await page.getByLabel('New note').fill('Sent, and not heard of.');
    await add();
    await page.getByText('The gateway cannot be reached').first().waitFor();
    await page.unrouteAll();
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('New note').inputValue()).toBe('Sent, and not heard of.');
    await add();
    await page.getByText('Saved').waitFor();
    const notes = 'select count(*)::int as value from incident_note where incident_id = $1';
    expect(await one(notes, [incident])).toBe(1);
    // The same words once more are another note.
    await page.getByLabel('New note').fill('Sent, and not heard of.');
    await add();
    await page.locator('.notes > li').nth(1).waitFor();
    expect(await one(notes, [incident])).toBe(2);
    await page.context().close();
  });

  test.each([
    ['en', 'Sending …', 'The gateway is busy'],
    ['it', 'Invio in corso …', 'Il gateway è sovraccarico'],
    ['de', 'Wird gesendet …', 'Das Gateway ist ausgelastet'],
  ])('says that a slow change is sent, and of a busy gateway that it is: %s', async (locale, sending, busy) => {
    const incident = await buildIncident(database, some.id);
    const path = `/organizations/${some.id}/incidents/${incident}`;
    const { page } = await chromium!.open(`${url}${path}`, { ...WINDOWS.telephone, locale });
    await page.locator('input[type=password]').fill(some.token);
    await page.locator('form button').last().click();
    await settled(page);
    const answered = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()!.includes('AddNote')) return route.fallback();
      await answered.promise;
      const errors = [{ message: 'Later', extensions: { code: 'UNAVAILABLE' } }];
      await route.fulfill({ status: 503, json: { data: null, errors } });
    });
    const form = page.locator('form', { has: page.locator('textarea') }).last();
    await form.locator('textarea').fill('Slowly.');
    await form.locator('button').click();
    await form.getByText(sending).waitFor();
    answered.resolve();
    await form.locator('.trouble', { hasText: busy }).waitFor();
    expect(await form.locator('textarea').inputValue()).toBe('Slowly.');
    await page.context().close();
  });

  test('continues to request a token in place of one that has ended, whichever key is pressed', async () => {
    const officer = await newMember(database, some.id, 'SECURITY_OFFICER');
    const { page } = await open(`/organizations/${some.id}`, officer.token);
    const { body } = await gateway.rest.get('/api/v1/token', { token: officer.token });
    await gateway.rest.delete(`/api/v1/tokens/${body.data.token.id}`, { token: officer.token });
    await page.getByRole('link', { name: 'Incidents', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await dialog.getByLabel('Token').fill(await buildToken(database, officer, {}));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test.each(['expired', 'was revoked'])(
    'asks for another token, with what was typed still there: it %s',
    async (how) => {
      const officer = await newMember(database, some.id, 'SECURITY_OFFICER');
      const { page } = await open(`/organizations/${some.id}/incidents/${some.incident}`, officer.token);
      await page.getByLabel('New note').fill(`Typed before it ${how}.`);
      await page.getByLabel('Severity').selectOption('LOW');
      const { body } = await gateway.rest.get('/api/v1/token', { token: officer.token });
      const { id } = body.data.token;
      if (how === 'expired') {
        await database.rows("update api_token set expires_at = now() - interval '1 minute' where id = $1", [id]);
        await until(async () => (await gateway.rest.get('/api/v1/token', { token: officer.token })).status === 401);
      } else await gateway.rest.delete(`/api/v1/tokens/${id}`, { token: officer.token });
      await page.getByRole('button', { name: 'Add note' }).click();
      const dialog = page.getByRole('dialog', { name: 'Sign in again' });
      await dialog.waitFor();
      expect(await brokenRules(page)).toEqual([]);
      await dialog.getByLabel('Token').fill(await buildToken(database, officer, {}));
      await dialog.getByRole('button', { name: 'Continue with the token' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByLabel('New note').inputValue()).toBe(`Typed before it ${how}.`);
      expect(await page.getByLabel('Severity').inputValue()).toBe('LOW');
      // The form continues in its previous state.
      expect([await focused(page), await page.locator('.trouble').count()]).toEqual(['Add note', 0]);
      await page.keyboard.press('Enter');
      await page.locator('.notes', { hasText: `Typed before it ${how}.` }).waitFor();
      await page.context().close();
    },
  );

  test('leaves nothing of what one person had typed to another who signs in in the same tab', async () => {
    const incident = await buildIncident(database, some.id);
    const [first, second] = [
      await newMember(database, some.id, 'SECURITY_OFFICER'),
      await newMember(database, some.id, 'SECURITY_OFFICER'),
    ];
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, first.token);
    const keys: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('AddNote')) keys.push(request.headers()['idempotency-key']!);
    });
    const severity = await page.getByLabel('Severity').inputValue();
    await page.getByLabel('Severity').selectOption('LOW');
    const type = () => page.getByLabel('New note').fill('Of one person.');
    const add = page.getByRole('button', { name: 'Add note' });
    await type();
    await page.context().setOffline(true);
    await add.click();
    await page.getByText('The gateway cannot be reached').first().waitFor();
    await page.context().setOffline(false);
    const { body } = await gateway.rest.get('/api/v1/token', { token: first.token });
    await gateway.rest.delete(`/api/v1/tokens/${body.data.token.id}`, { token: first.token });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    const enter = async (token: string) => {
      await dialog.getByLabel('Token').fill(token);
      await dialog.getByRole('button', { name: 'Continue with the token' }).click();
    };
    // A refused one ends nothing, and the entered text remains.
    await enter(first.token);
    await dialog.getByText('This token is not valid').last().waitFor();
    await picture(page, 'sign-in-again-refused');
    expect([await page.getByLabel('New note').inputValue(), await brokenRules(page)]).toEqual(['Of one person.', []]);
    const loaded = page.waitForEvent('load');
    await enter(second.token);
    await loaded;
    await settled(page);
    expect(await page.getByLabel('New note').inputValue()).toBe('');
    expect(await page.getByLabel('Severity').inputValue()).toBe(severity);
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Of one person.');
    await type();
    await add.click();
    await page.locator('.notes', { hasText: 'Of one person.' }).getByText(second.username).waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 2]);
    await page.context().close();
  });

  test('says what another has changed meanwhile before it saves a control', async () => {
    const path = `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.b`;
    const { page } = await open(path, some.token);
    await page.getByLabel('Status').selectOption('DONE');
    await page.getByLabel('Note').fill('Mine');
    const changed = await gateway.graphql.data(
      'mutation ($input: UpdateControlInput!) { updateControl(input: $input) { control { version } } }',
      {
        token: testData.officer.token,
        variables: {
          input: { organizationId: some.id, workflowId: 'nis2-directive', controlId: '21.2.b', status: 'IN_PROGRESS' },
        },
      },
    );
    expect(changed.updateControl.control.version).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this').waitFor();
    await page.getByText('Current state: In progress').waitFor();
    expect([await page.getByLabel('Status').inputValue(), await page.getByLabel('Note').inputValue()]).toEqual([
      'DONE',
      'Mine',
    ]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.cell-badge', { hasText: 'Done' }).waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('Mine');
    await page.context().close();
  });

  test('says what a role does not allow, and what is not to be seen', async () => {
    const { page } = await open(`/organizations/${some.id}/audit-trail`, testData.viewer.token);
    const said = page.locator('.trouble');
    const refused = 'Your role or your token does not allow this.';
    await said.first().waitFor();
    expect((await said.allInnerTexts()).map((each) => each.split(/\n+/))).toEqual([[refused, 'Try again']]);
    await visit(page, `/organizations/${full.id}`);
    await said.waitFor();
    expect(await said.allInnerTexts()).toEqual(['This does not exist, or you have no access to it.']);
    await visit(page, `/organizations/${some.id}`);
    expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0);
    expect(await page.locator('.trouble').count()).toBe(0);
    await visit(page, `/organizations/${some.id}/incidents/${some.incident}`);
    expect(await page.getByLabel('Severity').count()).toBe(0);
    await page.context().close();
  });

  test('says that the gateway is busy to a reader whose role shows no devices', async () => {
    const { page } = await open('/tokens', testData.viewer.token);
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()!.includes('OrganizationPage')) return route.fallback();
      const response = await route.fetch();
      const { errors } = await response.json();
      expect(errors[0].extensions.code).toBe('FORBIDDEN');
      errors.push({ message: 'Later', path: ['organization', 'open'], extensions: { code: 'UNAVAILABLE' } });
      await route.fulfill({ status: 503, json: { data: { organization: null }, errors } });
    });
    await page.goto(`${url}/organizations/${some.id}`);
    const trouble = page.locator('.trouble', { hasText: 'The gateway is busy' });
    expect((await trouble.innerText()).split('\n')).toContain('Later');
    expect(await trouble.innerText()).not.toContain('role');
    await page.unrouteAll();
    await trouble.getByRole('button').click();
    await page.getByRole('heading', { name: 'Legal deadlines' }).waitFor();
    expect(await page.locator('.trouble').count()).toBe(0);
    await page.context().close();
  });

  test('rotates the token that it uses and goes on with the new one; revoking requires confirmation', async () => {
    const person = await newMember(database, some.id, 'VIEWER');
    const { page } = await open('/tokens', person.token);
    await page.getByRole('button', { name: 'Rotate' }).click();
    const made = await page.locator('.secret code').innerText();
    expect(made).not.toBe(person.token);
    expect(await page.evaluate(`sessionStorage.getItem('token')`)).toBe(made);
    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await page.getByText('It stops working at once').waitFor();
    expect((await gateway.rest.get('/api/v1/profile', { token: person.token })).status).toBe(200);
    await page.getByRole('group').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await page.locator('li:focus', { hasText: 'Revoked' }).waitFor();
    expect((await gateway.rest.get('/api/v1/profile', { token: person.token })).status).toBe(401);
    await page.context().close();
  });

  test('shows the secret of a token that was made, also where its line has gone on to another page', async () => {
    const person = await newMember(database, some.id, 'VIEWER');
    for (let count = 1; count < PAGE; count += 1) await buildToken(database, person, {});
    const { page } = await open('/tokens', person.token);
    await page
      .getByRole('button', { name: 'Rotate' })
      .nth(PAGE - 1)
      .click();
    await page.getByRole('link', { name: 'Next' }).waitFor();
    expect(await page.locator('.secret code').innerText()).toMatch(/^scp_/);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Previous' }).waitFor();
    await page.locator('.lines > li .secret code').waitFor();
    await page.context().close();
  });

  test('shows a broken audit trail in words and not only in red', async () => {
    const { id, owner } = await found('Broken trail');
    await gateway.rest.patch(`/api/v1/organizations/${id}`, { token: owner.token, body: { description: 'one' } });
    const { page } = await open(`/organizations/${id}/audit-trail`, owner.token);
    await page.getByText('The audit trail is intact').waitFor();
    await page.getByRole('button', { name: 'Sign a checkpoint' }).click();
    await page.locator('pre', { hasText: 'signature' }).waitFor();
    await database.transaction(async (tx) => {
      await tx.rows('set local session_replication_role = replica');
      await tx.rows(
        `update audit_entry set entry = replace(entry, 'one', 'two') where log_id in (select id from audit_log where organization_id = $1)`,
        [id],
      );
    });
    await page.reload();
    await page.getByText('The audit trail fails verification').waitFor();
    expect(await page.getByRole('button', { name: 'Download the proof' }).count()).toBe(0);
    await page.context().close();
  });

  test('downloads what proves the state of a day, and says why there is none', async () => {
    const { token } = testData.owner;
    const { body } = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Proved' } });
    const { id } = body.data;
    const { page, errors: problems } = await open(`/organizations/${id}/audit-trail`, token);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the proof' }).click();
    const proof = await readFile(await (await downloaded).path(), 'utf8');
    expect(JSON.parse(proof.split('\n')[0]!).proof).toMatchObject({ organization: id });
    expect((await downloaded).suggestedFilename()).toMatch(/^Proved proof \d{4}-\d\d-\d\d\.ndjson$/);
    await page.getByLabel('At the end of').fill('2020-01-01');
    await page.getByRole('button', { name: 'Download the proof' }).click();
    await page.getByText('the time from which the audit trail records').waitFor();
    await page.getByLabel('At the end of').fill(new Date().toISOString().slice(0, 10));
    for (const [status, sentence] of [
      [503, 'The gateway is busy'],
      [429, 'There have been too many requests'],
    ] as const) {
      await page.route('**/proof?*', (route) => route.fulfill({ status, json: { error: 1, messages: [] } }));
      await page.getByRole('button', { name: 'Download the proof' }).click();
      await page.locator('.trouble', { hasText: sentence }).waitFor();
      await page.unrouteAll();
    }
    await page.route('**/proof?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Download the proof' }).click();
    await page.locator('.trouble', { hasText: 'The gateway cannot be reached' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/organizations/${id}/audit-trail`);
    problems.splice(0);
    expect([await brokenRules(page), problems]).toEqual([[], []]);
    await page.context().close();
  });

  test('proves a day that has ended as it was when the day ended', async () => {
    const { page } = await open(`/organizations/${some.id}/audit-trail`, some.token);
    const sentRequest = page.waitForRequest((request) => request.postData()?.includes('ProofUrl') ?? false);
    await page.getByLabel('At the end of').fill('2024-02-29');
    await page.getByRole('button', { name: 'Download the proof' }).click();
    const { asOf } = JSON.parse((await sentRequest).postData()!).variables;
    expect(await page.evaluate(`new Date(${JSON.stringify(asOf)}).toString()`)).toContain('Feb 29 2024 23:59:59');
    await page.context().close();
  });

  test.each(['en', 'it', 'de'])('marks a sandbox beside its name, and no other organization: %s', async (locale) => {
    const { body } = await gateway.rest.post('/api/v1/organizations', {
      token: testData.owner.token,
      body: { name: `Trial ${locale}`, sandbox: true },
    });
    const mark = (page: Page) => page.locator('header .badge').allInnerTexts();
    const { page } = await chromium!.open(`${url}/organizations/${body.data.id}`, { ...WINDOWS.telephone, locale });
    await page.locator('input[type=password]').fill(some.token);
    await page.locator('form button').last().click();
    await settled(page);
    expect([await mark(page), await brokenRules(page)]).toEqual([['Sandbox'], []]);
    await visit(page, `/organizations/${some.id}`);
    expect(await mark(page)).toEqual([]);
    await page.context().close();
  });

  test('is read and used with the keyboard alone', async () => {
    const { page } = await open(`/organizations/${some.id}`, some.token);
    await visit(page, `/organizations/${some.id}`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.getByRole('link', { name: 'Incidents', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
    await page.locator('.lines a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('New note').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.notes', { hasText: 'By keyboard' }).waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await focused(page)).toBe('Add note');
    await visit(page, `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.d`);
    await page.getByLabel('Note').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await focused(page)).toBe('Save');
    await page.context().close();
  });

  test('has the focus where the reader is: on a question, back on its button, and on the next page of a list', async () => {
    const person = await newMember(database, some.id, 'VIEWER');
    for (let count = 0; count < PAGE; count += 1) await buildToken(database, person, {});
    const { page } = await open('/tokens', person.token);
    await page.getByRole('button', { name: 'Revoke' }).first().focus();
    await page.keyboard.press('Enter');
    expect(await focused(page)).toMatch(/^It stops working at once/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Cancel');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('Revoke');
    await page.getByRole('link', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Previous' }).waitFor();
    expect(await focused(page)).toBe('Your tokens');
    await page.context().close();
  });

  test.each(['webhooks', 'service-accounts'])('leads from an empty list of %s to its guide', async (list) => {
    const { page, errors } = await open(`/organizations/${empty.id}/${list}`, empty.token);
    const answered = page.waitForResponse(`${url}/guides/${list}`);
    await page.getByRole('link', { name: 'How to create one' }).click();
    expect([(await answered).status(), errors]).toEqual([200, []]);
    await page.context().close();
  });

  test('says of a webhook without a selection of event types that it gets every one', async () => {
    const { webhookEndpointId } = await buildWebhook(database, some.id);
    await database.rows(`update webhook_endpoint set actions = '{}' where id = $1`, [webhookEndpointId]);
    const { page } = await open(`/organizations/${some.id}/webhooks`, some.token);
    expect(await page.getByText('every event type').count()).toBe(1);
    await visit(page, `/organizations/${some.id}/webhooks/${webhookEndpointId}`);
    expect(await page.getByText('every event type').count()).toBe(1);
    await page.context().close();
  });

  test('says that a webhook was tested, beside a button that has the focus', async () => {
    const { page } = await open(`/organizations/${some.id}/webhooks/${some.webhook}`, some.token);
    await page.getByRole('button', { name: 'Send a test' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Done', { exact: true }).waitFor();
    expect(await focused(page)).toBe('Send a test');
    await page.context().close();
  });

  test.each([
    ['it', 'Scadenze di legge', 'Registro di audit'],
    ['de', 'Gesetzliche Fristen', 'Audit-Protokoll'],
  ])('speaks the language that the browser asks for: %s', async (locale, deadlines, trail) => {
    const { page, errors: problems } = await chromium!.open(`${url}/organizations/${some.id}`, {
      ...WINDOWS.wide,
      locale,
    });
    await page.locator('input[type=password]').fill(some.token);
    await page.locator('form button').last().click();
    await page.getByRole('heading', { name: deadlines }).waitFor();
    await page.getByRole('link', { name: trail }).waitFor();
    expect([await page.evaluate('document.documentElement.lang'), await brokenRules(page), problems]).toEqual([
      locale,
      [],
      [],
    ]);
    await page.context().close();
  });

  test('names controls in the language of the page, alone and in an engagement', async () => {
    await buildWorkflow(database, bare.id, 'nis2-it-baseline');
    const engagement = await buildEngagement(database, bare.id, { workflow: 'nis2-it-baseline' });
    const path = `/organizations/${bare.id}/workflows/nis2-it-baseline/controls/PR.DS-11.4`;
    const { page } = await chromium!.open(url + path, { ...WINDOWS.wide, locale: 'it' });
    await page.locator('input[type=password]').fill(bare.token);
    await page.locator('form button').last().click();
    await page.getByRole('heading', { level: 1, name: 'Verificare periodicamente che i backup' }).waitFor();
    await visit(page, `/organizations/${bare.id}/engagements/${engagement}`);
    await page.locator('.lines', { hasText: 'Governo' }).waitFor();
    await page.context().close();
  });

  test('names the workflows whose documents count for a control', async () => {
    const { id, owner } = await found('With evidence');
    for (const workflow of ['iso-27001-2022', 'nis2-directive']) await buildWorkflow(database, id, workflow);
    const stored = await gateway.rest.post(
      `/api/v1/v-ciso/organizations/${id}/workflows/nis2-directive/documents/21.2.c/versions`,
      { token: owner.token, body: { filename: 'test.txt', content: btoa('Restored'), content_type: 'text/plain' } },
    );
    expect(stored.status).toBe(201);
    const { page } = await open(`/organizations/${id}/workflows/iso-27001-2022/controls/A.8.13`, owner.token);
    await page.locator('.lines small', { hasText: /^1 document · NIS 2 Directive$/ }).waitFor();
    await page.context().close();
  });

  test('names the documents of a control by the number that the API and an evidence pack have for them', async () => {
    const organization = `/api/v1/v-ciso/organizations/${some.id}`;
    const { token } = testData.analyst;
    const ids: number[] = [];
    for (const text of ['first', 'second']) {
      const body = { filename: `${text}.txt`, content: btoa(text), content_type: 'text/plain' };
      const path = `${organization}/workflows/nis2-directive/documents/21.2.g/versions`;
      const { data } = (await gateway.rest.post(path, { token, body })).body;
      ids.unshift(data.id);
      await gateway.rest.patch(`${organization}/documents/${data.id}`, { token, body: { note: `The ${text} one` } });
    }
    const { page } = await open(`/organizations/${some.id}/workflows/nis2-directive/controls/21.2.g`, some.token);
    const lines = await page.locator('.lines li', { hasText: '.txt' }).locator('small').allInnerTexts();
    expect(lines.map((line) => line.split(' · ')[0])).toEqual(ids.map((id) => `Version ${id}`));
    await page.context().close();
  });

  test('shows an auditor the engagement, whose organization it is no member of', async () => {
    const auditor = await buildPerson(database, 'auditor');
    const engagement = await buildEngagement(database, some.id, { auditor });
    const { page } = await open(`/organizations/${some.id}/engagements/${engagement}`, auditor.token);
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    expect(await page.locator('.trouble').count()).toBe(0);
    await page.context().close();
  });

  test('is where an auditor requests evidence and signs off, and takes everything along as a file', async () => {
    const auditor = await buildPerson(database, 'auditor');
    const engagement = await buildEngagement(database, some.id, { auditor });
    const { page, errors: problems } = await open(`/organizations/${some.id}/engagements/${engagement}`, auditor.token);
    const requestForm = page.locator('form', { has: page.getByRole('button', { name: 'Request evidence' }) });
    await requestForm.getByLabel('Control').fill('21.2.a');
    await requestForm.getByLabel('What is requested').fill('The last restore test.');
    await requestForm.getByRole('button').click();
    await page.locator('.lines', { hasText: 'The last restore test.' }).waitFor();
    const signOff = page.locator('form', { has: page.getByRole('button', { name: 'Sign off' }) });
    await signOff.getByLabel('Statement').fill('It was read.');
    await signOff.getByRole('button').click();
    await page.locator('.lines', { hasText: 'It was read.' }).waitFor();
    const content = page.getByRole('main');
    await content.locator('.lines', { hasText: '21.2.a NIS 2 Directive' }).first().waitFor();
    expect(await content.innerText()).not.toContain('nis2-directive');
    await picture(page, 'engagement of an auditor');
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download everything as JSON' }).click();
    const file = JSON.parse(await readFile(await (await downloaded).path(), 'utf8'));
    expect(file).toMatchObject({ databaseId: engagement, requests: [{ controlId: '21.2.a' }], signOffs: [{}] });
    expect(file.controls.length).toBeGreaterThan(20);
    expect([await brokenRules(page), problems]).toEqual([[], []]);
    await page.context().close();
  });

  test.each(['officer', 'viewer'] as const)('lets who may answer a request answer it: %s', async (role) => {
    const engagement = await buildEngagement(database, some.id, {});
    await buildRequest(database, engagement);
    const path = `/organizations/${some.id}/engagements/${engagement}`;
    const { page } = await open(path, testData[role].token);
    if (role === 'viewer') {
      await page.getByText('Your role or your token does not allow this.').first().waitFor();
    } else {
      await page.locator('summary', { hasText: 'Answer' }).click();
      await page.getByRole('textbox', { name: 'Answer' }).fill('It is attached.');
      await page.getByRole('button', { name: 'Answer' }).click();
      await page.locator('blockquote', { hasText: 'It is attached.' }).waitFor();
    }
    await page.context().close();
  });

  test('leads to the requests and sign-offs that are not among the newest, and lets them be answered', async () => {
    const auditor = await buildPerson(database, 'auditor');
    const engagement = await buildEngagement(database, some.id, { auditor });
    for (let count = 0; count < PAGE + 1; count += 1) {
      await buildRequest(database, engagement);
      await database.rows(
        `insert into sign_off (organization_id, engagement_id, workflow_id, statement, created_by)
         select organization_id, id, 'nis2-directive', 'Read', 'aud' from engagement where id = $1`,
        [engagement],
      );
    }
    const path = `/organizations/${some.id}/engagements/${engagement}`;
    const { page } = await open(path, testData.officer.token);
    for (const name of ['Requests', 'Sign-offs']) {
      const card = page.locator('section.card', { has: page.getByRole('heading', { name, exact: false }) }).first();
      expect([name, await card.locator('li').count()]).toEqual([name, PAGE]);
      await card.getByRole('button', { name: 'Show more' }).focus();
      await page.keyboard.press('Enter');
      await card.locator('li').nth(PAGE).waitFor();
      await card.locator('li:focus').waitFor();
      expect(await card.locator('li').nth(PAGE).evaluate(IS_FOCUSED)).toBe(true);
      expect(await card.getByRole('status').allInnerTexts()).toContain('1 more entry is shown.');
      expect(await card.getByRole('button', { name: 'Show more' }).count()).toBe(0);
      if (name === 'Sign-offs') continue;
      const oldest = card.locator('li').nth(PAGE);
      await oldest.locator('summary').click();
      await oldest.getByRole('textbox', { name: 'Answer' }).fill('It is old.');
      await oldest.getByRole('button', { name: 'Answer' }).focus();
      await page.keyboard.press('Enter');
      await oldest.locator('blockquote', { hasText: 'It is old.' }).waitFor();
      expect(await focused(page)).toBe('Answer');
    }
    await page.context().close();
  });

  test.each([
    ['en', 'Show more controls', '5 more entries are shown.'],
    ['it', 'Mostra altri controlli', 'Vengono mostrate altre 5 voci.'],
    ['de', 'Weitere Maßnahmen anzeigen', '5 weitere Einträge werden angezeigt.'],
  ])(
    'has the focus on the first control that was added to a map, and says how many were: %s',
    async (locale, more, said) => {
      const { page } = await chromium!.open(`${url}/portfolio`, { ...WINDOWS.telephone, locale });
      await page.locator('input[type=password]').fill(bare.token);
      await page.locator('form button').last().click();
      await settled(page);
      // None of the shipped pages is that long.
      await page.route('**/graphql', async (route) => {
        const body = route.request().postData()!;
        await route.continue({ postData: body.replace('controls(first: 100,', 'controls(first: 5,') });
      });
      await visit(page, `/organizations/${bare.id}/workflows/nis2-directive`);
      const button = page.getByRole('button', { name: more });
      await button.focus();
      const before = await page.locator('.map a').count();
      await page.keyboard.press('Enter');
      await page.locator('.map a:focus').waitFor();
      expect(await page.locator('.map a').nth(before).evaluate(IS_FOCUSED)).toBe(true);
      await page.locator('.map [role=status]', { hasText: said }).waitFor({ state: 'attached' });
      expect([await brokenRules(page), await overflowOf(page)]).toEqual([[], 0]);
      await picture(page, `more-controls-${locale}`);
      await page.context().close();
    },
  );

  /** Sends the requests of another version of the page: with a field that this gateway does not have. */
  async function outdate(page: Page, operation: string): Promise<void> {
    await page.route('**/graphql', async (route) => {
      const body = JSON.parse(route.request().postData()!);
      if (body.operationName !== operation) return route.fallback();
      const query = body.query.replace(/\{(?=[^{]*$)/, '{ ofAnotherVersion ');
      await route.continue({ postData: JSON.stringify({ ...body, query }) });
    });
  }

  test.each([
    ['en', 'The application is being updated.'],
    ['it', 'L’applicazione è in fase di aggiornamento.'],
    ['de', 'Die Anwendung wird gerade aktualisiert.'],
  ])('is read anew once where the gateway is of another version, and then says so: %s', async (locale, said) => {
    const path = `/organizations/${some.id}/incidents/${some.incident}`;
    const { page } = await chromium!.open(url + path, { ...WINDOWS.telephone, locale });
    await page.locator('input[type=password]').fill(some.token);
    await page.locator('form button').last().click();
    await settled(page);
    let loads = 0;
    page.on('load', () => (loads += 1));
    const note = page.locator('textarea').last();
    await note.fill('Typed before the update.');
    await outdate(page, 'AddNote');
    await page.locator('form', { has: note }).locator('button').click();
    await until(async () => loads === 1);
    await settled(page);
    expect(await note.inputValue()).toBe('Typed before the update.');
    // Once more within a minute: no second reload.
    await page.locator('form', { has: note }).locator('button').click();
    await page.locator('form .trouble', { hasText: said }).waitFor();
    expect((await page.locator('.trouble').innerText()).split('\n')).toHaveLength(1);
    expect([loads, await note.inputValue(), await brokenRules(page)]).toEqual([1, 'Typed before the update.', []]);
    await picture(page, `update-${locale}`);
    // Its reads are refused as well.
    await page.unrouteAll();
    await outdate(page, 'IncidentPage');
    await page.reload();
    await page.locator('main > .trouble', { hasText: said }).waitFor();
    await page.unrouteAll();
    await page.locator('main > .trouble button').click();
    await settled(page);
    expect([loads, await note.inputValue()]).toEqual([2, 'Typed before the update.']);
    await page.context().close();
  });

  test('is not read anew while it shows a secret that is shown once', async () => {
    const person = await newMember(database, some.id, 'VIEWER');
    const { page } = await open('/tokens', person.token);
    await outdate(page, 'TokensPage');
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('The application is being updated.').waitFor();
    expect(await page.locator('.secret code').innerText()).toMatch(/^scp_/);
    await page.context().close();
  });

  test('is read anew where its texts are those of another version, and then says so', async () => {
    const { page } = await open('/tokens', some.token);
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.route('**/portfolio', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replace('"pages.portfolio.organizations"', '"pages.other"'),
      });
    });
    await page.goto(`${url}/portfolio`);
    await page.locator('.trouble', { hasText: 'The application is being updated.' }).waitFor();
    expect(loads).toBe(2);
    await page.unrouteAll();
    await visit(page, '/portfolio');
    await page.context().close();
  });

  test('shows the valid token of a service account behind those that were revoked, and every member that may own a control', async () => {
    const { id } = await found('Many');
    const manager = await newMember(database, id, 'ORGANIZATION_MANAGER');
    await buildWorkflow(database, id, 'nis2-directive');
    const account = await buildServiceAccount(database, id, null);
    for (let count = 0; count < 5; count += 1) await buildToken(database, account, {});
    await database.rows(
      'update api_token set revoked_at = now() where user_id = $1 and id > (select min(id) from api_token where user_id = $1)',
      [account.id],
    );
    const people = Array.from({ length: 101 }, () => buildPerson(database, 'member'));
    for (const person of await Promise.all(people)) await join(database, person, id, 'VIEWER');
    const { page } = await open(`/organizations/${id}/service-accounts`, manager.token);
    await page.getByText(account.token.slice(0, 8)).waitFor();
    await visit(page, `/organizations/${id}/workflows/nis2-directive/controls/21.2.a`);
    await page.getByLabel('Owner').locator('option').nth(103).waitFor({ state: 'attached' });
    await page.context().close();
  });

  test.each(Object.entries(WINDOWS))(
    'rehearses an incident in a sandbox, and shows who reacted when: %s',
    async (window, options) => {
      const { token } = testData.owner;
      const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Trial', sandbox: true } });
      const { id } = made.body.data;
      await gateway.rest.post(`/api/v1/organizations/${id}/reset`, { token });
      const { page, errors: problems } = await open(`/organizations/${id}/incidents`, token, options);
      await page.getByLabel('Incident to rehearse').fill('Ransomware');
      await picture(page, `rehearsals-${window}`);
      await page.getByRole('button', { name: 'Start a rehearsal' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ransomware' }).waitFor();
      const report = page.locator('section.card', { has: page.getByRole('heading', { name: 'Rehearsal' }) });
      await report.getByText('Deadlines are 60 times shorter').waitFor();
      await report.getByText('It is in progress.').waitFor();
      await report.locator('li', { hasText: testData.owner.username }).waitFor();
      await report.locator('li', { hasText: 'Early warning' }).first().waitFor();
      const note = { regime_id: 'nis2', stage: 'EARLY_WARNING' };
      const incident = new URL(page.url()).pathname.split('/').at(-1)!;
      await gateway.rest.post(`/api/v1/v-ciso/incidents/${id}/${incident}/reports`, { token, body: note });
      await page.reload();
      // Sent although it was not due.
      const sent = report.locator('li', { hasText: 'Sent' }).last().locator('small');
      expect(await sent.innerText()).toMatch(/^Sent/);
      await picture(page, `rehearsal-${window}`);
      expect([await brokenRules(page), await overflowOf(page), problems]).toEqual([[], 0, []]);
      await visit(page, `/organizations/${some.id}/incidents`);
      expect(await page.getByLabel('Incident to rehearse').count()).toBe(0);
      await page.context().close();
    },
  );

  test.each([
    ['en', 'is not a value of the filter', 'is not a date'],
    ['it', 'non è un valore del filtro', 'non è una data'],
    ['de', 'ist kein Wert des Filters', 'ist kein Datum'],
  ])('says of a value in the address that it is none, and which are: %s', async (locale, none, noDay) => {
    const { page } = await chromium!.open(`${url}/tokens`, { ...WINDOWS.telephone, locale });
    await page.locator('input[type=password]').fill(some.token);
    await page.locator('form button').last().click();
    await settled(page);
    const at = `/organizations/${some.id}`;
    const cases = [
      [`${at}/incidents?status=GONE`, none, 'CONTAINED'],
      [`${at}/incidents?status=OPEN&status=CLOSED`, none, 'CONTAINED'],
      [`${at}/users?role=KING`, none, 'SECURITY_OFFICER'],
      ['/portfolio?sort=SIZE', none, 'OVERDUE_CONTROLS'],
      [`${at}/webhooks/${some.webhook}?status=LOST`, none, 'DELIVERED'],
      [`${at}/workflows/nis2-directive?status=NONE`, none, 'NOT_APPLICABLE'],
      [`${at}/workflows/nis2-directive?as_of=soon`, noDay, '2026-01-31'],
      [`${at}/audit-trail?subject=MOON`, none, 'INCIDENT_ATTACHMENT'],
      [`${at}/audit-trail?from=2026-02-30`, noDay, '2026-01-31'],
      [`${at}/audit-trail?to=tomorrow`, noDay, '2026-01-31'],
    ] as const;
    for (const [path, sentence, allowed] of cases) {
      await visit(page, path);
      const trouble = page.locator('.trouble');
      await trouble.waitFor();
      expect([path, await trouble.count(), await trouble.innerText()]).toEqual([
        ...[path, 1],
        expect.stringMatching(new RegExp(`${sentence}[^]*${allowed}`)),
      ]);
      if (allowed === 'INCIDENT_ATTACHMENT') await picture(page, `filter-${locale}`);
      expect([path, await page.locator('.filter ~ .card .lines, .map, .pager').count()]).toEqual([path, 0]);
      expect([path, await brokenRules(page), await overflowOf(page)]).toEqual([path, [], 0]);
      await trouble.getByRole('button').click();
      await trouble.waitFor({ state: 'detached' });
    }
    await page.context().close();
  });

  test('retains what was typed and chosen while what was there before is being sent', async () => {
    const incident = await buildIncident(database, some.id);
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, some.token);
    /** Delays the change of a form until `meanwhile` is done. */
    const send = async (button: string, meanwhile: () => Promise<unknown>) => {
      const released = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()!.includes('mutation')) return route.fallback();
        await released.promise;
        await route.continue();
      });
      const form = page.locator('form', { has: page.getByRole('button', { name: button }) });
      await form.getByRole('button').click();
      await form.getByText('Sending …').waitFor();
      await meanwhile();
      released.resolve();
      await form.getByText('Saved').waitFor();
      await page.unrouteAll();
    };
    const note = page.getByLabel('New note');
    await note.fill('The first.');
    await send('Add note', () => note.fill('The second.'));
    expect(await note.inputValue()).toBe('The second.');
    await page.reload();
    await settled(page);
    expect(await note.inputValue()).toBe('The second.');

    const [status, severity] = [page.getByLabel('Status'), page.getByLabel('Severity')];
    const before = await status.inputValue();
    await status.selectOption('CONTAINED');
    await send('Save', async () => {
      await status.selectOption(before);
      await severity.selectOption('LOW');
    });
    await page.locator('.title .badge', { hasText: 'Contained' }).waitFor();
    expect([await status.inputValue(), await severity.inputValue()]).toEqual([before, 'LOW']);
    await send('Save', () => Promise.resolve());
    await page.locator('.title .badge', { hasText: 'Low' }).waitFor();

    await visit(page, `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.e`);
    await page.getByLabel('Note').fill('Begun');
    await send('Save', () => page.getByLabel('Note').fill('Begun, and more'));
    expect(await page.getByLabel('Note').inputValue()).toBe('Begun, and more');
    await send('Save', () => Promise.resolve());
    const noted = "select note from control_state where organization_id = $1 and control_id = '21.2.e'";
    expect(await database.rows(noted, [some.id])).toEqual([{ note: 'Begun, and more' }]);
    await page.context().close();
  });

  test('says in one of two tabs what the other has changed meanwhile, and retains what was chosen', async () => {
    const path = `/organizations/${some.id}/incidents/${await buildIncident(database, some.id)}`;
    const { page: one } = await open(path, some.token);
    const other = await one.context().newPage();
    await other.goto(`${url}${path}`);
    // Each tab has its own token.
    await other.getByLabel('Token').fill(some.token);
    await other.getByRole('button', { name: 'Continue with the token' }).click();
    await settled(other);
    await one.getByLabel('Severity').selectOption('LOW');
    await other.getByLabel('Status').selectOption('CONTAINED');
    await other.getByRole('button', { name: 'Save' }).click();
    await other.locator('.title .badge', { hasText: 'Contained' }).waitFor();
    await one.getByRole('button', { name: 'Save' }).click();
    await one.getByText('Another person has changed this').waitFor();
    expect(await one.getByText('send its version').count()).toBe(0);
    expect(await one.getByLabel('Severity').inputValue()).toBe('LOW');
    await one.getByRole('button', { name: 'Save' }).click();
    await one.locator('.title .badge', { hasText: 'Low' }).waitFor();
    expect(await one.getByLabel('Status').inputValue()).toBe('CONTAINED');
    await one.context().close();
  });

  test('says what another has changed since a form was begun, though the page has been read anew since', async () => {
    const path = `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.c`;
    const incident = await buildIncident(database, some.id);
    const { page } = await open(path, some.token);
    const change = async (mutation: string, input: object) =>
      gateway.graphql.data(mutation, {
        token: testData.officer.token,
        variables: { input: { organizationId: some.id, ...input } },
      });
    /** The event that browsers send to the page of a tab that is shown again. */
    const comeBack = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByLabel('Note').fill('Mine');
    await change('mutation ($input: UpdateControlInput!) { updateControl(input: $input) { control { version } } }', {
      ...{ workflowId: 'nis2-directive', controlId: '21.2.c', status: 'IN_PROGRESS', note: 'Of a colleague' },
    });
    await comeBack();
    await page.locator('.cell-badge', { hasText: 'In progress' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this').waitFor();
    await page.locator('.trouble', { hasText: 'Of a colleague' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const noted = "select note from control_state where organization_id = $1 and control_id = '21.2.c'";
    expect(await database.rows(noted, [some.id])).toEqual([{ note: 'Mine' }]);

    await visit(page, `/organizations/${some.id}/incidents/${incident}`);
    await page.getByLabel('Severity').selectOption('LOW');
    await change('mutation ($input: UpdateIncidentInput!) { updateIncident(input: $input) { incident { version } } }', {
      ...{ incidentId: incident, severity: 'CRITICAL' },
    });
    await comeBack();
    await page.locator('.title .badge', { hasText: 'Critical' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Another person has changed this').waitFor();
    await page.getByText('Current state: Open, Critical').waitFor();
    await page.context().close();
  });

  test('says of each change of another what it is, also behind one that was said and a reload', async () => {
    const path = `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.f`;
    const { page } = await open(path, some.token);
    const change = (note: string, status: string) => {
      const ids = { organizationId: some.id, workflowId: 'nis2-directive', controlId: '21.2.f' };
      const mutation =
        'mutation ($input: UpdateControlInput!) { updateControl(input: $input) { control { version } } }';
      const variables = { input: { ...ids, note, status } };
      return gateway.graphql.data(mutation, { token: testData.officer.token, variables });
    };
    await page.getByLabel('Note').fill('Mine');
    await change('Of a colleague', 'IN_PROGRESS');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.trouble', { hasText: 'Of a colleague' }).waitFor();
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Note').inputValue()).toBe('Mine');
    await change('Of another', 'DONE');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.locator('.title .cell-badge', { hasText: 'Done' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.trouble', { hasText: 'Of another' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const noted = "select note from control_state where organization_id = $1 and control_id = '21.2.f'";
    expect(await database.rows(noted, [some.id])).toEqual([{ note: 'Mine' }]);
    await page.context().close();
  });

  test('says that another has answered a request, on the first page and behind it, or has closed it', async () => {
    const auditor = await buildPerson(database, 'auditor');
    const engagement = await buildEngagement(database, some.id, { auditor });
    for (let count = 0; count < PAGE + 1; count += 1) await buildRequest(database, engagement);
    const path = `/organizations/${some.id}/engagements/${engagement}`;
    const { page } = await open(path, testData.officer.token);
    const card = page.locator('section.card', { has: page.getByRole('heading', { name: 'Evidence requests' }) });
    await card.getByRole('button', { name: 'Show more' }).click();
    await card.locator('li').nth(PAGE).waitFor();
    const requests = await database.rows<{ id: number }>(
      'select id from evidence_request where engagement_id = $1 order by id desc',
      [engagement],
    );
    const answer = (id: number, input: object) =>
      gateway.graphql.data(
        'mutation ($input: AnswerEvidenceRequestInput!) { answerEvidenceRequest(input: $input) { request { version } } }',
        {
          token: some.token,
          variables: {
            input: { organizationId: some.id, engagementId: engagement, evidenceRequestId: id, ...input },
          },
        },
      );
    const answerOf = async (id: number) =>
      (await database.rows<{ answer: string }>('select answer from evidence_request where id = $1', [id]))[0]!.answer;
    for (const [at, close] of [
      [0, false],
      [1, true],
      [PAGE, false],
    ] as const) {
      const { id } = requests[at]!;
      const line = card.locator('li').nth(at);
      await line.locator('summary').click();
      await line.getByRole('textbox', { name: 'Answer' }).fill('Mine.');
      await answer(id, { answer: 'Of a colleague.', close });
      await line.getByRole('button', { name: 'Answer' }).click();
      await line.locator('.trouble', { hasText: 'Another person has changed this' }).waitFor();
      await line.locator('blockquote', { hasText: 'Of a colleague.' }).waitFor();
      expect([at, await answerOf(id), await line.getByRole('textbox', { name: 'Answer' }).inputValue()]).toEqual([
        at,
        'Of a colleague.',
        'Mine.',
      ]);
      await line.getByRole('button', { name: 'Answer' }).click();
      if (close) {
        await line.locator('.trouble', { hasText: 'This is not possible in the current state.' }).waitFor();
        continue;
      }
      await line.locator('blockquote', { hasText: 'Mine.' }).waitFor();
      expect(await answerOf(id)).toBe('Mine.');
    }
    await page.context().close();
  });

  test('shows a secret that is shown once until there is another', async () => {
    const { webhookEndpointId } = await buildWebhook(database, some.id);
    const { page } = await open(`/organizations/${some.id}/webhooks/${webhookEndpointId}`, some.token);
    const rotate = async () => {
      await page.getByRole('button', { name: 'Rotate the secret' }).click();
      await page.locator('.question button.danger').click();
    };
    await rotate();
    const secret = await page.locator('.secret code').innerText();
    await page.context().setOffline(true);
    await rotate();
    await page.locator('.trouble').first().waitFor();
    expect(await page.locator('.secret code').innerText()).toBe(secret);
    await page.context().close();
  });

  test('sends no justification that is not shown any more', async () => {
    const { page } = await open(`/organizations/${some.id}/workflows/nis2-directive/controls/21.2.d`, some.token);
    await page.getByLabel('Status').selectOption('NOT_APPLICABLE');
    await page.getByLabel('Why it does not apply').fill('There is none.');
    await page.getByLabel('Status').selectOption('DONE');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.cell-badge', { hasText: 'Done' }).waitFor();
    await page.context().close();
  });

  test('retains every field of a form that was begun, those that were chosen and those that were typed', async () => {
    const auditor = await buildPerson(database, 'auditor');
    const { id } = await found('Audited');
    for (const workflow of ['iso-27001-2022', 'nis2-directive']) await buildWorkflow(database, id, workflow);
    const engagement = await buildEngagement(database, id, { auditor });
    await database.rows('update engagement set workflows = $2 where id = $1', [
      engagement,
      ['iso-27001-2022', 'nis2-directive'],
    ]);
    const path = `/organizations/${id}/engagements/${engagement}`;
    const { page } = await open(path, auditor.token);
    for (const button of ['Request evidence', 'Sign off']) {
      const form = page.locator('form', { has: page.getByRole('button', { name: button }) });
      await form.locator('select').selectOption('nis2-directive');
      await form.locator('input').fill('21.2.a');
    }
    await visit(page, path);
    for (const button of ['Request evidence', 'Sign off']) {
      const form = page.locator('form', { has: page.getByRole('button', { name: button }) });
      expect([button, await form.locator('select').inputValue(), await form.locator('input').inputValue()]).toEqual([
        button,
        'nis2-directive',
        '21.2.a',
      ]);
    }
    await page.context().close();
  });

  test('retains what was chosen of an answer and of a rehearsal, until it was sent', async () => {
    const engagement = await buildEngagement(database, some.id, {});
    await buildRequest(database, engagement);
    const path = `/organizations/${some.id}/engagements/${engagement}`;
    const { page } = await open(path, testData.officer.token);
    const close = page.getByLabel('Close the request: nothing more will follow.');
    const answer = page.getByRole('textbox', { name: 'Answer' });
    const unfold = () => page.locator('summary', { hasText: 'Answer' }).click();
    await unfold();
    await answer.fill('It is attached.');
    await close.check();
    await visit(page, path);
    await unfold();
    expect([await close.isChecked(), await answer.inputValue()]).toEqual([true, 'It is attached.']);
    // The response arrives when another page is open: the sent text is no draft of either.
    const sent = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('answerEvidenceRequest')) await sent.promise;
      await route.continue();
    });
    const request = page.waitForRequest((each) => each.postData()?.includes('answerEvidenceRequest') === true);
    await page.getByRole('button', { name: 'Answer' }).click();
    await request;
    await page.locator('.line-head a').first().click();
    await page.waitForURL('**/controls/*');
    const drafts = () =>
      page.evaluate<string[]>('Object.keys(sessionStorage).filter((name) => name.startsWith("draft "))');
    expect(await drafts()).toHaveLength(3);
    sent.resolve();
    await until(async () => (await drafts()).length === 0);
    await page.context().close();
    const { token } = await buildPerson(database, 'trying');
    const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Trial', sandbox: true } });
    const incidents = `/organizations/${made.body.data.id}/incidents`;
    const { page: sandbox } = await open(incidents, token);
    await sandbox.getByLabel('Incident to rehearse').fill('Ransomware');
    await sandbox.getByLabel('Severity').last().selectOption('LOW');
    await sandbox.getByLabel('Significant').last().uncheck();
    await visit(sandbox, incidents);
    expect(await sandbox.getByLabel('Severity').last().inputValue()).toBe('LOW');
    expect(await sandbox.getByLabel('Significant').last().isChecked()).toBe(false);
    await sandbox.context().close();
  });

  test('says at its field why it was refused, which then has the focus', async () => {
    await buildWorkflow(database, bare.id, 'iso-27001-2022');
    const path = `/organizations/${bare.id}/workflows/iso-27001-2022/controls/A.5.7`;
    const { page } = await open(path, bare.token);
    const note = page.getByLabel('Note');
    await note.fill('n'.repeat(5_001));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('textarea[aria-invalid=true]:focus').waitFor();
    await page.locator('label', { hasText: 'note must not be longer than 5000 characters' }).waitFor();
    expect([await note.inputValue(), await brokenRules(page)]).toEqual(['n'.repeat(5_001), []]);
    await note.fill('n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    await page.context().close();
  });

  test('cuts no title of a rehearsal that is too long', async () => {
    const { token } = await buildPerson(database, 'trying');
    const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Trial', sandbox: true } });
    const { page } = await open(`/organizations/${made.body.data.id}/incidents`, token);
    const title = `${'Ransomware '.repeat(18)}at the end`;
    await page.getByLabel('Incident to rehearse').focus();
    await page.keyboard.insertText(title);
    await page.getByRole('button', { name: 'Start a rehearsal' }).click();
    await page.locator('.trouble', { hasText: 'title must not be longer than 200' }).waitFor();
    expect(await page.getByLabel('Incident to rehearse').inputValue()).toBe(title);
    await page.context().close();
  });

  test('shows who may not change a control why it does not apply', async () => {
    const control = `/organizations/${some.id}/workflows/nis2-directive/controls/21.2.e`;
    const body = { status: 'NOT_APPLICABLE', justification: 'Nothing is developed here.' };
    await gateway.rest.patch(`/api/v1/v-ciso${control}`, { token: some.token, body });
    const { page } = await open(control, testData.viewer.token);
    const facts = page.locator('section.card', { has: page.getByRole('heading', { name: 'State' }) });
    expect(await facts.locator('dl').innerText()).toMatch(/^Why it does not apply\s+Nothing is developed here\./);
    await page.context().close();
  });

  test('leaves the reader where they are when a rehearsal is begun late', async () => {
    const { token } = await buildPerson(database, 'trying');
    const made = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Trial', sandbox: true } });
    const { page } = await open(`/organizations/${made.body.data.id}/incidents`, token);
    const { request: sentRequest, release } = await suspend(page, 'StartRehearsal');
    await page.getByLabel('Incident to rehearse').fill('Ransomware');
    await page.getByRole('button', { name: 'Start a rehearsal' }).click();
    await sentRequest;
    await page.getByRole('link', { name: 'Your tokens' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your tokens' }).waitFor();
    await release();
    // The entered text is removed once the response was read.
    await until(
      async () => !(await page.evaluate('Object.keys(sessionStorage).some((name) => name.startsWith("draft "))')),
    );
    expect(new URL(page.url()).pathname).toBe('/tokens');
    await page.context().close();
  });

  test('counts what is overdue in every workflow, and says how many devices are not in the list', async () => {
    const { id, owner } = await found('Large');
    for (let count = 0; count < 21; count += 1) {
      await buildImport(database, id, `rules-${count}`);
      await buildWorkflow(database, id, `rules-${count}`);
    }
    await database.rows(
      `insert into control_state (organization_id, workflow_id, control_id, status, due_date)
       select $1, 'rules-' || n, $2, 'TO_DO', '2026-01-01' from generate_series(0, 20) n`,
      [id, UPLOAD_RULES.controls[0]!.id],
    );
    for (let count = 0; count < 7; count += 1) await buildCloudDefender(database, id);
    await database.rows('update cloud_defender set status = 3 where organization_id = $1', [id]);
    const { page } = await open(`/organizations/${id}`, owner.token);
    await page.locator('.figure', { hasText: 'Overdue controls' }).getByText('21', { exact: true }).waitFor();
    await page.locator('section.card', { hasText: 'Devices' }).getByText('and 2 more').waitFor();
    await page.context().close();
  });

  test('says that everything is done only where it is, and until when a deadline may pass', async () => {
    const { id, owner } = await found('Nearly done');
    await buildWorkflow(database, id, 'pci-dss-4-0-1');
    const { progress } = (
      await gateway.graphql.data(
        `{ organizationWorkflow(organizationId: ${id}, workflowId: "pci-dss-4-0-1") { progress { total } } }`,
        owner,
      )
    ).organizationWorkflow;
    expect(progress.total).toBeGreaterThan(200);
    const path = `/api/v1/v-ciso/organizations/${id}/workflows/pci-dss-4-0-1/controls?limit=100&offset=`;
    const parts = await Promise.all([0, 100, 200, 300].map((offset) => gateway.rest.get(path + offset, owner)));
    const ids = parts.flatMap(({ body }) => body.data.map((control: { id: string }) => control.id));
    await database.rows(
      `insert into control_state (organization_id, workflow_id, control_id, status)
       select $1, 'pci-dss-4-0-1', control, 'DONE' from unnest($2::text[]) control`,
      [id, ids.slice(0, -1)],
    );
    const incident = await buildIncident(database, id);
    for (const stage of ['EARLY_WARNING', 'NOTIFICATION']) await buildReport(database, incident, stage);
    await database.rows("update incident_report set regime_id = 'cra-vulnerability' where incident_id = $1", [
      incident,
    ]);
    await database.rows(
      `update incident set significant = false, exploited_vulnerability = true, aware_at = '2026-11-01T08:00:00Z',
              fix_available_at = '2026-11-02T08:00:00Z' where id = $1`,
      [incident],
    );
    const { page } = await open('/portfolio', owner.token);
    const row = page.locator('.portfolio > li');
    await row.getByText(`${progress.total - 1} of ${progress.total} controls done`).waitFor();
    expect(await row.locator('.progress strong').innerText()).toBe('99%');
    expect(await row.innerText()).toMatch(/Final report.*16 Nov 2026, 23:59/);
    await page.context().close();
  });

  test('filters the audit trail by every kind that one of an organization has', async () => {
    const { page } = await open(`/organizations/${some.id}/audit-trail`, some.token);
    const offered = await page
      .getByLabel('About')
      .locator('option')
      .evaluateAll((all) => all.length);
    const { __type } = await gateway.graphql.data('{ __type(name: "AuditSubjectType") { enumValues { name } } }', {
      token: some.token,
    });
    // Two kinds are in trails of users alone; the first option is none.
    expect(offered).toBe(__type.enumValues.length - 2 + 1);
    await page.context().close();
  });

  test.each([
    ['en', 'Import of controls'],
    ['it', 'Importazione di controlli'],
    ['de', 'Import von Maßnahmen'],
  ])('says in the audit trail what was imported: %s', async (locale, words) => {
    const headers = { prefer: 'respond-async', 'content-type': 'text/csv' };
    const workflow = `/api/v1/v-ciso/organizations/${some.id}/workflows/nis2-directive`;
    const started = await gateway.rest.post(`${workflow}/controls/import`, {
      ...{ token: some.token, headers, body: 'id,status\n21.2.a,DONE\n' },
    });
    expect(started.status).toBe(202);
    const path = `/organizations/${some.id}/audit-trail?subject=IMPORT_JOB`;
    const { page } = await chromium!.open(`${url}${path}`, { ...WINDOWS.wide, locale });
    await page.evaluate<void>(`sessionStorage.setItem('token', '${some.token}')`);
    await visit(page, path);
    expect(await page.locator('.lines bdi').allInnerTexts()).toContain(`${words} ${started.body.data.id}`);
    await page.context().close();
  });

  test.each([
    ['en', ['Gateway', 'Download by address', 'Directory Entra ID']],
    ['it', ['Gateway', 'Download tramite indirizzo', 'Directory Entra ID']],
    ['de', ['Gateway', 'Download über eine Adresse', 'Verzeichnis Entra ID']],
  ])('says in the audit trail in words who has acted where it was no person: %s', async (locale, words) => {
    const { id, owner } = await found('Acted on');
    await database.transaction(async (tx) => {
      const subject = { type: 'ORGANIZATION', id, name: 'Acted on' } as const;
      for (const actor of [
        { kind: 'system', name: 'webhooks.send' },
        { kind: 'system', name: 'signed-address' },
        { kind: 'scim', organizationId: id, name: 'Entra ID', tokenId: 1 },
      ] as const)
        await record(tx, actor, { organizationId: id, action: 'ORGANIZATION_UPDATED', subject, at: new Date() });
    });
    const path = `/organizations/${id}/audit-trail`;
    const { page } = await chromium!.open(`${url}${path}`, { ...WINDOWS.wide, locale });
    await page.evaluate<void>(`sessionStorage.setItem('token', '${owner.token}')`);
    await visit(page, path);
    const lines = await page.locator('.lines > li > small').allInnerTexts();
    const names = [' webhooks.send', ' signed-address', ''];
    expect(lines.slice(0, 3).toReversed()).toEqual(words.map((each, index) => each + names[index]));
    await page.context().close();
  });

  test('says of a report that was not sent that it is not due, or was provided already, and why', async () => {
    const incident = await buildIncident(database, some.id);
    const facts = 'personal_data_concerned = true, product_concerned = true, significant = false';
    await database.rows(`update incident set ${facts} where id = $1`, [incident]);
    const { token } = testData.officer;
    const path = `/api/v1/v-ciso/incidents/${some.id}/${incident}/reports`;
    for (const body of [
      { regime_id: 'gdpr', stage: 'NOTIFICATION', not_due: true, reason: 'The laptop was encrypted.' },
      { regime_id: 'cra-incident', stage: 'EARLY_WARNING' },
      { regime_id: 'cra-incident', stage: 'NOTIFICATION', already_provided: true, reason: 'The warning had it all.' },
    ])
      expect([body, (await gateway.rest.post(path, { token, body })).status]).toEqual([body, 201]);
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, some.token);
    const said = (reason: string) => page.locator('.clock > li', { hasText: reason }).innerText();
    const [notDue, provided] = [await said('The laptop was encrypted.'), await said('The warning had it all.')];
    expect([notDue, provided].filter((words) => words.includes('Sent'))).toEqual([]);
    expect([notDue, provided]).toEqual([expect.stringContaining('Not due '), expect.stringMatching(/provided \d/)]);
    await page.context().close();
  });

  test('says what a deadline waits for only where there will be one', async () => {
    const incident = await buildIncident(database, some.id);
    const facts = `product_concerned = true, aware_at = '2026-09-20T00:00:00Z'`;
    await database.rows(`update incident set ${facts} where id = $1`, [incident]);
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, some.token);
    const of = (name: string) => page.locator('.clock > li', { hasText: `${name} · CRA` }).innerText();
    expect(await of('Communication to the people concerned')).toContain('without undue delay');
    expect(await of('Final report')).toContain('depends on a fact');
    await page.context().close();
  });

  test('shows the clock of an incident with laws, deadlines and a draft', async () => {
    const incident = await buildIncident(database, some.id);
    await buildNote(database, incident);
    const { page } = await open(`/organizations/${some.id}/incidents/${incident}`, some.token);
    const stage = page.locator('.clock > li', { hasText: 'Early warning' }).first();
    expect(await stage.innerText()).toMatch(/Directive \(EU\) 2022\/2555/);
    expect(await stage.innerText()).toMatch(/\d+ hrs? .*left|1 day/);
    await stage.getByText('Draft report').click();
    await stage.locator('dl').waitFor();
    await database.rows("update incident set title = 'Another title' where id = $1", [incident]);
    await stage.getByText('Draft report').click();
    await stage.getByText('Draft report').click();
    await stage.locator('dl', { hasText: 'Another title' }).waitFor();
    await page.context().close();
  });
});
