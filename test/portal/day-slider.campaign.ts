import { afterAll, describe, expect, test } from '@jest/globals';
import { brokenRules, HAS_CHROMIUM, startChromium, WINDOWS } from '../support/chromium.js';
import { TestClock } from '../support/clock.js';
import { expectData } from '../support/matchers.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

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
      const { page, faults } = await chromium!.open(`${gateway.url}/organizations/${id}/workflows/${WORKFLOW}`, {
        ...options,
        locale: 'en-GB',
      });
      await page.getByLabel('Token').fill(token);
      await page.getByRole('button', { name: 'Go on with the token' }).click();
      const control = page.getByRole('link', { name: /^21\.2\.a/ });
      const slider = page.getByRole('slider', { name: 'As of' });
      await control.filter({ hasText: 'In progress' }).waitFor();
      expect(await slider.getAttribute('aria-valuetext')).toBe('today');
      await slider.press('ArrowLeft');
      await control.filter({ hasText: 'To do' }).waitFor();
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/^the end of .* \(UTC\)$/);
      expect(await brokenRules(page)).toEqual([]);
      // A link to the day shows the same.
      await page.reload();
      await control.filter({ hasText: 'To do' }).waitFor();
      await slider.press('ArrowRight');
      await control.filter({ hasText: 'In progress' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      expect(faults).toEqual([]);
      await page.goto(`${page.url()}?as_of=soon`);
      await page.locator('.trouble').waitFor();
      await page.getByRole('button', { name: 'Remove the filter' }).click();
      await slider.waitFor();
    },
  );
});
