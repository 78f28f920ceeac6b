import { safeColor, tint, TRACK, FONT, mailLayout, paragraph, section } from '../mail-layout.js';
import { markup, type Markup } from '../markup.js';

import {
  changePhrase,
  countPhrase,
  dayText,
  deadlinePhrase,
  excerpt,
  healthPhrase,
  instantText,
  reasonPhrase,
  restPhrase,
  subjectOf,
  summaryOf,
  weekTitle,
} from './phrases.js';
import type {
  DeviceFacts,
  OpenIncident,
  OverdueControl,
  Shortened,
  WeeklyReportFacts,
  WeeklyReportReader,
  WorkflowFact,
} from './weekly-report.js';

/** The report as HTML; its chart is a table, because mail programs show neither scripts nor vector graphics. */
export function weeklyReportHtml(facts: WeeklyReportFacts, reader: WeeklyReportReader): string {
  const { brand, timeZone, week, asOf, workflows, overdue, incidents, devices } = facts;
  const none = markup`None.`;
  return mailLayout({
    title: subjectOf(facts),
    preheader: summaryOf(facts),
    brand,
    body: markup`<tr><td class="cell" style="padding:24px 32px 0;font-family:${FONT};">
<h1 class="ink" style="margin:0 0 8px;font-size:22px;line-height:28px;color:#16202e;">Security report, ${weekTitle(week)}</h1>
${paragraph(markup`${reader.name === '' ? 'Hello' : `Hello ${reader.name}`}, this is how things stood on ${instantText(asOf, timeZone)}.`)}
${paragraph(markup`<strong>${summaryOf(facts)}</strong>`)}
</td></tr>
${section('Progress', workflows.length === 0 ? small('No workflow is associated yet.') : markup`${workflows.map((each) => bar(each, safeColor(brand.primary)))}`)}
${section(`Overdue controls (${overdue.total})`, listed(overdue, overdueItem, none))}
${section(
  `Open incidents (${incidents.total})`,
  listed(incidents, (each) => incidentItem(each, timeZone), none),
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

function listed<Item>(list: Shortened<Item>, shown: (item: Item) => Markup, none: Markup): Markup {
  if (list.total === 0) return small(none);
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

function small(content: Markup | string): Markup {
  return markup`<p class="quiet" style="margin:0 0 10px;font-family:${FONT};font-size:14px;line-height:20px;color:#55637a;">${content}</p>`;
}
