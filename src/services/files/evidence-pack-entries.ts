import { createHash, hash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { csv } from '../../common/csv.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName, PortableNames } from '../../storage/portable-names.js';
import type { ZipEntry } from '../../storage/zip-stream.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { EvidenceDocument, EvidenceSnapshot, MappedDocument } from './evidence-snapshot.js';

/** What a pack is made from. */
export interface PackSource extends OrganizationWorkflowKey {
  snapshot: EvidenceSnapshot;
  /** User name of the requester. */
  preparedFor: string;
}

type Packed<Document extends EvidenceDocument> = Document & { path: string };

/** Entries of the archive: what explains it first, then the files in the order of the controls. */
export function packEntries(source: PackSource, trail: AsyncIterable<string>, store: BlobStore): ZipEntry[] {
  const documents = packedDocuments(source);
  const mapped = packedMapped(source, documents);
  const files = onePerPath([...documents, ...mapped]);
  const texts: [path: string, text: string][] = [
    ['README.txt', readme(source, documents, mapped)],
    ['controls.csv', controlsTable(source)],
    ['documents.csv', documentsTable(documents)],
    ['mapped.csv', mappedTable(mapped)],
  ];
  const described = { modifiedAt: source.snapshot.asOf, method: 'deflate' } as const;
  const trailSum = createHash('sha256');
  // The manifest is made at its turn, when the whole trail has been read.
  const manifest = () => {
    const sums = [
      ...texts.map(([path, text]) => [hash('sha256', text), path] as const),
      [trailSum.digest('hex'), TRAIL] as const,
      ...files.map(sumOf),
    ];
    // In the words of sha256sum: the sum, two spaces, the name.
    return Readable.from(
      sums.map(([sum, path]) => `${sum}  ${path}\n`),
      { objectMode: false },
    );
  };
  return [
    ...texts.map(([path, text]): ZipEntry => ({ ...described, path, content: Buffer.from(text) })),
    {
      ...described,
      path: TRAIL,
      content: { open: async () => Readable.from(hashed(trail, trailSum), { objectMode: false }) },
    },
    { ...described, path: 'manifest.sha256', content: { open: async () => manifest() } },
    ...files.map((file) => documentEntry(file, store)),
  ];
}

const TRAIL = 'audit-trail.ndjson';

async function* hashed(lines: AsyncIterable<string>, sum: Hash): AsyncGenerator<string> {
  for await (const text of lines) {
    sum.update(text);
    yield text;
  }
}

/** In the order of the controls, and of their ids within one; what belongs to no control any more comes last. */
function packedDocuments({ snapshot }: PackSource): Packed<EvidenceDocument>[] {
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

/** What counts by a mapping, each file once: a content that the archive has already is not repeated. */
function packedMapped(
  { snapshot }: PackSource,
  documents: readonly Packed<EvidenceDocument>[],
): Packed<MappedDocument>[] {
  const [workflows, folders] = [new PortableNames(), new PortableNames()];
  const paths = new Map(documents.map(({ sha256, path }) => [sha256, path]));
  return snapshot.mapped.map((document) => {
    const { id, workflowId, artifactId, originalName, sha256 } = document;
    const folder = `mapped/${workflows.of(workflowId)}/${folders.of(artifactId)}`;
    const path = paths.get(sha256) ?? `${folder}/${id}-${portableName(originalName)}`;
    paths.set(sha256, path);
    return { ...document, path };
  });
}

function onePerPath(documents: readonly Packed<EvidenceDocument>[]): Packed<EvidenceDocument>[] {
  return [...new Map(documents.map((document) => [document.path, document])).values()];
}

function sumOf({ sha256, path }: Packed<EvidenceDocument>) {
  return [sha256, path] as const;
}

function documentEntry(
  { path, createdAt, contentType, size, sha256 }: Packed<EvidenceDocument>,
  store: BlobStore,
): ZipEntry {
  const method = COMPRESSIBLE.test(contentType) ? 'deflate' : 'store';
  return { path, modifiedAt: new Date(createdAt), method, content: { size, open: () => store.open(sha256) } };
}

/** The allowed media types that hold text or bare pixels; all others are compressed already. */
const COMPRESSIBLE = /^text\/|^application\/(?:json|xml|rtf|vnd\.ms-outlook)$|^message\/rfc822$|^image\/tiff$/;

function controlsTable({ snapshot }: PackSource): string {
  const { controls } = snapshot.workflow;
  const counts = new Map<string, number>();
  for (const { artifactId } of snapshot.documents) counts.set(artifactId, (counts.get(artifactId) ?? 0) + 1);
  const mapped = new Map<string, number>();
  for (const { controlId } of snapshot.mapped.flatMap(({ countsFor }) => countsFor))
    mapped.set(controlId, (mapped.get(controlId) ?? 0) + 1);
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
    'mapped_documents',
  ];
  const rows = controls.map(({ id, label, kind, parentId }) => {
    const state = snapshot.states.get(id);
    // A heading groups what is to be done and has no status of its own.
    const status = state?.status ?? (headings.has(id) ? '' : 'TO_DO');
    const { justification = '', owner = null, dueDate = null } = state ?? {};
    return [id, label, kind, parentId, status, justification, owner, dueDate, counts.get(id) ?? 0, mapped.get(id) ?? 0];
  });
  return csv([head, ...rows]);
}

const FILE_COLUMNS = ['version_id', 'original_name', 'content_type', 'size', 'sha256'];
const UPLOAD_COLUMNS = ['uploaded_by', 'uploaded_at', 'effective_at', 'note', 'valid_until'];

function fileCells({ id, originalName, contentType, size, sha256 }: EvidenceDocument) {
  return [id, originalName, contentType, size, sha256];
}

function uploadCells({ createdBy, createdAt, effectiveAt, note, validUntil }: EvidenceDocument) {
  return [createdBy, createdAt, effectiveAt, note, validUntil];
}

function documentsTable(documents: readonly Packed<EvidenceDocument>[]): string {
  const head = ['path', 'control_id', ...FILE_COLUMNS, ...UPLOAD_COLUMNS];
  return csv([
    head,
    ...documents.map((each) => [each.path, each.artifactId, ...fileCells(each), ...uploadCells(each)]),
  ]);
}

/** A row for each control that a document counts for. */
function mappedTable(documents: readonly Packed<MappedDocument>[]): string {
  const head = ['control_id', 'via', 'path', 'uploaded_to_workflow', 'uploaded_to_control', ...FILE_COLUMNS];
  const rows = documents.flatMap((each) =>
    each.countsFor.map(({ controlId, via }) => [
      ...[controlId, via, each.path, each.workflowId, each.artifactId],
      ...[...fileCells(each), ...uploadCells(each)],
    ]),
  );
  return csv([[...head, ...UPLOAD_COLUMNS], ...rows]);
}

function readme(
  source: PackSource,
  documents: readonly Packed<EvidenceDocument>[],
  mapped: readonly Packed<MappedDocument>[],
): string {
  const { organizationId, workflowId, snapshot, preparedFor } = source;
  const bytes = documents.reduce((sum, { size }) => sum + size, 0);
  return `EVIDENCE PACK

Organization:  ${oneLine(snapshot.organization)} (id ${organizationId})
Workflow:      ${oneLine(snapshot.workflow.name)} (${workflowId})
As of:         ${snapshot.asOf.toISOString()} (UTC)
Prepared for:  ${oneLine(preparedFor)}
Documents:     ${documents.length} (${bytes} bytes)
Mapped:        ${mapped.length}

What is in it

  documents/<control>/<id>-<name>  Every version of the evidence that is kept, under
                                   the control it belongs to. A higher id is a later
                                   version. Characters that some systems do not allow
                                   in names are replaced; documents.csv has the names
                                   as they were uploaded.
  mapped/<workflow>/<control>/<id>-<name>  Every version of the evidence that was uploaded to
                                   a control of another workflow and counts here,
                                   because a mapping says that both controls cover the
                                   same subject. A content that is already above is
                                   not repeated.
  controls.csv                     Every control with its status, the justification
                                   of those that do not apply, owner, due date, number
                                   of documents, and number of mapped documents.
  documents.csv                    Every document: who uploaded it when, when it was
                                   true and until when, its SHA-256.
  mapped.csv                       Which mapped document counts for which control: where
                                   it was uploaded to, and via which heading, where the
                                   mapping names the heading of one of the two.
  audit-trail.ndjson               What was done to the workflow, its controls, their
                                   documents and the mapped ones, by whom and when, up to this download:
                                   the entries of the organization's audit trail, and a
                                   signed checkpoint of the last one. Persons are named
                                   by their ids; names and addresses are encrypted.
  manifest.sha256                  SHA-256 of every other file in this archive.

The tables and documents are as they were at one and the same moment. Times are in UTC. The tables are
comma-separated (RFC 4180) in UTF-8; an apostrophe before =, +, - or @ was added
so that no spreadsheet takes a text for a formula.

How to verify it

Unpack the archive and run, where README.txt lies:

  sha256sum -c manifest.sha256      (Linux)
  shasum -a 256 -c manifest.sha256  (macOS)

Every line has to end in OK. A file that was changed, cut off or exchanged does not.

The entries are a part of the trail. Whether each stands in it as it is here is seen with
a whole export (GET /api/v1/organizations/${organizationId}/audit-trail.ndjson, for security officers):

  node verify-audit-trail.mjs EXPORT.ndjson --key audit-keys.json --part audit-trail.ndjson

It verifies the export, that it has each entry of the part, and the signature of the
checkpoint: a trail that was written anew after this download does not match it.
`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
