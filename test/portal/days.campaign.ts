import { afterAll, describe, expect, test } from '@jest/globals';
import { brokenRules, HAS_CHROMIUM, overflowOf, startChromium, WINDOWS } from '../support/chromium.js';
import { TestClock } from '../support/clock.js';
import { expectData } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { until } from '../support/until.js';
import { buildIncident, buildOrganization, buildPerson, join } from '../support/test-data.js';

const clock = new TestClock();
const { gateway, testData } = await startSeededGateway({ now: clock.now });
const chromium = HAS_CHROMIUM ? await startChromium() : undefined;
afterAll(() => chromium?.close());

const seen = HAS_CHROMIUM ? describe : describe.skip;
const { token } = testData.owner;
const WORKFLOW = 'nis2-directive';

/** Three days ago; since then one control was begun. */
async function organizationOfDaysAgo(): Promise<number> {
  clock.set(-72);
  const created = await gateway.rest.post('/api/v1/organizations', { token, body: { name: 'Slider' } });
  const { id } = expectData(created, 201) as { id: number };
  const workflows = `/api/v1/v-ciso/organizations/${id}/workflows`;
  expectData(await gateway.rest.post(workflows, { token, body: { id: WORKFLOW } }), 201);
  clock.set(0);
  const body = { status: 'IN_PROGRESS' };
  expectData(await gateway.rest.patch(`${workflows}/${WORKFLOW}/controls/21.2.a`, { token, body }));
  return id;
}

seen('the slider of a workflow', () => {
  test.each(Object.entries(WINDOWS))(
    'shows the controls as they were at the end of a day (%s)',
    async (_window, options) => {
      const id = await organizationOfDaysAgo();
      const { page, errors } = await chromium!.open(`${gateway.url}/organizations/${id}/workflows/${WORKFLOW}`, {
        ...options,
        locale: 'en-GB',
      });
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Continue with the token' }).click();
      const control = page.getByRole('link', { name: /^21\.2\.a/ });
      const slider = page.getByRole('slider', { name: 'As of' });
      await control.filter({ hasText: 'In progress' }).waitFor();
      expect(await slider.getAttribute('aria-valuetext')).toBe('today');
      await slider.press('ArrowLeft');
      await control.filter({ hasText: 'To do' }).waitFor();
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/^the end of \d+ \w+ \d+$/);
      expect(await brokenRules(page)).toEqual([]);
      // A link to the day shows the same.
      await page.reload();
      await control.filter({ hasText: 'To do' }).waitFor();
      await slider.press('ArrowRight');
      await control.filter({ hasText: 'In progress' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      expect(errors).toEqual([]);
      await page.goto(`${page.url()}?as_of=soon`);
      await page.locator('.trouble').waitFor();
      await page.getByRole('button', { name: 'Remove the filter' }).click();
      await slider.waitFor();
    },
  );

  test('shows the day of the map after a midnight too', async () => {
    const id = await organizationOfDaysAgo();
    const { page } = await chromium!.open(`${gateway.url}/organizations/${id}/workflows/${WORKFLOW}`);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Continue with the token' }).click();
    const slider = page.getByRole('slider', { name: 'As of' });
    await slider.waitFor();
    const comeBack = async () => {
      await page.clock.setFixedTime(Date.now() + 24 * 3_600_000);
      const read = page.waitForResponse((response) => response.url().endsWith('/graphql'));
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await read;
      await page.locator('main:not(:has(.sketch))').waitFor();
    };
    const before = await slider.getAttribute('max');
    await comeBack();
    await until(async () => (await slider.getAttribute('max')) !== before);
    expect(await slider.getAttribute('aria-valuetext')).toBe('today');
    await page.clock.setFixedTime(Date.now());
    await page.reload();
    await slider.press('ArrowLeft');
    const chosen = await slider.getAttribute('aria-valuetext');
    await comeBack();
    await until(async () => (await slider.getAttribute('max')) !== before);
    expect(await slider.getAttribute('aria-valuetext')).toBe(chosen);
    await page.context().close();
  });
});

/** A zone in which days begin 16 to 18 hours before those of the reader. */
const [AUCKLAND, NEW_YORK] = ['Pacific/Auckland', 'America/New_York'];
const HINT = `Dates in the time zone ${AUCKLAND}`;

seen('a reader in another zone than the organization', () => {
  const inAuckland = (id: number) => setZone(id, AUCKLAND);
  const setZone = async (id: number, zone: string, by = token) =>
    expectData(
      await gateway.rest.patch(`/api/v1/organizations/${id}/settings`, { token: by, body: { time_zone: zone } }),
    );

  /** Opens a page in a browser with the time zone of New York. */
  async function open(path: string, by = token) {
    const opened = await chromium!.open(`${gateway.url}${path}`, {
      ...WINDOWS.telephone,
      ...{ locale: 'en-GB', timezoneId: NEW_YORK },
    });
    const { page } = opened;
    const requested = async (operation: string, matches: (variables: Record<string, unknown>) => boolean) => {
      const request = await page.waitForRequest((each) => {
        if (each.method() !== 'POST' || !each.url().endsWith('/graphql')) return false;
        const { operationName, variables } = JSON.parse(each.postData()!);
        return operationName === operation && matches(variables);
      });
      return JSON.parse(request.postData()!).variables;
    };
    await page.getByLabel('Token').fill(by);
    const enter = () => page.getByRole('button', { name: 'Continue with the token' }).click();
    return { ...opened, requested, enter };
  }

  test('filters the audit trail by the days of the organization, and has the proof of one', async () => {
    const id = await organizationOfDaysAgo();
    await inAuckland(id);
    // A day of 25 hours.
    const [begin, end] = ['2024-04-06T11:00:00.000Z', '2024-04-07T12:00:00.000Z'];
    const { page, errors, requested, enter } = await open(
      `/organizations/${id}/audit-trail?from=2024-04-07&to=2024-04-07`,
    );
    const entries = requested('AuditEntries', () => true);
    await enter();
    expect((await entries).filter).toEqual({ from: begin, to: end });
    await page.getByText('Entries', { exact: false }).first().waitFor();
    // Sent once the trail is verified.
    const proof = page.getByLabel('At the end of');
    await proof.waitFor();
    expect(await page.getByText(HINT).count()).toBe(3);
    const today = new Date().toLocaleDateString('sv', { timeZone: AUCKLAND });
    expect(await proof.inputValue()).toBe(today);
    await proof.fill('2024-04-07');
    const proved = requested('ProofUrl', () => true);
    await page.getByRole('button', { name: 'Download the proof' }).click();
    // An entry at midnight belongs to the next day, like in the list.
    expect((await proved).asOf).toBe('2024-04-07T11:59:59.999Z');
    expect([await brokenRules(page), await overflowOf(page), errors]).toEqual([[], 0, []]);
    await page.context().close();
  });

  test('sees a workflow as of the end of a day of the organization, whose zone stands beside it', async () => {
    const id = await organizationOfDaysAgo();
    await inAuckland(id);
    const { page, errors, requested, enter } = await open(`/organizations/${id}/workflows/${WORKFLOW}`);
    await enter();
    const slider = page.getByRole('slider', { name: 'As of' });
    await slider.waitFor();
    const map = requested('ControlMap', ({ asOf }) => asOf !== null);
    await slider.press('ArrowLeft');
    const { asOf } = await map;
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^the end of \d+ \w+ \d+ \(Pacific\/Auckland\)$/);
    const written = (at: number) => new Date(at).toLocaleString('sv', { timeZone: AUCKLAND });
    const last = Date.parse(asOf);
    expect(written(last)).toMatch(/ 23:59:59$/);
    expect(written(last + 1)).toBe(`${new Date().toLocaleDateString('sv', { timeZone: AUCKLAND })} 00:00:00`);
    expect(new URL(page.url()).searchParams.get('as_of')).toBe(written(last).slice(0, 10));
    // A day that has not ended is shown up to now.
    const today = requested('ControlMap', () => true);
    await page.goto(`${gateway.url}/organizations/${id}/workflows/${WORKFLOW}?as_of=${written(last + 1).slice(0, 10)}`);
    expect((await today).asOf).toBe(null);
    await page.locator('.map .cell').first().waitFor();
    await page.goto(`${gateway.url}/organizations/${id}/workflows/${WORKFLOW}/controls/21.2.a`);
    await page.getByLabel('Due date').waitFor();
    expect(await page.getByText(HINT).count()).toBe(1);
    expect([await overflowOf(page), errors]).toEqual([0, []]);
    await page.context().close();
  });

  test('sees each row of the portfolio in the zone of its own organization', async () => {
    const { database } = gateway.app;
    const consultant = await buildPerson(database, 'consultant');
    for (const zone of [AUCKLAND, 'Asia/Kolkata']) {
      const id = await buildOrganization(database, zone);
      await join(database, consultant, id, 'ORGANIZATION_OWNER');
      await setZone(id, zone, consultant.token);
      await buildIncident(database, id);
    }
    const { page, enter } = await open('/portfolio', consultant.token);
    await enter();
    const shown = async (zone: string) => {
      const time = page.locator('.portfolio > li', { hasText: zone }).locator('time');
      const at = Date.parse((await time.getAttribute('datetime'))!);
      const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short', hour: '2-digit' });
      const named = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')!.value;
      expect(await time.innerText()).toMatch(new RegExp(`${named.replace('+', '\\+')}$`));
      return named;
    };
    expect(await shown(AUCKLAND)).not.toBe(await shown('Asia/Kolkata'));
    await page.context().close();
  });
});
