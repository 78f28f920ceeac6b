import { createReadStream } from 'node:fs';
import type { Access } from '../../auth/access.js';
import type { Caller, UserCaller } from '../../auth/caller.js';
import { badUserInput, missingContent, unauthenticated } from '../../errors.js';
import type { StagedBlob } from '../../storage/blob-store.js';
import { displayName } from '../../storage/file-names.js';
import { detectFileType } from '../../storage/file-type.js';
import { DEFAULT_DOCUMENT_SOURCE, DOCUMENT_SOURCES, type DocumentSource } from '../../values/enums.js';
import type { FileFacts, IncomingFile, ReceivedFile } from '../../common/incoming-file.js';
import { LIMITS } from '../../values/limits.js';
import type { Selection } from '../../common/selection.js';
import type { RecordedFile } from '../audit/subjects.js';
import { lockArtifact, recordDocument, type ArtifactKey } from './document-events.js';
import type { DocumentVersionService } from './document-versions.service.js';

import type { OrganizationWorkflowService } from '../workflows/workflows.service.js';
import type { StoredContent } from '../files/stored-content.js';
import { assign, type RowOf } from '../../database/columns.js';
import { insertSelect, sql, statement, table } from '../../database/sql.js';

export interface NewDocumentVersion extends ArtifactKey {
  file: IncomingFile;
  /** Goes before what the file says of itself. */
  facts?: FileFacts;
  /** The file, where it has arrived already. */
  received?: ReceivedFile;
  /** Whether others use what was received as well. */
  isShared?: boolean;
  effectiveAt?: Date | null;
  /** `YYYY-MM-DD`. */
  validUntil?: string | null;
}

const d = table('document_version');

const STORED = [
  ...(['organizationId', 'workflowId', 'artifactId', 'originalName', 'size', 'contentType', 'source'] as const),
  ...(['sha256', 'createdBy', 'uploaderId', 'createdAt', 'effectiveAt', 'validUntil'] as const),
];

type StoredVersion = Pick<RowOf<'document_version'>, (typeof STORED)[number]>;

/**
 * Finds the version of this content, or adds it and trims. The parts of one statement see the rows as they were before
 * it, so the new row is not among those that are counted: of the old, one less than the limit stays.
 */
const store = statement<StoredVersion>()((p) => {
  const insert = insertSelect('document_version', assign('document_version', p, STORED));
  const isOfArtifact = sql`${d.organization_id} = ${p('organizationId')}
    and ${d.workflow_id} = ${p('workflowId')} and ${d.artifact_id} = ${p('artifactId')}`;
  return sql<{ id: number; created: boolean; trimmed: TrimmedVersion[] }>`
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

type TrimmedVersion = RecordedFile & { id: number };

/** Uploading versions of documents (specification 4.2 and 8). */
export class DocumentVersionUploadService {
  constructor(
    private readonly access: Access,
    private readonly content: StoredContent,
    private readonly workflows: OrganizationWorkflowService,
    /** Reads the answers. */
    private readonly documents: Pick<DocumentVersionService, 'byId'>,
    private readonly now: () => Date,
  ) {}

  /** Whether the caller may upload documents of an organization. */
  mayUpload(caller: Caller, organizationId: number): Promise<boolean> {
    return this.access.allows(caller, 'UPLOAD_DOCUMENTS', organizationId);
  }

  /**
   * Stores a version and answers it as the transaction that stored it saw it: ten later uploads may trim it at once. The
   * same content as a kept version of the artifact is that version again (specification 4.2). Throws NOT_FOUND, FORBIDDEN, MISSING_CONTENT,
   * INVALID_BASE64, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, BAD_USER_INPUT.
   */
  async upload(
    caller: Caller,
    input: NewDocumentVersion,
    selection: Selection,
  ): Promise<{ created: boolean; version: object }> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', input.organizationId);
    if (caller.kind !== 'user') throw unauthenticated();
    await this.workflows.requireControl(input.organizationId, input.workflowId, input.artifactId);
    const staged = await this.stage(input);
    try {
      if (staged.size === 0) throw missingContent();
      const facts = checkedFacts({ ...(await input.file.facts()), ...given(input.facts) });
      const { mediaType } = await detectFileType(staged, facts);
      const detected = { ...facts, contentType: mediaType };
      const { created, version, trimmed } = await this.keep(caller, input, { staged, facts: detected, selection });
      for (const { sha256 } of trimmed) await this.content.deleteIfUnreferenced(sha256);
      return { created, version };
    } finally {
      await staged.discard();
    }
  }

  private async stage({ file, received, isShared }: NewDocumentVersion): Promise<StagedBlob> {
    const staged = await received;
    if (staged !== undefined && !isShared) return staged;
    return this.content.store.stage(staged ? createReadStream(staged.path) : file.bytes, LIMITS.document.maxBytes);
  }

  private keep(
    caller: UserCaller,
    input: NewDocumentVersion,
    {
      staged,
      facts,
      selection,
    }: { staged: StagedBlob; facts: CheckedFacts & { contentType: string }; selection: Selection },
  ) {
    const { organizationId, workflowId, artifactId, effectiveAt, validUntil } = input;
    const { filename, contentType, source } = facts;
    const { sha256, size } = staged;
    const { username: createdBy, userId: uploader } = caller;
    return this.content.keep(staged, async (tx) => {
      await lockArtifact(tx, input);
      const now = this.now();
      const row = await store.one(tx, {
        ...{ organizationId, workflowId, artifactId, originalName: filename, size, contentType, source, sha256 },
        ...{ createdBy, uploaderId: uploader, createdAt: now.toISOString() },
        ...{ effectiveAt: effectiveAt?.toISOString() ?? null, validUntil: validUntil ?? null },
      });
      if (row.created) {
        await this.content.refuseExcess(tx, organizationId);
        const stored = { ...input, id: row.id, filename, sha256, size, uploader };
        await recordDocument(tx, caller, stored, 'DOCUMENT_UPLOADED', now);
        for (const each of row.trimmed)
          await recordDocument(tx, caller, { ...input, ...each }, 'DOCUMENT_TRIMMED', now);
      }
      return { ...row, version: await this.documents.byId(row.id, selection, tx) };
    });
  }
}

interface CheckedFacts {
  filename: string;
  contentType: string | undefined;
  source: DocumentSource;
}

/** Throws BAD_USER_INPUT with every error of the file's properties (specification 4.2). */
function checkedFacts({ filename, contentType, source }: FileFacts): CheckedFacts {
  const errors: string[] = [];
  if (filename === undefined || filename.trim() === '') errors.push('filename is required');
  const origin = source === undefined || source === '' ? DEFAULT_DOCUMENT_SOURCE : source;
  const known = DOCUMENT_SOURCES.find((each) => each === origin);
  if (known === undefined) errors.push(`source must be one of ${DOCUMENT_SOURCES.join(', ')}`);
  if (known === undefined || errors.length > 0) throw badUserInput(errors);
  return { filename: displayName(filename ?? ''), contentType: contentType || undefined, source: known };
}

function given(facts: FileFacts = {}): FileFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
