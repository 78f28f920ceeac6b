import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database } from '../database/database.js';
import { badUserInput, notFound } from '../errors.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { Selection } from '../vocabulary/selection.js';
import { tellMembers } from './document-events.js';
import type { DocumentVersionService } from './document-versions.js';
import { lockArtifact, type ArtifactKey } from './locked-artifact.js';
import type { StoredContent } from './stored-content.js';
import { proseFaults } from './text-rules.js';

export interface DocumentVersionKey {
  organizationId: number;
  id: number;
}

/** Absent leaves a field as it is; null empties it. */
export interface DocumentVersionChange extends DocumentVersionKey {
  effectiveAt?: Date | null;
  note?: string | null;
}

interface VersionFacts extends ArtifactKey {
  originalName: string;
  uploaderId: string | null;
}

const FACTS = `
  select organization_id as "organizationId", workflow_id as "workflowId", artifact_id as "artifactId",
         original_name as "originalName", uploader_id as "uploaderId"
    from document_version where id = $1 and organization_id = $2`;

/** What is said of a version, and taking it away again (decisions §6; docs/adr/0011). Its content never changes. */
export class DocumentVersionChangeService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly documents: DocumentVersionService,
    private readonly content: StoredContent,
    private readonly now: () => Date,
  ) {}

  /** Changes what is given and answers the version. Throws NOT_FOUND, FORBIDDEN and BAD_USER_INPUT. */
  async update(
    caller: Caller,
    { organizationId, id, effectiveAt, note }: DocumentVersionChange,
    asked: Selection,
  ): Promise<object> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    const faults = note == null ? [] : proseFaults('note', note, LIMITS.document.noteCharacters);
    if (faults.length > 0) throw badUserInput(faults);
    // One statement for both fields: of two who change different ones at once, neither loses.
    return this.database.transaction(async (tx) => {
      const changed = await tx.rows(
        `update document_version
            set effective_at = case when $3 then $4::timestamptz else effective_at end,
                note = case when $5 then $6 else note end
          where id = $1 and organization_id = $2 returning 1`,
        [id, organizationId, effectiveAt !== undefined, effectiveAt ?? null, note !== undefined, note || null],
      );
      if (changed.length === 0) throw notFound();
      return this.documents.byId(id, asked, tx);
    });
  }

  /**
   * Deletes a version, and its bytes once nothing else refers to them; answers it as it was. Whoever may upload may
   * delete their own; versions of others take rank 3. Throws NOT_FOUND and FORBIDDEN.
   */
  async delete(caller: Caller, { organizationId, id }: DocumentVersionKey, asked: Selection): Promise<object> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const [facts] = await this.database.rows<VersionFacts>(FACTS, [id, organizationId]);
    if (facts === undefined) throw notFound();
    if (facts.uploaderId !== user.userId) await this.access.authorize(caller, 'DELETE_EVIDENCE', organizationId);
    const { version, sha256 } = await this.database.transaction(async (tx) => {
      await lockArtifact(tx, facts);
      // Of two who delete at once, one comes too late and finds nothing.
      const found = await this.documents.byId(id, asked, tx);
      const [deleted] = await tx.rows<{ sha256: string }>(
        'delete from document_version where id = $1 returning sha256',
        [id],
      );
      if (deleted === undefined) throw notFound();
      await tellMembers(tx, user, facts, { done: 'deleted', at: this.now() });
      return { version: found, sha256: deleted.sha256 };
    });
    await this.content.letGo(sha256);
    return version;
  }
}
