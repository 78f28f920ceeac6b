import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { db, statement } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import { changesBetween, record } from '../audit/record.js';
import { versionSubject } from '../audit/subjects.js';
import { lockArtifact, recordDocument } from './document-events.js';
import type { DocumentVersionService } from './document-versions.service.js';

import type { StoredContent } from '../files/stored-content.js';
import { privilegeToDelete } from '../shared/privileges.js';

export interface DocumentVersionKey {
  organizationId: number;
  id: number;
}

/** A version with the facts that its permissions depend on. */
interface ManagedVersion {
  organizationId: number;
  uploaderId: string | null;
}

/** Absent leaves a field as it is; null empties it. */
export interface DocumentVersionChange extends DocumentVersionKey {
  effectiveAt?: Date | null;
  /** `YYYY-MM-DD`. */
  validUntil?: string | null;
  note?: string | null;
}

const factsOf = statement<DocumentVersionKey>()((p) =>
  db
    .selectFrom('document_version')
    .select(['id', 'organization_id as organizationId', 'workflow_id as workflowId', 'artifact_id as artifactId'])
    .select(['original_name as filename', 'sha256', 'size', 'uploader_id as uploader'])
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organizationId')),
);

const lock = statement<DocumentVersionKey>()((p) =>
  db
    .selectFrom('document_version')
    .select(['id', 'workflow_id as workflowId', 'artifact_id as artifactId', 'original_name as filename'])
    .select(['effective_at as effectiveAt', 'valid_until as validUntil', 'note'])
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organizationId'))
    .forNoKeyUpdate(),
);

const update = statement<{
  id: number;
  effectiveAt: Date | string | null;
  validUntil: string | null;
  note: string | null;
}>()((p) =>
  db
    .updateTable('document_version')
    .set({ effective_at: p('effectiveAt'), valid_until: p('validUntil'), note: p('note') })
    .where('id', '=', p('id')),
);

const remove = statement<{ id: number }>()((p) =>
  db.deleteFrom('document_version').where('id', '=', p('id')).returning('id'),
);

/** What is said of a version, and taking it away again (docs/adr/0011). Its content never changes. */
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
    { organizationId, id, effectiveAt, validUntil, note }: DocumentVersionChange,
    selection: Selection,
  ): Promise<object> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    return this.database.transaction(async (tx) => {
      const before = await lock.first(tx, { id, organizationId });
      if (before === undefined) throw notFound();
      const after = {
        effectiveAt: effectiveAt === undefined ? before.effectiveAt : (effectiveAt?.toISOString() ?? null),
        validUntil: validUntil === undefined ? before.validUntil : validUntil,
        note: note === undefined ? before.note : note || null,
      };
      await update.all(tx, { id, ...after });
      const version = await this.documents.byId(id, selection, tx);
      const changes = changesBetween(before, after, ['effectiveAt', 'validUntil', 'note']);
      await record(tx, caller, {
        ...{ organizationId, action: 'DOCUMENT_UPDATED', at: this.now() },
        ...{ subject: versionSubject(before), changes },
      });
      return version;
    });
  }

  /**
   * Deletes a version, and its bytes when nothing else refers to them; returns it as it was. Members who may upload may
   * delete their own versions; those of others take rank 3. Throws NOT_FOUND and FORBIDDEN.
   */
  async delete(caller: Caller, { organizationId, id }: DocumentVersionKey, selection: Selection): Promise<object> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    const user = this.access.authorizeSelf(caller, 'write');
    const facts = await factsOf.first(this.database, { id, organizationId });
    if (facts === undefined) throw notFound();
    await this.access.authorize(caller, privilegeToDelete(user, facts.uploader, 'UPLOAD_DOCUMENTS'), organizationId);
    const version = await this.database.transaction(async (tx) => {
      await lockArtifact(tx, facts);
      // Of two who delete at once, one comes too late and finds nothing.
      const found = await this.documents.byId(id, selection, tx);
      const deleted = await remove.first(tx, { id });
      if (deleted === undefined) throw notFound();
      await recordDocument(tx, user, facts, 'DOCUMENT_DELETED', this.now());
      return found;
    });
    await this.content.deleteIfUnreferenced(facts.sha256);
    return version;
  }

  /** What `update` and `delete` would accept from this caller. */
  async permissions(caller: Caller, { organizationId, uploaderId }: ManagedVersion) {
    const may = await this.access.granted(caller, organizationId);
    return {
      update: may('UPLOAD_DOCUMENTS'),
      delete: may(privilegeToDelete(caller, uploaderId, 'UPLOAD_DOCUMENTS')),
    };
  }
}
