import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import { badUserInput, missingContent, unauthenticated } from '../errors.js';
import type { StagedBlob } from '../storage/blob-store.js';
import { displayName } from '../storage/display-name.js';
import { judgeFile } from '../storage/judge-file.js';
import { DEFAULT_DOCUMENT_SOURCE, DOCUMENT_SOURCES } from '../vocabulary/document-sources.js';
import type { FileFacts, IncomingFile } from '../vocabulary/incoming-file.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Selection } from '../vocabulary/selection.js';
import { tellMembers } from './document-events.js';
import type { DocumentVersionService } from './document-versions.js';
import { lockArtifact, type ArtifactKey } from './locked-artifact.js';
import type { OrganizationWorkflowService } from './organization-workflows.js';
import type { StoredContent } from './stored-content.js';

export interface NewDocumentVersion extends ArtifactKey {
  file: IncomingFile;
  /** Goes before what the file says of itself. */
  facts?: FileFacts;
  effectiveAt?: Date | null;
}

/**
 * Finds the version of this content, or adds it and trims. The parts of one statement see the rows as they were before
 * it, so the new row is not among those that are counted: of the old, one less than the limit stays.
 */
const STORE = `
  with existing as (
    select id from document_version
     where organization_id = $1 and workflow_id = $2 and artifact_id = $3 and sha256 = $4
  ), inserted as (
    insert into document_version (organization_id, workflow_id, artifact_id, sha256, original_name, size, content_type,
                                  source, created_by, effective_at, uploader_id, created_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 where not exists (select from existing)
    returning id
  ), trimmed as (
    delete from document_version where exists (select from inserted) and id in (
      select id from document_version where organization_id = $1 and workflow_id = $2 and artifact_id = $3
       order by id desc offset ${LIMITS.document.versionsKept - 1})
    returning sha256
  )
  select coalesce((select id from inserted), (select id from existing)) as id,
         exists (select from inserted) as created,
         array(select sha256 from trimmed) as trimmed`;

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

  /**
   * Stores a version and answers it as the transaction that stored it saw it: ten later uploads may trim it at once. The
   * same content as a kept version of the artifact is that version again (specification 4.2). Throws NOT_FOUND, FORBIDDEN, MISSING_CONTENT,
   * INVALID_BASE64, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, BAD_USER_INPUT.
   */
  async upload(
    caller: Caller,
    input: NewDocumentVersion,
    asked: Selection,
  ): Promise<{ created: boolean; version: object }> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', input.organizationId);
    if (caller.kind !== 'user') throw unauthenticated();
    await this.workflows.requireControl(input.organizationId, input.workflowId, input.artifactId);
    const staged = await this.content.store.stage(input.file.bytes, LIMITS.document.maxBytes);
    try {
      if (staged.size === 0) throw missingContent();
      const facts = checkedFacts({ ...(await input.file.facts()), ...given(input.facts) });
      const { mediaType } = await judgeFile({ ...staged, path: staged.path, ...facts });
      const judged = { ...facts, contentType: mediaType };
      const { created, version, trimmed } = await this.keep(caller, input, { staged, facts: judged, asked });
      for (const sha256 of trimmed) await this.content.letGo(sha256);
      return { created, version };
    } finally {
      await staged.discard();
    }
  }

  private keep(
    caller: UserCaller,
    input: NewDocumentVersion,
    { staged, facts, asked }: { staged: StagedBlob; facts: CheckedFacts; asked: Selection },
  ) {
    const { organizationId, workflowId, artifactId } = input;
    return this.content.keep(staged, async (tx) => {
      await lockArtifact(tx, input);
      const now = this.now();
      const [row] = await tx.rows<{ id: number; created: boolean; trimmed: string[] }>(STORE, [
        organizationId,
        workflowId,
        artifactId,
        staged.sha256,
        facts.filename,
        staged.size,
        facts.contentType,
        facts.source,
        caller.username,
        input.effectiveAt ?? null,
        caller.userId,
        now,
      ]);
      if (row === undefined) throw new Error('Storing a version returned no row');
      if (row.created) await this.content.refuseExcess(tx, organizationId);
      const told = { ...input, originalName: facts.filename };
      if (row.created) await tellMembers(tx, caller, told, { done: 'uploaded', at: now });
      return { ...row, version: await this.documents.byId(row.id, asked, tx) };
    });
  }
}

interface CheckedFacts {
  filename: string;
  contentType: string | undefined;
  source: string;
}

/** Throws BAD_USER_INPUT with every fault of what was said about the file (specification 4.2). */
function checkedFacts({ filename, contentType, source }: FileFacts): CheckedFacts {
  const faults: string[] = [];
  if (filename === undefined || filename.trim() === '') faults.push('filename is required');
  const origin = source === undefined || source === '' ? DEFAULT_DOCUMENT_SOURCE : source;
  if (!(DOCUMENT_SOURCES as readonly string[]).includes(origin)) {
    faults.push(`source must be one of ${DOCUMENT_SOURCES.join(', ')}`);
  }
  if (faults.length > 0) throw badUserInput(faults);
  return { filename: displayName(filename ?? ''), contentType: contentType || undefined, source: origin };
}

function given(facts: FileFacts = {}): FileFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
