import type { Queryable } from '../database/database.js';
import type {
  OrganizationWorkflowKey,
  OrganizationWorkflowService,
  WorkflowProgress,
} from './organization-workflows.js';
import type { WorkflowCatalog } from './workflow-catalog.js';
import type { WorkflowSource } from './weekly-report-facts.js';

/** Workflows as the weekly report reads them. */
export class ReportedWorkflows implements WorkflowSource {
  constructor(
    private readonly database: Queryable,
    private readonly catalog: WorkflowCatalog,
    private readonly workflows: OrganizationWorkflowService,
  ) {}

  async ofOrganization(organizationId: number): Promise<{ workflowId: string; name: string }[]> {
    const rows = await this.database.rows<{ workflowId: string }>(
      'select workflow_id as "workflowId" from organization_workflow where organization_id = $1 order by workflow_id',
      [organizationId],
    );
    return rows.flatMap(({ workflowId }) => {
      const workflow = this.catalog.find(workflowId);
      return workflow === undefined ? [] : [{ workflowId, name: workflow.name }];
    });
  }

  progress(keys: readonly OrganizationWorkflowKey[]): Promise<WorkflowProgress[]> {
    return this.workflows.progress(keys);
  }

  async labelOf({ workflowId }: OrganizationWorkflowKey, controlId: string): Promise<string> {
    return this.catalog.control(workflowId, controlId)?.label ?? '';
  }
}
