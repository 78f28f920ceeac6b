import type { Access } from '../../auth/access.js';
import type { Caller } from '../../auth/caller.js';
import type { Selection } from '../../common/selection.js';
import { pageOfItems, type Page, type PageRequest } from '../../database/cursor.js';
import type { Database } from '../../database/database.js';
import { sql, statement, table } from '../../database/sql.js';
import type { ControlStatus } from '../../values/enums.js';
import { keyOf, type ControlMatch, type ControlRef } from '../workflows/control-mappings.js';
import type { ControlService, OrganizationControlView } from '../workflows/controls.service.js';
import type { OrganizationCatalogs } from '../workflows/organization-catalogs.js';
import type { OrganizationWorkflowKey } from '../workflows/progress.js';
import type { DocumentVersionService } from './document-versions.service.js';

/** Documents of other controls that cover an open one. */
export interface ReuseSuggestion {
  controlId: string;
  label: string;
  status: ControlStatus;
  documents: { via: string | null; documentVersion: object }[];
}

const w = table('organization_workflow', 'w');
const d = table('document_version', 'd');

/** The newest version of each control that has documents and whose workflow is associated. */
const newestVersions = statement<{
  organizationId: number;
  workflowIds: readonly string[];
  controlIds: readonly string[];
}>()(
  (p) => sql<ControlRef & { versionId: number }>`
    select wanted.workflow as "workflowId", wanted.control as "controlId", newest.id as "versionId"
      from unnest(${p('workflowIds')}::text[], ${p('controlIds')}::text[]) as wanted(workflow, control)
      join ${w.table} on ${w.organization_id} = ${p('organizationId')} and ${w.workflow_id} = wanted.workflow
     cross join lateral (
       select ${d.id} from ${d.table}
        where ${d.organization_id} = ${p('organizationId')} and ${d.workflow_id} = wanted.workflow
          and ${d.artifact_id} = wanted.control
        order by ${d.id} desc limit 1) newest`,
);

/** Documents of other workflows that cover the open controls of one. */
export class ReuseSuggestionService {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly catalogs: OrganizationCatalogs,
    private readonly controls: ControlService,
    private readonly documents: DocumentVersionService,
  ) {}

  /** In reading order; also for a workflow that is not associated. Throws NOT_FOUND and FORBIDDEN. */
  async ofWorkflow(
    caller: Caller,
    key: OrganizationWorkflowKey,
    request: PageRequest,
    selection: Selection,
  ): Promise<Page<ReuseSuggestion>> {
    await this.access.authorize(caller, 'READ_DOCUMENTS', key.organizationId);
    const open = await this.openControls(key);
    const newest = await this.newest(
      key.organizationId,
      open.flatMap(({ matches }) => matches),
    );
    const covered = open
      .map(({ control, matches }) => ({ control, matches: matches.filter((match) => newest.has(keyOf(match))) }))
      .filter(({ matches }) => matches.length > 0);
    const page = pageOfItems(covered, 'int', ({ control }) => control.position, request);
    const ids = page.rows.flatMap(({ matches }) => matches.map((match) => newest.get(keyOf(match)) as number));
    const versions = await this.documents.byIds([...new Set(ids)], selection);
    const rows = page.rows.map(({ control: { controlId, label, status }, matches }) => {
      const documents = matches.flatMap((match) => {
        const version = versions.get(newest.get(keyOf(match)) as number);
        // It was deleted in the meantime.
        return version === undefined ? [] : [{ via: match.via, documentVersion: version }];
      });
      return { controlId, label, status, documents };
    });
    // The cursors are a getter, which a copy omits.
    return { ...page, cursors: page.cursors, rows };
  }

  private async openControls(key: OrganizationWorkflowKey) {
    const [all = []] = await this.controls.ofWorkflows([key]);
    const catalog = await this.catalogs.of(key.organizationId);
    const headings = new Set(all.map(({ parentId }) => parentId));
    return all
      .filter((control) => isOpen(control) && !headings.has(control.controlId))
      .map((control) => ({ control, matches: catalog.matches(control) }));
  }

  private async newest(organizationId: number, matches: readonly ControlMatch[]): Promise<ReadonlyMap<string, number>> {
    const wanted = [...new Map(matches.map((match) => [keyOf(match), match])).values()];
    const rows = await newestVersions.all(this.database, {
      organizationId,
      workflowIds: wanted.map(({ workflowId }) => workflowId),
      controlIds: wanted.map(({ controlId }) => controlId),
    });
    return new Map(rows.map((row) => [keyOf(row), row.versionId]));
  }
}

function isOpen({ status }: OrganizationControlView): boolean {
  return status === 'TO_DO' || status === 'IN_PROGRESS';
}
