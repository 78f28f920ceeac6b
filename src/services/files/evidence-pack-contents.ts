import { hash } from 'node:crypto';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName, PortableNames } from '../../storage/portable-names.js';
import type { ZipEntry } from '../../storage/zip-stream.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { EvidenceDocument, EvidenceSnapshot } from './evidence-snapshot.js';

/** What a pack is made from. */
export interface PackSource extends OrganizationWorkflowKey {
  snapshot: EvidenceSnapshot;
  /** User name of who asked for it. */
  preparedFor: string;
}

interface PackedDocument extends EvidenceDocument {
  path: string;
}

/** Entries of the archive: what explains it first, then the files in the order of the controls. */
export function packEntries(source: PackSource, store: BlobStore): ZipEntry[] {
  const documents = packedDocuments(source);
  const texts: [path: string, text: string][] = [
    ['README.txt', readme(source, documents)],
    ['controls.csv', controlsTable(source)],
    ['documents.csv', documentsTable(documents)],
  ];
  const sums = [...texts.map(([path, text]) => [hash('sha256', text), path] as const), ...documents.map(sumOf)];
  // In the words of sha256sum: the sum, two spaces, the name.
  texts.push(['manifest.sha256', sums.map(([sum, path]) => `${sum}  ${path}\n`).join('')]);
  const explained = texts.map(([path, text]): ZipEntry => {
    return { path, modifiedAt: source.snapshot.asOf, method: 'deflate', content: Buffer.from(text) };
  });
  return [...explained, ...documents.map((document) => documentEntry(document, store))];
}

/** In the order of the controls, and of their ids within one; what belongs to no control any more comes last. */
function packedDocuments({ snapshot }: PackSource): PackedDocument[] {
  const folders = new PortableNames();
  const places = new Map(snapshot.workflow.controls.map(({ id, position }) => [id, position]));
  const place = ({ artifactId }: EvidenceDocument) => places.get(artifactId) ?? Number.MAX_SAFE_INTEGER;
  // The number makes the name unique, and no name that begins with a number is reserved anywhere.
  return snapshot.documents
    .toSorted((one, other) => place(one) - place(other) || one.id - other.id)
    .map((document) => {
      const { id, artifactId, originalName } = document;
      return { ...document, path: `documents/${folders.of(artifactId)}/${id}-${portableName(originalName)}` };
    });
}

function sumOf({ sha256, path }: PackedDocument) {
  return [sha256, path] as const;
}

function documentEntry({ path, createdAt, contentType, size, sha256 }: PackedDocument, store: BlobStore): ZipEntry {
  const method = COMPRESSIBLE.test(contentType) ? 'deflate' : 'store';
  return { path, modifiedAt: new Date(createdAt), method, content: { size, open: () => store.open(sha256) } };
}

/** The kinds of decisions §6 that hold text or bare pixels; all others are compressed already. */
const COMPRESSIBLE = /^text\/|^application\/(?:json|xml|rtf|vnd\.ms-outlook)$|^message\/rfc822$|^image\/tiff$/;

function controlsTable({ snapshot }: PackSource): string {
  const { controls } = snapshot.workflow;
  const counts = new Map<string, number>();
  for (const { artifactId } of snapshot.documents) counts.set(artifactId, (counts.get(artifactId) ?? 0) + 1);
  const headings = new Set(controls.map(({ parentId }) => parentId));
  const head = [
    'control_id',
    'label',
    'kind',
    'parent_id',
    'status',
    'justification',
    'owner',
    'due_date',
    'documents',
  ];
  const rows = controls.map(({ id, label, kind, parentId }) => {
    const state = snapshot.states.get(id);
    // A heading groups what is to be done and has no status of its own.
    const status = state?.status ?? (headings.has(id) ? '' : 'TO_DO');
    const { justification = '', owner = null, dueDate = null } = state ?? {};
    return [id, label, kind, parentId, status, justification, owner, dueDate, counts.get(id) ?? 0];
  });
  return csv([head, ...rows]);
}

function documentsTable(documents: readonly PackedDocument[]): string {
  const head = [
    ...['path', 'control_id', 'version_id', 'original_name', 'content_type', 'size', 'sha256'],
    ...['uploaded_by', 'uploaded_at', 'effective_at', 'note'],
  ];
  const rows = documents.map((each) => [
    ...[each.path, each.artifactId, each.id, each.originalName, each.contentType, each.size, each.sha256],
    ...[each.createdBy, each.createdAt, each.effectiveAt, each.note],
  ]);
  return csv([head, ...rows]);
}

function readme(source: PackSource, documents: readonly PackedDocument[]): string {
  const { organizationId, workflowId, snapshot, preparedFor } = source;
  const bytes = documents.reduce((sum, { size }) => sum + size, 0);
  return `EVIDENCE PACK

Organization:  ${oneLine(snapshot.organization)} (id ${organizationId})
Workflow:      ${oneLine(snapshot.workflow.name)} (${workflowId})
As of:         ${snapshot.asOf.toISOString()} (UTC)
Prepared for:  ${oneLine(preparedFor)}
Documents:     ${documents.length} (${bytes} bytes)

What is in it

  documents/<control>/<id>-<name>  Every version of the evidence that is kept, under
                                   the control it belongs to. A higher id is a later
                                   version. Characters that some systems do not allow
                                   in names are replaced; documents.csv has the names
                                   as they were uploaded.
  controls.csv                     Every control with its status, the justification
                                   of those that do not apply, owner, due date and
                                   number of documents.
  documents.csv                    Every document: who uploaded it when, when it was
                                   true, its SHA-256.
  manifest.sha256                  SHA-256 of every other file in this archive.

All of it is as it was at one and the same moment. Times are in UTC. The tables are
comma-separated (RFC 4180) in UTF-8; an apostrophe before =, +, - or @ was added
so that no spreadsheet takes a text for a formula.

How to verify it

Unpack the archive and run, where README.txt lies:

  sha256sum -c manifest.sha256      (Linux)
  shasum -a 256 -c manifest.sha256  (macOS)

Every line has to end in OK. A file that was changed, cut off or exchanged does not.
`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/**
 * What a spreadsheet would take for a formula: at the beginning of a cell, and after what some spreadsheets take for
 * the end of one (a semicolon where the comma is the decimal sign; a tab or a line break where quotes are not known).
 */
const FORMULA = /(^|[;\t\r\n])([\p{Cf}\p{Zs}]*[=+\-@＝＋－＠])/gu;
const LEADING_TAB = /^[\t\r]/;
const QUOTED = /[",\r\n]/;

/**
 * A table as RFC 4180 wants it: commas, CRLF, quotes where they are needed. An apostrophe stands before whatever could
 * be a formula, so that nobody's text is run in somebody else's spreadsheet.
 */
export function csv(rows: Iterable<readonly (string | number | null)[]>): string {
  let text = '';
  for (const row of rows) text += `${row.map(cell).join(',')}\r\n`;
  return text;
}

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = value.replace(FORMULA, "$1'$2").replace(LEADING_TAB, (sign) => `'${sign}`);
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
