import {
  type Brand,
  PLATFORM,
  shortened,
  tint,
  TRACK,
  FONT,
  mailLayout,
  paragraph,
  section,
  markup,
  type Markup,
} from './mail-layout.js';
import type { Language } from '../messages/language.js';
import type { IncidentReportStage, IncidentStatus, Severity } from '../values/enums.js';

/** The facts of a weekly report. Days and instants are ISO 8601. */
export interface WeeklyReportFacts {
  /** Tag of the organization's language. */
  language: string;
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

/** What the report names, with the path of its page. */
interface Linked {
  href: string;
}

export interface WorkflowFact extends Linked {
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

export interface OverdueControl extends Linked {
  controlId: string;
  label: string;
  workflow: string;
  dueDate: string;
}

export interface OpenIncident extends Linked {
  id: number;
  title: string;
  severity: Severity;
  status: IncidentStatus;
  /** The next report that is owed; null when none is. */
  deadline: OwedReport | null;
}

interface OwedReport {
  stage: IncidentReportStage;
  number: number;
  regime: string;
  dueAt: string;
  overdue: boolean;
}

export interface DeviceFacts {
  kind: 'CLOUD_DEFENDER' | 'THREAT_BLOCKER';
  healthy: number;
  degraded: number;
  down: number;
  unknown: number;
  /** Some that are down or degraded. */
  troubled: readonly (Linked & { name: string })[];
}

interface WeeklyReportReader {
  language: Language;
  /** Where links lead. */
  appUrl: string;
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
  const report = new Report(facts, reader);
  return { subject: report.subject, html: weeklyReportHtml(report), text: weeklyReportText(report) };
}

/** A report in the words of its reader. */
class Report {
  readonly language: Language;
  readonly subject: string;
  readonly greeting: string;
  /** Why the reader gets the report, and from whom. */
  readonly reason: string;
  /** The report in one line. */
  readonly summary: string;
  readonly none: string;
  private readonly week: { week: number; year: string };

  constructor(
    readonly facts: WeeklyReportFacts,
    readonly reader: WeeklyReportReader,
  ) {
    const { language } = reader;
    const { brand, overdue, incidents, devices } = facts;
    const [year = '', week = ''] = facts.week.split('-W');
    const organization = shortened(brand.name);
    this.language = language;
    this.week = { week: Number(week), year };
    this.subject = language.text('report.subject', { organization, ...this.week });
    this.greeting = language.text('report.greeting', { name: reader.name, known: reader.name === '' ? 'no' : 'yes' });
    this.reason = language.text('report.reason', { organization, gateway: PLATFORM.name });
    const down = devices.reduce((sum, each) => sum + each.down, 0);
    const counts = { overdueCount: overdue.total, incidentCount: incidents.total, downCount: down };
    const found = Object.entries(counts).filter(([, count]) => count > 0);
    const sentences = found.map(([key, count]) => language.text(`report.${key}`, { count }));
    this.summary = sentences.length === 0 ? language.text('report.nothing') : `${sentences.join(', ')}.`;
    this.none = language.text('report.none');
  }

  get opening(): string {
    const organization = shortened(this.facts.brand.name);
    return this.language.text('report.opening', { organization, ...this.week, asOf: this.asOf });
  }

  get title(): string {
    return this.language.text('report.title', this.week);
  }

  get asOf(): string {
    return this.language.instant(this.facts.asOf, this.facts.timeZone);
  }

  url({ href }: Linked): string {
    return `${this.reader.appUrl}${href}`;
  }

  /** `12 of 93 controls done (2 on stale evidence), 8 begun` */
  counts({ done, applicable, inProgress, stale }: WorkflowFact): string {
    return this.language.text('report.counts', { done, applicable, inProgress, stale });
  }

  /** `+4 points since last week` */
  change({ change }: WorkflowFact): string {
    if (change === null) return this.language.text('report.noChangeKnown');
    if (change === 0) return this.language.text('report.sameAsLastWeek');
    return this.language.text('report.change', { points: Math.abs(change), direction: change > 0 ? 'up' : 'down' });
  }

  /** A name or label of a shipped catalogue. */
  shipped(text: string): string {
    return this.language.translated(text);
  }

  due({ dueDate }: OverdueControl): string {
    return this.language.text('report.controlDue', { day: this.language.day(dueDate) });
  }

  /** `Critical, Open` */
  states({ severity, status }: OpenIncident): string {
    return [`enums.IncidentSeverity.${severity}`, `enums.IncidentStatus.${status}`]
      .map((key) => this.language.text(key))
      .join(', ');
  }

  /** The next report that an incident owes, and when by the clocks of the organization's zone. */
  deadline({ deadline }: OpenIncident): string {
    if (deadline === null) return this.language.text('report.nothingOwed');
    const { stage, number, regime, dueAt, overdue } = deadline;
    const report = this.language.text(`incident-words.report.${stage}`, {
      number,
      regime: this.language.translated(regime),
    });
    const when = this.language.instant(dueAt, this.facts.timeZone);
    return this.language.text(overdue ? 'report.reportOverdue' : 'report.reportDue', { report, when });
  }

  /** `3 healthy, 1 down` */
  health({ healthy, degraded, down, unknown }: DeviceFacts): string {
    const counts = Object.entries({ healthy, degraded, down, unknown }).filter(([, count]) => count > 0);
    if (counts.length === 0) return this.language.text('report.noDevices');
    return counts.map(([state, count]) => this.language.text(`report.devices.${state}`, { count })).join(', ');
  }

  kind({ kind }: DeviceFacts): string {
    return this.language.text(`device-words.kind.${kind}`);
  }

  /** `and 12 more`, or nothing. */
  rest({ total, items }: Shortened<unknown>): string {
    return total > items.length ? this.language.text('report.rest', { count: total - items.length }) : '';
  }
}

/** A quote from a record, as much of it as a line bears. */
function excerpt(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()];
  return characters.length > 90 ? `${characters.slice(0, 89).join('')}…` : characters.join('');
}

/** Characters of a bar. */
const BAR = 20;

/** The report for readers without HTML: everything that the other form says. */
function weeklyReportText(report: Report): string {
  const { facts, language, reader } = report;
  const { workflows, overdue, incidents, devices } = facts;
  const titled = (title: string, lines: readonly string[]) => [title, ...lines].join('\n');
  const total = (key: string, list: Shortened<unknown>) => `${upper(language, key)} (${language.number(list.total)})`;
  const listed = <Item>(list: Shortened<Item>, lines: (item: Item) => string[]) => {
    if (list.total === 0) return [report.none];
    const rest = report.rest(list);
    return [...list.items.flatMap(lines), ...(rest === '' ? [] : [rest])];
  };
  return [
    report.greeting,
    report.opening,
    report.summary,
    titled(
      upper(language, 'report.progress'),
      workflows.length === 0
        ? [language.text('report.noWorkflow')]
        : workflows.flatMap((each) => workflowLines(report, each)),
    ),
    titled(
      total('report.overdueControls', overdue),
      listed(overdue, (control) => [
        `- ${control.controlId} ${excerpt(report.shipped(control.label))} (${report.shipped(control.workflow)})`,
        `  ${report.due(control)}`,
        `  ${report.url(control)}`,
      ]),
    ),
    titled(
      total('report.openIncidents', incidents),
      listed(incidents, (incident) => [
        `- #${incident.id} ${excerpt(incident.title)} (${report.states(incident)})`,
        `  ${report.deadline(incident)}`,
        `  ${report.url(incident)}`,
      ]),
    ),
    titled(
      upper(language, 'report.deviceList'),
      devices.flatMap((each) => [
        `- ${report.kind(each)}: ${report.health(each)}`,
        ...each.troubled.map(
          (device) => `  ${language.text('report.needsAttention')} ${excerpt(device.name)} ${report.url(device)}`,
        ),
      ]),
    ),
    `-- \n${report.reason}\n${language.text('report.stopByAddress', { unsubscribeUrl: reader.unsubscribeUrl })}`,
  ].join('\n\n');
}

function upper(language: Language, key: string): string {
  return language.text(key).toLocaleUpperCase(language.tag);
}

function workflowLines(report: Report, workflow: WorkflowFact): string[] {
  const full = Math.round((workflow.percent / 100) * BAR);
  return [
    `- ${report.shipped(workflow.name)}`,
    `  [${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${workflow.percent} %, ${report.change(workflow)}`,
    `  ${report.counts(workflow)}`,
    `  ${report.url(workflow)}`,
  ];
}

/** The report as HTML; its chart is a table, because mail programs show neither scripts nor vector graphics. */
function weeklyReportHtml(report: Report): string {
  const { facts, language, reader } = report;
  const { brand, workflows, overdue, incidents, devices } = facts;
  const heading = (key: string, { total }: Shortened<unknown>) => `${language.text(key)} (${language.number(total)})`;
  return mailLayout({
    language,
    title: report.subject,
    preheader: report.summary,
    brand,
    body: markup`<tr><td class="cell" style="padding:24px 32px 0;font-family:${FONT};">
<h1 class="ink" style="margin:0 0 8px;font-size:22px;line-height:28px;color:#16202e;">${report.title}</h1>
${paragraph(markup`${report.greeting} ${language.text('report.asOf', { asOf: report.asOf })}`)}
${paragraph(markup`<strong>${report.summary}</strong>`)}
</td></tr>
${section(language.text('report.progress'), workflows.length === 0 ? small(language.text('report.noWorkflow')) : markup`${workflows.map((each) => bar(report, each))}`)}
${section(
  heading('report.overdueControls', overdue),
  listItems(report, overdue, (each) => overdueItem(report, each)),
)}
${section(
  heading('report.openIncidents', incidents),
  listItems(report, incidents, (each) => incidentItem(report, each)),
)}
${section(language.text('report.deviceList'), markup`${devices.map((each) => deviceItem(report, each))}`)}
<tr><td style="font-size:1px;line-height:16px;">&nbsp;</td></tr>`,
    footer: markup`${report.reason} <a class="quiet" href="${reader.unsubscribeUrl}" style="color:#55637a;text-decoration:underline;">${language.text('report.stop')}</a>`,
  });
}

/** What the report names, as a link to its page. */
function linked(report: Report, target: Linked, content: Markup): Markup {
  return markup`<a class="ink" href="${report.url(target)}" style="color:#16202e;text-decoration:underline;">${content}</a>`;
}

/** One bar of the chart: done in the brand's colour, begun in a lighter one. What it shows is said beside it. */
function bar(report: Report, workflow: WorkflowFact): Markup {
  const color = report.facts.brand.primary;
  const begun = workflow.applicable === 0 ? 0 : Math.round((100 * workflow.inProgress) / workflow.applicable);
  const shares = [
    { width: workflow.percent, shade: color, name: report.language.text('report.done') },
    {
      width: Math.min(begun, 100 - workflow.percent),
      shade: tint(color),
      name: report.language.text('report.begun'),
    },
  ].filter(({ width }) => width > 0);
  const rest = 100 - shares.reduce((sum, { width }) => sum + width, 0);
  return markup`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 14px;">
<tr><td class="ink" style="font-family:${FONT};font-size:14px;line-height:20px;color:#16202e;">${linked(report, workflow, markup`${report.shipped(workflow.name)}`)}</td>
<td class="ink" align="right" style="font-family:${FONT};font-size:14px;line-height:20px;color:#16202e;white-space:nowrap;"><strong>${workflow.percent} %</strong></td></tr>
<tr><td colspan="2" style="padding:4px 0;"><table role="presentation" class="track" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${TRACK}" style="background-color:${TRACK};border-radius:5px;"><tr>${shares.map(
    ({ width, shade, name }) =>
      markup`<td width="${width}%" height="10" bgcolor="${shade}" title="${width} % ${name}" style="width:${width}%;height:10px;background-color:${shade};font-size:1px;line-height:10px;">&nbsp;</td>`,
  )}${rest > 0 ? markup`<td width="${rest}%" height="10" style="width:${rest}%;height:10px;font-size:1px;line-height:10px;">&nbsp;</td>` : ''}</tr></table></td></tr>
<tr><td class="quiet" colspan="2" style="font-family:${FONT};font-size:13px;line-height:18px;color:#55637a;">${report.counts(workflow)}; ${report.change(workflow)}</td></tr>
</table>`;
}

function overdueItem(report: Report, control: OverdueControl): Markup {
  const { controlId, label, workflow } = control;
  return item(
    linked(report, control, markup`<strong>${controlId}</strong> ${excerpt(report.shipped(label))}`),
    markup`${report.shipped(workflow)}, ${report.due(control)}`,
  );
}

function incidentItem(report: Report, incident: OpenIncident): Markup {
  const { id, title } = incident;
  return item(
    linked(report, incident, markup`<strong>#${id}</strong> ${excerpt(title)}`),
    markup`${report.states(incident)}; ${report.deadline(incident)}`,
  );
}

function deviceItem(report: Report, facts: DeviceFacts): Markup {
  const { troubled } = facts;
  const names = troubled.map(
    (device, index) => markup`${index === 0 ? '' : ', '}${linked(report, device, markup`${excerpt(device.name)}`)}`,
  );
  return item(
    markup`<strong>${report.kind(facts)}</strong>: ${report.health(facts)}`,
    names.length === 0 ? undefined : markup`${report.language.text('report.needAttention')} ${names}`,
  );
}

function listItems<Item>(report: Report, list: Shortened<Item>, shown: (item: Item) => Markup): Markup {
  if (list.total === 0) return small(report.none);
  const rest = report.rest(list);
  return markup`${list.items.map(shown)}${rest === '' ? '' : small(rest)}`;
}

function item(content: Markup, below?: Markup): Markup {
  const details =
    below === undefined
      ? ''
      : markup`<br><span class="quiet" style="font-size:13px;line-height:18px;color:#55637a;">${below}</span>`;
  return markup`<p class="ink" style="margin:0 0 10px;font-family:${FONT};font-size:14px;line-height:20px;color:#16202e;">${content}${details}</p>`;
}

function small(content: string): Markup {
  return markup`<p class="quiet" style="margin:0 0 10px;font-family:${FONT};font-size:14px;line-height:20px;color:#55637a;">${content}</p>`;
}
