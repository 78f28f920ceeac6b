import { dayOf } from '../../common/local-time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import { projected, Projection, properties } from '../../database/projection.js';
import { column, db, sql, statement, table } from '../../database/sql.js';
import { found, notFound } from '../../errors.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { recordWorkflow } from '../audit/subjects.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { controlOf } from './catalog.js';
import type { CatalogWorkflow } from './catalog-file.js';
import {
  isOf,
  progressHistory,
  progressOf,
  recordProgress,
  type OrganizationWorkflowKey,
  type ProgressDay,
  type ProgressRange,
  type SeenWorkflow,
  type WorkflowProgress,
} from './progress.js';

const w = table('organization_workflow', 'w');
const o = table('organization', 'o');
const i = table('workflow_import', 'i');

const listing = new Listing<ListQuery<'WORKFLOW'>>({
  from: sql`${w.table} join ${o.table} on ${o.id} = ${w.organization_id} and ${o.deleted_at} is null`,
  id: { column: w.id, type: 'bigint' },
  parent: { column: w.organization_id, type: 'bigint' },
  sorts: { WORKFLOW: { column: w.workflow_id, type: 'text' } },
  order: { field: 'WORKFLOW', direction: 'ASC' },
});

type WorkflowRow = OrganizationWorkflowKey & { name?: string | undefined };

const projection = new Projection(
  'OrganizationWorkflow',
  {
    id: sql`${w.organization_id} || '/' || ${w.workflow_id}`,
    ...properties(w, 'organization_id', 'workflow_id'),
    associatedAt: w.created_at,
    cursor: listing.place,
    // Catalogues have the names.
    name: { needs: {} },
  },
  ['id', 'organizationId', 'workflowId'],
);

const one = projected<OrganizationWorkflowKey>()((p, { select }) =>
  db.selectFrom('organization_workflow as w').select(select).where(isOf(w, p)),
);

/** Keys such as `1/iso-27001-2022`. */
const some = projected<{ organizationIds: readonly number[]; workflowIds: readonly string[] }>()(
  (p, { select }) => sql<WorkflowRow>`
    select ${sql.join(select)}
      from unnest(${p('organizationIds')}::bigint[], ${p('workflowIds')}::text[]) as wanted(organization_id, workflow_id)
      join ${w.table} on ${w.organization_id} = wanted.organization_id and ${w.workflow_id} = wanted.workflow_id`,
);

/** An existing row is written again, so that it is returned. */
const insert = projected<OrganizationWorkflowKey & { now: Date }>()((p, { select }) => {
  const key = [column('organization_workflow', 'organization_id'), column('organization_workflow', 'workflow_id')];
  const { workflow_id } = table('organization_workflow', 'excluded');
  return sql<{ $created: boolean }>`
    insert into ${w.table} (${sql.join([...key, column('organization_workflow', 'created_at')])})
    values (${p('organizationId')}, ${p('workflowId')}, ${p('now')})
    on conflict (${sql.join(key)}) do update set ${column('organization_workflow', 'workflow_id')} = ${workflow_id}
    returning w.xmax = 0 as "$created", ${sql.join(select)}`;
});

const remove = projected<OrganizationWorkflowKey>()((p, { select }) =>
  db.deleteFrom('organization_workflow as w').where(isOf(w, p)).returning(select),
);

/** Whether the workflow is associated with the organization: a row, or none. */
export const association = statement<OrganizationWorkflowKey>()((p) =>
  db.selectFrom('organization_workflow as w').select('w.id').where(isOf(w, p)),
);

/** The association is the lock that serializes changes of controls, new editions, and dissociating the workflow. */
export const lockAssociation = statement<OrganizationWorkflowKey>()((p) =>
  db.selectFrom('organization_workflow as w').select('w.id').where(isOf(w, p)).forNoKeyUpdate(),
);

/** A shared lock, compatible with changes of controls; dissociating the workflow waits. */
const shareAssociation = statement<OrganizationWorkflowKey>()((p) =>
  db.selectFrom('organization_workflow as w').select('w.id').where(isOf(w, p)).forKeyShare(),
);

const lockImport = statement<OrganizationWorkflowKey>()((p) =>
  db.selectFrom('workflow_import as i').select('mode').where(isOf(i, p)).where('mode', '=', 'WORKFLOW').forShare(),
);

const isInCatalog = filter<{ shipped: readonly string[] }>(
  (p) => sql`(${w.workflow_id} = any(${p('shipped')}) or exists (
    select from ${i.table} where ${i.organization_id} = ${w.organization_id} and ${i.workflow_id} = ${w.workflow_id}
       and ${i.mode} = 'WORKFLOW'))`,
);

/**
 * Associated workflows of organizations with their progress. A workflow that is not in the organization's catalogue is
 * not among them: it has no controls.
 */
export class WorkflowService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly now: () => Date,
  ) {}

  /** Every workflow that the caller can associate in some organization (specification 4.8). */
  async available(caller: Caller, page: PageRequest): Promise<Page<CatalogWorkflow>> {
    const workflows = await this.catalogs.availableTo(this.access.authorizeToken(caller, 'read'));
    return pageOfItems(workflows, 'text', ({ id }) => id, page);
  }

  /** One of them; throws NOT_FOUND. */
  async fromCatalog(caller: Caller, id: string): Promise<CatalogWorkflow> {
    const user = this.access.authorizeToken(caller, 'read');
    const { shipped } = this.catalogs;
    return found(shipped.find(id) ?? (await this.catalogs.availableTo(user)).find((one) => one.id === id));
  }

  /** An associated workflow with the organization's titles; throws NOT_FOUND or FORBIDDEN. */
  async ofOrganization(caller: Caller, key: OrganizationWorkflowKey): Promise<CatalogWorkflow> {
    await this.authorizeList(caller, key.organizationId);
    if ((await association.first(this.database, key)) === undefined) throw notFound();
    return (await this.find(key)).workflow;
  }

  /** Throws NOT_FOUND or FORBIDDEN when the caller may not read the organization's workflows. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_WORKFLOWS', organizationId);
  }

  /** Workflows of each organization, by id. */
  async ofOrganizations(
    organizationIds: readonly number[],
    page: PageRequest,
    selection: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    const shipped = this.catalogs.shipped.list().map(({ id }) => id);
    const request = { page, conditions: [isInCatalog({ shipped })], ...projection.list(selection) };
    const pages = await listing.ofMany<WorkflowRow, number>(this.database, organizationIds, request);
    const catalogs = await this.catalogs.ofMany(pages.keys());
    for (const [id, { rows }] of pages) {
      for (const row of rows) row.name = catalogs.get(id)?.find(row.workflowId)?.name;
    }
    return pages;
  }

  /** Associated workflows by keys such as `1/iso-27001-2022`, in one statement. The organizations were authorized. */
  async ofKeys(keys: readonly string[], selection: Selection): Promise<Map<string, WorkflowRow>> {
    const parts = keys.map((key) => key.split('/'));
    const rows = await some(projection.of(selection)).all(this.database, {
      organizationIds: parts.map(([organizationId]) => Number(organizationId)),
      workflowIds: parts.map(([, workflowId]) => workflowId as string),
    });
    const catalogs = await this.catalogs.ofMany(rows.map(({ organizationId }) => organizationId));
    return new Map(
      rows.flatMap((row) => {
        const workflow = catalogs.get(row.organizationId)?.find(row.workflowId);
        const key = `${row.organizationId}/${row.workflowId}`;
        return workflow === undefined ? [] : [[key, { ...row, name: workflow.name }] as const];
      }),
    );
  }

  /** One workflow of an organization; throws NOT_FOUND when it is not associated. */
  async read(caller: Caller, organizationId: number, workflowId: string, selection: Selection): Promise<object> {
    await this.authorizeList(caller, organizationId);
    const { key, workflow } = await this.find({ organizationId, workflowId });
    const row = found(await one(projection.of(selection)).first(this.database, key));
    return { ...row, name: workflow.name };
  }

  /**
   * Associates a workflow; associating it again changes nothing. Throws NOT_FOUND when the organization's catalogue
   * does not have it.
   */
  async associate(
    caller: Caller,
    key: OrganizationWorkflowKey,
    selection: Selection,
  ): Promise<{ created: boolean; organizationWorkflow: object }> {
    await this.access.authorize(caller, 'MANAGE_WORKFLOWS', key.organizationId);
    const found = await this.find(key);
    return this.database.transaction(async (tx) => {
      await this.lockImported(tx, key);
      const seen = await this.locked(tx, found);
      const { name } = seen.workflow;
      const at = this.now();
      const row = await insert(projection.of(selection)).one(tx, { ...key, now: at });
      const answer = { created: row.$created, organizationWorkflow: { ...row, name } };
      if (!answer.created) return answer;
      await recordProgress(tx, seen, at);
      await recordWorkflow(tx, caller, { ...key, name }, { action: 'WORKFLOW_ASSOCIATED', at });
      return answer;
    });
  }

  /**
   * Dissociates a workflow and returns it as it was. Documents and states of controls stay for a later association.
   * Throws NOT_FOUND when it is not associated.
   */
  async dissociate(caller: Caller, key: OrganizationWorkflowKey, selection: Selection): Promise<object> {
    await this.access.authorize(caller, 'MANAGE_WORKFLOWS', key.organizationId);
    const { name } = (await this.find(key)).workflow;
    return this.database.transaction(async (tx) => {
      const row = found(await remove(projection.of(selection)).first(tx, key));
      await recordWorkflow(tx, caller, { ...key, name }, { action: 'WORKFLOW_DISSOCIATED', at: this.now() });
      return { ...row, name };
    });
  }

  /** Throws NOT_FOUND unless the workflow is associated with the organization and has this control. */
  async requireControl(organizationId: number, workflowId: string, controlId: string): Promise<SeenWorkflow> {
    const seen = await this.find({ organizationId, workflowId });
    if (controlOf(seen.workflow, controlId) === undefined) throw notFound();
    await this.requireAssociated(seen.key);
    return seen;
  }

  /** Throws NOT_FOUND unless the workflow is associated with the organization. */
  async requireAssociated(key: OrganizationWorkflowKey, on: Queryable = this.database): Promise<void> {
    if ((await association.first(on, key)) === undefined) throw notFound();
  }

  /** One workflow as its organization sees it, associated or not; throws NOT_FOUND. */
  async find(key: OrganizationWorkflowKey): Promise<SeenWorkflow> {
    const [seen] = await this.seen([key]);
    return seen as SeenWorkflow;
  }

  /** Each as its organization sees it; throws NOT_FOUND. At most one statement, and none if all are cached. */
  async seen(keys: readonly OrganizationWorkflowKey[]): Promise<SeenWorkflow[]> {
    const catalogs = await this.catalogs.ofMany(keys.map(({ organizationId }) => organizationId));
    return keys.map((key) => {
      const catalog = catalogs.get(key.organizationId);
      const workflow = catalog?.find(key.workflowId);
      if (catalog === undefined || workflow === undefined) throw notFound();
      return { key, workflow, timeZone: catalog.timeZone };
    });
  }

  /** After locking: an imported workflow may have been replaced since it was read. */
  async locked(tx: Queryable, seen: SeenWorkflow): Promise<SeenWorkflow> {
    const { key } = seen;
    if (this.catalogs.shipped.find(key.workflowId) !== undefined) return seen;
    const workflow = found((await this.catalogs.inSnapshot(tx, key.organizationId)).find(key.workflowId));
    return { key, workflow, timeZone: seen.timeZone };
  }

  /** Progress of each, in one statement. */
  async progress(keys: readonly OrganizationWorkflowKey[]): Promise<WorkflowProgress[]> {
    return progressOf(this.database, await this.seen(keys), this.now());
  }

  /** The workflow was authorized. */
  async history(key: OrganizationWorkflowKey, range: ProgressRange): Promise<ProgressDay[]> {
    const { timeZone } = await this.catalogs.of(key.organizationId);
    return progressHistory(this.database, key, range, dayOf(this.now(), timeZone));
  }

  /** Locks the workflow against dissociation until the transaction ends. Throws NOT_FOUND if it is dissociated. */
  async lockAssociated(tx: Queryable, key: OrganizationWorkflowKey): Promise<void> {
    if ((await shareAssociation.first(tx, key)) === undefined) throw notFound();
  }

  /** Locks an import against replacement and deletion until the transaction ends. Throws NOT_FOUND if it is deleted. */
  async lockImported(tx: Queryable, { organizationId, workflowId }: OrganizationWorkflowKey): Promise<void> {
    const imported = await lockImport.first(tx, { organizationId, workflowId });
    if (imported === undefined && this.catalogs.shipped.find(workflowId) === undefined) throw notFound();
  }
}
