import { LRUCache } from 'lru-cache';
import type { Freshness } from '../../auth/access-cache.js';
import type { UserCaller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import { ENTITY_TYPES, type EntityType, type ImportMode } from '../../values/enums.js';
import { ACTIVE_MEMBER, reachable, reachOf, type Reach } from '../shared/accessible-organizations.js';
import { NIS2_ENTITY } from '../shared/organization-columns.js';
import { type CatalogWorkflow, toWorkflow, type CatalogControl, type WorkflowFile } from './catalog-file.js';
import { controlOf, leavesOf, oncePerWorkflow, type WorkflowCatalog } from './catalog.js';
import { ControlMappings, type ControlMatch, type ControlRef, type MappingFile } from './control-mappings.js';

const o = table('organization', 'o');
const i = table('workflow_import', 'i');
const m = table('membership', 'm');

interface StoredCatalog {
  id: number;
  entityType: string | null;
  timeZone: string;
  imports: ImportedFile[];
}

const load = statement<{ ids: readonly number[] }>()(
  (p) => sql<StoredCatalog>`
    select ${o.id}, ${NIS2_ENTITY} as "entityType", ${o.time_zone} as "timeZone",
           coalesce((select jsonb_agg(jsonb_build_object('mode', ${i.mode}, 'content', ${i.content}) order by ${i.id})
                       from ${i.table} where ${i.organization_id} = ${o.id}), '[]') as imports
      from ${o.table}
     where ${o.id} = any(${p('ids')})`,
);

const importersOf = statement<Reach & { userId: string }>()(
  (p) => sql<{ id: number }>`
    select distinct ${i.organization_id} as id
      from ${m.table}
      join ${o.table} on ${o.id} = ${m.organization_id} and ${o.deleted_at} is null
      join ${i.table} on ${i.organization_id} = ${m.organization_id} and ${i.mode} = 'WORKFLOW'
     where ${m.user_id} = ${p('userId')} and ${ACTIVE_MEMBER} and ${reachable(p)} order by 1`,
);

const nothingImported = statement()(() => sql<{ none: boolean }>`select not exists (select from ${i.table}) as none`);

/** Controls of all organizations together; some hundred bytes each. */
const MAX_REMEMBERED = 200_000;
/** Characters of text that use as much memory as a control. */
const TEXT_OF_ONE = 300;

/**
 * The catalogues of organizations. What is read is remembered and dropped when the database announces a change, and
 * believed only while those announcements cannot be late, like access itself (docs/adr/0004).
 */
export class OrganizationCatalogs {
  private readonly known = new LRUCache<number, OrganizationCatalog>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ size }) => size,
  });
  /** Whether no organization has imports; undefined when that is not known. */
  private nothingImported: boolean | undefined;
  /** Incremented by each announcement. Rows read before one must not be cached after it. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    readonly shipped: WorkflowCatalog,
    private readonly freshness: Freshness,
  ) {}

  /** Catalog as one organization sees it; cached. */
  async of(organizationId: number): Promise<OrganizationCatalog> {
    const catalogs = await this.ofMany([organizationId]);
    return catalogs.get(organizationId) as OrganizationCatalog;
  }

  /** Bypasses the cache: a snapshot may be older than announcements that were received in the meantime. */
  async inSnapshot(tx: Queryable, organizationId: number): Promise<OrganizationCatalog> {
    return new OrganizationCatalog(this.shipped, await load.first(tx, { ids: [organizationId] }));
  }

  /** One for each organization, in at most one statement of the caller's transaction, if any. */
  async ofMany(
    organizationIds: Iterable<number>,
    database: Queryable = this.database,
  ): Promise<ReadonlyMap<number, OrganizationCatalog>> {
    const fresh = this.mayBelieve();
    const catalogs = new Map<number, OrganizationCatalog>();
    const unknown: number[] = [];
    for (const id of new Set(organizationIds)) {
      const known = fresh ? this.known.get(id) : undefined;
      if (known === undefined) unknown.push(id);
      else catalogs.set(id, known);
    }
    if (unknown.length === 0) return catalogs;
    const readAt = this.generation;
    // A snapshot or a standby may not know what was announced before.
    const isPresent = database === this.database;
    const rows = new Map((await load.all(database, { ids: unknown })).map((row) => [row.id, row]));
    for (const id of unknown) {
      const row = rows.get(id);
      const catalog = new OrganizationCatalog(this.shipped, row);
      catalogs.set(id, catalog);
      if (row !== undefined && isPresent && this.mayRemember(readAt)) this.known.set(id, catalog);
    }
    return catalogs;
  }

  /** Workflows that a user may associate somewhere (specification 4.8): ours, and its organizations' imports, by id. */
  async availableTo(user: UserCaller): Promise<readonly CatalogWorkflow[]> {
    if (await this.isNothingImported()) return this.shipped.list();
    const importers = await importersOf.all(this.database, { userId: user.userId, ...reachOf(user) });
    if (importers.length === 0) return this.shipped.list();
    const catalogs = await this.ofMany(importers.map(({ id }) => id));
    const found = new Map(this.shipped.list().map((workflow) => [workflow.id, workflow]));
    for (const { id } of importers) {
      // Two organizations may import the same id. The list names it once; each associates its own.
      for (const workflow of catalogs.get(id)?.imported() ?? []) {
        if (!found.has(workflow.id)) found.set(workflow.id, workflow);
      }
    }
    return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Takes one announcement of the channel "access" (see the migrations that make them). */
  announced(payload: string): void {
    if (payload === 'all') return this.missed();
    if (!payload.startsWith('c:')) return;
    void this.database.request.afterwards(() => {
      this.generation += 1;
      this.nothingImported = undefined;
      this.known.delete(Number(payload.slice(2)));
    });
  }

  /** Clears the cache, for when announcements may have been missed. */
  missed(): void {
    this.generation += 1;
    this.nothingImported = undefined;
    this.known.clear();
  }

  private mayBelieve(): boolean {
    return this.freshness.isFresh() && !this.database.seesUncommitted();
  }

  /** Whether the rows that were read are committed, and have not changed since. */
  private mayRemember(readAt: number): boolean {
    return readAt === this.generation && !this.database.seesUncommitted();
  }

  private async isNothingImported(): Promise<boolean> {
    if (this.nothingImported !== undefined && this.mayBelieve()) return this.nothingImported;
    const readAt = this.generation;
    const { none } = await nothingImported.one(this.database);
    if (this.mayRemember(readAt)) this.nothingImported = none;
    return none;
  }
}

/** A stored import of an organization. */
export type ImportedFile =
  { mode: Exclude<ImportMode, 'MAPPING'>; content: WorkflowFile } | { mode: 'MAPPING'; content: MappingFile };

/**
 * The catalogue as one organization sees it: ours with the titles that it is licensed for, its own beside them, and of
 * each workflow the controls that bind its kind of entity. Who has not said which kind it is sees all: nothing that
 * might bind it is hidden (docs/adr/0010).
 */
export class OrganizationCatalog {
  private readonly own = new Map<string, CatalogWorkflow>();
  private readonly titles = new Map<string, Titles>();
  private readonly files: MappingFile[] = [];
  private readonly mappings: ControlMappings;
  private readonly seen = new Map<string, CatalogWorkflow>();
  /** Undefined when the organization has not said it. */
  private readonly entityType: EntityType | undefined;
  /** In which its days begin. */
  readonly timeZone: string;
  /** Its memory use, in controls. */
  readonly size: number;

  /** `stored` is undefined where there is no such organization. */
  constructor(
    private readonly shipped: WorkflowCatalog,
    stored: StoredCatalog | undefined,
  ) {
    this.entityType = ENTITY_TYPES.find((entity) => entity === stored?.entityType);
    this.timeZone = stored?.timeZone ?? 'UTC';
    let controls = 0;
    for (const { mode, content } of stored?.imports ?? []) {
      if (mode === 'MAPPING') {
        this.files.push(content);
        continue;
      }
      controls += content.controls.reduce((sum, { text = '' }) => sum + 1 + text.length / TEXT_OF_ONE, 0);
      if (mode === 'WORKFLOW') this.own.set(content.id, toWorkflow(content));
      else this.titles.set(content.id, new Map(content.controls.map((control) => [control.id, control])));
    }
    this.mappings = this.mapped(this.files);
    this.size = Math.ceil(1 + controls + this.mappings.size);
  }

  /** Its own workflows, in no order. */
  imported(): readonly CatalogWorkflow[] {
    return [...this.own.values()];
  }

  /** An id of its own goes before one of ours: it may have been there first. */
  find(id: string): CatalogWorkflow | undefined {
    let workflow = this.seen.get(id);
    if (workflow !== undefined) return workflow;
    workflow = this.source(id);
    if (workflow === undefined) return undefined;
    workflow = retitled(workflow, this.titles.get(id));
    if (this.entityType !== undefined) workflow = BINDING[this.entityType](workflow);
    this.seen.set(id, workflow);
    return workflow;
  }

  /** As imported or shipped, including controls that do not bind the organization. */
  source(id: string): CatalogWorkflow | undefined {
    return this.own.get(id) ?? this.shipped.find(id);
  }

  /** All that `source` finds. */
  sources(): readonly CatalogWorkflow[] {
    return [...this.own.values(), ...this.shipped.list().filter(({ id }) => !this.own.has(id))];
  }

  /** Whether the organization may have this mapping besides its others. */
  mayAdd(mapping: MappingFile): boolean {
    return !this.mapped([...this.files.filter(({ id }) => id !== mapping.id), mapping]).omitted.includes(mapping.id);
  }

  /** Equivalent controls that bind the organization. Our mappings are of our workflows. */
  matches({ workflowId, controlId }: ControlRef): (ControlMatch & { label: string })[] {
    const isShipped = (one: ControlRef) => !this.own.has(one.workflowId);
    const shipped = isShipped({ workflowId, controlId }) ? this.shipped.mappings.of({ workflowId, controlId }) : [];
    const all = [...shipped.filter(isShipped), ...this.mappings.of({ workflowId, controlId })];
    const direct = all.toSorted((a, b) => Number(a.via !== null) - Number(b.via !== null));
    const found = new Map<CatalogControl, ControlMatch & { label: string }>();
    for (const match of direct) {
      const control = this.control(match.workflowId, match.controlId);
      if (control !== undefined && !found.has(control)) found.set(control, { ...match, label: control.label });
    }
    return [...found.values()];
  }

  /** A control as the organization sees it; undefined when it has none of that number, or one that does not bind it. */
  control(workflowId: string, controlId: string): CatalogControl | undefined {
    const workflow = this.find(workflowId);
    return workflow && controlOf(workflow, controlId);
  }

  private mapped(files: readonly MappingFile[]): ControlMappings {
    const ids = [...new Set(files.flatMap(({ from, to }) => [from, to]))];
    return new ControlMappings(
      files,
      ids.flatMap((id) => this.source(id) ?? []),
    );
  }
}

/** Of controls, by number: their labels, and texts where there are any. */
type Titles = ReadonlyMap<string, { readonly label: string; readonly text?: string }>;

function retitled(workflow: CatalogWorkflow, titles: Titles | undefined): CatalogWorkflow {
  if (titles === undefined) return workflow;
  const controls = workflow.controls.map((control) => {
    const { label = control.label, text = control.text } = titles.get(control.id) ?? {};
    return { ...control, label, text };
  });
  return { ...workflow, controls };
}

/** The binding controls for each kind of entity: the same object for all of its organizations. */
const BINDING = Object.fromEntries(
  ENTITY_TYPES.map((entity) => [entity, oncePerWorkflow((workflow) => bindingOn(entity, workflow))]),
) as Record<EntityType, (workflow: CatalogWorkflow) => CatalogWorkflow>;

/** A heading without controls is removed as well: it would look like a control. Parents precede children. */
function bindingOn(entity: EntityType, workflow: CatalogWorkflow): CatalogWorkflow {
  if (workflow.controls.every(({ entities }) => entities === null)) return workflow;
  const leaves = leavesOf(workflow);
  const headings = new Set<string | null>();
  const bound = workflow.controls.toReversed().filter(({ id, parentId, entities }) => {
    const stays = (entities === null || entities.includes(entity)) && (leaves.has(id) || headings.has(id));
    if (stays) headings.add(parentId);
    return stays;
  });
  return { ...workflow, controls: bound.toReversed() };
}
