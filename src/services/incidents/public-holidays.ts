import { DateTime } from 'luxon';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asPartial, readCatalogText } from '../workflows/catalog-text.js';

/** Public holidays of whole countries: `catalog/regimes/holidays`. */
export class PublicHolidays {
  private constructor(private readonly years: ReadonlyMap<string, ReadonlySet<string>>) {}

  static load(directory: string): PublicHolidays {
    const { data } = readCatalogText(readFileSync(join(directory, 'holidays/holidays.yaml'), 'utf8'));
    const years = new Map<string, ReadonlySet<string>>();
    for (const [country, list] of Object.entries(asPartial(data)))
      for (const [year, days] of Object.entries(asPartial(list)))
        years.set(`${country} ${year}`, new Set(String(days).split(' ')));
    return new PublicHolidays(years);
  }

  /**
   * That time, in the zone, of the first working day after an instant on a Saturday, a Sunday or a holiday of the country;
   * null for one on a working day, and where the calendar lacks the country or the year.
   */
  nextWorkingDay(instant: Date, until: string, { country, zone }: { country: string; zone: string }): Date | null {
    const [hour, minute] = until.split(':').map(Number);
    const first = DateTime.fromJSDate(instant, { zone });
    for (let day = first; ; day = day.plus({ days: 1 })) {
      const holidays = this.years.get(`${country} ${day.year}`);
      if (holidays === undefined) return null;
      if (day.weekday < 6 && !holidays.has(day.toFormat('MM-dd')))
        return day === first ? null : day.set({ hour, minute, second: 0, millisecond: 0 }).toJSDate();
    }
  }
}
