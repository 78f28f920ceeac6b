import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { REGIMES } from '../support/catalog.js';

const guide = readFileSync(resolve(import.meta.dirname, '../../docs/incidents.md'), 'utf8').split('\n');
const rowOf = (name: string) => guide.find((line) => line.startsWith(`| ${name} `));

const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
/** A day in the words of the guide, which names of the first day of a year only the year. */
const inWords = (day: string) => (day.endsWith('-01-01') ? day.slice(0, 4) : longDay.format(new Date(day)));

/** The first version of each regime. */
const regimes = [...Map.groupBy(REGIMES.all, ({ id }) => id).values()].map(([first]) => first!);

test.each(regimes)('the guide has the first day, the conditions and the periods of $id', (regime) => {
  const row = rowOf(`\`${regime.id}\``);
  expect(row).toContain(`awareness from ${inWords(regime.validFrom)} on`);
  for (const fact of Object.keys(regime.when))
    expect(row).toContain(`\`${fact === 'classified_as_major' ? 'classified_at' : fact}\``);
  // One that replaces another says what differs.
  if (regime.replaces !== null) return;
  for (const { period } of regime.stages) {
    if (period?.hours) expect(row).toContain(`${period.hours} hours`);
    if (period?.days) expect(row).toContain(`${period.days} days`);
  }
});

const rules = regimes
  .filter(({ id }) => id.startsWith('nis2'))
  .flatMap((regime) => regime.national.map((rule) => ({ ...rule, isLater: rule.validFrom > regime.validFrom })));
const countryNames = new Intl.DisplayNames('en', { type: 'region' });

test.each(rules)(
  'the guide has the portal and the first day of NIS 2 in $country',
  ({ country, validFrom, isLater, regime }) => {
    const row = rowOf(countryNames.of(country.toUpperCase())!);
    expect(row).toContain(regime.stages[0]!.portalUrl ?? ' none ');
    if (isLater) expect(row).toContain(`awareness from ${inWords(validFrom)} on`);
  },
);
