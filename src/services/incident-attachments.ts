import type { QueryResultRow } from 'pg';
import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { DomainError, invalidData, notFound, type ErrorCode } from '../errors.js';
import type { StagedBlob } from '../storage/blob-store.js';
import { displayName } from '../storage/display-name.js';
import { judgeFile } from '../storage/judge-file.js';
import type { IncomingFile } from '../vocabulary/incoming-file.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { tellOfAttachment, type ToldAttachment } from './attachment-events.js';
import type { DownloadLinks } from './download-links.js';
import { IncidentListing } from './incident-listing.js';
import type { IncidentRef } from './incidents.js';
import { lockOpenIncident, type IncidentKey } from './locked-incident.js';
import type { StoredContent } from './stored-content.js';

export interface NewAttachment {
  organizationId: number;
  incidentId: number;
  file: IncomingFile;
}

export interface AttachmentKey extends IncidentKey {
  id: number;
}

/** A file by its own id; where it belongs may be named as well. */
interface NamedAttachment {
  id: number;
  organizationId?: number | null;
  incidentId?: number | null;
}

type AttachmentRow = QueryResultRow & { id: number; downloadUrl?: string };

const FROM = 'incident_attachment a join incident i on i.id = a.incident_id';

const listing = new IncidentListing({ from: FROM, alias: 'a' });

const projection = new Projection({
  id: 'a.id',
  originalName: 'a.original_name',
  contentType: 'a.content_type',
  size: 'a.size',
  sha256: 'a.sha256',
  createdBy: 'a.created_by',
  createdAt: 'a.created_at',
  downloadUrl: { needs: { id: 'a.id' } },
  viewerCan: {
    needs: { organizationId: '(select owner.organization_id from incident owner where owner.id = a.incident_id)' },
  },
});

/** Files of incidents (specification 2.4 and 4.3). */
export class IncidentAttachmentService {
  private readonly content: StoredContent;
  private readonly links: DownloadLinks;
  private readonly now: () => Date;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    { content, links, now }: { content: StoredContent; links: DownloadLinks; now: () => Date },
  ) {
    this.content = content;
    this.links = links;
    this.now = now;
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not list the files of the incident. */
  authorizeList(caller: Caller, { organizationId }: IncidentRef): Promise<void> {
    return this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
  }

  /** Files of each incident, newest first; throws for the first that the caller may not list. */
  async ofIncidents(
    caller: Caller,
    incidents: readonly IncidentRef[],
    query: { page: PageRequest },
    { items, total }: ListSelection,
  ): Promise<Map<IncidentRef, Page<object>>> {
    for (const incident of incidents) await this.authorizeList(caller, incident);
    const request = { page: query.page, shape: projection.of(items), total };
    const pages = await listing.of<AttachmentRow>(this.database, incidents, request);
    for (const page of pages.values()) this.complete(page.rows, items);
    return pages;
  }

  /** One file; throws NOT_FOUND, also for one of another organization or incident where one is named, or FORBIDDEN. */
  async read(caller: Caller, { id, organizationId, incidentId }: NamedAttachment, asked: Selection): Promise<object> {
    if (organizationId != null) await this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
    const rows = await this.database.rows<AttachmentRow & { $organization: number }>(
      `select i.organization_id as "$organization", ${projection.of(asked).select} from ${FROM}
        where a.id = $1 and ($2::int is null or i.organization_id = $2) and ($3::int is null or i.id = $3)`,
      [id, organizationId, incidentId],
    );
    const [attachment] = rows;
    if (attachment === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_INCIDENTS', attachment.$organization);
    this.complete(rows, asked);
    return attachment;
  }

  /**
   * Attaches a file of at most 25 MB (FILE_TOO_LARGE). An empty file, one that never came and one of a type that is not
   * allowed are INVALID_DATA (decisions §7). Nothing of the file is read before the caller was authorized.
   */
  async upload(caller: Caller, { organizationId, incidentId, file }: NewAttachment, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'ATTACH_FILES', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const title = await this.titleOf({ organizationId, incidentId });
    const staged = await refusingOddFiles(() => this.content.store.stage(file.bytes, LIMITS.attachment.maxBytes));
    try {
      const { name, mediaType } = await refusingOddFiles(() => judge(staged, file));
      const attachment = { organizationId, incidentId, originalName: name, title, mediaType };
      return await this.attach(user, staged, attachment, asked);
    } finally {
      await staged.discard();
    }
  }

  /**
   * Deletes a file, and its bytes once nothing else refers to them; answers it as it was. Whoever may attach files may
   * delete their own; those of others take rank 3. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for a closed incident.
   */
  async delete(caller: Caller, { organizationId, incidentId, id }: AttachmentKey, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'ATTACH_FILES', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const key = [id, incidentId, organizationId];
    const [found] = await this.database.rows<{ uploaderId: string | null }>(
      `select a.uploader_id as "uploaderId" from ${FROM} where a.id = $1 and i.id = $2 and i.organization_id = $3`,
      key,
    );
    if (found === undefined) throw notFound();
    if (found.uploaderId !== user.userId) await this.access.authorize(caller, 'DELETE_EVIDENCE', organizationId);
    const deleted = await this.database.transaction(async (tx) => {
      const { title } = await lockOpenIncident(tx, { organizationId, incidentId });
      const [row] = await tx.rows<AttachmentRow & { $sha256: string; $name: string }>(
        `delete from incident_attachment a where a.id = $1
         returning a.sha256 as "$sha256", a.original_name as "$name", ${projection.of(asked).select}`,
        [id],
      );
      // Of two who delete at once, one comes too late.
      if (row === undefined) throw notFound();
      await tellOfAttachment(
        tx,
        user,
        { organizationId, incidentId, originalName: row.$name, title },
        { done: 'deleted', at: this.now() },
      );
      return row;
    });
    await this.content.letGo(deleted.$sha256);
    this.complete([deleted], asked);
    return deleted;
  }

  private async attach(
    user: UserCaller,
    staged: StagedBlob,
    attachment: ToldAttachment & { mediaType: string },
    asked: Selection,
  ): Promise<object> {
    const { incidentId, originalName, mediaType } = attachment;
    const { size, sha256 } = staged;
    const rows = await this.content.keep(staged, async (tx) => {
      const now = this.now();
      const inserted = await tx.rows<AttachmentRow>(
        `insert into incident_attachment as a (incident_id, original_name, content_type, size, sha256, created_by, uploader_id,
                                               created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${projection.of(asked).select}`,
        [incidentId, originalName, mediaType, size, sha256, user.username, user.userId, now],
      );
      await this.content.refuseExcess(tx, attachment.organizationId);
      await tellOfAttachment(tx, user, attachment, { done: 'attached', at: now });
      return inserted;
    });
    this.complete(rows, asked);
    return rows[0] as object;
  }

  /** Throws NOT_FOUND unless the organization has the incident. */
  private async titleOf({ organizationId, incidentId }: IncidentKey): Promise<string> {
    const [found] = await this.database.rows<{ title: string }>(
      'select title from incident where id = $1 and organization_id = $2',
      [incidentId, organizationId],
    );
    if (found === undefined) throw notFound();
    return found.title;
  }

  private complete(attachments: AttachmentRow[], asked: Selection): void {
    if (!asked.has('downloadUrl')) return;
    for (const attachment of attachments) attachment.downloadUrl = this.links.address('attachments', attachment.id);
  }
}

async function judge(staged: StagedBlob, file: IncomingFile): Promise<{ name: string; mediaType: string }> {
  if (staged.size === 0) throw invalidData();
  const { filename, contentType } = await file.facts();
  const { path, head, size } = staged;
  const { mediaType } = await judgeFile({ path, head, size, filename, contentType });
  return { name: displayName(filename ?? ''), mediaType };
}

/** What a document is told in words of its own is one sentence for an attachment (specification 7.3). */
const ODD_FILES: ReadonlySet<ErrorCode> = new Set(['MISSING_CONTENT', 'INVALID_BASE64', 'UNSUPPORTED_FILE_TYPE']);

async function refusingOddFiles<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError && ODD_FILES.has(error.code) ? invalidData() : error;
  }
}
