import { dayOf } from '../../common/local-time.js';
import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { ListSelection, Selection } from '../../common/selection.js';
import { rowsOfAll, type Page, type PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, type ListingSpec, type ListQuery } from '../../database/list-query.js';
import { person, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import type { EvidenceState } from '../../values/enums.js';
import type { DownloadLinks } from '../files/download-links.js';
import { organizationColumns } from '../shared/organization-columns.js';
import { OrganizationLists } from '../shared/organization-records.js';
import { DOCUMENT_DAY, evidenceStateOf, lastDayOf, type Dated } from '../workflows/control-evidence.service.js';
import type { WorkflowService } from '../workflows/workflows.service.js';

export interface DocumentVersionQuery extends ListQuery<'CREATED_AT' | 'EFFECTIVE_AT' | 'FILENAME'> {
  workflowId?: string | null;
  artifactId?: string | null;
  /** User name of the uploader at the time. */
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

const LIST: Omit<ListingSpec<DocumentVersionQuery>, 'parent'> = {
  from: FROM,
  id: { column: d.id, type: 'bigint' },
  sorts: {
    CREATED_AT: { column: d.created_at, type: 'timestamptz' },
    // The expression of the index: without a date, a version is dated by its upload.
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
};

const listing = new Listing<DocumentVersionQuery>({ ...LIST, parent: { column: d.organization_id, type: 'bigint' } });

/** Controls by keys such as `1/iso-27001-2022/A.5.1`. */
const listingOfControls = new Listing<DocumentVersionQuery>({
  ...LIST,
  parent: { column: sql`${d.organization_id} || '/' || ${d.workflow_id} || '/' || ${d.artifact_id}`, type: 'text' },
});

/** The parts of the key, as expressions of the index. */
const isOfControl = filter(
  (_p, key) => sql`${d.organization_id} = split_part(${key}, '/', 1)::bigint
    and ${d.workflow_id} = split_part(${key}, '/', 2) and ${d.artifact_id} = split_part(${key}, '/', 3)`,
)({});

/** Key of an artifact: a control of a workflow of an organization. */
export interface ArtifactKey {
  organizationId: number;
  workflowId: string;
  artifactId: string;
}

interface VersionRow extends Dated {
  id: number;
  reviewIntervalMonths: number | null;
  timeZone: string;
  downloadUrl?: string;
  evidenceState?: EvidenceState;
}

export class DocumentVersionService extends OrganizationLists<VersionRow, DocumentVersionQuery> {
  constructor(
    database: Database,
    access: Access,
    private readonly workflows: WorkflowService,
    private readonly links: DownloadLinks,
    publicUrl: string,
    private readonly now: () => Date,
  ) {
    const projection = new Projection('DocumentVersion', {
      ...properties(d, 'id', 'workflow_id', 'artifact_id', 'size', 'content_type', 'source', 'sha256', 'created_at'),
      ...properties(d, 'effective_at', 'valid_until', 'note', 'version'),
      organization: { object: organizationColumns(publicUrl) },
      filename: d.original_name,
      cursor: listing.place,
      createdBy: person(d.created_by),
      evidenceState: {
        needs: {
          validUntil: d.valid_until,
          day: sql`${DOCUMENT_DAY}::text`,
          timeZone: o.time_zone,
          reviewIntervalMonths: REVIEW_INTERVAL,
        },
      },
      workflow: { needs: properties(d, 'organization_id', 'workflow_id') },
      control: { needs: properties(d, 'organization_id', 'workflow_id', 'artifact_id') },
      downloadUrl: { needs: { id: d.id } },
      viewerCan: { needs: { organizationId: d.organization_id, uploaderId: d.uploader_id } },
      history: { needs: { organizationId: d.organization_id } },
    });
    const parents = { organizationId: d.organization_id };
    super(database, access, { from: FROM, id: d.id, parents, projection, privilege: 'READ_DOCUMENTS' }, listing);
  }

  /** Versions of one artifact, newest first; throws NOT_FOUND for an unknown artifact without versions. */
  async ofArtifact(
    caller: Caller,
    { organizationId, workflowId, artifactId }: ArtifactKey,
    page: PageRequest,
    selection: ListSelection,
  ): Promise<Page<object>> {
    const query = { page, workflowId, artifactId };
    const pages = await this.ofOrganizations(caller, [organizationId], query, selection);
    const found = pages.get(organizationId) as Page<object>;
    // Documents stay when a workflow is dissociated, so the catalogue is read only for an artifact without documents.
    if (found.rows.length === 0) {
      const any = await anyOf.first(this.database, { organizationId, workflowId, artifactId });
      if (any === undefined) await this.workflows.requireControl(organizationId, workflowId, artifactId);
    }
    return found;
  }

  /** Those of each control, by keys such as `1/iso-27001-2022/A.5.1`. The organizations were authorized. */
  async ofControls(
    keys: readonly string[],
    query: ListQuery<'CREATED_AT' | 'EFFECTIVE_AT' | 'FILENAME'>,
    selection: ListSelection,
  ): Promise<Map<string, Page<object>>> {
    const request = { ...query, conditions: [isOfControl], ...this.spec.projection.list(selection) };
    const pages = await listingOfControls.ofMany<VersionRow, string>(this.database, keys, request);
    this.complete(rowsOfAll(pages), selection.items);
    return pages;
  }

  protected override complete(rows: readonly VersionRow[], selection: Selection): void {
    for (const row of rows) {
      if (selection.has('downloadUrl')) row.downloadUrl = this.links.address('documents', row.id);
      if (selection.has('evidenceState'))
        row.evidenceState = evidenceStateOf(lastDayOf(row, row.reviewIntervalMonths), dayOf(this.now(), row.timeZone));
    }
  }
}

const anyOf = statement<ArtifactKey>()((p) =>
  db
    .selectFrom('document_version')
    .select('id')
    .where('organization_id', '=', p('organizationId'))
    .where('workflow_id', '=', p('workflowId'))
    .where('artifact_id', '=', p('artifactId'))
    .limit(1),
);
