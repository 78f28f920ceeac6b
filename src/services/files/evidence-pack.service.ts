import { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Caller, Origin } from '../../auth/caller.js';
import { csv } from '../../common/csv.js';
import type { Database } from '../../database/database.js';
import { notFound } from '../../errors.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName, PortableNames } from '../../storage/portable-names.js';
import { zipStream, type ZipEntry } from '../../storage/zip-stream.js';
import type { AuditCheckpointService } from '../audit/checkpoints.service.js';
import { jsonLines } from '../audit/export.service.js';
import { recordWorkflow } from '../audit/subjects.js';
import { entriesAbout, headOf } from '../audit/trails.js';
import { SIGNED_ADDRESS, type DownloadLinks, type AddressSignature } from './downloads.service.js';
import { evidenceSnapshot, type EvidenceSnapshot, type EvidenceDocument } from './evidence-snapshot.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import { createHash, hash, type Hash } from 'node:crypto';

/** An archive that may be sent. */
export interface EvidencePack {
  /** For Content-Disposition. */
  name: string;
  /** Records the download. The archive is made when it is read, no faster than it is read. */
  open(this: void): Promise<Readable>;
}

/** How many contents are looked for in the storage at a time. */
const LOOKED_FOR_AT_ONCE = 16;

/** Evidence packs (docs/adr/0011): all evidence of an organization for a workflow, in one verifiable archive. */
export class EvidencePackService {
  private readonly store: BlobStore;
  private readonly links: DownloadLinks;
  private readonly now: () => Date;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly checkpoints: AuditCheckpointService,
    { store, links, now }: { store: BlobStore; links: DownloadLinks; now: () => Date },
  ) {
    this.store = store;
    this.links = links;
    this.now = now;
  }

  /** A signed address of the pack, made out to the caller. Throws NOT_FOUND and FORBIDDEN. */
  async address(caller: Caller, key: OrganizationWorkflowKey): Promise<string> {
    await this.access.authorize(caller, 'READ_DOCUMENTS', key.organizationId);
    return this.links.packAddress(key, nameOf(caller));
  }

  /** The pack for a caller with a token. Throws NOT_FOUND and FORBIDDEN. */
  async forCaller(caller: Caller, key: OrganizationWorkflowKey): Promise<EvidencePack> {
    await this.access.authorize(caller, 'READ_DOCUMENTS', key.organizationId);
    return this.prepare(caller, key, nameOf(caller));
  }

  /** The pack for who has its address. Throws NOT_FOUND for one that is not ours or has expired. */
  async bySignature(key: OrganizationWorkflowKey, signature: AddressSignature, origin: Origin): Promise<EvidencePack> {
    if (!this.links.isGoodPack(key, signature)) throw notFound();
    return this.prepare({ ...SIGNED_ADDRESS, origin }, key, signature.for);
  }

  /** What can be found wrong is found before the first byte: afterwards an archive can only be broken off. */
  private async prepare(caller: Caller, key: OrganizationWorkflowKey, preparedFor: string): Promise<EvidencePack> {
    const snapshot = await this.presentSnapshot(key);
    const day = snapshot.asOf.toISOString().slice(0, 10);
    const name = `${portableName(`${snapshot.organization} ${key.workflowId} evidence ${day}`)}.zip`;
    const open = async () => {
      const trail = await this.recordDownload(caller, { ...key, name: snapshot.workflow.name });
      const lines = jsonLines(entriesAbout(this.database, trail.head, objectsOf(key, snapshot)), trail.checkpoint);
      return zipStream(packEntries({ ...key, snapshot, preparedFor }, lines, this.store));
    };
    return { name, open };
  }

  /** The newest entry of the trail is the download's own. */
  private recordDownload(caller: Caller, workflow: OrganizationWorkflowKey & { name: string }) {
    return this.database.transaction(async (tx) => {
      await recordWorkflow(tx, caller, workflow, { action: 'EVIDENCE_PACK_DOWNLOADED', at: this.now() });
      const head = await headOf(tx, { organizationId: workflow.organizationId });
      return { head, checkpoint: await this.checkpoints.sign(tx, head) };
    });
  }

  /** A version may be deleted between reading the rows and its bytes, so missing bytes are looked up once more. */
  private async presentSnapshot(key: OrganizationWorkflowKey): Promise<EvidenceSnapshot> {
    const { database, catalogs, now } = this;
    const snapshot = await evidenceSnapshot({ database, catalogs, now }, key);
    if ((await this.missing(snapshot)).length === 0) return snapshot;
    const later = await evidenceSnapshot({ database, catalogs, now }, key);
    const missing = await this.missing(later);
    if (missing.length > 0) throw new Error(`The bytes of document versions are gone: ${missing.join(', ')}`);
    return later;
  }

  /** Ids of the versions without bytes. Throws UNAVAILABLE when the storage is away. */
  private async missing({ documents }: EvidenceSnapshot): Promise<number[]> {
    const found = new Map<string, boolean>();
    const wanted = [...new Set(documents.map(({ sha256 }) => sha256))].values();
    const look = async () => {
      for (const sha256 of wanted) found.set(sha256, await this.store.has(sha256));
    };
    await Promise.all(Array.from({ length: LOOKED_FOR_AT_ONCE }, look));
    return documents.filter(({ sha256 }) => found.get(sha256) !== true).map(({ id }) => id);
  }
}

function nameOf(caller: Caller): string {
  return caller.kind === 'user' ? caller.username : caller.kind;
}

/** What the trail of the organization says of the workflow: also of controls that it has no more, while they have documents. */
function objectsOf(
  { workflowId }: OrganizationWorkflowKey,
  { workflow, documents, states }: EvidenceSnapshot,
): string[] {
  const controls = new Set(workflow.controls.map(({ id }) => id));
  for (const { artifactId } of documents) controls.add(artifactId);
  for (const controlId of states.keys()) controls.add(controlId);
  return [`WORKFLOW/${workflowId}`, ...[...controls].map((control) => `CONTROL/${workflowId}/${control}`)];
}

/** What a pack is made from. */
export interface PackSource extends OrganizationWorkflowKey {
  snapshot: EvidenceSnapshot;
  /** User name of the requester. */
  preparedFor: string;
}

interface PackedDocument extends EvidenceDocument {
  path: string;
}

/** Entries of the archive: what explains it first, then the files in the order of the controls. */
function packEntries(source: PackSource, trail: AsyncIterable<string>, store: BlobStore): ZipEntry[] {
  const documents = packedDocuments(source);
  const texts: [path: string, text: string][] = [
    ['README.txt', readme(source, documents)],
    ['controls.csv', controlsTable(source)],
    ['documents.csv', documentsTable(documents)],
  ];
  const described = { modifiedAt: source.snapshot.asOf, method: 'deflate' } as const;
  const trailSum = createHash('sha256');
  // The manifest is made at its turn, when the whole trail has been read.
  const manifest = () => {
    const sums = [
      ...texts.map(([path, text]) => [hash('sha256', text), path] as const),
      [trailSum.digest('hex'), TRAIL] as const,
      ...documents.map(sumOf),
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
    ...documents.map((document) => documentEntry(document, store)),
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

/** The allowed media types that hold text or bare pixels; all others are compressed already. */
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
  audit-trail.ndjson               What was done to the workflow, its controls and their
                                   documents, by whom and when, up to this download:
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
