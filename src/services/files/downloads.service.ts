import type { Readable } from 'node:stream';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { BlobStore, ByteRange } from '../../storage/blob-store.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';

/** A file that may be sent. */
export interface Download {
  /** As it was uploaded; for Content-Disposition. */
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  sha256: string;
  open(range?: ByteRange): Promise<Readable>;
}

const FILES = {
  documents: statement<{ id: number }>()((p) =>
    db
      .selectFrom('document_version as d')
      .innerJoin('organization as o', 'o.id', 'd.organization_id')
      .select(['d.original_name as name', 'd.content_type as mediaType', 'd.size', 'd.sha256'])
      .where('o.deleted_at', 'is', null)
      .where('d.id', '=', p('id')),
  ),
  attachments: statement<{ id: number }>()((p) =>
    db
      .selectFrom('incident_attachment as a')
      .innerJoin('incident as i', 'i.id', 'a.incident_id')
      .innerJoin('organization as o', 'o.id', 'i.organization_id')
      .select(['a.original_name as name', 'a.content_type as mediaType', 'a.size', 'a.sha256'])
      .where('o.deleted_at', 'is', null)
      .where('a.id', '=', p('id')),
  ),
} satisfies Record<DownloadKind, unknown>;

/** Files by their signed address: who has the address may download until it expires. */
export class DownloadService {
  constructor(
    private readonly database: Database,
    private readonly store: BlobStore,
    private readonly links: DownloadLinks,
  ) {}

  /** Throws NOT_FOUND for an address that is not ours or has expired, and for a file that is gone. */
  async find(kind: string, id: number, expires: number, signature: string): Promise<Download> {
    if (!Object.hasOwn(FILES, kind) || !this.links.isGood(kind as DownloadKind, id, expires, signature))
      throw notFound();
    const row = await FILES[kind as DownloadKind].first(this.database, { id });
    if (row === undefined) throw notFound();
    return { ...row, open: (range) => this.store.open(row.sha256, range) };
  }
}

/** What can be downloaded by a signed address. */
export type DownloadKind = 'documents' | 'attachments';

/** What the signed address of an evidence pack says besides what it leads to. */
export interface PackSignature {
  /** User name of whom it was made out to. */
  for: string;
  /** Unix seconds. */
  expires: number;
  signature: string;
}

/**
 * Download addresses: absolute, signed, good for a while, and in need of no token, so that they can be
 * handed to a browser. The signature covers what is downloaded and until when.
 */
export class DownloadLinks {
  constructor(
    private readonly publicUrl: string,
    private readonly secretKey: string,
    private readonly minutes: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** The absolute address of a file, good from now on for as long as `DOWNLOAD_LINK_MINUTES` says. */
  address(kind: DownloadKind, id: number): string {
    const expires = this.expiry();
    const signature = this.sign(fileText(kind, id, expires));
    return `${this.publicUrl}/api/v1/downloads/${kind}/${id}?expires=${expires}&signature=${signature}`;
  }

  /** Whether the address was made here and is still good. */
  isGood(kind: DownloadKind, id: number, expires: number, signature: string): boolean {
    return this.isValid(fileText(kind, id, expires), expires, signature);
  }

  /** The address of an evidence pack, made out to a user: the archive says for whom it is. */
  packAddress(key: OrganizationWorkflowKey, username: string): string {
    const expires = this.expiry();
    const signature = this.sign(packText(key, { for: username, expires }));
    const workflow = `organizations/${key.organizationId}/workflows/${encodeURIComponent(key.workflowId)}`;
    const query = `for=${encodeURIComponent(username)}&expires=${expires}&signature=${signature}`;
    return `${this.publicUrl}/api/v1/v-ciso/${workflow}/evidence-pack?${query}`;
  }

  /** Whether the address of a pack was made here, for this user, and is still good. */
  isGoodPack(key: OrganizationWorkflowKey, { signature, ...said }: PackSignature): boolean {
    return this.isValid(packText(key, said), said.expires, signature);
  }

  private expiry(): number {
    return Math.floor(this.now() / 1000) + this.minutes * 60;
  }

  private isValid(text: string, expires: number, signature: string): boolean {
    if (!Number.isSafeInteger(expires) || expires * 1000 < this.now()) return false;
    const expected = Buffer.from(this.sign(text));
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private sign(text: string): string {
    return createHmac('sha256', this.secretKey).update(text).digest('base64url');
  }
}

function fileText(kind: DownloadKind, id: number, expires: number): string {
  return `download:${kind}:${id}:${expires}`;
}

/** As JSON: names hold any character, and none of them may move the border to its neighbour. */
function packText(key: OrganizationWorkflowKey, said: Omit<PackSignature, 'signature'>): string {
  return `evidence-pack:${JSON.stringify([key.organizationId, key.workflowId, said.for, said.expires])}`;
}
