import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName, PortableNames } from '../../storage/file-names.js';
import type { ZipEntry } from '../../common/zip-stream.js';
import type { SignedCheckpoint } from '../audit/checkpoints.service.js';
import { readme } from './evidence-pack-readme.js';
import { applicabilityTable, controlsTable, documentsTable, mappedTable, type Packed } from './evidence-pack-tables.js';
import type { EvidenceDocument, MappedDocument, PackSource } from './evidence-snapshot.js';

/** What is read while the archive is sent. */
export interface PackStreams {
  /** Texts by the path of their file, in order. */
  files: readonly (readonly [path: string, text: AsyncIterable<string>])[];
  checkpoint: SignedCheckpoint;
  signManifest: (text: string) => Buffer;
}

/** A file of the archive as the manifest has it. */
interface Listed {
  path: string;
  size: number;
  sha256: string;
}

/** Entries of the archive: what explains it first, then the files in the order of the controls. */
export function packEntries(source: PackSource, streams: PackStreams, store: BlobStore): ZipEntry[] {
  const documents = packedDocuments(source);
  const mapped = packedMapped(source, documents);
  const files = onePerPath([...documents, ...mapped]);
  const texts: [path: string, text: string][] = [
    ['README.txt', readme(source, documents, mapped)],
    ['statement-of-applicability.csv', applicabilityTable(source.kept)],
    ['controls.csv', controlsTable(source.snapshot)],
    ['documents.csv', documentsTable(documents)],
    ['mapped.csv', mappedTable(mapped)],
  ];
  const described = { modifiedAt: source.snapshot.asOf, method: 'deflate' } as const;
  const listed = texts.map(([path, text]) => listedText(path, text));
  const entryOf = (path: string, open: () => Readable): ZipEntry => {
    return { ...described, path, content: { open: async () => open() } };
  };
  const textEntry = (path: string, text: () => string | Buffer) =>
    entryOf(path, () => {
      const content = text();
      listed.push(listedText(path, content));
      return Readable.from([content], { objectMode: false });
    });
  // The manifests are made at their turn, when everything that is streamed has been read.
  let manifest = '';
  const manifestOf = () => (manifest = manifestText(source, streams, [...listed, ...files]));
  // In the words of sha256sum: the sum, two spaces, the name.
  const sums = () => [...listed, ...files].map(({ sha256, path }) => `${sha256}  ${path}\n`).join('');
  return [
    ...texts.map(([path, text]): ZipEntry => ({ ...described, path, content: Buffer.from(text) })),
    ...streams.files.map(([path, lines]) =>
      entryOf(path, () => Readable.from(listing(path, lines, listed), { objectMode: false })),
    ),
    textEntry('manifest.json', manifestOf),
    textEntry('manifest.json.sig', () => streams.signManifest(manifest)),
    entryOf('manifest.sha256', () => Readable.from([sums()], { objectMode: false })),
    ...files.map((file) => documentEntry(file, store)),
  ];
}

function listedText(path: string, text: string | Buffer): Listed {
  return { path, size: Buffer.byteLength(text), sha256: hash('sha256', text) };
}

/** Lists a file when its end has been read. */
async function* listing(path: string, lines: AsyncIterable<string>, listed: Listed[]): AsyncGenerator<string> {
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
  { kept, organizationId, period, preparedFor }: PackSource,
  { checkpoint: { keyId, ...checkpoint } }: PackStreams,
  files: readonly Listed[],
): string {
  const { id, name, version } = kept.workflow;
  const manifest = {
    organization: { id: organizationId, name: kept.organization },
    workflow: { id, name, version },
    period: { from: period.from ?? null, to: period.to ?? null },
    created_at: kept.asOf,
    created_by: preparedFor,
    checkpoint: { ...checkpoint, key_id: keyId },
    files: files.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
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

function documentEntry(
  { path, createdAt, contentType, size, sha256 }: Packed<EvidenceDocument>,
  store: BlobStore,
): ZipEntry {
  const method = COMPRESSIBLE.test(contentType) ? 'deflate' : 'store';
  return { path, modifiedAt: new Date(createdAt), method, content: { size, open: () => store.open(sha256) } };
}

/** The allowed media types that hold text or bare pixels; all others are compressed already. */
const COMPRESSIBLE = /^text\/|^application\/(?:json|xml|rtf|vnd\.ms-outlook)$|^message\/rfc822$|^image\/tiff$/;
