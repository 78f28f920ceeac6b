import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { pageOfItems } from '../database/page.js';
import { batch } from '../engine/batch.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { OrganizationControlConnection } from '../schema/organization-control.type.js';
import { Organization } from '../schema/organization.type.js';
import {
  OrganizationWorkflow,
  OrganizationWorkflowConnection,
  WorkflowProgress,
} from '../schema/organization-workflow.type.js';
import type { Plain } from '../schema/plain.js';
import { Workflow, WorkflowConnection, WorkflowControlConnection } from '../schema/workflow.type.js';
import type { OrganizationWorkflowKey, OrganizationWorkflowService } from '../services/organization-workflows.js';
import type { WorkflowCatalog } from '../services/workflow-catalog.js';
import type { CatalogWorkflow } from '../services/workflow-file.js';
import { connectionFrom } from './connection.js';
import { nestedList } from './nested-list.js';

type WorkflowRow = Plain<OrganizationWorkflow> & OrganizationWorkflowKey;

/** Workflows as the catalogue has them. */
@Resolver(() => Workflow)
export class WorkflowResolver {
  constructor(private readonly workflowService: OrganizationWorkflowService) {}

  @Query(() => WorkflowConnection, {
    description: 'The frameworks and task sets that organizations can take up (specification 4.8).',
  })
  availableWorkflows(@Args(() => PageArgs) page: PageArgs, @Ctx() { caller }: RequestContext) {
    const workflows = this.workflowService.available(caller);
    return connectionFrom(pageOfItems(workflows, (workflow) => workflows.indexOf(workflow), page));
  }

  @Query(() => Workflow, { description: 'One workflow of the catalogue (specification 2.9).' })
  workflow(
    @Arg('id', () => ID, { description: 'Its id, such as `iso-27001-2022`.' }) id: string,
    @Ctx() { caller }: RequestContext,
  ) {
    return this.workflowService.fromCatalog(caller, id);
  }

  @FieldResolver(() => WorkflowControlConnection, { description: 'Its controls and tasks in reading order.' })
  controls(@Root() { id, controls }: CatalogWorkflow, @Args(() => PageArgs) page: PageArgs) {
    const views = controls.map((control) => ({ ...control, id: `${id}/${control.id}`, controlId: control.id }));
    return connectionFrom(pageOfItems(views, ({ position }) => position, page));
  }
}

/** Workflows that an organization has taken up. */
@Resolver(() => Organization)
export class OrganizationWorkflowsResolver {
  constructor(private readonly workflowService: OrganizationWorkflowService) {}

  @Query(() => OrganizationWorkflow, { description: 'A workflow that an organization has taken up.' })
  organizationWorkflow(
    @Arg('organizationId', () => Int, { description: 'Which organization.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'Which workflow of the catalogue.' }) workflowId: string,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.workflowService.read(caller, organizationId, workflowId, selectionOf(info));
  }

  @FieldResolver(() => OrganizationWorkflowConnection, { description: 'The workflows it has taken up, by id.' })
  async workflows(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, organization.id, {
      authorize: (id) => this.workflowService.authorizeList(context.caller, id),
      load: (ids, asked, total) => this.workflowService.ofOrganizations(ids, page, asked, total),
    });
  }
}

/** How far an organization is with a workflow. Who has the workflow in hand was allowed to read it. */
@Resolver(() => OrganizationWorkflow)
export class OrganizationWorkflowResolver {
  constructor(
    private readonly workflowService: OrganizationWorkflowService,
    private readonly catalog: WorkflowCatalog,
  ) {}

  @FieldResolver(() => Workflow, { description: 'The workflow as the catalogue has it.' })
  workflow(@Root() { workflowId }: WorkflowRow) {
    return this.catalog.find(workflowId);
  }

  @FieldResolver(() => WorkflowProgress, { description: 'How far the organization is; headings do not count.' })
  progress(@Root() row: WorkflowRow, @Ctx() context: RequestContext) {
    return batch(context, 'progress', row, async (rows: readonly WorkflowRow[]) => {
      const found = await this.workflowService.progress(rows);
      return new Map(rows.map((each, index) => [each, found[index] as object]));
    });
  }

  @FieldResolver(() => OrganizationControlConnection, { description: 'Its controls and tasks in reading order.' })
  async controls(@Root() row: WorkflowRow, @Args(() => PageArgs) page: PageArgs, @Ctx() context: RequestContext) {
    const controls = await batch(context, 'controls', row, async (rows: readonly WorkflowRow[]) => {
      const found = await this.workflowService.controls(rows);
      return new Map(rows.map((each, index) => [each, found[index] ?? []]));
    });
    return connectionFrom(pageOfItems(controls, ({ position }) => position, page));
  }
}
