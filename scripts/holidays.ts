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
# midnight on, and those of regions, are left out. Corrections are made there.
`;

/** From midnight on, each of several days: not those that begin at noon, nor those of a region. */
function daysOf(country: string, year: number): string[] {
  const days = new Holidays(country, { types: ['public'] }).getHolidays(year).flatMap(({ date, start, end }) => {
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
