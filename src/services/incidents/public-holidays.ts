import { DateTime } from 'luxon';
import { join } from 'node:path';
import { FORMATS } from '../../common/formats.js';
import { endOfDay } from '../../common/local-time.js';
import { isDay } from '../../common/time.js';
import { asPartial, type CatalogDocument, type CatalogError } from '../workflows/catalog-text.js';
import { readCatalog } from '../workflows/catalog.js';

/** Public holidays of entire countries: `catalog/regimes/holidays`. */
export class PublicHolidays {
  private constructor(private readonly years: ReadonlyMap<string, ReadonlySet<string>>) {}

  /** Throws one Error that lists all errors of the file, each with its place. */
  static load(directory: string): PublicHolidays {
    const [file] = readCatalog<Record<string, Record<string, string>>>(
      join(directory, 'holidays'),
      'Public holidays',
      dayErrors,
    );
    const years = Object.entries(file ?? {}).flatMap(([country, list]) =>
      Object.entries(list).map(([year, days]) => [`${country} ${year}`, new Set(days.split(' '))] as const),
    );
    return new PublicHolidays(new Map(years));
  }

  /**
   * The time `until`, in the zone, of the first working day after an instant on a Saturday, a Sunday or a holiday of the
   * country; null for an instant on a working day, and where the calendar lacks the country or the year.
   */
  nextWorkingDay(instant: Date, until: string, { country, zone }: Calendar): Date | null {
    const [hour, minute] = until.split(':').map(Number);
    const first = DateTime.fromJSDate(instant, { zone });
    const day = this.workingDayFrom(first, country);
    if (day === null || day === first) return null;
    return day.set({ hour, minute, second: 0, millisecond: 0 }).toJSDate();
  }

  /**
   * The last millisecond, in the zone, of the day of an instant, or of the next working day if that is none;
   * of the same day if the calendar lacks the country or the year.
   */
  endOfWorkingDay(instant: Date, { country, zone }: Calendar): Date {
    const first = DateTime.fromJSDate(instant, { zone });
    return new Date(endOfDay((this.workingDayFrom(first, country) ?? first).toISODate()!, zone));
  }

  private workingDayFrom(first: DateTime, country: string): DateTime | null {
    for (let day = first; ; day = day.plus({ days: 1 })) {
      const holidays = this.years.get(`${country} ${day.year}`);
      if (holidays === undefined) return null;
      if (day.weekday < 6 && !holidays.has(day.toFormat('MM-dd'))) return day;
    }
  }
}

interface Calendar {
  country: string;
  zone: string;
}

/** Unknown countries and days are errors: deadlines would ignore them. */
function dayErrors({ data, syntaxErrors, lineOf }: CatalogDocument): readonly CatalogError[] {
  if (syntaxErrors.length > 0) return syntaxErrors;
  return Object.entries(asPartial(data)).flatMap(([country, list]) => {
    const sentence = FORMATS.country(country);
    const unknown = sentence === undefined ? [] : [{ path: [country], line: lineOf([country]), sentence }];
    const wrong = Object.entries(asPartial(list)).filter(([year, days]) =>
      String(days)
        .split(' ')
        .some((day) => !isDay(`${year}-${day}`)),
    );
    const places = wrong.map(([year]) => [country, year]);
    return [
      ...unknown,
      ...places.map((path) => ({
        path,
        line: lineOf(path),
        sentence: 'must be days such as 12-25, with a space between',
      })),
    ];
  });
}
