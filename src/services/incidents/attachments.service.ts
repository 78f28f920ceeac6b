import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { IncomingFile } from '../../common/incoming-file.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Database } from '../../database/database.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { person, Projection, properties, type Shape } from '../../database/projection.js';
import { db, sql, statement, statementPer, table } from '../../database/sql.js';
import { DomainError, invalidData, notFound, type ErrorCode } from '../../errors.js';
import type { StagedBlob } from '../../storage/blob-store.js';
import { displayName } from '../../storage/display-name.js';
import { detectFileType } from '../../storage/file-type.js';
import type { IncidentStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { fileAdded, fileRemoved } from '../audit/file-changes.js';
import { record } from '../audit/record.js';
import { attachmentSubject } from '../audit/subjects.js';
import type { DownloadLinks } from '../files/downloads.service.js';
import type { StoredContent } from '../files/stored-content.js';
import { privilegeToDelete } from '../shared/privileges.js';
import { IncidentListing, lockOpenIncident, type IncidentKey, type IncidentRef } from './incidents.service.js';

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

/** A file with the facts that its permissions depend on. */
interface ManagedAttachment {
  organizationId: number;
  incidentStatus: IncidentStatus;
  uploaderId: string | null;
}

type AttachmentRow = QueryResultRow & { id: number; downloadUrl?: string };

const a = table('incident_attachment');
const i = table('incident', 'i');

const listing = new IncidentListing(a);

const projection = new Projection('IncidentAttachment', {
  ...properties(a, 'id', 'content_type', 'size', 'sha256', 'created_at'),
  filename: a.original_name,
  createdBy: person(a.created_by),
  downloadUrl: { needs: { id: a.id } },
  viewerCan: {
    needs: {
      organizationId: a.organization_id,
      incidentStatus: sql`(select ${i.status} from ${i.table} where ${i.id} = ${a.incident_id})`,
      uploaderId: a.uploader_id,
    },
  },
});

const one = statementPer<Shape, Pick<NamedAttachment, 'organizationId' | 'incidentId'> & { id: number }>()(
  (p, { select }) =>
    sql<AttachmentRow & { $organization: number }>`
      select ${a.organization_id} as "$organization", ${sql.join(select)} from ${a.table}
       where ${a.id} = ${p('id')}
         and (${p('organizationId')}::int is null or ${a.organization_id} = ${p('organizationId')})
         and (${p('incidentId')}::int is null or ${a.incident_id} = ${p('incidentId')})`,
);

const uploader = statement<AttachmentKey>()((p) =>
  db
    .selectFrom('incident_attachment')
    .select('uploader_id as uploaderId')
    .where('id', '=', p('id'))
    .where('incident_id', '=', p('incidentId'))
    .where('organization_id', '=', p('organizationId')),
);

const titleOf = statement<IncidentKey>()((p) =>
  db
    .selectFrom('incident')
    .select('title')
    .where('id', '=', p('incidentId'))
    .where('organization_id', '=', p('organizationId')),
);

interface StoredAttachment extends IncidentKey {
  originalName: string;
  mediaType: string;
  size: number;
  sha256: string;
  username: string;
  userId: string;
  now: Date;
}

const insert = statementPer<Shape, StoredAttachment>()((p, { select }) =>
  db
    .insertInto('incident_attachment')
    .values({
      organization_id: p('organizationId'),
      incident_id: p('incidentId'),
      original_name: p('originalName'),
      content_type: p('mediaType'),
      size: p('size'),
      sha256: p('sha256'),
      created_by: p('username'),
      uploader_id: p('userId'),
      created_at: p('now'),
    })
    .returning(select)
    .$castTo<AttachmentRow>(),
);

const remove = statementPer<Shape, { id: number }>()((p, { select }) =>
  db
    .deleteFrom('incident_attachment')
    .where('id', '=', p('id'))
    .returning(['sha256 as $sha256', 'original_name as $name', 'size as $size', 'uploader_id as $uploader'])
    .returning(select)
    .$castTo<AttachmentRow & { $sha256: string; $name: string; $size: number; $uploader: string | null }>(),
);

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

  /** Those with these ids. Whether the caller may read them has been decided. */
  async records(ids: readonly number[], selection: Selection): Promise<Map<number, object>> {
    const found = await listing.byIds<AttachmentRow>(this.database, ids, projection.of(selection));
    this.complete([...found.values()], selection);
    return found;
  }

  /** One file; throws NOT_FOUND, also for one of another organization or incident where one is named, or FORBIDDEN. */
  async read(
    caller: Caller,
    { id, organizationId, incidentId }: NamedAttachment,
    selection: Selection,
  ): Promise<object> {
    if (organizationId != null) await this.access.authorize(caller, 'READ_INCIDENTS', organizationId);
    const shape = projection.of(selection);
    const rows = await one(shape).all(this.database, { id, organizationId, incidentId });
    const [attachment] = shape.nest<(typeof rows)[number]>(rows);
    if (attachment === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_INCIDENTS', attachment.$organization);
    this.complete(rows, selection);
    return attachment;
  }

  /**
   * Attaches a file of at most 25 MB (FILE_TOO_LARGE). A missing or empty file and a type that is
   * not allowed are INVALID_DATA. The caller is authorized before the file is read.
   */
  async upload(
    caller: Caller,
    { organizationId, incidentId, file }: NewAttachment,
    selection: Selection,
  ): Promise<object> {
    await this.access.authorize(caller, 'ATTACH_FILES', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const title = await this.titleOf({ organizationId, incidentId });
    const staged = await asInvalidData(() => this.content.store.stage(file.bytes, LIMITS.attachment.maxBytes));
    try {
      const { name, mediaType } = await asInvalidData(() => detect(staged, file));
      const attachment = { organizationId, incidentId, originalName: name, title, mediaType };
      return await this.attach(user, staged, attachment, selection);
    } finally {
      await staged.discard();
    }
  }

  /**
   * Deletes a file, and its bytes when nothing else refers to them; answers it as it was. Members who may attach files
   * may delete their own; those of others take rank 3. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for a closed incident.
   */
  async delete(
    caller: Caller,
    { organizationId, incidentId, id }: AttachmentKey,
    selection: Selection,
  ): Promise<object> {
    await this.access.authorize(caller, 'ATTACH_FILES', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const found = await uploader.first(this.database, { id, incidentId, organizationId });
    if (found === undefined) throw notFound();
    await this.access.authorize(caller, privilegeToDelete(user, found.uploaderId, 'ATTACH_FILES'), organizationId);
    const deleted = await this.database.transaction(async (tx) => {
      const { title } = await lockOpenIncident(tx, { organizationId, incidentId });
      const shape = projection.of(selection);
      const rows = await remove(shape).all(tx, { id });
      const [row] = shape.nest<(typeof rows)[number]>(rows);
      // A second request may have deleted it meanwhile.
      if (row === undefined) throw notFound();
      const at = this.now();
      const { $name: filename, $sha256: sha256, $size: size, $uploader: uploader } = row;
      const subject = attachmentSubject({ id, name: filename }, { id: incidentId, name: title });
      const changes = fileRemoved({ filename, sha256, size, uploader });
      await record(tx, user, { organizationId, at, action: 'ATTACHMENT_DELETED', subject, changes });
      return row;
    });
    await this.content.deleteIfUnreferenced(deleted.$sha256);
    this.complete([deleted], selection);
    return deleted;
  }

  /** What `delete` would accept from this caller. */
  async permissions(caller: Caller, { organizationId, incidentStatus, uploaderId }: ManagedAttachment) {
    const may = await this.access.granted(caller, organizationId);
    return { delete: incidentStatus !== 'CLOSED' && may(privilegeToDelete(caller, uploaderId, 'ATTACH_FILES')) };
  }

  private async attach(
    user: UserCaller,
    staged: StagedBlob,
    attachment: NotifiedAttachment & { mediaType: string },
    selection: Selection,
  ): Promise<object> {
    const { organizationId, incidentId, originalName, title, mediaType } = attachment;
    const { size, sha256 } = staged;
    const rows = await this.content.keep(staged, async (tx) => {
      const now = this.now();
      const stored = { organizationId, incidentId, originalName, mediaType, size, sha256, now };
      const { username, userId } = user;
      const shape = projection.of(selection);
      const inserted = shape.nest<AttachmentRow>(await insert(shape).all(tx, { ...stored, username, userId }));
      await this.content.refuseExcess(tx, organizationId);
      const subject = attachmentSubject(
        { id: inserted[0]?.id as number, name: originalName },
        { id: incidentId, name: title },
      );
      const changes = fileAdded({ filename: originalName, sha256, size, uploader: userId });
      await record(tx, user, { organizationId, at: now, action: 'ATTACHMENT_ADDED', subject, changes });
      return inserted;
    });
    this.complete(rows, selection);
    return rows[0] as object;
  }

  /** Throws NOT_FOUND unless the organization has the incident. */
  private async titleOf({ organizationId, incidentId }: IncidentKey): Promise<string> {
    const found = await titleOf.first(this.database, { organizationId, incidentId });
    if (found === undefined) throw notFound();
    return found.title;
  }

  private complete(attachments: AttachmentRow[], selection: Selection): void {
    if (!selection.has('downloadUrl')) return;
    for (const attachment of attachments) attachment.downloadUrl = this.links.address('attachments', attachment.id);
  }
}

async function detect(staged: StagedBlob, file: IncomingFile): Promise<{ name: string; mediaType: string }> {
  if (staged.size === 0) throw invalidData();
  const { filename, contentType } = await file.facts();
  const { path, head, size } = staged;
  const { mediaType } = await detectFileType({ path, head, size, filename, contentType });
  return { name: displayName(filename ?? ''), mediaType };
}

/** Errors that documents name apart are one for attachments (specification 7.3). */
const INVALID_FILES: ReadonlySet<ErrorCode> = new Set(['MISSING_CONTENT', 'INVALID_BASE64', 'UNSUPPORTED_FILE_TYPE']);

async function asInvalidData<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DomainError && INVALID_FILES.has(error.code) ? invalidData() : error;
  }
}

/** An attachment as its trail names it. */
export interface NotifiedAttachment extends IncidentKey {
  originalName: string;
  /** Title of the incident. */
  title: string;
}
