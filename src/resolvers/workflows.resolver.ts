import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Ctx,
  Extensions,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphQLContext } from '../context.js';
import { batchInOrder } from '../graphql/batch.js';
import { selectionOf } from '../graphql/selection.js';
import { PageArgs } from '../schema/shared/connection.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import { DateScalar } from '../schema/shared/scalars.js';
import {
  OrganizationControlFilter,
  AssociateWorkflowInput,
  DissociateWorkflowInput,
  DeleteWorkflowImportInput,
  ImportWorkflowInput,
} from '../schema/workflows/inputs.js';
import {
  DeleteWorkflowImportPayload,
  ImportWorkflowPayload,
  WorkflowImport,
  WorkflowImportConnection,
} from '../schema/workflows/import-types.js';
import {
  OrganizationControlConnection,
  AssociateWorkflowPayload,
  DissociateWorkflowPayload,
  OrganizationWorkflow,
  OrganizationWorkflowConnection,
  ProgressHistory,
  WorkflowProgress,
  Workflow,
  WorkflowConnection,
  WorkflowControlConnection,
} from '../schema/workflows/types.js';
import type { Services } from '../services/index.js';
import type { CatalogControl, CatalogWorkflow } from '../services/workflows/catalog-file.js';
import { controlPage } from '../services/workflows/controls.service.js';
import type { OrganizationWorkflowKey } from '../services/workflows/progress.js';
import { COSTS } from '../values/limits.js';
import { connectionFrom, nestedList } from './shared/connection.js';

type WorkflowRow = Plain<OrganizationWorkflow> & OrganizationWorkflowKey;

/** Workflows as the catalogue has them. */
@Resolver(() => Workflow)
export class WorkflowResolver {
  constructor(private readonly services: Services) {}

  @Query(() => WorkflowConnection, {
    description:
      'The frameworks and task sets that organizations can take up (specification 4.8), with what the organizations of the caller have imported.',
  })
  async availableWorkflows(@Args(() => PageArgs) page: PageArgs, @Ctx() { caller }: GraphQLContext) {
    return connectionFrom(await this.services.workflows.available(caller, page));
  }

  @Query(() => Workflow, { description: 'One workflow of the catalogue (specification 2.9).' })
  workflow(
    @Arg('id', () => ID, { description: 'Its id, such as `iso-27001-2022`.' }) id: string,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.workflows.fromCatalog(caller, id);
  }

  @FieldResolver(() => ID, {
    description: 'What to associate the workflow by, such as `iso-27001-2022` (specification 4.8).',
  })
  workflowId(@Root() { id, workflowId = id }: CatalogWorkflow & { workflowId?: string }) {
    return workflowId;
  }

  @FieldResolver(() => WorkflowControlConnection, { description: 'Its controls and tasks in reading order.' })
  controls(@Root() workflow: CatalogWorkflow, @Args(() => PageArgs) page: PageArgs) {
    return connectionFrom(controlPage(controlsOf(workflow), page));
  }
}

export function controlsOf({ id, controls }: CatalogWorkflow): (CatalogControl & { controlId: string })[] {
  return controls.map((control) => ({ ...control, id: `${id}/${control.id}`, controlId: control.id }));
}

/** Workflows that are associated with an organization. */
@Resolver(() => Organization)
export class OrganizationWorkflowsResolver {
  constructor(private readonly services: Services) {}

  @Query(() => OrganizationWorkflow, { description: 'A workflow that is associated with an organization.' })
  organizationWorkflow(
    @Arg('organizationId', () => Int, { description: 'Which organization.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'Which workflow of the catalogue.' }) workflowId: string,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.workflows.read(caller, organizationId, workflowId, selectionOf(info));
  }

  @FieldResolver(() => OrganizationWorkflowConnection, {
    description: 'The workflows that are associated with it, by id.',
  })
  async workflows(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, organization.id, {
      authorize: (id) => this.services.workflows.authorizeList(context.caller, id),
      load: (ids, selection) => this.services.workflows.ofOrganizations(ids, page, selection),
    });
  }

  @Query(() => WorkflowImport, { description: 'What an organization has imported under an id.' })
  workflowImport(
    @Arg('organizationId', () => Int, { description: 'Which organization.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'Which id.' }) workflowId: string,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.workflowImports.read(caller, { organizationId, workflowId }, selectionOf(info));
  }

  @Mutation(() => ImportWorkflowPayload, {
    description:
      'Imports a workflow of the organization’s own, official titles for one that is there for everybody, or a mapping between two workflows. It replaces what was imported under that id before, and a mapping of the same two workflows; not a workflow that is associated with the organization.',
  })
  async importWorkflow(
    @Arg('input', () => ImportWorkflowInput, { description: 'The import.' }) input: ImportWorkflowInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { organizationId, mode, text, file, catalog, ...fields } = input;
    const form = { text: text ?? null, file: file ?? null, catalog: catalog ?? null, fields: { ...fields } };
    const sent = { organizationId, mode: mode ?? 'WORKFLOW', ...form };
    return this.services.workflowImports.import(caller, sent, selectionOf(info).of('workflowImport'));
  }

  @Mutation(() => DeleteWorkflowImportPayload, {
    description: 'Removes an import; not a workflow that is associated with the organization.',
  })
  async deleteWorkflowImport(
    @Arg('input', () => DeleteWorkflowImportInput, { description: 'The import.' }) input: DeleteWorkflowImportInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('workflowImport');
    return { workflowImport: await this.services.workflowImports.remove(caller, { ...input }, selection) };
  }

  @FieldResolver(() => WorkflowImportConnection, { description: 'What it has imported, by id.' })
  async workflowImports(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, organization.id, {
      authorize: (id) => this.services.workflowImports.authorizeList(context.caller, id),
      load: (ids, selection) => this.services.workflowImports.ofOrganizations(ids, page, selection),
    });
  }
}

/** How far an organization is with a workflow. Who has the workflow in hand was allowed to read it. */
@Resolver(() => OrganizationWorkflow)
export class OrganizationWorkflowResolver {
  constructor(private readonly services: Services) {}

  @Mutation(() => AssociateWorkflowPayload, {
    description:
      'Associates a workflow with an organization (specification 4.8). One that is associated already stays as it is.',
  })
  async associateWorkflow(
    @Arg('input', () => AssociateWorkflowInput, { description: 'The workflow.' })
    input: AssociateWorkflowInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.workflows.associate(caller, { ...input }, selectionOf(info).of('organizationWorkflow'));
  }

  @Mutation(() => DissociateWorkflowPayload, {
    description:
      'Dissociates a workflow from an organization. Documents and the states of controls stay, and are there again when it is associated again.',
  })
  async dissociateWorkflow(
    @Arg('input', () => DissociateWorkflowInput, { description: 'The workflow.' }) input: DissociateWorkflowInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = selectionOf(info).of('organizationWorkflow');
    return { organizationWorkflow: await this.services.workflows.dissociate(caller, { ...input }, selection) };
  }

  @FieldResolver(() => Workflow, { description: 'The workflow as the organization has it in its catalogue.' })
  workflow(@Root() row: WorkflowRow, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'OrganizationWorkflow.workflow', row, async (rows: readonly WorkflowRow[]) =>
      (await this.services.workflows.seen(rows)).map(({ key, workflow }) => associatedWith(key, workflow)),
    );
  }

  @Extensions({ cost: COSTS.workflowProgress })
  @FieldResolver(() => WorkflowProgress, { description: 'How far the organization is; headings do not count.' })
  progress(@Root() row: WorkflowRow, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'progress', row, (rows: readonly WorkflowRow[]) =>
      this.services.workflows.progress(rows),
    );
  }

  @Extensions({ cost: COSTS.staleEvidence })
  @FieldResolver(() => Int, {
    description: 'How many controls are done on stale evidence: they need a newer document.',
  })
  staleEvidence(@Root() row: WorkflowRow, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'staleEvidence', row, (rows: readonly WorkflowRow[]) =>
      this.services.controlEvidence.stale(rows),
    );
  }

  @Extensions({ cost: COSTS.progressHistory })
  @FieldResolver(() => ProgressHistory, {
    description:
      'How far it was on each day on which that changed, oldest first, beginning with how it stood on the first day.',
  })
  async progressHistory(
    @Root() row: WorkflowRow,
    @Arg('from', () => DateScalar, { nullable: true, description: 'First day; 90 days before the last when absent.' })
    from: string | null,
    @Arg('to', () => DateScalar, { nullable: true, description: 'Last day; today when absent. 366 days at most.' })
    to: string | null,
  ) {
    const days = await this.services.workflows.history(row, { from, to });
    return { days, totalCount: days.length };
  }

  @Extensions({ cost: COSTS.workflowControls })
  @FieldResolver(() => OrganizationControlConnection, {
    description: 'Its controls and tasks in reading order, as far as they bind the organization.',
  })
  async controls(
    @Root() row: WorkflowRow,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => OrganizationControlFilter, { nullable: true, description: 'Which of them.' })
    filter: OrganizationControlFilter | null,
    @Ctx() context: GraphQLContext,
  ) {
    const query = { ...filter };
    const key = `controls ${JSON.stringify(query)}`;
    const controls = await batchInOrder(context, key, row, (rows: readonly WorkflowRow[]) =>
      this.services.controls.ofWorkflows(rows, query),
    );
    return connectionFrom(controlPage(controls, page));
  }
}

/** With the titles and the controls of its organization, it must not pass for that of the catalogue, nor of another. */
export function associatedWith(
  { organizationId }: { organizationId: number },
  workflow: CatalogWorkflow,
): CatalogWorkflow {
  const own = { id: `${organizationId}/${workflow.id}`, workflowId: workflow.id };
  return { ...workflow, ...own };
}
