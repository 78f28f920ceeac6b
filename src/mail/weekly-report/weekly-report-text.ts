import { quoted } from '../mail-layout.js';
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
  summaryOf,
  weekTitle,
} from './phrases.js';
import type { Shortened, WeeklyReportFacts, WeeklyReportReader, WorkflowFact } from './weekly-report.js';

/** Characters of a bar. */
const BAR = 20;

/** The report for readers without HTML: everything that the other form says. */
export function weeklyReportText(facts: WeeklyReportFacts, reader: WeeklyReportReader): string {
  const { brand, timeZone, week, asOf, workflows, overdue, incidents, devices } = facts;
  return [
    reader.name === '' ? 'Hello,' : `Hello ${reader.name},`,
    `this is the security report of ${quoted(brand.name)} for ${weekTitle(week)}, as of ${instantText(asOf, timeZone)}.`,
    summaryOf(facts),
    titled('PROGRESS', workflows.length === 0 ? ['No workflow is associated yet.'] : workflows.flatMap(workflowLines)),
    titled(
      `OVERDUE CONTROLS (${overdue.total})`,
      listed(overdue, 'None.', ({ controlId, label, workflow, dueDate }) => [
        `- ${controlId} ${excerpt(label)} (${workflow})`,
        `  due ${dayText(dueDate)}`,
      ]),
    ),
    titled(
      `OPEN INCIDENTS (${incidents.total})`,
      listed(incidents, 'None.', (incident) => [
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

function listed<Item>(list: Shortened<Item>, none: string, lines: (item: Item) => string[]): string[] {
  if (list.total === 0) return [none];
  const rest = restPhrase(list);
  return [...list.items.flatMap(lines), ...(rest === '' ? [] : [rest])];
}

function titled(title: string, lines: readonly string[]): string {
  return [title, ...lines].join('\n');
}
