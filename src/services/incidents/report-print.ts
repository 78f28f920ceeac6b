import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type PDFDocument from 'pdfkit';
import { Semaphore } from '../../common/concurrency.js';
import { escapeHtml } from '../../common/escape-html.js';
import { visibleText } from '../../common/visible-text.js';
import { badUserInput } from '../../errors.js';
import { markedAsSandbox } from '../../mail/mail-layout.js';
import { languageOf } from '../../messages/language.js';
import type { KeyBelow, MessageKey } from '../../messages/message-key.js';
import { LIMITS } from '../../values/limits.js';
import type { IncidentStage } from './reporting-clock.js';
import { gapNotes, printGaps, type PrintGaps } from './report-print-gaps.js';
import type { ReportField } from './reporting-regimes.js';

export interface DraftField extends Omit<ReportField, 'law' | 'requiredWhenLate'> {
  law: string | null;
  value: string | null;
  missing: boolean;
}

export type IncidentReportDraft = Pick<
  IncidentStage,
  | ('regimeId' | 'regimeName' | 'source' | 'reason' | 'stage' | 'number' | 'state' | 'dueAt' | 'extendedTo')
  | ('recipient' | 'portalUrl')
> & {
  fields: DraftField[];
  missing: string[];
  draftedAt: string;
  timeZone: string;
  language: string;
  sandbox: boolean;
};

/** A draft for printing. */
export interface PrintedDraft {
  title: string;
  lines: string[];
  fields: { heading: string; text: string; known: boolean }[];
  draftedAt: string;
  language: string;
}

export function printedDraft(draft: IncidentReportDraft): PrintedDraft {
  const { draftedAt, timeZone } = draft;
  const language = languageOf(draft.language);
  const line = (key: KeyBelow<'drafts.line'>, text: string) => `${language.text(`drafts.line.${key}`)}: ${text}`;
  const unanswered = (missing: boolean) => language.text(missing ? 'drafts.missing' : 'drafts.unknown');
  const title = language.text(`drafts.title.${draft.stage}`, { number: draft.number, regime: draft.regimeName });
  return {
    title: draft.sandbox ? markedAsSandbox(title, language) : title,
    lines: [
      ...(draft.sandbox ? [language.text('drafts.sandbox')] : []),
      language.text('drafts.draftOf', { when: language.instant(draftedAt, timeZone) }),
      line('recipient', draft.recipient),
      ...(draft.portalUrl === null ? [] : [line('portal', draft.portalUrl)]),
      line('due', draft.dueAt === null ? language.text(noDeadline(draft)) : language.instant(draft.dueAt, timeZone)),
      ...(draft.extendedTo === null ? [] : [line('extendedTo', language.instant(draft.extendedTo, timeZone))]),
      line('law', draft.source),
      line('reason', draft.reason),
    ].map(visibleText),
    fields: draft.fields.map(({ label, law, value, missing }) => ({
      heading: law === null ? label : `${label} (${law})`,
      text: value === null ? unanswered(missing) : visibleText(value),
      known: value !== null,
    })),
    ...{ draftedAt, language: language.tag },
  };
}

/** Why it has no deadline, in the wording of the incident's page. */
function noDeadline({ stage, state }: IncidentReportDraft): MessageKey {
  if (state === 'SENT' || state === 'NOT_REQUIRED') return 'drafts.noDeadline';
  return stage.endsWith('COMMUNICATION') ? 'pages.clock.withoutDelay' : 'pages.clock.noTime';
}

/** A page for printing without scripts and external resources. */
export function draftHtml({ title, lines, fields, language }: PrintedDraft): string {
  const sections = fields.map(
    ({ heading, text, known }) =>
      `<h2>${escapeHtml(heading)}</h2>\n<p dir="auto"${known ? '' : ' class="none"'}>${escapeHtml(text)}</p>`,
  );
  return `<!doctype html>
<html lang="${language}">
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

type Document = InstanceType<typeof PDFDocument>;

const MARGIN = 56;
const FOOTER = 32;

/** A few lines, or a part of a long one up to a space: laid out without yielding to other requests. */
const PIECE = /.{0,250}(?:\n|$)|.{1,250}\s|.{1,250}/gsu;

/** Characters that fit on a line in any case. */
const NARROW = 12;

/** A long document takes 100 MB while it is generated. */
const places = new Semaphore(2, 30_000);

/** Parts of this draft that its PDF cannot show as written. */
export async function pdfGaps({ title, lines, fields }: PrintedDraft): Promise<PrintGaps> {
  const { glyphs } = await (loaded ??= load());
  const texts = [title, ...lines, ...fields.flatMap(({ heading, text }) => [heading, text])];
  return printGaps(texts, (codePoint) => glyphs.has(codePoint));
}

/** The draft as PDF: deterministic, with a remark on its gaps. Throws BAD_USER_INPUT when it is too long. */
export function draftPdf(printed: PrintedDraft): Promise<Buffer> {
  return places.run(async () => {
    const draft = {
      ...printed,
      lines: [...printed.lines, ...gapNotes(await pdfGaps(printed), languageOf(printed.language))],
    };
    const document = await emptyDocument(draft);
    const chunks: Uint8Array[] = [];
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    await write(document, draft);
    numberPages(document);
    const end = once(document, 'end');
    document.end();
    await end;
    return Buffer.concat(chunks);
  });
}

async function emptyDocument({ title, draftedAt, language: lang }: PrintedDraft): Promise<Document> {
  const { PDFKit, sans, bold } = await (loaded ??= load());
  return new PDFKit({
    ...{ size: 'A4', margin: MARGIN, font: '', bufferPages: true },
    // It would cache every word.
    fontLayoutCache: false,
    ...{ pdfVersion: '1.7', tagged: true, lang, displayTitle: true },
    info: { Title: title, CreationDate: new Date(draftedAt) },
  })
    .registerFont('Sans', sans)
    .registerFont('Bold', bold);
}

let loaded: ReturnType<typeof load> | undefined;

/** Files copied from development packages by `scripts/assets.js`, loaded on demand: most instances make no PDF. */
async function load() {
  const assets = new URL('../../../assets/', import.meta.url);
  const [sans, bold] = await Promise.all(['sans.ttf', 'sans-bold.ttf'].map((name) => readFile(new URL(name, assets))));
  const PDFKit = createRequire(import.meta.url)(fileURLToPath(new URL('pdfkit.cjs', assets))) as typeof PDFDocument;
  return { PDFKit, sans: sans as Buffer, bold: bold as Buffer, glyphs: glyphsOf(new PDFKit().font(sans as Buffer)) };
}

/** Code points of the font that a document uses; private in PDFKit's types. */
function glyphsOf(document: Document): ReadonlySet<number> {
  const { _font } = document as unknown as { _font: { font: { characterSet: number[] } } };
  return new Set(_font.font.characterSet);
}

async function write(document: Document, { title, lines, fields }: PrintedDraft): Promise<void> {
  const root = document.struct('Document');
  document.addStructure(root);
  const add = async (tag: 'H1' | 'H2' | 'P', text: string, style?: { oblique: boolean }) => {
    const element = document.struct(tag);
    root.add(element);
    element.add(document.markStructureContent(tag));
    await writeText(document, text, style);
    document.endMarkedContent();
    element.end();
  };
  document.font('Bold').fontSize(18);
  await add('H1', title);
  document.font('Sans').fontSize(10).moveDown(0.5);
  await add('P', lines.join('\n'));
  for (const { heading, text, known } of fields) {
    // A heading and the first lines of its text stay together.
    if (document.y > document.page.maxY() - 64) document.addPage();
    else document.moveDown();
    document.font('Bold');
    await add('H2', heading);
    document.font('Sans');
    await add('P', text, { oblique: !known });
  }
  root.end();
}

async function writeText(document: Document, text: string, style: object = {}): Promise<void> {
  const plain = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ');
  for (const { 0: piece, index } of plain.matchAll(PIECE)) {
    const ends = piece.endsWith('\n') || index + piece.length === plain.length;
    const parts = piece === '' ? [] : withinLines(document, piece.replace(/\n$/, '') || ' ');
    for (const [at, part] of parts.entries())
      document.text(part, { ...style, continued: !ends && at === parts.length - 1 });
    if (document.bufferedPageRange().count > LIMITS.incident.draftPages)
      throw badUserInput([`The draft has more than ${LIMITS.incident.draftPages} pages: read it as JSON or HTML`]);
    await setImmediate();
  }
}

/** Words wider than a line are split: PDFKit writes them beyond the edge of a page in continued text. */
function withinLines(document: Document, piece: string): string[] {
  const max = document.page.width - 2 * MARGIN;
  const parts: string[] = [];
  let part = '';
  for (const word of piece.split(/([ \n])/)) {
    let rest = [...word];
    const widthOf = (count: number) => document.widthOfString(rest.slice(0, count).join(''));
    for (let width; rest.length > NARROW && (width = widthOf(rest.length)) > max;) {
      let count = Math.ceil((rest.length * max) / width);
      while (count > 1 && widthOf(count) > max) count -= 1;
      parts.push(part + rest.slice(0, count).join(''));
      [part, rest] = ['', rest.slice(count)];
    }
    part += rest.join('');
  }
  return [...parts, part];
}

function numberPages(document: Document): void {
  const { count } = document.bufferedPageRange();
  document.font('Sans').fontSize(8);
  for (let index = 0; index < count; index += 1) {
    const { margins, height } = document.switchToPage(index);
    margins.bottom = 0;
    document.markContent('Artifact', { type: 'Pagination' });
    document.text(`${index + 1} / ${count}`, MARGIN, height - FOOTER, { align: 'center' });
    document.endMarkedContent();
  }
}
