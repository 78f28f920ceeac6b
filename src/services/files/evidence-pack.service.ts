import type { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { notFound } from '../../errors.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { portableName } from '../../storage/portable-names.js';
import { zipStream } from '../../storage/zip-stream.js';
import type { DownloadLinks, PackSignature } from './download-links.js';
import { packEntries } from './evidence-pack-contents.js';
import { evidenceSnapshot, type EvidenceSnapshot } from './evidence-snapshot.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';

/** An archive that may be sent. */
export interface EvidencePack {
  /** For Content-Disposition. */
  name: string;
  /** Starts when it is read, and reads no faster than it is read. */
  open(): Readable;
}

/** How many contents are looked for in the storage at a time. */
const LOOKED_FOR_AT_ONCE = 16;

/**
 * Evidence packs (docs/adr/0011): everything that an organization has to show for a workflow, in one archive that a
 * stranger can verify.
 */
export class EvidencePackService {
  private readonly store: BlobStore;
  private readonly links: DownloadLinks;
  private readonly now: () => Date;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
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

  /** The pack for who asks with a token. Throws NOT_FOUND and FORBIDDEN. */
  async forCaller(caller: Caller, key: OrganizationWorkflowKey): Promise<EvidencePack> {
    await this.access.authorize(caller, 'READ_DOCUMENTS', key.organizationId);
    return this.prepare(key, nameOf(caller));
  }

  /** The pack for who has its address. Throws NOT_FOUND for one that is not ours or has expired. */
  async bySignature(key: OrganizationWorkflowKey, signature: PackSignature): Promise<EvidencePack> {
    if (!this.links.isGoodPack(key, signature)) throw notFound();
    return this.prepare(key, signature.for);
  }

  /** What can be found wrong is found before the first byte: afterwards an archive can only be broken off. */
  private async prepare(key: OrganizationWorkflowKey, preparedFor: string): Promise<EvidencePack> {
    const snapshot = await this.presentSnapshot(key);
    const entries = packEntries({ ...key, snapshot, preparedFor }, this.store);
    const day = snapshot.asOf.toISOString().slice(0, 10);
    const name = `${portableName(`${snapshot.organization} ${key.workflowId} evidence ${day}`)}.zip`;
    return { name, open: () => zipStream(entries) };
  }

  /** Somebody may delete a version between the rows and its bytes, so that bytes that lack are looked for once more. */
  private async presentSnapshot(key: OrganizationWorkflowKey): Promise<EvidenceSnapshot> {
    const { database, catalogs, now } = this;
    const snapshot = await evidenceSnapshot({ database, catalogs, now }, key);
    if ((await this.missing(snapshot)).length === 0) return snapshot;
    const later = await evidenceSnapshot({ database, catalogs, now }, key);
    const missing = await this.missing(later);
    if (missing.length > 0) throw new Error(`The bytes of document versions are gone: ${missing.join(', ')}`);
    return later;
  }

  /** Ids of the versions whose bytes are not there. Throws UNAVAILABLE when the storage is away. */
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
