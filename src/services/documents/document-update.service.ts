import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database } from '../../database/database.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { Selection } from '../../common/selection.js';
import { notifyOfDocument, lockArtifact } from './document-events.js';
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
  note?: string | null;
}

const d = table('document_version');

const factsOf = statement<DocumentVersionKey>()((p) =>
  db
    .selectFrom('document_version')
    .select(['organization_id as organizationId', 'workflow_id as workflowId', 'artifact_id as artifactId'])
    .select(['original_name as originalName', 'uploader_id as uploaderId'])
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organizationId')),
);

interface Written extends DocumentVersionKey {
  setsEffectiveAt: boolean;
  effectiveAt: Date | null;
  setsNote: boolean;
  note: string | null;
}

/** One statement for both fields: of two who change different ones at once, neither loses. */
const update = statement<Written>()((p) =>
  db
    .updateTable('document_version')
    .set({
      effective_at: sql`case when ${p('setsEffectiveAt')} then ${p('effectiveAt')}::timestamptz else ${d.effective_at} end`,
      note: sql`case when ${p('setsNote')} then ${p('note')} else ${d.note} end`,
    })
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organizationId'))
    .returning('id'),
);

const remove = statement<{ id: number }>()((p) =>
  db.deleteFrom('document_version').where('id', '=', p('id')).returning('sha256'),
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
    { organizationId, id, effectiveAt, note }: DocumentVersionChange,
    selection: Selection,
  ): Promise<object> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', organizationId);
    return this.database.transaction(async (tx) => {
      const changed = await update.first(tx, {
        ...{ id, organizationId, setsEffectiveAt: effectiveAt !== undefined, effectiveAt: effectiveAt ?? null },
        ...{ setsNote: note !== undefined, note: note || null },
      });
      if (changed === undefined) throw notFound();
      return this.documents.byId(id, selection, tx);
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
    await this.access.authorize(caller, privilegeToDelete(user, facts.uploaderId, 'UPLOAD_DOCUMENTS'), organizationId);
    const { version, sha256 } = await this.database.transaction(async (tx) => {
      await lockArtifact(tx, facts);
      // Of two who delete at once, one comes too late and finds nothing.
      const found = await this.documents.byId(id, selection, tx);
      const deleted = await remove.first(tx, { id });
      if (deleted === undefined) throw notFound();
      await notifyOfDocument(tx, user, facts, { done: 'deleted', at: this.now() });
      return { version: found, sha256: deleted.sha256 };
    });
    await this.content.deleteIfUnreferenced(sha256);
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
