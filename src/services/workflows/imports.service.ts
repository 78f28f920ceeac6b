import { dayOf } from '../../common/local-time.js';
import { hash } from 'node:crypto';
import type { Access } from '../../auth/access.js';
import { userOf, type Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { Database, Queryable } from '../../database/database.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { badUserInput, conflict, found, invalidInput, requireVersion, wholeError } from '../../errors.js';
import type { ImportMode } from '../../values/enums.js';
import { LIMITS } from '../../values/limits.js';
import type { CatalogWorkflow, WorkflowFile } from './catalog-file.js';
import type { CatalogDocument, CatalogError } from './catalog-text.js';
import { recordWorkflow } from '../audit/subjects.js';
import { controlOf } from './catalog.js';
import { TOO_MANY_PAIRS, type MappingFile } from './control-mappings.js';
import { forgetReminders } from './control-reminders.service.js';
import { becomingLeaves, importChanges, recordedChanges, type ImportChanges } from './import-changes.js';
import { importErrors, readIncomingWorkflow, textErrors, type IncomingWorkflow } from './incoming-workflow.js';
import type { ImportedFile, OrganizationCatalogs } from './organization-catalogs.js';
import { recordProgress, type OrganizationWorkflowKey } from './progress.js';
import { association, lockAssociation } from './workflows.service.js';
import {
  countImports,
  importListing,
  lockImports,
  lockImport,
  oneImport,
  importProjection,
  deleteImport,
  deleteSameMapping,
  storeImport,
  importedFile,
} from './import-records.js';

export interface NewWorkflowImport extends IncomingWorkflow {
  organizationId: number;
  mode: ImportMode;
  /** The digest of a preview: the import is refused when it would do anything else. */
  previewDigest?: string | null;
  /** The version of the earlier import that it replaces; any version, or none at all, when null or absent. */
  replacesVersion?: number | null;
}

/** An import with the facts that its permissions depend on. */
interface ManagedImport {
  organizationId: number;
  mode: ImportMode;
  associated: boolean;
}

/** The changes that an import would make. */
export interface WorkflowImportPreview extends ImportChanges {
  workflowId: string;
  name: string;
  edition: string;
  /** The id was imported before. */
  replaces: boolean;
  isAssociated: boolean;
}

/** No import has this version. */
const NONE = { version: 0 };

/** Workflows, official titles and mappings that organizations bring along; private to each of them. */
export class WorkflowImportService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly now: () => Date,
  ) {}

  /**
   * Stores it, replacing the organization's earlier import of this id, and a mapping also that of the same workflows;
   * `created` says whether there was none.
   * Statuses and documents stay by the ids of their controls. Throws FORBIDDEN, NOT_FOUND, FILE_TOO_LARGE, BAD_USER_INPUT
   * with every error, PRECONDITION_FAILED for another version, and CONFLICT for an associated workflow unless a preview has
   * said what becomes of it.
   */
  async import(
    caller: Caller,
    input: NewWorkflowImport,
    selection: Selection,
  ): Promise<{ created: boolean; workflowImport: object }> {
    const { organizationId, mode, previewDigest = null, replacesVersion } = input;
    const file = await this.readAuthorized(caller, input);
    const { content } = file;
    const answer = await this.database.transaction(async (tx) => {
      await lockImports.all(tx, { organizationId });
      const key = { organizationId, workflowId: content.id };
      const stored = await lockImport.first(tx, key);
      requireVersion(stored ?? NONE, replacesVersion);
      const isAssociated = stored?.mode === 'WORKFLOW' && (await lockAssociation.first(tx, key)) !== undefined;
      refuseOtherMode(stored, mode);
      const replaced = file.mode === 'MAPPING' && (await this.replaceMapping(tx, caller, organizationId, file.content));
      if (stored === undefined) await this.requireCapacity(tx, organizationId);
      const written = { organizationId, workflowId: content.id, mode, content: JSON.stringify(content) };
      const now = this.now();
      const changes =
        file.mode === 'WORKFLOW'
          ? await importChanges(
              tx,
              key,
              before(stored),
              file.content,
              dayOf(now, (await this.catalogs.inSnapshot(tx, key.organizationId)).timeZone),
            )
          : undefined;
      if (isAssociated && previewDigest === null) throw conflict('WORKFLOW_ASSOCIATED');
      if (previewDigest !== null && previewDigest !== changes?.digest) throw conflict('STALE_PREVIEW');
      const row = { ...written, importedBy: userOf(caller).username, importedAt: now };
      const workflowImport = await storeImport(importProjection.of(selection)).one(tx, row);
      const { name, changes: facts } = recordOf(file);
      const recorded =
        stored !== undefined && changes !== undefined ? { ...facts, ...recordedChanges(changes) } : facts;
      await recordWorkflow(tx, caller, { ...key, name }, { action: 'WORKFLOW_IMPORTED', at: now, changes: recorded });
      if (isAssociated) await this.recordProgress(tx, key, now);
      if (changes !== undefined) await forgetReminders.all(tx, { ...key, controlIds: becomingLeaves(changes) });
      return { created: stored === undefined && !replaced, workflowImport };
    });
    this.forget(organizationId);
    return answer;
  }

  /**
   * The changes that an import of a workflow would make; nothing is stored. Throws what `import` throws of the
   * workflow.
   */
  async preview(caller: Caller, input: Omit<NewWorkflowImport, 'mode'>): Promise<WorkflowImportPreview> {
    const file = await this.readAuthorized(caller, { ...input, mode: 'WORKFLOW' });
    const content = file.content as WorkflowFile;
    const key = { organizationId: input.organizationId, workflowId: content.id };
    return this.database.transaction(async (tx) => {
      const stored = await importedFile.first(tx, key);
      refuseOtherMode(stored, 'WORKFLOW');
      if (stored === undefined) await this.requireCapacity(tx, input.organizationId);
      const isAssociated = (await association.first(tx, key)) !== undefined;
      const changes = await importChanges(
        tx,
        key,
        before(stored),
        content,
        dayOf(this.now(), (await this.catalogs.inSnapshot(tx, key.organizationId)).timeZone),
      );
      const { name, version: edition } = content;
      return { workflowId: content.id, name, edition, replaces: stored !== undefined, isAssociated, ...changes };
    });
  }

  /**
   * Returns it as it was. Throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED for another version, and CONFLICT while the
   * workflow is associated.
   */
  async remove(
    caller: Caller,
    { version, ...key }: OrganizationWorkflowKey & { version?: number | null },
    selection: Selection,
  ): Promise<object> {
    const { organizationId, workflowId } = key;
    await this.access.authorize(caller, 'MANAGE_WORKFLOWS', organizationId);
    const removed = await this.database.transaction(async (tx) => {
      const stored = found(await lockImport.first(tx, key));
      requireVersion(stored, version);
      // Titles and mappings may go at any time: they neither add nor move controls. A statement of its own, so that it
      // sees what was committed while the lock was awaited.
      if (stored.mode === 'WORKFLOW' && (await association.first(tx, key)) !== undefined)
        throw conflict('WORKFLOW_ASSOCIATED');
      const gone = await deleteImport(importProjection.of(selection)).one(tx, { organizationId, workflowId });
      await this.recordRemoval(tx, caller, key);
      return gone;
    });
    this.forget(organizationId);
    return removed;
  }

  /** Whether `import` of the same id and `remove` would accept this caller. */
  async permissions(caller: Caller, { organizationId, mode, associated }: ManagedImport) {
    const manages = await this.access.allows(caller, 'MANAGE_WORKFLOWS', organizationId);
    const free = manages && !(associated && mode === 'WORKFLOW');
    return { replace: free, delete: free };
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not see what the organization has imported. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_WORKFLOWS', organizationId);
  }

  /** The imports of each organization, by id. */
  ofOrganizations(
    organizationIds: readonly number[],
    page: PageRequest,
    selection: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    return importListing.ofMany(this.database, organizationIds, { page, ...importProjection.list(selection) });
  }

  /** One import; throws NOT_FOUND when there is none of that id, or FORBIDDEN. */
  async read(caller: Caller, key: OrganizationWorkflowKey, selection: Selection): Promise<object> {
    await this.authorizeList(caller, key.organizationId);
    return found(await oneImport(importProjection.of(selection)).first(this.database, key));
  }

  /** Throws the errors of the caller or of the input. */
  private async readAuthorized(caller: Caller, input: NewWorkflowImport): Promise<ImportedFile> {
    const { organizationId, mode } = input;
    await this.access.authorize(caller, 'MANAGE_WORKFLOWS', organizationId);
    const known = async () => (await this.catalogs.of(organizationId)).sources();
    const document = await readIncomingWorkflow(input, { mode, known });
    const errors = await this.errorsOf(document, input);
    if (errors.length > 0) throw importErrors(errors, document, input, mode === 'MAPPING' ? 'mapping' : 'workflow');
    return { mode, content: document.data } as ImportedFile;
  }

  /** As the organization sees the new edition. */
  private async recordProgress(tx: Queryable, key: OrganizationWorkflowKey, now: Date): Promise<void> {
    const catalog = await this.catalogs.inSnapshot(tx, key.organizationId);
    const { timeZone } = catalog;
    await recordProgress(tx, { key, workflow: catalog.find(key.workflowId) as CatalogWorkflow, timeZone }, now);
  }

  private async errorsOf(
    document: CatalogDocument,
    { organizationId, mode }: NewWorkflowImport,
  ): Promise<readonly CatalogError[]> {
    const errors = await this.fileErrors(document, organizationId, mode);
    if (errors.length > 0) return errors;
    return [...this.idErrors(document.data as WorkflowFile, mode), ...textErrors(document.data)];
  }

  private async fileErrors(document: CatalogDocument, organizationId: number, mode: ImportMode) {
    const { rules } = this.catalogs.shipped;
    if (mode === 'TITLES') return rules.titleErrors(document);
    if (mode === 'WORKFLOW') return rules.workflowErrors(document);
    const catalog = await this.catalogs.of(organizationId);
    return rules.mappingErrors(document, (id) => catalog.source(id));
  }

  /** Only titles replace a shipped workflow; they belong to it and to its controls. */
  private idErrors({ id, controls }: WorkflowFile, mode: ImportMode): CatalogError[] {
    const shipped = this.catalogs.shipped.find(id);
    if (mode !== 'TITLES')
      return shipped ? [{ path: ['id'], sentence: 'belongs to a workflow that is there for everybody' }] : [];
    if (!shipped) return [{ path: ['id'], sentence: 'belongs to no workflow that is there for everybody' }];
    const strange = [...controls.entries()].filter(([, control]) => controlOf(shipped, control.id) === undefined);
    return strange.map(([index]) => ({ path: ['controls', index, 'id'], sentence: `is no control of ${shipped.id}` }));
  }

  /** Whether the workflows had a mapping by another id. Throws BAD_USER_INPUT at the limit of the organization. */
  private async replaceMapping(tx: Queryable, caller: Caller, organizationId: number, mapping: MappingFile) {
    const { id, from, to } = mapping;
    const replaced = await deleteSameMapping.all(tx, { organizationId, workflowId: id, from, to });
    for (const { workflowId } of replaced) await this.recordRemoval(tx, caller, { organizationId, workflowId });
    const catalog = await this.catalogs.inSnapshot(tx, organizationId);
    if (!catalog.mayAdd(mapping)) throw badUserInput([`pairs: ${TOO_MANY_PAIRS}`]);
    return replaced.length > 0;
  }

  private recordRemoval(tx: Queryable, caller: Caller, key: OrganizationWorkflowKey): Promise<void> {
    const gone = { ...key, name: key.workflowId };
    return recordWorkflow(tx, caller, gone, { action: 'WORKFLOW_IMPORT_DELETED', at: this.now() });
  }

  private async requireCapacity(tx: Queryable, organizationId: number): Promise<void> {
    const { perOrganization } = LIMITS.workflowImport;
    if ((await countImports.one(tx, { organizationId })).count >= perOrganization)
      throw badUserInput([`an organization may keep ${perOrganization} imports at most`]);
  }

  /** Invalidates this instance's cache without waiting for the database's notification. */
  private forget(organizationId: number): void {
    this.catalogs.announced(`c:${organizationId}`);
  }
}

/** An id is either that of a mapping or that of a workflow. */
function refuseOtherMode(stored: ImportedFile | undefined, mode: ImportMode): void {
  if (stored !== undefined && (stored.mode === 'MAPPING') !== (mode === 'MAPPING'))
    throw invalidInput([wholeError(['id'], 'id: belongs to an import of another mode')]);
}

/** The edition that an import replaces; titles and mappings have none. */
function before(stored: ImportedFile | undefined): WorkflowFile | undefined {
  return stored?.mode === 'WORKFLOW' ? stored.content : undefined;
}

function recordOf({ mode, content }: ImportedFile) {
  const counted =
    mode === 'MAPPING'
      ? { from: content.from, to: content.to, pairs: content.pairs.length }
      : { version: content.version, controls: content.controls.length };
  const facts = { mode, ...counted, sha256: hash('sha256', JSON.stringify(content)) };
  const changes = Object.fromEntries(Object.entries(facts).map(([field, after]) => [field, { after }]));
  return { name: mode === 'MAPPING' ? `${content.from} to ${content.to}` : content.name, changes };
}
