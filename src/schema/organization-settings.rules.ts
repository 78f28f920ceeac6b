import { IANAZone } from 'luxon';
import { badUserInput } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import { FaultCollector } from './fault-collector.js';
import { formatted, optional, optionalText, type Rule } from './rules.js';
import type { UpdateOrganizationSettingsInput } from './organization-settings.input.js';

/** Throws BAD_USER_INPUT with all faults, in REST's spelling. */
export function checkOrganizationSettings(input: UpdateOrganizationSettingsInput): void {
  const faults = new FaultCollector('settings');
  faults.at('time_zone', input.timeZone, optionalText(timeZone), []);
  faults.at('report_weekday', input.reportWeekday, optional(weekday), []);
  if (faults.messages.length > 0) throw badUserInput(faults.messages);
}

/** An offset such as `+01:00` is no zone: it knows no summer time. */
export function isTimeZone(text: string): boolean {
  return ZONE_NAME.test(text) && IANAZone.isValidZone(text);
}

const ZONE_NAME = /^[A-Za-z]/;

const timeZone = formatted(
  LIMITS.organization.timeZoneCharacters,
  isTimeZone,
  'must be an IANA time zone such as Europe/Rome',
);

const weekday: Rule = (value, faults) => {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 7) {
    faults.add('must be from 1 (Monday) to 7 (Sunday)');
  }
};
