import {
  type Brand,
  PLATFORM,
  quoted,
  tint,
  TRACK,
  FONT,
  mailLayout,
  paragraph,
  section,
  markup,
  type Markup,
} from './mail-layout.js';
import { dayText, instantText } from '../common/local-time.js';

/** The facts of a weekly report. Days and instants are ISO 8601. */
export interface WeeklyReportFacts {
  brand: Brand;
  /** IANA name: the zone in which days and times are shown. */
  timeZone: string;
  /** ISO week, such as `2026-W47`. */
  week: string;
  /** When these were the facts, in UTC. */
  asOf: string;
  workflows: readonly WorkflowFact[];
  overdue: Shortened<OverdueControl>;
  incidents: Shortened<OpenIncident>;
  devices: readonly DeviceFacts[];
}

/** A list that may be longer than what is shown of it. */
export interface Shortened<Item> {
  total: number;
  /** The most urgent first. */
  items: readonly Item[];
}

export interface WorkflowFact {
  name: string;
  /** Controls that apply, how many of them are done, and how many are begun. */
  applicable: number;
  done: number;
  inProgress: number;
  /** Of those done, how many rest on stale evidence. */
  stale: number;
  /** Percent done now, and how many points more than a week ago; null when that is not known. */
  percent: number;
  change: number | null;
}

export interface OverdueControl {
  controlId: string;
  label: string;
  workflow: string;
  dueDate: string;
}

export interface OpenIncident {
  id: number;
  title: string;
  severity: string;
  status: string;
  /** The next report that is owed, such as `early warning (NIS 2)`; null when none is. */
  deadline: { report: string; dueAt: string; overdue: boolean } | null;
}

export interface DeviceFacts {
  kind: string;
  healthy: number;
  degraded: number;
  down: number;
  unknown: number;
  /** Names of some that are down or degraded. */
  troubled: readonly string[];
}

interface WeeklyReportReader {
  /** Empty when the contact has none. */
  name: string;
  /** Where one click ends the reports (RFC 8058). */
  unsubscribeUrl: string;
}

export interface WeeklyReportContent {
  subject: string;
  html: string;
  text: string;
}

export function weeklyReportContent(facts: WeeklyReportFacts, reader: WeeklyReportReader): WeeklyReportContent {
  return { subject: subjectOf(facts), html: weeklyReportHtml(facts, reader), text: weeklyReportText(facts, reader) };
}

function subjectOf(facts: WeeklyReportFacts): string {
  return `${quoted(facts.brand.name)}: weekly security report, ${weekTitle(facts.week)}`;
}

/** Why the reader gets the report, and from whom. */
function reasonPhrase({ brand }: WeeklyReportFacts): string {
  return `You get this report every week because ${quoted(brand.name)} has named you as a contact; the ${PLATFORM.name} sends it on its behalf.`;
}

/** `week 47 of 2026` */
function weekTitle(week: string): string {
  const [year = '', number = ''] = week.split('-W');
  return `week ${Number(number)} of ${year}`;
}

/** The report in one line. */
function summaryOf({ overdue, incidents, devices }: WeeklyReportFacts): string {
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
function changePhrase({ change }: WorkflowFact): string {
  if (change === null) return 'no figure of last week';
  if (change === 0) return 'as last week';
  return `${change > 0 ? '+' : '−'}${counted(Math.abs(change), 'point', 'points')} since last week`;
}

/** `12 of 93 controls done (2 on stale evidence), 8 begun` */
function countPhrase({ done, applicable, inProgress, stale }: WorkflowFact): string {
  const staleOnes = stale === 0 ? '' : ` (${stale} on stale evidence)`;
  return `${done} of ${counted(applicable, 'control', 'controls')} done${staleOnes}, ${inProgress} begun`;
}

/** The next report that an incident owes, and when by the clocks of this zone. */
function deadlinePhrase({ deadline }: OpenIncident, timeZone: string): string {
  if (deadline === null) return 'no report is owed now';
  const { report, dueAt, overdue } = deadline;
  return `${report} is ${overdue ? 'overdue since' : 'due'} ${instantText(dueAt, timeZone)}`;
}

/** `3 healthy, 1 down` */
function healthPhrase({ healthy, degraded, down, unknown }: DeviceFacts): string {
  const counts = Object.entries({ healthy, degraded, down, unknown }).filter(([, count]) => count > 0);
  return counts.length === 0 ? 'none' : counts.map(([state, count]) => `${count} ${state}`).join(', ');
}

/** `and 12 more`, or nothing. */
function restPhrase({ total, items }: Shortened<unknown>): string {
  return total > items.length ? `and ${total - items.length} more` : '';
}

/** A quote from a record, as much of it as a line bears. */
function excerpt(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()];
  return characters.length > 90 ? `${characters.slice(0, 89).join('')}…` : characters.join('');
}

/** What a list says that has nothing. */
const NONE = 'None.';
/** Characters of a bar. */
const BAR = 20;

/** The report for readers without HTML: everything that the other form says. */
function weeklyReportText(facts: WeeklyReportFacts, reader: WeeklyReportReader): string {
  const { brand, timeZone, week, asOf, workflows, overdue, incidents, devices } = facts;
  return [
    reader.name === '' ? 'Hello,' : `Hello ${reader.name},`,
    `this is the security report of ${quoted(brand.name)} for ${weekTitle(week)}, as of ${instantText(asOf, timeZone)}.`,
    summaryOf(facts),
    titled('PROGRESS', workflows.length === 0 ? ['No workflow is associated yet.'] : workflows.flatMap(workflowLines)),
    titled(
      `OVERDUE CONTROLS (${overdue.total})`,
      listed(overdue, ({ controlId, label, workflow, dueDate }) => [
        `- ${controlId} ${excerpt(label)} (${workflow})`,
        `  due ${dayText(dueDate)}`,
      ]),
    ),
    titled(
      `OPEN INCIDENTS (${incidents.total})`,
      listed(incidents, (incident) => [
        `- #${incident.id} ${excerpt(incident.title)} (${incident.severity}, ${incident.status})`,
        `  ${deadlinePhrase(incident, timeZone)}`,
      ]),
    ),
    titled(
      'DEVICES',
      devices.flatMap((each) => [
        `- ${each.kind}: ${healthPhrase(each)}`,
        ...each.troubled.map((name) => `  needs attention: ${excerpt(name)}`),
      ]),
    ),
    `-- \n${reasonPhrase(facts)}\nTo end it: ${reader.unsubscribeUrl}`,
  ].join('\n\n');
}

function workflowLines(workflow: WorkflowFact): string[] {
  const full = Math.round((workflow.percent / 100) * BAR);
  return [
    `- ${workflow.name}`,
    `  [${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${workflow.percent} %, ${changePhrase(workflow)}`,
    `  ${countPhrase(workflow)}`,
  ];
}

function listed<Item>(list: Shortened<Item>, lines: (item: Item) => string[]): string[] {
  if (list.total === 0) return [NONE];
  const rest = restPhrase(list);
  return [...list.items.flatMap(lines), ...(rest === '' ? [] : [rest])];
}

function titled(title: string, lines: readonly string[]): string {
  return [title, ...lines].join('\n');
}

/** The report as HTML; its chart is a table, because mail programs show neither scripts nor vector graphics. */
function weeklyReportHtml(facts: WeeklyReportFacts, reader: WeeklyReportReader): string {
  const { brand, timeZone, week, asOf, workflows, overdue, incidents, devices } = facts;
  return mailLayout({
    title: subjectOf(facts),
    preheader: summaryOf(facts),
    brand,
    body: markup`<tr><td class="cell" style="padding:24px 32px 0;font-family:${FONT};">
<h1 class="ink" style="margin:0 0 8px;font-size:22px;line-height:28px;color:#16202e;">Security report, ${weekTitle(week)}</h1>
${paragraph(markup`${reader.name === '' ? 'Hello' : `Hello ${reader.name}`}, this is how things stood on ${instantText(asOf, timeZone)}.`)}
${paragraph(markup`<strong>${summaryOf(facts)}</strong>`)}
</td></tr>
${section('Progress', workflows.length === 0 ? small('No workflow is associated yet.') : markup`${workflows.map((each) => bar(each, brand.primary))}`)}
${section(`Overdue controls (${overdue.total})`, listItems(overdue, overdueItem))}
${section(
  `Open incidents (${incidents.total})`,
  listItems(incidents, (each) => incidentItem(each, timeZone)),
)}
${section('Devices', markup`${devices.map(deviceItem)}`)}
<tr><td style="font-size:1px;line-height:16px;">&nbsp;</td></tr>`,
    footer: markup`${reasonPhrase(facts)} <a class="quiet" href="${reader.unsubscribeUrl}" style="color:#55637a;text-decoration:underline;">Stop these reports</a>`,
  });
}

/** One bar of the chart: done in the brand's colour, begun in a lighter one. What it shows is said beside it. */
function bar(workflow: WorkflowFact, color: string): Markup {
  const begun = workflow.applicable === 0 ? 0 : Math.round((100 * workflow.inProgress) / workflow.applicable);
  const shares = [
    { width: workflow.percent, shade: color, name: 'done' },
    { width: Math.min(begun, 100 - workflow.percent), shade: tint(color), name: 'begun' },
  ].filter(({ width }) => width > 0);
  const rest = 100 - shares.reduce((sum, { width }) => sum + width, 0);
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 14px;">
<tr><td class="ink" style="font-family:${FONT};font-size:14px;line-height:20px;color:#16202e;">${workflow.name}</td>
<td class="ink" align="right" style="font-family:${FONT};font-size:14px;line-height:20px;color:#16202e;white-space:nowrap;"><strong>${workflow.percent} %</strong></td></tr>
<tr><td colspan="2" style="padding:4px 0;"><table role="presentation" class="track" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${TRACK}" style="background-color:${TRACK};border-radius:5px;"><tr>${shares.map(
    ({ width, shade, name }) =>
      markup`<td width="${width}%" height="10" bgcolor="${shade}" title="${width} % ${name}" style="width:${width}%;height:10px;background-color:${shade};font-size:1px;line-height:10px;">&nbsp;</td>`,
  )}${rest > 0 ? markup`<td width="${rest}%" height="10" style="width:${rest}%;height:10px;font-size:1px;line-height:10px;">&nbsp;</td>` : ''}</tr></table></td></tr>
<tr><td class="quiet" colspan="2" style="font-family:${FONT};font-size:13px;line-height:18px;color:#55637a;">${countPhrase(workflow)}; ${changePhrase(workflow)}</td></tr>
</table>`;
}

function overdueItem({ controlId, label, workflow, dueDate }: OverdueControl): Markup {
  return item(markup`<strong>${controlId}</strong> ${excerpt(label)}`, `${workflow}, due ${dayText(dueDate)}`);
}

function incidentItem(incident: OpenIncident, timeZone: string): Markup {
  const { id, title, severity, status } = incident;
  return item(
    markup`<strong>#${id}</strong> ${excerpt(title)}`,
    `${severity}, ${status}; ${deadlinePhrase(incident, timeZone)}`,
  );
}

function deviceItem(facts: DeviceFacts): Markup {
  const troubled = facts.troubled.length === 0 ? '' : `Need attention: ${facts.troubled.map(excerpt).join(', ')}`;
  return item(markup`<strong>${facts.kind}</strong>: ${healthPhrase(facts)}`, troubled);
}

function listItems<Item>(list: Shortened<Item>, shown: (item: Item) => Markup): Markup {
  if (list.total === 0) return small(NONE);
  const rest = restPhrase(list);
  return markup`${list.items.map(shown)}${rest === '' ? '' : small(rest)}`;
}

function item(content: Markup, below: string): Markup {
  const details =
    below === ''
      ? ''
      : markup`<br><span class="quiet" style="font-size:13px;line-height:18px;color:#55637a;">${below}</span>`;
  return markup`<p class="ink" style="margin:0 0 10px;font-family:${FONT};font-size:14px;line-height:20px;color:#16202e;">${content}${details}</p>`;
}

function small(content: string): Markup {
  return markup`<p class="quiet" style="margin:0 0 10px;font-family:${FONT};font-size:14px;line-height:20px;color:#55637a;">${content}</p>`;
}
