import type { Access } from '../access/access.js';
import type { Caller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection, type ColumnMap } from '../database/projection.js';
import { notFound } from '../errors.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import type { DownloadLinks } from './download-links.js';
import type { ArtifactKey } from './locked-artifact.js';
import { organizationColumns } from './organization-columns.js';
import type { OrganizationWorkflowService } from './organization-workflows.js';

export interface DocumentVersionQuery {
  page: PageRequest;
  workflowId?: string | null;
  artifactId?: string | null;
  /** User name of the uploader, as it was then. */
  createdBy?: string | null;
  /** At this instant or later. */
  createdFrom?: Date | null;
  /** Before this instant. */
  createdBefore?: Date | null;
  order?: { field: DocumentVersionSort; descending: boolean };
}

export type DocumentVersionSort = 'CREATED_AT' | 'EFFECTIVE_AT' | 'ORIGINAL_NAME';

const FROM = 'document_version d join organization o on o.id = d.organization_id and o.deleted_at is null';

const listing = new Listing<DocumentVersionSort>({
  from: FROM,
  id: { sql: 'd.id', type: 'int' },
  parent: { sql: 'd.organization_id', type: 'int' },
  sorts: {
    CREATED_AT: { sql: 'd.created_at', type: 'timestamptz' },
    // In the words of the index on it: where nobody said when it was true, that is when it was uploaded.
    EFFECTIVE_AT: { sql: 'coalesce(d.effective_at, d.created_at)', type: 'timestamptz' },
    ORIGINAL_NAME: { sql: 'd.original_name', type: 'text' },
  },
});

const NEWEST_FIRST = { field: 'CREATED_AT', descending: true } as const;

/** Document versions (specification 2.3, 4.2 and 8). */
export class DocumentVersionService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: OrganizationWorkflowService,
    private readonly links: DownloadLinks,
    publicUrl: string,
  ) {
    const columns: ColumnMap = {
      id: 'd.id',
      organization: { object: organizationColumns('o', publicUrl) },
      workflowId: 'd.workflow_id',
      artifactId: 'd.artifact_id',
      originalName: 'd.original_name',
      size: 'd.size',
      contentType: 'd.content_type',
      source: 'd.source',
      sha256: 'd.sha256',
      createdBy: 'd.created_by',
      createdAt: 'd.created_at',
      effectiveAt: 'd.effective_at',
      note: 'd.note',
      downloadUrl: { needs: { id: 'd.id' } },
      viewerCan: { needs: { organizationId: 'd.organization_id' } },
    };
    this.projection = new Projection(columns);
  }

  /**
   * Documents of each organization, newest first unless ordered otherwise. Whether the caller may list them has been
   * decided.
   */
  async ofOrganizations(
    organizationIds: readonly number[],
    query: DocumentVersionQuery,
    { items, total }: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    const { field: sort, descending } = query.order ?? NEWEST_FIRST;
    const pages = await listing.ofMany<object, number>(this.database, organizationIds, {
      page: query.page,
      conditions: conditionsOf(query),
      sort,
      descending,
      shape: this.projection.of(items),
      total,
    });
    for (const page of pages.values()) this.finish(page.rows, items);
    return pages;
  }

  /** May the caller list this organization's documents; asked for each one before they are loaded together. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_DOCUMENTS', organizationId);
  }

  /** One version; throws NOT_FOUND, also for one of another organization where one is named. */
  async read(caller: Caller, id: number, asked: Selection, organizationId?: number | null): Promise<object> {
    const [owner] = await this.database.rows<{ organizationId: number }>(
      'select organization_id as "organizationId" from document_version where id = $1',
      [id],
    );
    const named = organizationId ?? owner?.organizationId;
    if (named === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_DOCUMENTS', named);
    if (owner?.organizationId !== named) throw notFound();
    return this.byId(id, asked);
  }

  /** Versions of one artifact, newest first; throws NOT_FOUND for one that is none and has none. */
  async ofArtifact(caller: Caller, key: ArtifactKey, page: PageRequest, asked: ListSelection): Promise<Page<object>> {
    const { organizationId, workflowId, artifactId } = key;
    await this.authorizeList(caller, organizationId);
    const pages = await this.ofOrganizations([organizationId], { page, workflowId, artifactId }, asked);
    const found = pages.get(organizationId) as Page<object>;
    // Documents stay where a workflow was dissociated, so that only what has none is asked for in the catalogue.
    if (found.rows.length === 0 && !(await this.hasVersions(key))) {
      await this.workflows.requireControl(organizationId, workflowId, artifactId);
    }
    return found;
  }

  /** Reads without asking whether the caller may: for the answer to a write. */
  async byId(id: number, asked: Selection, database: Queryable = this.database): Promise<object> {
    const shape = this.projection.of(asked);
    const rows = shape.nest<object>(await database.rows(`select ${shape.select} from ${FROM} where d.id = $1`, [id]));
    if (rows[0] === undefined) throw notFound();
    this.finish(rows, asked);
    return rows[0];
  }

  private async hasVersions({ organizationId, workflowId, artifactId }: ArtifactKey): Promise<boolean> {
    const rows = await this.database.rows(
      'select from document_version where organization_id = $1 and workflow_id = $2 and artifact_id = $3 limit 1',
      [organizationId, workflowId, artifactId],
    );
    return rows.length > 0;
  }

  private finish(rows: object[], asked: Selection): void {
    if (!asked.has('downloadUrl')) return;
    for (const row of rows as { id: number; downloadUrl?: string }[])
      row.downloadUrl = this.links.address('documents', row.id);
  }
}

function conditionsOf(query: DocumentVersionQuery): Condition[] {
  const conditions: Condition[] = [];
  const add = (sql: string, value: unknown) => value != null && conditions.push({ sql, values: [value] });
  add('d.workflow_id = ?', query.workflowId);
  add('d.artifact_id = ?', query.artifactId);
  add('d.created_by = ?', query.createdBy);
  add('d.created_at >= ?::timestamptz', query.createdFrom);
  add('d.created_at < ?::timestamptz', query.createdBefore);
  return conditions;
}
