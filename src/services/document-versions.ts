import type { Access } from '../access/access.js';
import type { Caller, UserCaller } from '../access/caller.js';
import type { Database, Queryable } from '../database/database.js';
import { Listing, type Condition } from '../database/listing.js';
import type { Page, PageRequest } from '../database/page.js';
import { Projection, type ColumnMap } from '../database/projection.js';
import { badUserInput, missingContent, notFound, unauthenticated } from '../errors.js';
import type { StagedBlob } from '../storage/blob-store.js';
import { displayName } from '../storage/display-name.js';
import { judgeFile } from '../storage/judge-file.js';
import { DEFAULT_DOCUMENT_SOURCE, DOCUMENT_SOURCES } from '../vocabulary/document-sources.js';
import type { FileFacts, IncomingFile } from '../vocabulary/incoming-file.js';
import { LIMITS } from '../vocabulary/limits.js';
import type { ListSelection, Selection } from '../vocabulary/selection.js';
import { tellMembers } from './document-events.js';
import type { DownloadLinks } from './download-links.js';
import { organizationColumns } from './organization-columns.js';
import type { OrganizationWorkflowService } from './organization-workflows.js';
import type { StoredContent } from './stored-content.js';

/** What a version belongs to: a control of a workflow of an organization. */
export interface ArtifactKey {
  organizationId: number;
  workflowId: string;
  artifactId: string;
}

export interface NewDocumentVersion extends ArtifactKey {
  file: IncomingFile;
  /** Goes before what the file says of itself. */
  facts?: FileFacts;
  effectiveAt?: Date | null;
}

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

/** Waits for whoever else is at this artifact: what is there and what has to go is decided by one at a time. */
const LOCK_ARTIFACT = `select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2 || '/' || $3, 1))`;

/** Holds the artifact until the transaction ends; whoever stores or deletes versions of it takes this first. */
export async function lockArtifact(
  tx: Queryable,
  { organizationId, workflowId, artifactId }: ArtifactKey,
): Promise<void> {
  await tx.rows(LOCK_ARTIFACT, [String(organizationId), workflowId, artifactId]);
}

/**
 * Finds the version of this content, or adds it and trims. The parts of one statement see the rows as they were before
 * it, so the new row is not among those that are counted: of the old, one less than the limit stays.
 */
const STORE = `
  with existing as (
    select id from document_version
     where organization_id = $1 and workflow_id = $2 and artifact_id = $3 and sha256 = $4
  ), inserted as (
    insert into document_version (organization_id, workflow_id, artifact_id, sha256, original_name, size, content_type,
                                  source, created_by, effective_at, uploader_id, created_at)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 where not exists (select from existing)
    returning id
  ), trimmed as (
    delete from document_version where exists (select from inserted) and id in (
      select id from document_version where organization_id = $1 and workflow_id = $2 and artifact_id = $3
       order by id desc offset ${LIMITS.document.versionsKept - 1})
    returning sha256
  )
  select coalesce((select id from inserted), (select id from existing)) as id,
         exists (select from inserted) as created,
         array(select sha256 from trimmed) as trimmed`;

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
    private readonly content: StoredContent,
    private readonly workflows: OrganizationWorkflowService,
    private readonly links: DownloadLinks,
    publicUrl: string,
    private readonly now: () => Date = () => new Date(),
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
   * Stores a version; the same content as a kept version of the artifact is that version again (specification 4.2).
   * Throws NOT_FOUND, FORBIDDEN, MISSING_CONTENT, INVALID_BASE64, FILE_TOO_LARGE, UNSUPPORTED_FILE_TYPE, BAD_USER_INPUT.
   */
  async upload(caller: Caller, input: NewDocumentVersion): Promise<{ id: number; created: boolean }> {
    await this.access.authorize(caller, 'UPLOAD_DOCUMENTS', input.organizationId);
    if (caller.kind !== 'user') throw unauthenticated();
    await this.workflows.requireControl(input.organizationId, input.workflowId, input.artifactId);
    const staged = await this.content.store.stage(input.file.bytes, LIMITS.document.maxBytes);
    try {
      if (staged.size === 0) throw missingContent();
      const facts = checkedFacts({ ...(await input.file.facts()), ...given(input.facts) });
      const { mediaType } = await judgeFile({ ...staged, path: staged.path, ...facts });
      const { id, created, trimmed } = await this.keep(caller, input, staged, { ...facts, contentType: mediaType });
      for (const sha256 of trimmed) await this.content.letGo(sha256);
      return { id, created };
    } finally {
      await staged.discard();
    }
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

  private keep(caller: UserCaller, input: NewDocumentVersion, staged: StagedBlob, facts: CheckedFacts) {
    const { organizationId, workflowId, artifactId } = input;
    return this.content.keep(staged, async (tx) => {
      await lockArtifact(tx, input);
      const now = this.now();
      const [row] = await tx.rows<{ id: number; created: boolean; trimmed: string[] }>(STORE, [
        organizationId,
        workflowId,
        artifactId,
        staged.sha256,
        facts.filename,
        staged.size,
        facts.contentType,
        facts.source,
        caller.username,
        input.effectiveAt ?? null,
        caller.userId,
        now,
      ]);
      if (row === undefined) throw new Error('Storing a version returned no row');
      const told = { ...input, originalName: facts.filename };
      if (row.created) await tellMembers(tx, caller, told, { done: 'uploaded', at: now });
      return row;
    });
  }

  private finish(rows: object[], asked: Selection): void {
    if (!asked.has('downloadUrl')) return;
    for (const row of rows as { id: number; downloadUrl?: string }[])
      row.downloadUrl = this.links.address('documents', row.id);
  }
}

interface CheckedFacts {
  filename: string;
  contentType: string | undefined;
  source: string;
}

/** Throws BAD_USER_INPUT with every fault of what was said about the file (specification 4.2). */
function checkedFacts({ filename, contentType, source }: FileFacts): CheckedFacts {
  const faults: string[] = [];
  if (filename === undefined || filename.trim() === '') faults.push('filename is required');
  const origin = source === undefined || source === '' ? DEFAULT_DOCUMENT_SOURCE : source;
  if (!(DOCUMENT_SOURCES as readonly string[]).includes(origin)) {
    faults.push(`source must be one of ${DOCUMENT_SOURCES.join(', ')}`);
  }
  if (faults.length > 0) throw badUserInput(faults);
  return { filename: displayName(filename ?? ''), contentType: contentType || undefined, source: origin };
}

function given(facts: FileFacts = {}): FileFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
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
