import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { csvFile, withinWorksheet, xlsxStream, type Batches } from '../../common/spreadsheets.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { openWhole } from '../../storage/whole-content.js';
import { portableName, PortableNames } from '../../storage/file-names.js';
import type { ZipEntry } from '../../common/zip-stream.js';
import type { SignedCheckpoint } from '../audit/trails.js';
import { archivePage, type NamedRegime } from './archive-page.js';
import {
  applicabilityTable,
  attestationsTable,
  controlsTable,
  documentsTable,
  mappedTable,
  type Packed,
} from './evidence-pack-tables.js';
import type { EvidenceDocument, MappedDocument, PackedFile, PackSource } from './evidence-snapshot.js';

/** Streams that are read while the archive is sent. */
export interface PackStreams {
  trail: AsyncIterable<string>;
  /** The position of the last entry of the trail that was pruned. */
  prunedTo: number | undefined;
  /** By file name, in order; each is read once for all its formats. */
  tables: readonly (readonly [name: string, rows: () => Batches])[];
  regimes: readonly NamedRegime[];
  checkpoint: SignedCheckpoint;
  /** The keys that this gateway publishes: a JSON Web Key Set. */
  keySet: object;
  signManifest: (text: string) => Buffer;
}

/** A file of the archive as the manifest has it. */
interface Listed {
  path: string;
  size: number;
  sha256: string;
}

/** Entries of the archive: the explanation first, then the files in the order of the controls. */
export function packEntries(source: PackSource, streams: PackStreams, store: BlobStore): ZipEntry[] {
  const documents = packedDocuments(source);
  const mapped = packedMapped(source, documents);
  const files = onePerPath([...documents, ...mapped, ...source.copies]);
  const tables: PackStreams['tables'] = [
    ['statement-of-applicability', () => [applicabilityTable(source.everything)]],
    ['controls', () => [controlsTable(source.snapshot)]],
    ['documents', () => [documentsTable(documents)]],
    ['mapped', () => [mappedTable(mapped)]],
    ['attestations', () => [attestationsTable(source.everything)]],
  ];
  const { asOf } = source.snapshot;
  const listed: Listed[] = [];
  const entryOf = (path: string, lines: () => Lines, method: ZipEntry['method'] = 'deflate'): ZipEntry => {
    const open = async () => Readable.from(listing(path, lines(), listed), { objectMode: false });
    return { path, modifiedAt: asOf, method, content: { open } };
  };
  const bothForms = ([name, rows]: PackStreams['tables'][number]) => [
    entryOf(`${name}.csv`, () => csvFile(rows())),
    entryOf(`${name}.xlsx`, () => xlsxStream(name, withinWorksheet(rows()), asOf), 'store'),
  ];
  // The manifests come last, when all streams have been read.
  let manifest = '';
  const manifestOf = () => (manifest = manifestText(source, streams, [...listed, ...files]));
  // In the format of sha256sum: the sum, two spaces, the name.
  const sums = () => [...listed, ...files].map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
  return [
    entryOf('README.txt', () => [readme(source, documents, mapped, streams)]),
    entryOf('index.html', () => [archivePage(streams.regimes)]),
    entryOf('audit-keys.json', () => [`${JSON.stringify(streams.keySet, null, 2)}\n`]),
    ...tables.flatMap(bothForms),
    entryOf('audit-trail.ndjson', () => streams.trail),
    ...streams.tables.flatMap(bothForms),
    entryOf('manifest.json', () => [manifestOf()]),
    entryOf('manifest.json.sig', () => [streams.signManifest(manifest)]),
    entryOf('manifest.sha256', () => [sums()]),
    ...files.map((file) => documentEntry(file, store)),
  ];
}

type Lines = Iterable<string | Buffer> | AsyncIterable<string | Buffer>;

/** Lists a file after its end has been read. */
async function* listing(path: string, lines: Lines, listed: Listed[]): AsyncGenerator<string | Buffer> {
  const sum = createHash('sha256');
  let size = 0;
  for await (const text of lines) {
    sum.update(text);
    size += Buffer.byteLength(text);
    yield text;
  }
  listed.push({ path, size, sha256: sum.digest('hex') });
}

function manifestText(
  { everything, organizationId, period, preparedFor }: PackSource,
  { checkpoint: { keyId, chainSignature, ...checkpoint } }: PackStreams,
  files: readonly Listed[],
): string {
  const { id, name, edition: version } = everything.workflow;
  const manifest = {
    organization: { id: organizationId, name: everything.organization, ...(everything.sandbox && { sandbox: true }) },
    time_zone: everything.timeZone,
    workflow: { id, name, version },
    period: { from: period.from ?? null, to: period.to ?? null },
    created_at: everything.asOf,
    created_by: preparedFor,
    checkpoint: { ...checkpoint, key_id: keyId, chain_signature: chainSignature },
    files: files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** In the order of the controls, then by id; documents of former controls come last. */
function packedDocuments({ snapshot }: PackSource): Packed<EvidenceDocument>[] {
  const folders = new PortableNames();
  const places = new Map(snapshot.workflow.controls.map(({ id, position }) => [id, position]));
  const place = ({ artifactId }: EvidenceDocument) => places.get(artifactId) ?? Number.MAX_SAFE_INTEGER;
  // The number makes the name unique, and no reserved file name begins with a number.
  return snapshot.documents
    .toSorted((one, other) => place(one) - place(other))
    .map((document) => {
      const { id, artifactId, originalName } = document;
      return { ...document, path: `documents/${folders.of(artifactId)}/${id}-${portableName(originalName)}` };
    });
}

/** Evidence by a mapping, each file once: content that is already in the archive is not repeated. */
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

function onePerPath(documents: readonly PackedFile[]): PackedFile[] {
  return [...new Map(documents.map((document) => [document.path, document])).values()];
}

function documentEntry({ path, createdAt, contentType, size, sha256 }: PackedFile, store: BlobStore): ZipEntry {
  const method = COMPRESSIBLE.test(contentType) ? 'deflate' : 'store';
  return { path, modifiedAt: new Date(createdAt), method, content: { size, open: () => openWhole(store, sha256) } };
}

/** The allowed media types of text or uncompressed pixels; all others are compressed already. */
const COMPRESSIBLE = /^text\/|^application\/(?:json|xml|rtf|vnd\.ms-outlook)$|^message\/rfc822$|^image\/tiff$/;

/** Explains the archive to a reader without any other documentation. */
export function readme(
  source: PackSource,
  documents: readonly EvidenceDocument[],
  mapped: readonly MappedDocument[],
  { prunedTo }: Pick<PackStreams, 'prunedTo'>,
): string {
  const { organizationId, workflowId, snapshot, period, preparedFor } = source;
  const bytes = documents.reduce((sum, { size }) => sum + size, 0);
  return `EVIDENCE PACK

Organization:  ${oneLine(snapshot.organization)} (id ${organizationId})${snapshot.sandbox ? SANDBOX : ''}
Workflow:      ${oneLine(snapshot.workflow.name)} (${workflowId})
As of:         ${snapshot.asOf.toISOString()} (UTC)
Period:        ${periodText(period)}
Prepared for:  ${oneLine(preparedFor)}
Documents:     ${documents.length} (${bytes} bytes)
Mapped:        ${mapped.length}
${prunedTo === undefined ? '' : removedUpTo(prunedTo)}
What is in it

  documents/<control>/<id>-<name>  Every version of the evidence that is stored, under
                                   the control it belongs to. A higher id is a later
                                   version. Characters that some systems do not allow
                                   in names are replaced; documents.csv has the names
                                   as they were uploaded.
  mapped/<workflow>/<control>/<id>-<name>  Every version of the evidence that was uploaded to
                                   a control of another workflow and counts here,
                                   because a mapping says that both controls cover the
                                   same subject. A content that is already above is
                                   not repeated.
  incident-reports/<incident>/<id>-<name>  The copies of reports to authorities, as they
                                   were attached to their incidents.
  statement-of-applicability.csv   Every control that is not a heading: whether it applies
                                   and why or why not, how far it is, who is responsible for it,
                                   how many documents of any time show it, and whether those
                                   are still valid (ISO/IEC 27001, 6.1.3 d).
  controls.csv                     Every control with its status, the justification
                                   of those that do not apply, owner, due date, number
                                   of documents, number of mapped documents, and the
                                   state of its attestation.
  documents.csv                    Every document: who uploaded it when, when it was
                                   true and until when, its SHA-256.
  mapped.csv                       Which mapped document counts for which control: where
                                   it was uploaded to, and via which heading, where the
                                   mapping names the heading of one of the two.
  attestations.csv                 Every statement of an owner that a control is in place, of
                                   any time: who countersigned or withdrew it, whether it is
                                   stale and why, the position of its entry in the audit
                                   trail, and the SHA-256 of each document it is about.
  audit-trail.ndjson               What was done to the workflow, its controls, their
                                   documents and the mapped ones, by whom and when, up to this download:
                                   the entries of the organization's audit trail, and a
                                   signed checkpoint of the last one. Persons are named
                                   by their ids; names and addresses are encrypted.
  status-history.csv               Each change of the status of a control. The user name is
                                   there when the recipient may read the audit trail.
  incidents.csv                    The organization's incidents, of any workflow.
  incident-reports.csv             The reports to authorities that each incident requires, and
                                   those that were sent: due when, sent when, late or not,
                                   and where the copy is.
  incident-notes.csv               The notes on incidents.
  index.html                       A page that verifies the archive and shows what is in it.
  audit-keys.json                  The keys that the gateway published when it made the archive.
  manifest.json                    What this archive is, and path, size and SHA-256 of every
                                   file but the manifests.
  manifest.json.sig                Ed25519 signature of manifest.json: 64 bytes.
  manifest.sha256                  SHA-256 of every other file in this archive.

A period leaves out documents that were neither uploaded in it nor true in it, incidents that
were closed before it or became known after it, and entries, changes of status and notes of
other times. Statuses and reports are as they are now.

The controls and documents are as they were at one and the same moment. Times are in UTC; index.html
shows them in the time zone of the organization (${snapshot.timeZone}), with UTC beside them. Each table
is there twice: as .csv, comma-separated (RFC 4180) in UTF-8 with a byte order mark, for
programs, and as .xlsx for spreadsheets. Open the .xlsx: of a .csv, a spreadsheet reads the
control 6.10 as the number 6.1. In the .csv, an apostrophe before =, +, - or @ was added so
that no spreadsheet takes a text for a formula.

How to verify it

Unpack the archive, open index.html in a browser and choose the folder that it is in. The
page works offline, and says of each file whether it is as the gateway signed it.

Or, without a browser, run in the folder that README.txt is in:

  sha256sum -c manifest.sha256      (Linux)
  shasum -a 256 -c manifest.sha256  (macOS)

Every line has to end in OK. A file that was changed, cut off or exchanged does not.
That the sums are those of the gateway is seen with the key that the gateway publishes
at /.well-known/audit-keys.json, and with a script of its source code (scripts/):

  node verify-audit-trail.mjs --archive FOLDER --key audit-keys.json

It names each file that is not as it was sent.

The entries are a part of the trail. Whether each stands in it as it is here is seen with
a whole export (GET /api/v1/organizations/${organizationId}/audit-trail.ndjson, for security officers):

  node verify-audit-trail.mjs EXPORT.ndjson --key audit-keys.json --part audit-trail.ndjson

It verifies the export, that it has each entry of the part, and the signature of the
checkpoint: a trail that was written anew after this download does not match it.
`;
}

const SANDBOX = '\nSandbox:       an organization for trying things out, nothing of it is real';

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function removedUpTo(position: number): string {
  return `Removed:       The entries of the audit trail up to ${position}, after their retention. What
               they said of this workflow is neither in audit-trail.ndjson nor in
               status-history.csv.
`;
}

function periodText({ from, to }: PackSource['period']): string {
  if (from == null && to == null) return 'everything';
  return `${from?.toISOString() ?? 'the beginning'} (inclusive) to ${to?.toISOString() ?? 'now'} (exclusive)`;
}
