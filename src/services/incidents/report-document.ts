import { escapeHtml } from '../../common/escape-html.js';
import { visibleText } from '../../common/visible-text.js';
import type { IncidentReportStage } from '../../values/enums.js';
import type { IncidentStage } from './reporting-clock.js';
import type { ReportField } from './reporting-regimes.js';

export interface DraftField extends Omit<ReportField, 'law'> {
  law: string | null;
  value: string | null;
  missing: boolean;
}

export type IncidentReportDraft = Pick<
  IncidentStage,
  'regimeId' | 'regimeName' | 'source' | 'reason' | 'stage' | 'number' | 'state' | 'dueAt' | 'recipient'
> & { fields: DraftField[]; missing: string[]; draftedAt: string };

const STAGES: Readonly<Record<IncidentReportStage, string>> = {
  EARLY_WARNING: 'Early warning',
  NOTIFICATION: 'Notification',
  INTERMEDIATE_REPORT: 'Intermediate report',
  PROGRESS_REPORT: 'Progress report',
  FINAL_REPORT: 'Final report',
};

const MISSING = 'Missing: to be written before it is sent.';
const UNKNOWN = 'Not known, or does not apply.';

/** A draft as it is printed. */
export interface PrintedDraft {
  title: string;
  lines: string[];
  fields: { heading: string; text: string; known: boolean }[];
  draftedAt: string;
}

/** An instant as the clocks of the organization show it. */
type LocalTime = (instant: string) => string;

export function printedDraft(draft: IncidentReportDraft, local: LocalTime): PrintedDraft {
  const number = draft.number > 1 ? ` ${draft.number}` : '';
  return {
    title: `${STAGES[draft.stage]}${number}: ${draft.regimeName}`,
    lines: [
      `Draft of ${local(draft.draftedAt)}`,
      `Recipient: ${draft.recipient}`,
      `Due: ${draft.dueAt === null ? 'no deadline' : local(draft.dueAt)}`,
      `Law: ${draft.source}`,
      `Reason: ${draft.reason}`,
    ].map(visibleText),
    fields: draft.fields.map((field) => ({
      heading: headingOf(field),
      text: textOf(field),
      known: field.value !== null,
    })),
    draftedAt: draft.draftedAt,
  };
}

function headingOf({ label, law }: DraftField): string {
  return law === null ? label : `${label} (${law})`;
}

function textOf({ value, missing }: DraftField): string {
  if (value !== null) return visibleText(value);
  return missing ? MISSING : UNKNOWN;
}

/** A page for printing, which loads nothing and runs nothing. */
export function draftHtml({ title, lines, fields }: PrintedDraft): string {
  const sections = fields.map(
    ({ heading, text, known }) =>
      `<h2>${escapeHtml(heading)}</h2>\n<p dir="auto"${known ? '' : ' class="none"'}>${escapeHtml(text)}</p>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }
h2 { margin: 1.5rem 0 0; font-size: 1rem; break-after: avoid; }
p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.none { font-style: italic; }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(lines.join('\n'))}</p>
${sections.join('\n')}
</body>
</html>
`;
}
