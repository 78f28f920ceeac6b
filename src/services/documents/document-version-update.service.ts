import { createReadStream } from 'node:fs';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import type { FileFacts, IncomingFile, ReceivedFile } from '../../storage/incoming-file.js';
import type { Selection } from '../../common/selection.js';
import { assign, selectSome, type RowOf } from '../../database/columns.js';
import type { Database, Queryable } from '../../database/database.js';
import { db, insertSelect, sql, statement, table, type Placeholders } from '../../database/sql.js';
import { found, inputError, invalidInput, missingContent, notFound, requireVersion } from '../../errors.js';
import type { StagedBlob } from '../../storage/blob-store.js';
import { displayName } from '../../storage/file-names.js';
import { detectFileType } from '../../storage/file-type.js';
import { documentErrors, sourceOf } from '../../values/document-facts.js';
import { LIMITS } from '../../values/limits.js';
import { PersonalValue } from '../audit/personal-values.js';
import { changesBetween, record, type AuditFacts } from '../audit/record.js';
import { fileChanges, versionSubject, type RecordedFile } from '../audit/subjects.js';
import type { StoredContent } from '../files/stored-content.js';
import { privilegeToDelete } from '../shared/privileges.service.js';
import { controlOf } from '../workflows/catalog.js';
import type { SeenWorkflow } from '../workflows/progress.js';
import type { WorkflowService } from '../workflows/workflows.service.js';
import type { ArtifactKey, DocumentVersionService } from './document-versions.service.js';

/** Facts about a version. In a change, absent leaves a field unchanged, and null empties it. */
interface SaidOfVersion {
  effectiveAt?: Date | null;
  /** `YYYY-MM-DD`. */
  validUntil?: string | null;
  note?: string | null;
}

export interface NewDocumentVersion extends ArtifactKey, SaidOfVersion {
  file: IncomingFile;
  /** Takes precedence over the file's own media type. */
  facts?: FileFacts;
  /** The file, if it has been received already. */
  received?: ReceivedFile;
  /** Whether the received file is shared with other uploads. */
  isShared?: boolean;
  /** The expected SHA-256 of the content, in lower case. */
  sha256?: string | null;
}

export interface DocumentVersionKey {
  organizationId: number;
  id: number;
  /** The expected version of its facts; any version when null or absent. */
  version?: number | null;
}

export interface DocumentVersionChange extends DocumentVersionKey, SaidOfVersion {}

/** A version with the facts that its permissions depend on. */
interface ManagedVersion {
  organizationId: number;
  uploaderId: string | null;
}

/** A version as the audit trail has it. */
type RecordedVersion = ArtifactKey & RecordedFile & { id: number };

/** Error of a `sha256` that differs from the content's. */
export const NOT_ITS = 'is not that of the file';

const d = table('document_version');

const STORED = [
  ...(['organizationId', 'workflowId', 'artifactId', 'originalName', 'size', 'contentType', 'source'] as const),
  ...(['sha256', 'createdBy', 'uploaderId', 'createdAt', 'effectiveAt', 'validUntil', 'note'] as const),
];

type StoredVersion = Pick<RowOf<'document_version'>, (typeof STORED)[number]>;

/**
 * Finds the version of this content, or adds it and trims. All parts of a statement see the rows before it, so the new
 * row is not counted: of the old versions, one less than the limit remains.
 */
const store = statement<StoredVersion>()((p) => {
  const insert = insertSelect('document_version', assign('document_version', p, STORED));
  const isOfArtifact = sql`${d.organization_id} = ${p('organizationId')}
    and ${d.workflow_id} = ${p('workflowId')} and ${d.artifact_id} = ${p('artifactId')}`;
  return sql<{ id: number; created: boolean; trimmed: (RecordedFile & { id: number })[] }>`
    with existing as (
      select ${d.id} from ${d.table} where ${isOfArtifact} and ${d.sha256} = ${p('sha256')}
    ), inserted as (
      ${insert} where not exists (select from existing) returning ${d.id}
    ), trimmed as (
      delete from ${d.table} where exists (select from inserted) and ${d.id} in (
        select ${d.id} from ${d.table} where ${isOfArtifact} order by ${d.id} desc offset ${LIMITS.document.versionsKept - 1})
      returning ${d.id}, ${d.sha256}, ${d.original_name} as filename, ${d.size}, ${d.uploader_id} as uploader
    )
    select coalesce((select id from inserted), (select id from existing)) as id,
           exists (select from inserted) as created,
           coalesce((select jsonb_agg(trimmed) from trimmed), '[]') as trimmed`;
});

/** Serializes changes of one artifact's versions until the transaction ends. */
const lockArtifact = statement<ArtifactKey>()((p) => {
  const name = sql`${p('organizationId')}::bigint || '/' || ${p('workflowId')} || '/' || ${p('artifactId')}`;
  return sql`select pg_advisory_xact_lock(hashtextextended(${name}, 1))`;
});

const FACTS = [
  ...(['id', 'organizationId', 'workflowId', 'artifactId', 'sha256', 'size', 'createdAt'] as const),
  ...(['effectiveAt', 'validUntil', 'note', 'version'] as const),
];

const factsBy = (p: Placeholders<DocumentVersionKey>) =>
  db
    .selectFrom('document_version as d')
    .select(selectSome('document_version', 'd', FACTS))
    .select(['d.original_name as filename', 'd.uploader_id as uploader'])
    .where('d.id', '=', p('id'))
    .where('d.organization_id', '=', p('organizationId'));

const factsOf = statement<DocumentVersionKey>()(factsBy);
const lock = statement<DocumentVersionKey>()((p) => factsBy(p).forNoKeyUpdate());

const SAID = ['effectiveAt', 'validUntil', 'note'] as const;

const update = statement<Pick<RowOf<'document_version'>, 'id' | (typeof SAID)[number]>>()((p) =>
  db
    .updateTable('document_version')
    .set(assign('document_version', p, SAID))
    .where('id', '=', p('id')),
);

const remove = statement<{ id: number }>()((p) => db.deleteFrom('document_version').where('id', '=', p('id')));

/** Uploading versions of documents (specification 4.2 and 8), changing their facts, and deleting them (docs/adr/0011). */
export class DocumentVersionUpdateService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly content: StoredContent,
    private readonly workflows: WorkflowService,
    private readonly documents: DocumentVersionService,
    private readonly now: () => Date,
  ) {}

  /**
   * Stores a version and returns it as seen by its transaction: ten later uploads may trim it at once. Content that equals a
   * stored version of the artifact is that version (specification 4.2). Throws NOT_FOUND, FORBIDDEN, MISSING_CONTENT,
   * INVALID_BASE64, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, BAD_USER_INPUT, and as `refuseOther`.
   */
  async upload(
    caller: Caller,
    input: NewDocumentVersion,
    selection: Selection,
  ): Promise<{ created: boolean; documentVersion: object }> {
    const { organizationId, workflowId, artifactId, effectiveAt = null, validUntil = null, note = null } = input;
    const user = await this.access.authorizeWrite(caller, 'UPLOAD_DOCUMENTS', organizationId);
    const seen = await this.workflows.requireControl(organizationId, workflowId, artifactId);
    const staged = await this.stage(input);
    try {
      if (staged.size === 0) throw missingContent();
      if (input.sha256 != null && input.sha256 !== staged.sha256) throw invalidInput([inputError('sha256', NOT_ITS)]);
      const { filename: originalName, source, ...declared } = await checkedFacts(input);
      const { mediaType: contentType } = await detectFileType(staged, { filename: originalName, ...declared });
      const { sha256, size } = staged;
      const stored = {
        ...{ organizationId, workflowId, artifactId, originalName, size, contentType, source, sha256, validUntil },
        ...{ effectiveAt: effectiveAt?.toISOString() ?? null, note },
      };
      const { created, documentVersion, trimmed } = await this.content.storeWith(staged, async (tx) => {
        await lockArtifact.all(tx, stored);
        // Receiving the file and waiting for the lock have taken time.
        await this.requireStill(tx, seen, artifactId);
        const result = await this.store(tx, user, stored, selection);
        if (!result.created) await this.refuseOther(tx, { organizationId, id: result.id }, input);
        return result;
      });
      for (const each of trimmed) await this.content.deleteIfUnreferenced(each.sha256);
      return { created, documentVersion };
    } finally {
      await staged.discard();
    }
  }

  /** Throws BAD_USER_INPUT for facts that differ from those of the stored version with this content, which stays unchanged. */
  async refuseOther(on: Queryable, { organizationId, id }: DocumentVersionKey, about: SaidOfVersion): Promise<void> {
    const { effectiveAt, validUntil, note } = about;
    const said = { effectiveAt: effectiveAt?.toISOString(), validUntil, note };
    const { createdAt, ...stored } = found(await factsOf.first(on, { organizationId, id }));
    // Evidence packs date a version without a date by its upload.
    const before = { ...stored, effectiveAt: stored.effectiveAt ?? createdAt };
    const other = SAID.filter((name) => said[name] && said[name] !== before[name]);
    const sentence = `differs from that of document ${id}, which has this content: change it there`;
    if (other.length > 0) throw invalidInput(other.map((name) => inputError(name, sentence)));
  }

  /** Changes what is given and answers the version. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async update(
    caller: Caller,
    { organizationId, id, version: expected, effectiveAt, validUntil, note }: DocumentVersionChange,
    selection: Selection,
  ): Promise<object> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    return this.database.transaction(async (tx) => {
      const before = found(await lock.first(tx, { id, organizationId }));
      requireVersion(before, expected);
      const after = {
        effectiveAt: effectiveAt === undefined ? before.effectiveAt : (effectiveAt?.toISOString() ?? null),
        validUntil: validUntil === undefined ? before.validUntil : validUntil,
        note: note === undefined ? before.note : note || null,
      };
      await update.all(tx, { id, ...after });
      const version = await this.documents.byId(id, selection, tx);
      const facts = { action: 'DOCUMENT_UPDATED', at: this.now(), changes: changesBetween(before, after) } as const;
      await record(tx, caller, { ...facts, organizationId, subject: versionSubject(before) });
      return version;
    });
  }

  /**
   * Deletes a version, and its bytes when nothing else refers to them; returns it as it was. Members who may upload may
   * delete their own versions; those of others take rank 3. Throws NOT_FOUND and FORBIDDEN.
   */
  async delete(caller: Caller, key: DocumentVersionKey, selection: Selection): Promise<object> {
    const { organizationId, id } = key;
    const user = await this.access.authorizeWrite(caller, 'UPLOAD_DOCUMENTS', organizationId);
    const facts = found(await factsOf.first(this.database, { id, organizationId }));
    await this.access.authorize(caller, privilegeToDelete(user, facts.uploader, 'UPLOAD_DOCUMENTS'), organizationId);
    const version = await this.database.transaction(async (tx) => {
      await lockArtifact.all(tx, facts);
      // Of two concurrent deletions, one finds nothing.
      const locked = found(await lock.first(tx, { id, organizationId }));
      requireVersion(locked, key.version);
      const deleted = await this.documents.byId(id, selection, tx);
      await remove.all(tx, { id });
      await recordFile(tx, user, facts, { action: 'DOCUMENT_DELETED', at: this.now() });
      return deleted;
    });
    await this.content.deleteIfUnreferenced(facts.sha256);
    return version;
  }

  /** Whether this caller may `update` and `delete` a version. */
  async permissions(caller: Caller, { organizationId, uploaderId }: ManagedVersion) {
    const may = await this.access.granted(caller, organizationId);
    return {
      update: may('UPLOAD_DOCUMENTS'),
      delete: may(privilegeToDelete(caller, uploaderId, 'UPLOAD_DOCUMENTS')),
    };
  }

  private async stage({ file, received, isShared }: NewDocumentVersion): Promise<StagedBlob> {
    const staged = await received;
    if (staged !== undefined && !isShared) return staged;
    return this.content.store.stage(staged ? bytesAt(staged.path) : file.bytes, LIMITS.document.maxBytes);
  }

  /** Throws NOT_FOUND if the workflow was dissociated in the meantime, or imported again without the control. */
  private async requireStill(tx: Queryable, seen: SeenWorkflow, controlId: string): Promise<void> {
    // The preview of an import counts the documents of removed controls.
    await this.workflows.lockImported(tx, seen.key);
    await this.workflows.lockAssociated(tx, seen.key);
    const { workflow } = await this.workflows.locked(tx, seen);
    if (controlOf(workflow, controlId) === undefined) throw notFound();
  }

  private async store(
    tx: Queryable,
    user: UserCaller,
    version: Omit<StoredVersion, 'createdBy' | 'uploaderId' | 'createdAt'>,
    selection: Selection,
  ) {
    const { organizationId, originalName: filename } = version;
    const { username: createdBy, userId: uploader } = user;
    const now = this.now();
    const row = await store.one(tx, { ...version, createdBy, uploaderId: uploader, createdAt: now.toISOString() });
    if (row.created) {
      await this.content.refuseExcess(tx, organizationId);
      const { contentType, source, effectiveAt, validUntil, note } = version;
      const said = { contentType, source, effectiveAt, validUntil, ...(note !== null && { note }) };
      const state = { ...said, createdBy: new PersonalValue(uploader, createdBy) };
      const stored = { ...version, id: row.id, filename, uploader };
      await recordFile(tx, user, stored, { action: 'DOCUMENT_UPLOADED', at: now, state });
      for (const each of row.trimmed)
        await recordFile(tx, user, { ...version, ...each }, { action: 'DOCUMENT_TRIMMED', at: now });
    }
    return { ...row, documentVersion: await this.documents.byId(row.id, selection, tx) };
  }
}

/** Opened when it is read: until then, the file would not be closed and errors of opening would be unhandled. */
async function* bytesAt(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
}

/** Records that a version was stored or deleted. */
function recordFile(
  tx: Queryable,
  user: UserCaller,
  version: RecordedVersion,
  facts: Omit<AuditFacts, 'changes'>,
): Promise<void> {
  const changes = fileChanges(version, facts.action === 'DOCUMENT_UPLOADED' ? 'after' : 'before');
  const { organizationId } = version;
  return record(tx, user, { ...facts, organizationId, changes, subject: versionSubject(version) });
}

/** The checked properties of the file. Throws BAD_USER_INPUT with every error (specification 4.2). */
async function checkedFacts({ file, facts = {} }: NewDocumentVersion) {
  const said = await file.facts();
  const { filename = said.filename, contentType = said.contentType, source = said.source } = facts;
  const known = sourceOf({ source });
  const errors = documentErrors({ filename, source });
  if (known === undefined || errors.length > 0) {
    throw invalidInput(errors.map(({ field, sentence }) => inputError(field, sentence)));
  }
  return { filename: displayName(filename ?? ''), contentType: contentType || undefined, source: known };
}
