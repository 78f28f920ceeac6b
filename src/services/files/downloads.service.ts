import type { Readable } from 'node:stream';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { BlobStore, ByteRange } from '../../storage/blob-store.js';
import type { DownloadKind, DownloadLinks } from './download-links.js';

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
