import { IntlMessageFormat } from 'intl-messageformat';
import type archive from '../catalog/messages/en/archive.json';
import type enums from '../catalog/messages/en/enums.json';
import type pages from '../catalog/messages/en/pages.json';
import { READER_ZONE } from './days.js';
import { settings } from './settings.js';

const { locale, texts } = settings;
const formats = new Map<PageText, IntlMessageFormat>();

/** Names of the messages of pages. */
export type PageText =
  `archive.${keyof typeof archive}` | `enums.${keyof typeof enums}` | `pages.${keyof typeof pages}`;

/** Page and script are from different versions of the gateway. */
export class MissingMessage extends RangeError {}

/** A message of `catalog/messages/<language>/pages.json` or, as `enums.Role.VIEWER`, the label of a value. */
export function text(name: PageText, values?: Readonly<Record<string, string | number>>): string {
  let format = formats.get(name);
  if (format === undefined) {
    const message = texts[name];
    if (message === undefined) throw new MissingMessage(`${name} is no message`);
    formats.set(name, (format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true })));
  }
  return format.format(values) as string;
}

/** The label of a value of an enumeration; one without a label is written as words. */
export function label(enumeration: string, value: string): string {
  const name = `enums.${enumeration}.${value}`;
  if (name in texts) return text(name as PageText);
  const words = value.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const numbers = new Intl.NumberFormat(locale);
export const number = (value: number) => numbers.format(value);

const percents = new Intl.NumberFormat(locale, { style: 'percent' });
export const percent = (share: number) => percents.format(share);

const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
/** Formats a calendar day, `2026-11-21`. */
export const day = (date: string) => days.format(new Date(`${date}T00:00:00Z`));

/** Formats a calendar day in a time zone, which is named unless it is the reader's. */
export const dayIn = (date: string, zone: string) => day(date) + (zone === READER_ZONE ? '' : ` (${zone})`);

/** With the name of the zone: the organization's, or the reader's without one. */
export function instant(at: string, timeZone?: string): string {
  const options = { ...SHOWN, ...(timeZone !== undefined && { timeZone }) };
  return new Intl.DateTimeFormat(locale, options).format(new Date(at));
}

const SHOWN: Intl.DateTimeFormatOptions = {
  ...({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
  ...({ hourCycle: 'h23', timeZoneName: 'short' } as const),
};

const MINUTE = 60_000;

/** The two largest units of a span of time: `3 days, 4 hr`. Under a minute it is `0 min`. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(Math.abs(milliseconds) / MINUTE);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  const parts: [number, 'day' | 'hour' | 'minute'][] =
    days > 0
      ? [
          [days, 'day'],
          [hours, 'hour'],
        ]
      : [
          [hours, 'hour'],
          [minutes % 60, 'minute'],
        ];
  const shown = parts.filter(([value], index) => value > 0 || (index === 1 && minutes < 60 && days === 0));
  return shown
    .map(([value, unit]) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value))
    .join(' ');
}
