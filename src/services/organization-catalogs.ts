import { LRUCache } from 'lru-cache';
import type { Freshness } from '../access/caller-cache.js';
import type { UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { ENTITY_TYPES, type EntityType } from '../vocabulary/frameworks.js';
import { OrganizationCatalog, type ImportedFile } from './organization-catalog.js';
import { ACTIVE_MEMBER, reachValues, reachable } from './reach.js';
import type { WorkflowCatalog } from './workflow-catalog.js';
import type { CatalogWorkflow } from './workflow-file.js';

interface CatalogRow {
  id: number;
  entityType: string | null;
  imports: ImportedFile[];
}

const LOAD = `
  select o.id,
         (select framework -> 'fields' ->> 'entity_type' from jsonb_array_elements(o.compliance_frameworks) framework
           where framework ->> 'value' = 'NIS2' limit 1) as "entityType",
         coalesce((select jsonb_agg(jsonb_build_object('mode', i.mode, 'content', i.content))
                     from workflow_import i where i.organization_id = o.id), '[]') as imports
    from organization o
   where o.id = any($1)`;

const IMPORTERS_OF_USER = `
  select distinct i.organization_id as id
    from membership m
    join organization o on o.id = m.organization_id and o.deleted_at is null
    join workflow_import i on i.organization_id = m.organization_id and i.mode = 'WORKFLOW'
   where m.user_id = $1 and ${ACTIVE_MEMBER} and ${reachable('$2', '$3')} order by 1`;

/** Controls of all organizations together; some hundred bytes each. */
const MAX_REMEMBERED = 200_000;

/**
 * The catalogues of organizations. What is read is remembered and dropped when the database announces a change, and
 * believed only while those announcements cannot be late, like access itself (docs/adr/0004).
 */
export class OrganizationCatalogs {
  private readonly known = new LRUCache<number, OrganizationCatalog>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ size }) => size,
  });
  /** Whether nobody has imported anything; undefined when that is not known. */
  private nothingImported: boolean | undefined;
  /** Grows with each announcement. What was read before one must not be remembered after it. */
  private generation = 0;

  constructor(
    private readonly database: Database,
    readonly shipped: WorkflowCatalog,
    private readonly freshness: Freshness,
  ) {}

  /** What one organization sees of the catalogue; remembered, as a rule. */
  async of(organizationId: number): Promise<OrganizationCatalog> {
    const catalogs = await this.ofMany([organizationId]);
    return catalogs.get(organizationId) as OrganizationCatalog;
  }

  /**
   * As a snapshot has it. Nothing that is remembered is believed, and nothing of it is remembered: a snapshot may be
   * older than the announcements that were heard meanwhile.
   */
  async inSnapshot(tx: Queryable, organizationId: number): Promise<OrganizationCatalog> {
    const [row] = await tx.rows<CatalogRow & Record<string, unknown>>(LOAD, [[organizationId]]);
    return new OrganizationCatalog(this.shipped, entityTypeOf(row?.entityType), row?.imports);
  }

  /** One for each organization asked for; at most one statement, in a transaction that the caller has open, if any. */
  async ofMany(
    organizationIds: Iterable<number>,
    database: Queryable = this.database,
  ): Promise<ReadonlyMap<number, OrganizationCatalog>> {
    const catalogs = new Map<number, OrganizationCatalog>();
    const unknown: number[] = [];
    const fresh = this.mayBelieve();
    for (const id of new Set(organizationIds)) {
      const known = fresh ? this.known.get(id) : undefined;
      if (known === undefined) unknown.push(id);
      else catalogs.set(id, known);
    }
    if (unknown.length > 0) await this.load(database, unknown, catalogs);
    return catalogs;
  }

  /** What a user may take up somewhere (specification 4.8): ours, and what its organizations have imported, by id. */
  async availableTo(user: UserCaller): Promise<readonly CatalogWorkflow[]> {
    if (await this.isNothingImported()) return this.shipped.list();
    const importers = await this.database.rows<{ id: number }>(IMPORTERS_OF_USER, [user.userId, ...reachValues(user)]);
    if (importers.length === 0) return this.shipped.list();
    const catalogs = await this.ofMany(importers.map(({ id }) => id));
    const found = new Map(this.shipped.list().map((workflow) => [workflow.id, workflow]));
    for (const { id } of importers) {
      // Two organizations may use one id. The list names it once; each of them takes up its own.
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
    void this.database.afterwards(() => {
      this.generation += 1;
      this.nothingImported = undefined;
      this.known.delete(Number(payload.slice(2)));
    });
  }

  /** Forgets everything; for when announcements may have been missed. */
  missed(): void {
    this.generation += 1;
    this.nothingImported = undefined;
    this.known.clear();
  }

  private async load(
    database: Queryable,
    ids: readonly number[],
    catalogs: Map<number, OrganizationCatalog>,
  ): Promise<void> {
    const readAt = this.generation;
    const rows = new Map((await database.rows<CatalogRow>(LOAD, [ids])).map((row) => [row.id, row]));
    for (const id of ids) {
      const row = rows.get(id);
      const catalog = new OrganizationCatalog(this.shipped, entityTypeOf(row?.entityType), row?.imports);
      catalogs.set(id, catalog);
      if (row !== undefined && this.mayRemember(readAt)) this.known.set(id, catalog);
    }
  }

  private mayBelieve(): boolean {
    return this.freshness.isFresh() && !this.database.seesUncommitted();
  }

  /** Whether what was read is committed, and was not changed since. */
  private mayRemember(readAt: number): boolean {
    return readAt === this.generation && !this.database.seesUncommitted();
  }

  private async isNothingImported(): Promise<boolean> {
    if (this.nothingImported !== undefined && this.mayBelieve()) return this.nothingImported;
    const readAt = this.generation;
    const [row] = await this.database.rows<{ none: boolean }>(
      'select not exists (select from workflow_import) as none',
    );
    const none = row?.none ?? false;
    if (this.mayRemember(readAt)) this.nothingImported = none;
    return none;
  }
}

function entityTypeOf(text: string | null | undefined): EntityType | undefined {
  return ENTITY_TYPES.find((entity) => entity === text);
}
