import type { Language } from '../messages/language.js';
import type { MessageKey } from '../messages/message-key.js';
import { FONT, mailLayout, markup, paragraph, section, tint, TRACK, type Markup } from './mail-layout.js';
import { marked } from './platform-mails.js';
import {
  WeeklyReport,
  type DeviceFacts,
  type Linked,
  type OpenIncident,
  type OverdueControl,
  type Shortened,
  type WeeklyReportFacts,
  type WeeklyReportReader,
  type WorkflowFact,
} from './weekly-report.js';

export interface WeeklyReportContent {
  subject: string;
  html: string;
  text: string;
}

export function weeklyReportContent(facts: WeeklyReportFacts, reader: WeeklyReportReader): WeeklyReportContent {
  const report = new WeeklyReport(facts, reader);
  const sent = { subject: report.subject, text: weeklyReportText(report) };
  return { ...marked({ ...facts, language: reader.language }, sent), html: weeklyReportHtml(report) };
}

/** A quote from a record, as much of it as a line bears. */
function excerpt(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, ' ').trim()];
  return characters.length > 90 ? `${characters.slice(0, 89).join('')}…` : characters.join('');
}

/** Characters of a bar. */
const BAR = 20;

/** The report for readers without HTML: everything that the other form says. */
function weeklyReportText(report: WeeklyReport): string {
  const { facts, language, reader } = report;
  const { workflows, overdue, incidents, devices } = facts;
  const titled = (title: string, lines: readonly string[]) => [title, ...lines].join('\n');
  const total = (key: MessageKey, list: Shortened<unknown>) =>
    `${upper(language, key)} (${language.number(list.total)})`;
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
        ...[report.unnamed(each)].filter((rest) => rest !== '').map((rest) => `  ${rest}`),
      ]),
    ),
    `-- \n${report.reason}\n${language.text('report.stopByAddress', { unsubscribeUrl: reader.unsubscribeUrl })}`,
  ].join('\n\n');
}

function upper(language: Language, key: MessageKey): string {
  return language.text(key).toLocaleUpperCase(language.tag);
}

function workflowLines(report: WeeklyReport, workflow: WorkflowFact): string[] {
  const full = Math.round((workflow.percent / 100) * BAR);
  return [
    `- ${report.shipped(workflow.name)}`,
    `  [${'#'.repeat(full)}${'.'.repeat(BAR - full)}] ${workflow.percent} %, ${report.change(workflow)}`,
    `  ${report.counts(workflow)}`,
    `  ${report.url(workflow)}`,
  ];
}

/** The report as HTML; its chart is a table, because mail programs show neither scripts nor vector graphics. */
function weeklyReportHtml(report: WeeklyReport): string {
  const { facts, language, reader } = report;
  const { brand, sandbox, workflows, overdue, incidents, devices } = facts;
  const heading = (key: MessageKey, { total }: Shortened<unknown>) =>
    `${language.text(key)} (${language.number(total)})`;
  return mailLayout({
    language,
    title: report.subject,
    preheader: report.summary,
    brand,
    sandbox,
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

/** A name in the report, as a link to its page. */
function linked(report: WeeklyReport, target: Linked, content: Markup): Markup {
  return markup`<a class="ink" href="${report.url(target)}" style="color:#16202e;text-decoration:underline;">${content}</a>`;
}

/** One bar of the chart: done in the brand's colour, begun in a lighter one. Its figures are in the text beside it. */
function bar(report: WeeklyReport, workflow: WorkflowFact): Markup {
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

function overdueItem(report: WeeklyReport, control: OverdueControl): Markup {
  const { controlId, label, workflow } = control;
  return item(
    linked(report, control, markup`<strong>${controlId}</strong> ${excerpt(report.shipped(label))}`),
    markup`${report.shipped(workflow)}, ${report.due(control)}`,
  );
}

function incidentItem(report: WeeklyReport, incident: OpenIncident): Markup {
  const { id, title } = incident;
  return item(
    linked(report, incident, markup`<strong>#${id}</strong> ${excerpt(title)}`),
    markup`${report.states(incident)}; ${report.deadline(incident)}`,
  );
}

function deviceItem(report: WeeklyReport, facts: DeviceFacts): Markup {
  const { troubled } = facts;
  const names = troubled.map(
    (device, index) => markup`${index === 0 ? '' : ', '}${linked(report, device, markup`${excerpt(device.name)}`)}`,
  );
  return item(
    markup`<strong>${report.kind(facts)}</strong>: ${report.health(facts)}`,
    names.length === 0
      ? undefined
      : markup`${report.language.text('report.needAttention')} ${names} ${report.unnamed(facts)}`,
  );
}

function listItems<Item>(report: WeeklyReport, list: Shortened<Item>, shown: (item: Item) => Markup): Markup {
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
