import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Database, Queryable } from '../../database/database.js';
import { Listing, type ListQuery } from '../../database/list-query.js';
import type { Page, PageRequest } from '../../database/cursor.js';
import { projected, person, Projection, type ColumnMap, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { notFound } from '../../errors.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import type { DownloadLinks } from '../files/downloads.service.js';
import type { ArtifactKey } from './document-events.js';
import { organizationColumns } from '../shared/organization-columns.js';
import type { EvidenceState } from '../../values/enums.js';
import { evidenceStateOf, lastDayOf, type Dated } from '../workflows/control-evidence.js';
import type { OrganizationWorkflowService } from '../workflows/workflows.service.js';

export interface DocumentVersionQuery extends ListQuery<'CREATED_AT' | 'EFFECTIVE_AT' | 'FILENAME'> {
  workflowId?: string | null;
  artifactId?: string | null;
  /** User name of the uploader, as it was then. */
  createdBy?: string | null;
  /** At this instant or later. */
  createdFrom?: Date | null;
  /** Before this instant. */
  createdBefore?: Date | null;
}

const d = table('document_version', 'd');
const o = table('organization', 'o');
const s = table('control_state', 's');

const FROM = sql`${d.table} join ${o.table} on ${o.id} = ${d.organization_id} and ${o.deleted_at} is null`;

const REVIEW_INTERVAL = sql`(select ${s.review_interval_months} from ${s.table} where ${s.organization_id} = ${d.organization_id}
  and ${s.workflow_id} = ${d.workflow_id} and ${s.control_id} = ${d.artifact_id})`;

const listing = new Listing<DocumentVersionQuery>({
  from: FROM,
  id: { column: d.id, type: 'int' },
  parent: { column: d.organization_id, type: 'int' },
  sorts: {
    CREATED_AT: { column: d.created_at, type: 'timestamptz' },
    // The expression of the index on it: without a date of its own, a version is dated by its upload.
    EFFECTIVE_AT: { column: sql`coalesce(${d.effective_at}, ${d.created_at})`, type: 'timestamptz' },
    FILENAME: { column: d.original_name, type: 'text' },
  },
  order: { field: 'CREATED_AT', direction: 'DESC' },
  filters: {
    workflowId: (id) => sql`${d.workflow_id} = ${id}`,
    artifactId: (id) => sql`${d.artifact_id} = ${id}`,
    createdBy: (username) => sql`${d.created_by} = ${username}`,
    createdFrom: (instant) => sql`${d.created_at} >= ${instant}::timestamptz`,
    createdBefore: (instant) => sql`${d.created_at} < ${instant}::timestamptz`,
  },
});

/** Document versions (specification 2.3, 4.2 and 8). */
export class DocumentVersionService {
  private readonly projection: Projection;

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly workflows: OrganizationWorkflowService,
    private readonly links: DownloadLinks,
    publicUrl: string,
    private readonly now: () => Date,
  ) {
    const columns: ColumnMap = {
      id: d.id,
      organization: { object: organizationColumns(publicUrl) },
      ...properties(
        d,
        'workflow_id',
        'artifact_id',
        'size',
        'content_type',
        'source',
        'sha256',
        'created_at',
        'effective_at',
        'valid_until',
        'note',
      ),
      filename: d.original_name,
      createdBy: person(d.created_by),
      evidenceState: {
        needs: {
          validUntil: d.valid_until,
          day: sql`(coalesce(${d.effective_at}, ${d.created_at}) at time zone 'UTC')::date::text`,
          reviewIntervalMonths: REVIEW_INTERVAL,
        },
      },
      downloadUrl: { needs: { id: d.id } },
      viewerCan: { needs: { organizationId: d.organization_id, uploaderId: d.uploader_id } },
      history: { needs: { organizationId: d.organization_id } },
    };
    this.projection = new Projection('DocumentVersion', columns);
  }

  /**
   * Documents of each organization, newest first unless ordered otherwise. Whether the caller may list them has been
   * decided.
   */
  async ofOrganizations(
    organizationIds: readonly number[],
    query: DocumentVersionQuery,
    selection: ListSelection,
  ): Promise<Map<number, Page<object>>> {
    const request = { ...query, ...this.projection.list(selection) };
    const pages = await listing.ofMany<FinishedRow, number>(this.database, organizationIds, request);
    for (const { rows } of pages.values()) this.finish(rows, selection.items);
    return pages;
  }

  /** Authorizes the list of this organization's documents, before several lists are loaded together. */
  async authorizeList(caller: Caller, organizationId: number): Promise<void> {
    await this.access.authorize(caller, 'READ_DOCUMENTS', organizationId);
  }

  /** One version; throws NOT_FOUND, also for one of another organization where one is named. */
  async read(caller: Caller, id: number, selection: Selection, organizationId?: number | null): Promise<object> {
    const owner = await ownerOf.first(this.database, { id });
    const named = organizationId ?? owner?.organizationId;
    if (named === undefined) throw notFound();
    await this.access.authorize(caller, 'READ_DOCUMENTS', named);
    if (owner?.organizationId !== named) throw notFound();
    return this.byId(id, selection);
  }

  /** Versions of one artifact, newest first; throws NOT_FOUND for one that is none and has none. */
  async ofArtifact(
    caller: Caller,
    key: ArtifactKey,
    page: PageRequest,
    selection: ListSelection,
  ): Promise<Page<object>> {
    const { organizationId, workflowId, artifactId } = key;
    await this.authorizeList(caller, organizationId);
    const pages = await this.ofOrganizations([organizationId], { page, workflowId, artifactId }, selection);
    const found = pages.get(organizationId) as Page<object>;
    // Documents stay when a workflow is dissociated, so the catalogue is read only for an artifact without documents.
    if (found.rows.length === 0 && !(await this.hasVersions(key))) {
      await this.workflows.requireControl(organizationId, workflowId, artifactId);
    }
    return found;
  }

  /** Reads without asking whether the caller may: for the answer to a write. */
  async byId(id: number, selection: Selection, database: Queryable = this.database): Promise<object> {
    const version = await one(this.projection.of(selection)).first(database, { id });
    if (version === undefined) throw notFound();
    this.finish([version], selection);
    return version;
  }

  /** The same for many, by id. */
  async byIds(ids: readonly number[], selection: Selection): Promise<ReadonlyMap<number, object>> {
    const rows = await many(this.projection.of(selection)).all(this.database, { ids });
    this.finish(rows, selection);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async hasVersions({ organizationId, workflowId, artifactId }: ArtifactKey): Promise<boolean> {
    return (await anyOf.first(this.database, { organizationId, workflowId, artifactId })) !== undefined;
  }

  private finish(rows: readonly FinishedRow[], selection: Selection): void {
    for (const row of rows) {
      if (selection.has('downloadUrl')) row.downloadUrl = this.links.address('documents', row.id);
      if (selection.has('evidenceState'))
        row.evidenceState = evidenceStateOf(lastDayOf(row, row.reviewIntervalMonths), this.now());
    }
  }
}

interface FinishedRow extends Dated {
  id: number;
  reviewIntervalMonths: number | null;
  downloadUrl?: string;
  evidenceState?: EvidenceState;
}

const ownerOf = statement<{ id: number }>()((p) =>
  db.selectFrom('document_version').select('organization_id as organizationId').where('id', '=', p('id')),
);

const one = projected<{ id: number }>()(
  (p, { select }) => sql<FinishedRow>`select ${sql.join(select)} from ${FROM} where ${d.id} = ${p('id')}`,
);

const many = projected<{ ids: readonly number[] }>()(
  (p, { select }) => sql<FinishedRow>`select ${sql.join(select)} from ${FROM} where ${d.id} = any(${p('ids')})`,
);

const anyOf = statement<ArtifactKey>()((p) =>
  db
    .selectFrom('document_version')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .where('artifact_id', '=', p('artifactId'))
    .limit(1),
);
