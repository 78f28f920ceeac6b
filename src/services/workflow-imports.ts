import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection } from '../database/projection.js';
import { badUserInput, conflict, notFound, unauthenticated } from '../errors.js';
import type { ImportMode } from '../vocabulary/import-modes.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { visibleText } from '../vocabulary/visible-text.js';
import type { CatalogDocument, CatalogFault, Path } from './catalog-document.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { controlOf } from './workflow-catalog.js';
import type { WorkflowFile, WorkflowRules } from './workflow-file.js';
import { importFaults, readIncomingWorkflow, type IncomingWorkflow } from './workflow-import-reader.js';
import type { OrganizationWorkflowKey } from './workflow-progress.js';

export interface NewWorkflowImport extends IncomingWorkflow {
  organizationId: number;
  mode: ImportMode;
}

const listing = new Listing<'WORKFLOW'>({
  from: 'workflow_import i',
  id: { sql: 'i.id', type: 'int' },
  parent: { sql: 'i.organization_id', type: 'int' },
  sorts: { WORKFLOW: { sql: 'i.workflow_id', type: 'text' } },
});

const projection = new Projection({
  id: `i.organization_id || '/' || i.workflow_id`,
  workflowId: 'i.workflow_id',
  mode: 'i.mode',
  name: `i.content ->> 'name'`,
  version: `i.content ->> 'version'`,
  controlCount: `jsonb_array_length(i.content -> 'controls')`,
  importedBy: 'i.imported_by',
  importedAt: 'i.imported_at',
  viewerCan: { needs: { organizationId: 'i.organization_id' } },
});

/** Who imports into an organization waits for who does: how many it has is then no guess. */
const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1::text, 3))';

/** Locked, so that it cannot be taken up in between (see OrganizationWorkflowService.associate). */
const STORED = 'select mode from workflow_import where organization_id = $1 and workflow_id = $2 for update';

const TAKEN_UP = 'select 1 from organization_workflow where organization_id = $1 and workflow_id = $2';

const STORE = `
  insert into workflow_import as i (organization_id, workflow_id, mode, content, imported_by, imported_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (organization_id, workflow_id)
  do update set mode = excluded.mode, content = excluded.content, imported_by = excluded.imported_by,
                imported_at = excluded.imported_at`;

/** Workflows and official titles that organizations bring along (decisions §9); private to each of them. */
export class WorkflowImportService {
  private readonly rules: WorkflowRules;
  private readonly now: () => Date;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    { rules, now }: { rules: WorkflowRules; now: () => Date },
  ) {
    this.rules = rules;
    this.now = now;
  }

  /**
   * Keeps what was sent, in the place of what the organization imported under this id before; `created` tells whether
   * there was nothing. Throws FORBIDDEN, NOT_FOUND, FILE_TOO_LARGE, BAD_USER_INPUT with every fault and its place, and
   * CONFLICT for a workflow that is taken up: its controls must not change under their states.
   */
  async import(
    caller: Caller,
    input: NewWorkflowImport,
    asked: Selection,
  ): Promise<{ created: boolean; workflowImport: object }> {
    const { organizationId, mode } = input;
    await this.access.authorize(caller, 'MANAGE_WORKFLOWS', organizationId);
    if (caller.kind !== 'user') throw unauthenticated();
    const sent = await readIncomingWorkflow(input);
    const document = { ...sent, data: visible(sent.data) };
    const faults = this.faultsOf(document, mode);
    if (faults.length > 0) throw importFaults(faults);
    const content = document.data as WorkflowFile;
    const answer = await this.database.transaction(async (tx) => {
      await tx.rows(LOCK, [organizationId]);
      const stored = await storedImport(tx, { organizationId, workflowId: content.id });
      if (stored === undefined) await this.requireRoom(tx, organizationId);
      const [row] = await tx.rows(`${STORE} returning ${projection.of(asked).select}`, [
        ...[organizationId, content.id, mode, JSON.stringify(content), caller.username, this.now()],
      ]);
      return { created: stored === undefined, workflowImport: row as object };
    });
    this.forget(organizationId);
    return answer;
  }

  /** Returns it as it was. Throws NOT_FOUND, FORBIDDEN, and CONFLICT while the workflow is taken up. */
  async remove(caller: Caller, key: OrganizationWorkflowKey, asked: Selection): Promise<object> {
    const { organizationId, workflowId } = key;
    await this.access.authorize(caller, 'MANAGE_WORKFLOWS', organizationId);
    const removed = await this.database.transaction(async (tx) => {
      if ((await storedImport(tx, key)) === undefined) throw notFound();
      const rows = await tx.rows(
        `delete from workflow_import i where i.organization_id = $1 and i.workflow_id = $2
         returning ${projection.of(asked).select}`,
        [organizationId, workflowId],
      );
      return rows[0] as object;
    });
    this.forget(organizationId);
    return removed;
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not see what the organization has imported. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_WORKFLOWS', organizationId);
  }

  /** What each organization has imported, by id. */
  ofOrganizations(
    organizationIds: readonly number[],
    page: PageRequest,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    const shape = projection.of(items);
    return listing.ofMany(this.database, organizationIds, { page, sort: 'WORKFLOW', descending: false, shape, total });
  }

  /** One import; throws NOT_FOUND when there is none of that id, or FORBIDDEN. */
  async read(caller: Caller, key: OrganizationWorkflowKey, asked: Selection): Promise<object> {
    await this.authorizeList(caller, key.organizationId);
    const rows = await this.database.rows(
      `select ${projection.of(asked).select} from workflow_import i where i.organization_id = $1 and i.workflow_id = $2`,
      [key.organizationId, key.workflowId],
    );
    if (rows[0] === undefined) throw notFound();
    return rows[0];
  }

  private faultsOf(document: CatalogDocument, mode: ImportMode): readonly CatalogFault[] {
    const faults = this.rules.faultsOf(document);
    if (faults.length > 0) return faults;
    const content = document.data as WorkflowFile;
    return [...this.idFaults(document, content, mode), ...textFaults(document, content, [])];
  }

  /** A workflow must not take the place of one of ours; titles belong to one of ours and to its controls. */
  private idFaults(document: CatalogDocument, { id, controls }: WorkflowFile, mode: ImportMode): CatalogFault[] {
    const shipped = this.catalogs.shipped.find(id);
    const fault = (path: Path, sentence: string) => ({ path, line: document.lineOf(path), sentence });
    if (mode === 'WORKFLOW')
      return shipped === undefined ? [] : [fault(['id'], 'belongs to a workflow that is there for everybody')];
    if (shipped === undefined) return [fault(['id'], 'belongs to no workflow that is there for everybody')];
    return controls.flatMap((control, index) =>
      controlOf(shipped, control.id) === undefined
        ? [fault(['controls', index, 'id'], `is no control of ${shipped.id}`)]
        : [],
    );
  }

  private async requireRoom(tx: Queryable, organizationId: number): Promise<void> {
    const { perOrganization } = LIMITS.workflowImport;
    const [row] = await tx.rows<{ count: number }>(
      'select count(*) as count from workflow_import where organization_id = $1',
      [organizationId],
    );
    if ((row?.count ?? 0) >= perOrganization)
      throw badUserInput([`an organization may keep ${perOrganization} imports at most`]);
  }

  /** This instance need not wait for the database to announce it. */
  private forget(organizationId: number): void {
    this.catalogs.announced(`c:${organizationId}`);
  }
}

/** Titles may change and go at any time: they rename controls and do not move them. */
async function storedImport(tx: Queryable, { organizationId, workflowId }: OrganizationWorkflowKey) {
  const [stored] = await tx.rows<{ mode: ImportMode }>(STORED, [organizationId, workflowId]);
  if (stored?.mode !== 'WORKFLOW') return stored;
  // A statement of its own: one that waits for the lock goes on with what it saw before it waited.
  if ((await tx.rows(TAKEN_UP, [organizationId, workflowId])).length > 0) throw conflict();
  return stored;
}

// NUL and half a character are refused by PostgreSQL; other control characters break lists and mails.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/u;

/** The same with every text as it is shown, as deep as a workflow goes. */
function visible(value: unknown, levels = 4): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => visible(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visible(item, levels - 1)]));
}

function textFaults(document: CatalogDocument, value: unknown, path: Path): CatalogFault[] {
  if (typeof value === 'string')
    return CONTROL.test(value)
      ? [{ path, line: document.lineOf(path), sentence: 'must not contain control characters' }]
      : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => textFaults(document, item, [...path, index]));
  return Object.entries(value as object).flatMap(([key, item]) => textFaults(document, item, [...path, key]));
}
