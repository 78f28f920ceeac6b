import type { Readable } from 'node:stream';
import type { Origin } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { BlobStore, ByteRange } from '../../storage/blob-store.js';
import type { ReadRecorder } from '../audit/reads.js';
import { attachmentSubject, versionSubject } from '../audit/subjects.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { Period } from './evidence-snapshot.js';

/** A file that may be sent. */
export interface Download {
  /** As it was uploaded; for Content-Disposition. */
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
  sha256: string;
  /** Records the download before there are bytes. */
  open(range?: ByteRange): Promise<Readable>;
}

const FILES = {
  documents: statement<{ id: number }>()((p) =>
    db
      .selectFrom('document_version as d')
      .innerJoin('organization as o', 'o.id', 'd.organization_id')
      .select(['d.original_name as name', 'd.content_type as mediaType', 'd.size', 'd.sha256'])
      .select(['d.organization_id as organizationId', 'd.workflow_id as workflowId', 'd.artifact_id as artifactId'])
      .where('o.deleted_at', 'is', null)
      .where('d.id', '=', p('id')),
  ),
  attachments: statement<{ id: number }>()((p) =>
    db
      .selectFrom('incident_attachment as a')
      .innerJoin('organization as o', 'o.id', 'a.organization_id')
      .select(['a.original_name as name', 'a.content_type as mediaType', 'a.size', 'a.sha256'])
      .select(['a.organization_id as organizationId', 'a.incident_id as incidentId'])
      .where('o.deleted_at', 'is', null)
      .where('a.id', '=', p('id')),
  ),
} satisfies Record<DownloadKind, unknown>;

type FileRow = Awaited<ReturnType<(typeof FILES)[DownloadKind]['one']>>;

/** What the address of a file says. */
export interface FileAddress {
  kind: string;
  id: number;
  /** Unix seconds. */
  expires: number;
  signature: string;
}

/** Files by their signed address: who has the address may download until it expires. */
export class DownloadService {
  constructor(
    private readonly database: Database,
    private readonly store: BlobStore,
    private readonly links: DownloadLinks,
    private readonly readings: ReadRecorder,
    private readonly now: () => Date,
  ) {}

  /** Throws NOT_FOUND for an address that is not ours or has expired, and for a file that is gone. */
  async find({ kind, id, expires, signature }: FileAddress, origin: Origin): Promise<Download> {
    if (!isDownloadKind(kind) || !this.links.isGood(kind, id, expires, signature)) throw notFound();
    const row = await FILES[kind].first(this.database, { id });
    if (row === undefined) throw notFound();
    const { name, mediaType, size, sha256 } = row;
    const open = async (range?: ByteRange) => {
      const bytes = await this.store.open(sha256, range);
      try {
        await this.readings.read({ ...SIGNED_ADDRESS, origin }, { ...eventOf(id, row), at: this.now() });
      } catch (error) {
        bytes.destroy();
        throw error;
      }
      return bytes;
    };
    return { name, mediaType, size, sha256, open };
  }
}

/** Who has a signed address needs no token. */
export const SIGNED_ADDRESS = { kind: 'system', name: 'signed-address' } as const;

function isDownloadKind(kind: string): kind is DownloadKind {
  return Object.hasOwn(FILES, kind);
}

function eventOf(id: number, row: FileRow) {
  const { organizationId, name } = row;
  if ('incidentId' in row)
    return {
      organizationId,
      action: 'ATTACHMENT_DOWNLOADED',
      subject: attachmentSubject({ id, name }, { id: row.incidentId }),
    } as const;
  const subject = versionSubject({ ...row, id, filename: name });
  return { organizationId, action: 'DOCUMENT_DOWNLOADED', subject } as const;
}

/** What can be downloaded by a signed address. */
export type DownloadKind = 'documents' | 'attachments';

/** What a signed address says besides what it leads to. */
export interface AddressSignature {
  /** Whom it was made out to: the user name, or the id where it leads to what is about the user. */
  for: string;
  /** Unix seconds. */
  expires: number;
  signature: string;
}

/** What the address of an evidence pack says as well. */
export interface PackSignature extends AddressSignature, Period {
  /** Whether the archive names the persons of the audit trail. */
  names: boolean;
}

type PackParts = Omit<PackSignature, 'signature' | 'expires'>;

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
    const { query } = this.signed((expires) => fileText(kind, id, expires));
    return `${this.publicUrl}/api/v1/downloads/${kind}/${id}?${query}`;
  }

  /** Whether the address was made here and is still good. */
  isGood(kind: DownloadKind, id: number, expires: number, signature: string): boolean {
    return this.isValid(fileText(kind, id, expires), expires, signature);
  }

  /** The address of an evidence pack, made out to a user: the archive says for whom it is. */
  packAddress(key: OrganizationWorkflowKey, parts: PackParts): string {
    const { query } = this.signed((expires) => packText(key, { ...parts, expires }));
    const workflow = `organizations/${key.organizationId}/workflows/${encodeURIComponent(key.workflowId)}`;
    const said = [`for=${encodeURIComponent(parts.for)}`];
    for (const name of ['from', 'to'] as const) if (parts[name]) said.push(`${name}=${parts[name].toISOString()}`);
    said.push(`names=${parts.names}`, query);
    return `${this.publicUrl}/api/v1/v-ciso/${workflow}/evidence-pack?${said.join('&')}`;
  }

  /** Whether the address of a pack was made here, as it is, and is still good. */
  isGoodPack(key: OrganizationWorkflowKey, { signature, ...said }: PackSignature): boolean {
    return this.isValid(packText(key, said), said.expires, signature);
  }

  /** The address of everything about a user. */
  personalDataAddress(userId: string): { downloadUrl: string; expiresAt: Date } {
    const { expires, query } = this.signed((until) => personalDataText({ for: userId, expires: until }));
    const downloadUrl = `${this.publicUrl}/api/v1/profile/export?for=${userId}&${query}`;
    return { downloadUrl, expiresAt: new Date(expires * 1000) };
  }

  /** Whether such an address was made here, for this user, and is still good. */
  isGoodPersonalData({ signature, ...said }: AddressSignature): boolean {
    return this.isValid(personalDataText(said), said.expires, signature);
  }

  private signed(text: (expires: number) => string): { expires: number; query: string } {
    const expires = Math.floor(this.now() / 1000) + this.minutes * 60;
    return { expires, query: `expires=${expires}&signature=${this.sign(text(expires))}` };
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
  const period = [said.from?.toISOString() ?? null, said.to?.toISOString() ?? null];
  return `evidence-pack:${JSON.stringify([key.organizationId, key.workflowId, said.for, said.expires, ...period, said.names])}`;
}

function personalDataText({ for: userId, expires }: Omit<AddressSignature, 'signature'>): string {
  return `personal-data:${JSON.stringify([userId, expires])}`;
}
