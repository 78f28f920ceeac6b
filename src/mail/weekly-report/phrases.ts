import { DateTime } from 'luxon';
import { PLATFORM_NAME, quoted } from '../mail-layout.js';
import type { DeviceFacts, OpenIncident, Shortened, WeeklyReportFacts, WorkflowFact } from './weekly-report.js';

/** What both forms of the report say in the same words. */

export function subjectOf(facts: WeeklyReportFacts): string {
  return `${quoted(facts.brand.name)}: weekly security report, ${weekTitle(facts.week)}`;
}

/** Why the reader gets the report, and from whom. */
export function reasonPhrase({ brand }: WeeklyReportFacts): string {
  return `You get this report every week because ${quoted(brand.name)} has named you as a contact; the ${PLATFORM_NAME} sends it on its behalf.`;
}

/** `week 47 of 2026` */
export function weekTitle(week: string): string {
  const [year = '', number = ''] = week.split('-W');
  return `week ${Number(number)} of ${year}`;
}

/** The report in one line. */
export function summaryOf({ overdue, incidents, devices }: WeeklyReportFacts): string {
  const down = devices.reduce((sum, each) => sum + each.down, 0);
  const parts = [
    overdue.total > 0 ? counted(overdue.total, 'control is overdue', 'controls are overdue') : '',
    incidents.total > 0 ? counted(incidents.total, 'incident is open', 'incidents are open') : '',
    down > 0 ? counted(down, 'device is down', 'devices are down') : '',
  ].filter(Boolean);
  return parts.length === 0 ? 'Nothing is overdue, no incident is open, no device is down.' : `${parts.join(', ')}.`;
}

/** `1 device is down`, `2 devices are down`: the words for one, and for any other number. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `+4 points since last week` */
export function changePhrase({ change }: WorkflowFact): string {
  if (change === null) return 'no figure of last week';
  if (change === 0) return 'as last week';
  return `${change > 0 ? '+' : '−'}${counted(Math.abs(change), 'point', 'points')} since last week`;
}

/** `12 of 93 controls done, 8 begun` */
export function countPhrase({ done, applicable, inProgress }: WorkflowFact): string {
  return `${done} of ${counted(applicable, 'control', 'controls')} done, ${inProgress} begun`;
}

/** The next report that an incident owes, and when by the clocks of this zone. */
export function deadlinePhrase({ deadline }: OpenIncident, timeZone: string): string {
  if (deadline === null) return 'no report is owed now';
  const { stage, dueAt, overdue } = deadline;
  return overdue
    ? `${stage} is overdue since ${instantText(dueAt, timeZone)}`
    : `${stage} is due ${instantText(dueAt, timeZone)}`;
}

/** `3 healthy, 1 down` */
export function healthPhrase({ healthy, degraded, down, unknown }: DeviceFacts): string {
  const counts = Object.entries({ healthy, degraded, down, unknown }).filter(([, count]) => count > 0);
  return counts.length === 0 ? 'none' : counts.map(([state, count]) => `${count} ${state}`).join(', ');
}

/** `and 12 more`, or nothing. */
export function restPhrase({ total, items }: Shortened<unknown>): string {
  return total > items.length ? `and ${total - items.length} more` : '';
}

/** `21 November 2026` */
export function dayText(day: string): string {
  return DateTime.fromISO(day, { zone: 'utc', locale: 'en-GB' }).toFormat('d LLLL yyyy');
}

/** `21 November 2026, 14:00 (UTC+1)` */
export function instantText(instant: string, timeZone: string): string {
  const local = DateTime.fromISO(instant, { zone: timeZone, locale: 'en-GB' });
  return `${local.toFormat('d LLLL yyyy, HH:mm')} (UTC${local.offset === 0 ? '' : local.toFormat('Z')})`;
}

/** A quote from a record, as much of it as a line bears. */
export function excerpt(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()];
  return characters.length > 90 ? `${characters.slice(0, 89).join('')}…` : characters.join('');
}
