import type { QueryResultRow } from 'pg';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { IncomingFile } from '../../storage/incoming-file.js';
import type { Selection } from '../../common/selection.js';
import { assign, type RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { person, Projection, properties, projected } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { DomainError, found, invalidData, type ErrorCode } from '../../errors.js';
import type { StagedBlob } from '../../storage/blob-store.js';
import { displayName } from '../../storage/file-names.js';
import { detectFileType } from '../../storage/file-type.js';
import type { IncidentStatus } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import { PersonalValue } from '../audit/personal-values.js';
import { record } from '../audit/record.js';
import { attachmentSubject, fileChanges } from '../audit/subjects.js';
import type { DownloadLinks } from '../files/download-links.js';
import type { StoredContent } from '../files/stored-content.js';
import { privilegeToDelete } from '../shared/privileges.service.js';
import { IncidentRecords, placeById } from './incident-records.js';
import { lockIncident, refuseClosed, type IncidentKey } from './incidents.service.js';

export interface NewAttachment extends IncidentKey {
  file: IncomingFile;
}

export interface AttachmentKey extends IncidentKey {
  id: number;
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

const projection = new Projection('IncidentAttachment', {
  ...properties(a, 'id', 'content_type', 'size', 'sha256', 'created_at'),
  filename: a.original_name,
  createdBy: person(a.created_by),
  cursor: placeById(a.id),
  downloadUrl: { needs: { id: a.id } },
  viewerCan: {
    needs: {
      organizationId: a.organization_id,
      incidentStatus: sql`(select ${i.status} from ${i.table} where ${i.id} = ${a.incident_id})`,
      uploaderId: a.uploader_id,
    },
  },
});

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

const STORED = [
  ...(['organizationId', 'incidentId', 'originalName', 'contentType', 'size', 'sha256'] as const),
  ...(['createdBy', 'uploaderId', 'createdAt'] as const),
];

type StoredAttachment = Pick<RowOf<'incident_attachment'>, (typeof STORED)[number]>;

const insert = projected<StoredAttachment>()((p, { select }) =>
  db
    .insertInto('incident_attachment')
    .values(assign('incident_attachment', p, STORED))
    .returning(select)
    .$castTo<AttachmentRow>(),
);

/** The reports that it is the copy of, which have none after its deletion. */
const copyOf = statement<AttachmentKey>()((p) =>
  db
    .selectFrom('incident_report')
    .select(['regime_id as regimeId', 'stage', 'number'])
    .where('attachment_id', '=', p('id'))
    .where('incident_id', '=', p('incidentId'))
    .where('organization_id', '=', p('organizationId'))
    .orderBy('id'),
);

const remove = projected<{ id: number }>()((p, { select }) =>
  db
    .deleteFrom('incident_attachment')
    .where('id', '=', p('id'))
    .returning(['sha256 as $sha256', 'original_name as $name', 'size as $size', 'uploader_id as $uploader'])
    .returning(select)
    .$castTo<AttachmentRow & { $sha256: string; $name: string; $size: number; $uploader: string | null }>(),
);

/** Files of incidents (specification 2.4 and 4.3). */
export class IncidentAttachmentService extends IncidentRecords<AttachmentRow> {
  constructor(
    database: Database,
    access: Access,
    private readonly content: StoredContent,
    private readonly links: DownloadLinks,
    private readonly now: () => Date,
  ) {
    super(database, access, a, projection);
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
    const user = await this.access.authorizeWrite(caller, 'ATTACH_FILES', organizationId);
    found(await titleOf.first(this.database, { organizationId, incidentId }));
    const staged = await asInvalidData(this.content.store.stage(file.bytes, LIMITS.attachment.maxBytes));
    try {
      const { size, sha256 } = staged;
      const detected = await asInvalidData(detect(staged, file));
      const attachment = { organizationId, incidentId, ...detected, size, sha256 };
      const attached = await this.content.storeWith(staged, (tx) => this.attach(tx, user, attachment, selection));
      this.complete([attached], selection);
      return attached;
    } finally {
      await staged.discard();
    }
  }

  /**
   * Deletes a file, and its bytes when nothing else refers to them; returns it as it was. Members who may attach files
   * may delete their own; those of others require rank 3. Throws NOT_FOUND, FORBIDDEN, and CONFLICT for a closed incident.
   */
  async delete(
    caller: Caller,
    { organizationId, incidentId, id }: AttachmentKey,
    selection: Selection,
  ): Promise<object> {
    const user = await this.access.authorizeWrite(caller, 'ATTACH_FILES', organizationId);
    const { uploaderId } = found(await uploader.first(this.database, { id, incidentId, organizationId }));
    await this.access.authorize(caller, privilegeToDelete(user, uploaderId, 'ATTACH_FILES'), organizationId);
    const deleted = await this.database.transaction(async (tx) => {
      const incident = await lockIncident(tx, { organizationId, incidentId });
      refuseClosed(incident);
      const reports = await copyOf.all(tx, { organizationId, incidentId, id });
      // A second request may have deleted it in the meantime.
      const row = found(await remove(projection.of(selection)).first(tx, { id }));
      const at = this.now();
      const { $name: filename, $sha256: sha256, $size: size, $uploader: uploader } = row;
      const subject = attachmentSubject({ id, name: filename }, { id: incidentId, name: incident.title });
      const changes = {
        ...fileChanges({ filename, sha256, size, uploader }, 'before'),
        ...(reports.length > 0 && { copyOf: { before: reports } }),
      };
      await record(tx, user, { organizationId, at, action: 'ATTACHMENT_DELETED', subject, changes });
      return row;
    });
    await this.content.deleteIfUnreferenced(deleted.$sha256);
    this.complete([deleted], selection);
    return deleted;
  }

  /** Whether `delete` would accept this caller. */
  async permissions(caller: Caller, { organizationId, incidentStatus, uploaderId }: ManagedAttachment) {
    const may = await this.access.granted(caller, organizationId);
    return { delete: incidentStatus !== 'CLOSED' && may(privilegeToDelete(caller, uploaderId, 'ATTACH_FILES')) };
  }

  private async attach(
    tx: Queryable,
    user: UserCaller,
    file: Omit<StoredAttachment, 'createdBy' | 'uploaderId' | 'createdAt'>,
    selection: Selection,
  ): Promise<AttachmentRow> {
    const { organizationId, incidentId, originalName: filename } = file;
    const { username: createdBy, userId: uploader } = user;
    const at = this.now();
    // Again: a reset may have deleted it in the meantime.
    const { title } = found(await titleOf.first(tx, file));
    const stored = { ...file, createdBy, uploaderId: uploader, createdAt: at.toISOString() };
    const row = await insert(projection.of(selection)).one(tx, stored);
    await this.content.refuseExcess(tx, organizationId);
    const subject = attachmentSubject({ id: row.id, name: filename }, { id: incidentId, name: title });
    const changes = fileChanges({ ...file, filename, uploader }, 'after');
    const state = { contentType: file.contentType, createdBy: new PersonalValue(uploader, createdBy) };
    await record(tx, user, { organizationId, at, action: 'ATTACHMENT_ADDED', subject, changes, state });
    return row;
  }

  protected override complete(attachments: readonly AttachmentRow[], selection: Selection): void {
    if (!selection.has('downloadUrl')) return;
    for (const attachment of attachments) attachment.downloadUrl = this.links.address('attachments', attachment.id);
  }
}

async function detect(staged: StagedBlob, file: IncomingFile): Promise<{ originalName: string; contentType: string }> {
  if (staged.size === 0) throw invalidData();
  const { filename, contentType } = await file.facts();
  const { mediaType } = await detectFileType(staged, { filename, contentType });
  return { originalName: displayName(filename ?? ''), contentType: mediaType };
}

/** Errors that are distinguished for documents are one code for attachments (specification 7.3). */
const INVALID_FILES: ReadonlySet<ErrorCode> = new Set(['MISSING_CONTENT', 'INVALID_BASE64', 'UNSUPPORTED_FILE_TYPE']);

function asInvalidData<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (!(error instanceof DomainError) || !INVALID_FILES.has(error.code)) throw error;
    throw Object.assign(invalidData(), error.allowed && { allowed: error.allowed });
  });
}
