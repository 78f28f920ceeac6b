import type { Readable } from 'node:stream';
import type { Access } from '../../auth/access.js';
import type { Actor, Origin } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { found, notFound } from '../../errors.js';
import type { ByteRange } from '../../storage/blob-store.js';
import type { VerifiedContent } from '../../storage/verified-content.js';
import { openWhole } from '../../storage/whole-content.js';
import type { ReadRecorder } from '../audit/read-recorder.js';
import { attachmentSubject, versionSubject } from '../audit/subjects.js';
import { openReferenced } from './content-references.js';
import type { AuditorKey, DownloadKind, DownloadLinks } from './download-links.js';

/** A file that may be sent. */
export interface Download {
  /** File name at upload, for Content-Disposition. */
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  /** Records the download before bytes are sent. */
  open(range?: ByteRange): Promise<Readable>;
  /** Throws as `open` does for missing bytes. */
  requireBytes(): Promise<void>;
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

const auditor = statement<{ userId: string }>()((p) =>
  db
    .selectFrom('app_user')
    .select(['id as userId', 'personal_key as personalKey'])
    .where('id', '=', p('userId'))
    .where('deactivated_at', 'is', null),
);

export interface FileAddress {
  kind: string;
  id: number;
  /** Parameters of an address that was issued to an auditor. */
  engagement?: number;
  for?: string;
  /** Unix seconds. */
  expires: number;
  signature: string;
}

interface Engagements {
  /** Whether a document is shown to auditors of an engagement. */
  shows(engagementId: number, document: { id: number; organizationId: number }): Promise<boolean>;
}

/** Files by their signed address, which permits downloads until it expires. */
export class DownloadService {
  constructor(
    private readonly database: Database,
    private readonly access: Pick<Access, 'isAuditor'>,
    private readonly engagements: Engagements,
    private readonly files: VerifiedContent,
    private readonly links: DownloadLinks,
    private readonly readings: ReadRecorder,
    private readonly now: () => Date,
  ) {}

  /** Throws NOT_FOUND for an invalid or expired address, and for a deleted file. */
  async find({ kind, id, expires, signature, ...made }: FileAddress, origin: Origin): Promise<Download> {
    const audit = auditorOf(made);
    if (!isDownloadKind(kind) || !this.links.isGood({ kind, id, audit }, expires, signature)) throw notFound();
    const row = found(await FILES[kind].first(this.database, { id }));
    const reader = audit === undefined ? SIGNED_ADDRESS : await this.auditor(audit, { ...row, id });
    const { name, mediaType, size, sha256 } = row;
    const { files } = this;
    // Throws NOT_FOUND if the file was deleted in the meantime.
    const opened = <Opened>(step: () => Promise<Opened>) =>
      openReferenced(sha256, step, () => FILES[kind].first(this.database, { id }));
    const requireBytes = () =>
      opened(async () => {
        if (await files.store.has(sha256)) return;
        await files.store.ping();
        throw notFound();
      });
    const open = async (range?: ByteRange) => {
      // The hash of a whole file is verified while it is sent.
      const bytes = await opened(() =>
        range === undefined ? openWhole(files.store, sha256) : files.open(sha256, range),
      );
      try {
        const changes = audit && { engagement: { after: audit.engagementId } };
        const event = { ...eventOf(id, row), ...(changes && { changes }), at: this.now() };
        await this.readings.read({ ...reader, origin }, event);
      } catch (error) {
        bytes.destroy();
        throw error;
      }
      return bytes;
    };
    return { name, mediaType, size, sha256, open, requireBytes };
  }

  /** The auditor that the address was issued to, while the document is visible to it. Throws NOT_FOUND. */
  private async auditor({ engagementId, userId }: AuditorKey, file: FileRow & { id: number }): Promise<Actor> {
    const isShown =
      (await this.access.isAuditor(userId, engagementId)) && (await this.engagements.shows(engagementId, file));
    if (!isShown) throw notFound();
    return { kind: 'user', ...found(await auditor.first(this.database, { userId })) };
  }
}

/** Throws NOT_FOUND for an auditor's address with missing parameters. */
function auditorOf({ engagement, for: userId }: Pick<FileAddress, 'engagement' | 'for'>): AuditorKey | undefined {
  if (engagement !== undefined && userId !== undefined) return { engagementId: engagement, userId };
  if (engagement !== undefined || userId !== undefined) throw notFound();
  return undefined;
}

/** A signed address needs no token. */
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
