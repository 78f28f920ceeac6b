import type { Caller, UserCaller } from '../../auth/caller.js';
import type { ListSelection } from '../../common/selection.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import { filter } from '../../database/list-conditions.js';
import { Listing, orderedByKey, type ListQuery } from '../../database/list-query.js';
import { person, Projection, properties } from '../../database/projection.js';
import { db, sql, statement, table } from '../../database/sql.js';
import { isBefore, isFrom } from '../audit/audit-trail.service.js';
import { entryRecords } from '../audit/entry-records.js';
import type { DownloadLinks } from '../files/download-links.js';
import type { Foundation } from '../foundation.js';
import type { AsOfService } from '../as-of/as-of.service.js';
import {
  associatedOf,
  documentInScope,
  engagementScope,
  type EngagementScope,
  type ScopeValues,
} from '../shared/engagement-scope.js';
import type { ControlService } from '../workflows/controls.service.js';
import type { EngagementKey, EngagementPart, EngagementService } from './engagements.service.js';

const d = table('document_version', 'd');
const i = table('incident', 'i');
const e = table('audit_entry', 'e');

const documents = new Listing<ListQuery<'CREATED'>>({
  from: d.table,
  ...orderedByKey(d.id, 'CREATED', 'DESC'),
  parent: { column: d.organization_id, type: 'bigint' },
});
const documentIsInScope = filter<ScopeValues>(documentInScope);
const documentColumns = new Projection(
  'EngagementDocument',
  {
    documentVersionId: d.id,
    ...properties(d, 'workflow_id', 'size', 'content_type', 'sha256', 'created_at', 'effective_at'),
    controlId: d.artifact_id,
    filename: d.original_name,
    createdBy: person(d.created_by),
    downloadUrl: { needs: { documentVersionId: d.id } },
  },
  ['documentVersionId'],
);

interface DocumentKey {
  id: number;
  organizationId: number;
}

const oneInScope = statement<ScopeValues & DocumentKey>()((p) =>
  db
    .selectFrom('document_version as d')
    .select('d.id')
    .where('d.id', '=', p('id'))
    .where('d.organization_id', '=', p('organizationId'))
    .where(documentInScope(p)),
);

const incidents = new Listing<ListQuery<'AWARE'>>({
  from: i.table,
  id: { column: i.id, type: 'bigint' },
  parent: { column: i.organization_id, type: 'bigint' },
  sorts: { AWARE: { column: i.aware_at, type: 'timestamptz' } },
  order: { field: 'AWARE', direction: 'DESC' },
});
const incidentIsInScope = filter<ScopeValues>(
  (p) => sql`${i.aware_at} >= ${p('from')}::timestamptz and ${i.aware_at} < ${p('to')}::timestamptz`,
);
const incidentColumns = new Projection(
  'EngagementIncident',
  {
    incidentId: i.id,
    ...properties(i, 'title', 'description', 'severity', 'status', 'significant', 'aware_at', 'closed_at'),
    openedBy: person(sql`nullif(${i.opened_by}, '')`),
  },
  ['incidentId'],
);

const entries = new Listing<ListQuery<'POSITION'>>({
  from: e.table,
  details: sql`join ${e.table} on ${e.log_id} = key.parent and ${e.position} = key.id`,
  ...orderedByKey(e.position, 'POSITION', 'DESC'),
  parent: { column: e.log_id, type: 'bigint' },
});
/** Entries about workflows and their parts, incidents, and the engagement itself; the object of an entry may be deleted. */
const entryIsInScope = filter<ScopeValues & { organizationId: number; engagement: string }>(
  (p) => sql`(
    (${e.subject_type} in ('WORKFLOW', 'CONTROL') and split_part(${e.subject}, '/', 2) = any(${p('workflows')}::text[]))
    or (${e.subject_type} = 'DOCUMENT_VERSION' and split_part(${e.parent}, '/', 2) = any(${p('workflows')}::text[]))
    or ${e.subject} = ${p('engagement')}
    or (case ${e.subject_type} when 'INCIDENT' then ${e.subject} when 'INCIDENT_ATTACHMENT' then ${e.parent} end)
       in (select 'INCIDENT/' || ${i.id} from ${i.table} where ${i.organization_id} = ${p('organizationId')}::bigint
             and ${i.aware_at} >= ${p('from')}::timestamptz and ${i.aware_at} < ${p('to')}::timestamptz))`,
);
const NEEDS = { needs: { entry: e.entry } };
const entryColumns = new Projection(
  'EngagementEntry',
  {
    ...properties(e, 'position', 'at', 'action'),
    ...{ actorType: NEEDS, actor: NEEDS, subject: NEEDS, changes: NEEDS, reason: NEEDS },
    hash: sql`encode(${e.hash}, 'hex')`,
  },
  ['position'],
);

const logOf = statement<{ organizationId: number }>()((p) =>
  db.selectFrom('audit_log').select('id').where('organization_id', '=', p('organizationId')),
);
/** An id that no trail has. */
const NO_LOG = -1;

type FoundEngagement = Partial<EngagementKey> & { engagementId: number };

/** The end of the period or of the access, whichever is earlier. */
const endOf = ({ to, until }: Ends) => new Date(Math.min(new Date(to).getTime(), new Date(until).getTime()));

interface Ends {
  organizationId: number;
  to: Date | string;
  until: Date | string;
}

/** Reads within the scope of an engagement. Its own types and statements prevent access to anything else. */
export class EngagementReadingService {
  constructor(
    private readonly deps: Pick<Foundation, 'database' | 'now'> & { links: DownloadLinks; asOf: AsOfService },
    private readonly engagements: EngagementService,
    private readonly controls: ControlService,
  ) {}

  /**
   * The instant as of which its controls, documents and incidents are shown: its end. Null before that, and where the audit
   * trail cannot reconstruct it: then the present state is shown. Not authorized here.
   */
  async asOf(engagement: Ends): Promise<Date | null> {
    const at = endOf(engagement);
    if (at > this.deps.now()) return null;
    const asOf = { organizationId: engagement.organizationId, at };
    return (await this.deps.database.past.present(() => this.deps.asOf.canAnswer(asOf))) ? at : null;
  }

  /** The controls of its workflows with their states. A workflow whose import was deleted after the end has none. */
  controlsOf(caller: Caller, key: FoundEngagement, page: PageRequest): Promise<Page<object>> {
    return this.read(caller, key, 'CONTROLS', async ({ organizationId, workflows }) => {
      const [named = []] = await this.engagements.workflowsOf([{ organizationId, workflowIds: workflows }]);
      const keys = named.flatMap(({ workflowId, name }) => (name === null ? [] : [{ organizationId, workflowId }]));
      const views = (await this.controls.ofWorkflows(keys)).flat();
      const rows = views.map(({ owner, ...view }, place) => ({
        ...view,
        place,
        owner: owner && { username: owner.username },
      }));
      const found = pageOfItems(rows, 'int', ({ place }) => place, page);
      return { found, shown: found.rows.map(({ workflowId, controlId }) => `${workflowId}/${controlId}`) };
    });
  }

  /**
   * Versions of its workflows that were true, or else uploaded, in its period. Addresses for an auditor end with the
   * engagement.
   */
  documentsOf(caller: Caller, key: FoundEngagement, page: PageRequest, selection: ListSelection) {
    return this.read(caller, key, 'DOCUMENTS', async (scope, auditor) => {
      const request = { page, conditions: [documentIsInScope(scope)], ...documentColumns.list(selection) };
      const found = await documents.of<{ documentVersionId: number; downloadUrl?: string }>(
        ...([this.deps.database, scope.organizationId, request] as const),
      );
      const audit = auditor && { engagementId: scope.id, userId: auditor.userId };
      if (selection.items.has('downloadUrl'))
        for (const row of found.rows)
          row.downloadUrl = this.deps.links.address('documents', row.documentVersionId, audit);
      return { found, shown: found.rows.map(({ documentVersionId }) => documentVersionId) };
    });
  }

  /** Whether `documentsOf` lists a document version. Not authorized here: used for download addresses. */
  async shows(engagementId: number, { id, organizationId }: DocumentKey): Promise<boolean> {
    const scope = await engagementScope.first(this.deps.database, { id: engagementId });
    if (scope?.organizationId !== organizationId) return false;
    const found = await this.asOfEnd(scope, (shown) => oneInScope.first(this.deps.database, { ...shown, id }));
    return found !== undefined;
  }

  /** Incidents that the organization became aware of in its period. */
  incidentsOf(caller: Caller, key: FoundEngagement, page: PageRequest, selection: ListSelection) {
    return this.read(caller, key, 'INCIDENTS', async (scope) => {
      const request = { page, conditions: [incidentIsInScope(scope)], ...incidentColumns.list(selection) };
      const found = await incidents.of<{ incidentId: number }>(this.deps.database, scope.organizationId, request);
      return { found, shown: found.rows.map(({ incidentId }) => incidentId) };
    });
  }

  /** Entries of its period about its workflows, its incidents or itself, without network addresses. */
  entriesOf(caller: Caller, key: FoundEngagement, page: PageRequest, selection: ListSelection) {
    return this.read(caller, key, 'AUDIT_TRAIL', async (scope) => {
      const { database } = this.deps;
      const { id: logId = NO_LOG } = (await logOf.first(database, scope)) ?? {};
      const conditions = [
        ...[isFrom({ from: scope.from }), isBefore({ to: scope.to })],
        entryIsInScope({ ...scope, engagement: `ENGAGEMENT/${scope.id}` }),
      ];
      const request = { page, conditions, ...entryColumns.list(selection) };
      const found = await entries.of<{ position: number; entry?: string }>(database, logId, request);
      const rows = found.rows.filter((row): row is { position: number; entry: string } => row.entry !== undefined);
      for (const [index, record] of (await entryRecords(database, rows)).entries()) {
        const { actor, subject, changes, reason } = record;
        const name = actor.user?.username ?? actor.job;
        Object.assign(rows[index] as object, { actorType: actor.type, actor: name, subject, changes, reason });
      }
      return { found, shown: found.rows.map(({ position }) => position) };
    });
  }

  /**
   * The workflows that it shows: after its end those that were associated then. Reads in the transaction of the change: a
   * second connection could deadlock with transactions that wait for its locks. Not authorized here.
   */
  async shownWorkflows({ organizationId, named, workflows, ...period }: EngagementScope): Promise<readonly string[]> {
    const at = await this.asOf({ organizationId, ...period });
    if (at === null) return workflows;
    const { rows } = await this.deps.asOf.recorded({ organizationId, at });
    const associated = new Set(rows.organization_workflow.map(({ workflowId }) => workflowId));
    return named.filter((id) => associated.has(id));
  }

  /** Authorizes, reads, and records what is shown to an auditor. */
  private async read<Row extends object>(
    caller: Caller,
    key: FoundEngagement,
    part: EngagementPart,
    load: (
      scope: EngagementScope,
      auditor?: UserCaller,
    ) => Promise<{ found: Page<Row>; shown: readonly (string | number)[] }>,
  ): Promise<Page<Row>> {
    const privilege = part === 'AUDIT_TRAIL' ? 'READ_AUDIT_TRAIL' : 'READ_ENGAGEMENTS';
    const { scope, auditor } = await this.engagements.authorize(caller, key, privilege);
    const { found, shown } = await this.asOfEnd(scope, (shownScope) => load(shownScope, auditor));
    if (auditor !== undefined) await this.engagements.recordRead(auditor, scope, part, shown);
    return found;
  }

  /** With the scope at the end of the engagement, and statements that read the state at that time. */
  private async asOfEnd<Result>(
    scope: EngagementScope,
    load: (scope: EngagementScope) => Promise<Result>,
  ): Promise<Result> {
    const at = await this.asOf(scope);
    if (at === null) return load(scope);
    const { database, asOf } = this.deps;
    return asOf.during({ organizationId: scope.organizationId, at }, async () => {
      const workflows = await associatedOf.all(database, scope);
      return load({ ...scope, workflows: workflows.map(({ id }) => id) });
    });
  }
}
