import type { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Caller, Origin } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { notFound } from '../../errors.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName } from '../../storage/portable-names.js';
import { zipStream } from '../../storage/zip-stream.js';
import type { AuditCheckpointService } from '../audit/checkpoints.service.js';
import { jsonLines } from '../audit/export.service.js';
import { recordWorkflow } from '../audit/subjects.js';
import { entriesAbout, headOf } from '../audit/trails.js';
import { SIGNED_ADDRESS, type DownloadLinks, type AddressSignature } from './downloads.service.js';
import { packEntries } from './evidence-pack-entries.js';
import { evidenceSnapshot, type EvidenceSnapshot } from './evidence-snapshot.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';

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
      const reads = await this.database.longReads();
      const lines = jsonLines(entriesAbout(reads, trail.head, objectsOf(key, snapshot)), trail.checkpoint);
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
    const { catalogs, now } = this;
    const reads = await this.database.longReads();
    const snapshot = await evidenceSnapshot({ reads, catalogs, now }, key);
    if ((await this.missing(snapshot)).length === 0) return snapshot;
    const later = await evidenceSnapshot({ reads, catalogs, now }, key);
    const missing = await this.missing(later);
    if (missing.length > 0) throw new Error(`The bytes of document versions are gone: ${missing.join(', ')}`);
    return later;
  }

  /** Ids of the versions without bytes. Throws UNAVAILABLE when the storage is away. */
  private async missing({ documents, mapped }: EvidenceSnapshot): Promise<number[]> {
    const found = new Map<string, boolean>();
    const all = [...documents, ...mapped];
    const wanted = [...new Set(all.map(({ sha256 }) => sha256))].values();
    const look = async () => {
      for (const sha256 of wanted) found.set(sha256, await this.store.has(sha256));
    };
    await Promise.all(Array.from({ length: LOOKED_FOR_AT_ONCE }, look));
    return all.filter(({ sha256 }) => found.get(sha256) !== true).map(({ id }) => id);
  }
}

function nameOf(caller: Caller): string {
  return caller.kind === 'user' ? caller.username : caller.kind;
}

/** What the trail of the organization says of the workflow: also of controls that it has no more, while they have documents. */
function objectsOf(
  { workflowId }: OrganizationWorkflowKey,
  { workflow, documents, states, mapped }: EvidenceSnapshot,
): string[] {
  const controls = [
    ...workflow.controls.map(({ id }) => `${workflowId}/${id}`),
    ...[...documents, ...mapped].map((document) => `${document.workflowId}/${document.artifactId}`),
    ...[...states.keys()].map((controlId) => `${workflowId}/${controlId}`),
  ];
  return [`WORKFLOW/${workflowId}`, ...[...new Set(controls)].map((control) => `CONTROL/${control}`)];
}
