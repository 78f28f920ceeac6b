import Holidays from 'date-holidays';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DAY } from '../src/common/time.js';

/** Writes the public holidays of the countries of the European Economic Area: `npm run holidays`, once a year. */
const COUNTRIES = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(
  ' ',
);
const YEARS = Array.from({ length: 12 }, (_, index) => 2025 + index);
const FILE = resolve(import.meta.dirname, '../catalog/regimes/holidays/holidays.yaml');

const HEAD = `# Public holidays of whole countries, as month and day. Written by \`npm run holidays\`, from the package date-holidays
# (https://github.com/commenthol/date-holidays), whose data are under CC BY-SA 3.0
# (https://creativecommons.org/licenses/by-sa/3.0/) and rely on Wikipedia; so is this file. Days that are not free from
# midnight on, and those of regions, are left out. Corrections are made in scripts/holidays.ts.
`;

/**
 * Corrections by national law: holidays of the whole country that the package lacks, and its rules that create none.
 */
const CORRECTIONS: Readonly<Record<string, { add?: readonly string[]; leaveOut?: readonly string[] }>> = {
  // Labour Code, Article 154(1).
  BG: { add: ['12-26'] },
  // The Monday of Kataklysmos, not the Sunday alone.
  CY: { add: ['orthodox 50'] },
  // Communities may choose another day for a holiday on a Sunday (Workers' Statute, Article 37(2)).
  ES: { leaveOut: ['substitutes 12-25 if sunday then next monday'] },
  // Labour Act, Article 18(2): the Friday after a holiday is none.
  LI: { add: ['08-15', '11-01'], leaveOut: ['easter 40', 'easter 61'] },
};

function holidaysOf(country: string): Holidays {
  const { add = [], leaveOut = [] } = CORRECTIONS[country] ?? {};
  const holidays = new Holidays(country, { types: ['public'] });
  for (const rule of add) holidays.setHoliday(rule, { name: { en: rule }, type: 'public' });
  for (const rule of leaveOut) holidays.unsetRule(rule);
  return holidays;
}

/** Dates of holidays that begin at midnight, one for each of several days; neither half days nor regional ones. */
function daysOf(country: string, year: number): string[] {
  const days = holidaysOf(country)
    .getHolidays(year)
    .flatMap(({ date, start, end }) => {
      const length = date.slice(11, 16) === '00:00' ? Math.round((end.getTime() - start.getTime()) / DAY) : 0;
      const first = Date.parse(`${date.slice(0, 10)}T12:00Z`);
      return Array.from({ length }, (_, index) => new Date(first + index * DAY).toISOString().slice(5, 10));
    });
  return [...new Set(days)].toSorted();
}

const blocks = COUNTRIES.map((country) =>
  [`${country}:`, ...YEARS.map((year) => `  '${year}': ${daysOf(country, year).join(' ')}`)].join('\n'),
);
writeFileSync(FILE, `${HEAD}${blocks.join('\n')}\n`);
