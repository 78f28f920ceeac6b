import { Args, Ctx, Extensions, ID, Int, Resolver, Root } from 'type-graphql';
import type { Caller } from '../auth/caller.js';
import type { GraphQLContext } from '../http/context.js';
import { batchInOrder } from '../graphql/batch.js';
import { Organization } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import type { NodeKey } from '../schema/shared/node.js';
import { DateScalar, SafeIntScalar } from '../schema/shared/scalars.js';
import type { Plain } from '../schema/shared/types.js';
import { WorkflowImport, WorkflowImportPreview } from '../schema/workflows/import-types.js';
import * as inputs from '../schema/workflows/inputs.js';
import {
  OrganizationControl,
  OrganizationWorkflow,
  ProgressHistory,
  Workflow,
  WorkflowProgress,
  WorkflowControl,
} from '../schema/workflows/types.js';
import type { Services } from '../services/index.js';
import type { CatalogControl, CatalogWorkflow } from '../services/workflows/catalog-file.js';
import { labelLanguage, labelled, LabelledPageArgs } from './shared/label-language.js';
import { controlPage } from '../services/workflows/controls.service.js';
import type { OrganizationWorkflowKey } from '../services/workflows/progress.js';
import { COSTS } from '../values/costs.js';
import { Arg, Call, FieldResolver, Filter, Input, Mutation, Query } from './shared/decorators.js';
import { connectionFrom, listOfOrganization } from './shared/lists.js';
import { absent, nodeOf } from './shared/nodes.js';
import { ControlEvidenceSourceResolver, ControlResolver } from './controls.resolver.js';

type WorkflowRow = Plain<OrganizationWorkflow> & OrganizationWorkflowKey;

/** Workflows as the catalogue has them. */
@Resolver(() => Workflow)
class WorkflowResolver {
  // Specification 4.8.
  @Query(
    connectionOf(Workflow),
    'The frameworks and task sets that organizations can take up, with what the organizations of the caller have imported.',
  )
  async availableWorkflows(@Args(() => PageArgs) page: PageArgs, @Ctx() { services, caller }: GraphQLContext) {
    return connectionFrom(await services.workflows.available(caller, page));
  }

  // Specification 2.9.
  @Query(() => Workflow, 'One workflow of the catalogue.')
  workflow(
    @Arg('id', () => ID, 'Its id, such as `iso-27001-2022`.') id: string,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.workflows.fromCatalog(caller, id);
  }

  // Specification 4.8.
  @FieldResolver(() => ID, 'What to associate the workflow by, such as `iso-27001-2022`.')
  workflowId(@Root() { id, workflowId = id }: CatalogWorkflow & { workflowId?: string }) {
    return workflowId;
  }

  @FieldResolver(connectionOf(WorkflowControl), 'Its controls and tasks in reading order.')
  controls(@Root() workflow: CatalogWorkflow, @Args(() => LabelledPageArgs) { language, ...page }: LabelledPageArgs) {
    return connectionFrom(controlPage(labelled(controlsOf(workflow), labelLanguage(language)), page));
  }
}

/** The workflow as it was sent, in one of its forms. */
/** REST has no file. */
function formOf(
  { organizationId, text, file, catalog, profile, ...fields }: inputs.PreviewWorkflowImportInput,
  { spell }: GraphQLContext,
) {
  const forms = { text: text ?? null, file: file ?? null, catalog: catalog ?? null, profile: profile ?? null };
  return { organizationId, ...forms, fields: { ...fields }, hasFile: spell === undefined };
}

function controlsOf({ id, controls }: CatalogWorkflow): (CatalogControl & { controlId: string })[] {
  return controls.map((control) => ({ ...control, id: `${id}/${control.id}`, controlId: control.id }));
}

@Resolver(() => Organization)
class OrganizationWorkflowsResolver {
  @Query(() => OrganizationWorkflow, 'A workflow that is associated with an organization.')
  organizationWorkflow(
    @Arg('organizationId', () => SafeIntScalar, 'Which organization.') organizationId: number,
    @Arg('workflowId', () => ID, 'Which workflow of the catalogue.') workflowId: string,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.workflows.read(caller, organizationId, workflowId, selection);
  }

  @Query(() => WorkflowImport, 'What an organization has imported under an id.')
  workflowImport(
    @Arg('organizationId', () => SafeIntScalar, 'Which organization.') organizationId: number,
    @Arg('workflowId', () => ID, 'Which id.') workflowId: string,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.workflowImports.read(caller, { organizationId, workflowId }, selection);
  }

  @Extensions({ cost: COSTS.workflowImport })
  @Mutation(
    'Imports a workflow of the organization’s own, official titles for one that is there for everybody, or a mapping between two workflows. It replaces what was imported under that id before, and a mapping of the same two workflows. A workflow that is associated with the organization needs the digest of a preview; statuses and documents stay by the ids of its controls. Requires ORGANIZATION_MANAGER.',
    {
      created: [() => Boolean, 'Whether it is new; false when it replaced an earlier import.'],
      workflowImport: [() => WorkflowImport, 'The import.'],
    },
    { adds: 'workflowImport' },
  )
  async importWorkflow(
    @Input('The import.') input: inputs.ImportWorkflowInput,
    @Call('workflowImport') { services, caller, selection }: Call,
    @Ctx() context: GraphQLContext,
  ) {
    const { mode, previewDigest, replacesVersion, ...sent } = input;
    const how = { mode: mode ?? 'WORKFLOW', previewDigest: previewDigest ?? null, replacesVersion };
    return services.workflowImports.import(caller, { ...formOf(sent, context), ...how }, selection);
  }

  @Extensions({ cost: COSTS.workflowImport })
  @Mutation(
    'Says what the import of a workflow would add, remove and change, with the statuses, responsible members and documents of those controls. It stores nothing. Requires ORGANIZATION_MANAGER.',
    { preview: [() => WorkflowImportPreview, 'What it would change.'] },
  )
  async previewWorkflowImport(
    @Input('The workflow to import.') input: inputs.PreviewWorkflowImportInput,
    @Ctx() context: GraphQLContext,
  ) {
    const { services, caller } = context;
    return { preview: await services.workflowImports.preview(caller, formOf(input, context)) };
  }

  @Mutation(
    'Removes an import; not a workflow that is associated with the organization. Requires ORGANIZATION_MANAGER.',
    {
      workflowImport: [() => WorkflowImport, 'The import as it was.'],
    },
  )
  async deleteWorkflowImport(
    @Input('The import.') input: inputs.DeleteWorkflowImportInput,
    @Call('workflowImport') { services, caller, selection }: Call,
  ) {
    return { workflowImport: await services.workflowImports.remove(caller, { ...input }, selection) };
  }
}

/** How far an organization is with a workflow. Who has the workflow in hand was allowed to read it. */
@Resolver(() => OrganizationWorkflow)
class OrganizationWorkflowResolver {
  // Specification 4.8.
  @Mutation(
    'Associates a workflow with an organization. One that is associated already stays as it is. Requires ORGANIZATION_MANAGER.',
    {
      created: [() => Boolean, 'Whether it is associated now; false when it was before.'],
      organizationWorkflow: [() => OrganizationWorkflow, 'The workflow as the organization has it.'],
    },
    { adds: 'organizationWorkflow' },
  )
  async associateWorkflow(
    @Input('The workflow.') input: inputs.AssociateWorkflowInput,
    @Call('organizationWorkflow') { services, caller, selection }: Call,
  ) {
    return services.workflows.associate(caller, { ...input }, selection);
  }

  @Mutation(
    'Dissociates a workflow from an organization. Documents and the states of controls stay, and are there again when it is associated again. Requires ORGANIZATION_MANAGER.',
    { organizationWorkflow: [() => OrganizationWorkflow, 'The workflow as the organization had it.'] },
  )
  async dissociateWorkflow(
    @Input('The workflow.') input: inputs.DissociateWorkflowInput,
    @Call('organizationWorkflow') { services, caller, selection }: Call,
  ) {
    return { organizationWorkflow: await services.workflows.dissociate(caller, { ...input }, selection) };
  }

  @FieldResolver(() => Workflow, 'The workflow as the organization has it in its catalogue.')
  workflow(@Root() row: WorkflowRow, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'OrganizationWorkflow.workflow', row, async (rows: readonly WorkflowRow[]) =>
      (await context.services.workflows.seen(rows)).map(({ key, workflow }) => associatedWith(key, workflow)),
    );
  }

  @Extensions({ cost: COSTS.workflowProgress })
  @FieldResolver(() => WorkflowProgress, 'How far the organization is; headings do not count.')
  progress(@Root() row: WorkflowRow, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'progress', row, (rows: readonly WorkflowRow[]) =>
      context.services.workflows.progress(rows),
    );
  }

  @Extensions({ cost: COSTS.staleEvidence })
  @FieldResolver(() => Int, 'How many controls are done on stale evidence: they need a newer document.')
  staleEvidence(@Root() row: WorkflowRow, @Ctx() context: GraphQLContext) {
    return batchInOrder(context, 'staleEvidence', row, (rows: readonly WorkflowRow[]) =>
      context.services.controlEvidence.stale(rows),
    );
  }

  @Extensions({ cost: COSTS.progressHistory })
  @FieldResolver(
    () => ProgressHistory,
    'How far it was on each day on which that changed, oldest first, beginning with how it stood on the first day.',
  )
  async progressHistory(
    @Root() row: WorkflowRow,
    @Arg('from', () => DateScalar, 'First day, not in the future; 90 days before the last when absent.', {
      nullable: true,
    })
    from: string | null,
    @Arg('to', () => DateScalar, 'Last day; today when absent. 366 days at most.', { nullable: true })
    to: string | null,
    @Ctx() { services }: GraphQLContext,
  ) {
    const days = await services.workflows.history(row, { from, to });
    return { days, totalCount: days.length };
  }

  @Extensions({ cost: COSTS.workflowControls })
  @FieldResolver(
    connectionOf(OrganizationControl),
    'Its controls and tasks in reading order, as far as they bind the organization.',
  )
  async controls(
    @Root() row: WorkflowRow,
    @Args(() => LabelledPageArgs) { language: tag, ...page }: LabelledPageArgs,
    @Filter(() => inputs.OrganizationControlFilter, 'Which of them.') filter: inputs.OrganizationControlFilter | null,
    @Ctx() context: GraphQLContext,
  ) {
    const language = labelLanguage(tag);
    const query = { ...filter };
    const key = `controls ${JSON.stringify(query)}`;
    const controls = await batchInOrder(context, key, row, (rows: readonly WorkflowRow[]) =>
      context.services.controls.ofWorkflows(rows, query),
    );
    return connectionFrom(controlPage(labelled(controls, language), page));
  }
}

/** With the titles and the controls of its organization, it must not pass for that of the catalogue, nor of another. */
function associatedWith({ organizationId }: { organizationId: number }, workflow: CatalogWorkflow): CatalogWorkflow {
  const own = { id: `${organizationId}/${workflow.id}`, workflowId: workflow.id };
  return { ...workflow, ...own };
}
nodeOf(
  OrganizationWorkflow,
  ['organizationId', 'workflowId'],
  ({ workflows }, caller, { organizationId, workflowId }, selection) =>
    workflows.read(caller, organizationId, workflowId, selection),
);
nodeOf(WorkflowImport, ['organizationId', 'workflowId'], ({ workflowImports }, caller, key, selection) =>
  workflowImports.read(caller, key, selection),
);
nodeOf(Workflow, ['organizationId?', 'workflowId'], workflowOf);
nodeOf(
  WorkflowControl,
  ['organizationId?', 'workflowId', 'controlId'],
  async (services, caller, { controlId, ...key }) =>
    controlsOf(await workflowOf(services, caller, key)).find((control) => control.controlId === controlId) ?? absent(),
);

async function workflowOf(
  { workflows }: Services,
  caller: Caller,
  { organizationId, workflowId }: NodeKey<'organizationId?' | 'workflowId'>,
): Promise<CatalogWorkflow> {
  if (organizationId === undefined) return workflows.fromCatalog(caller, workflowId);
  return associatedWith({ organizationId }, await workflows.ofOrganization(caller, { organizationId, workflowId }));
}

export const WORKFLOW_RESOLVERS = [
  WorkflowResolver,
  OrganizationWorkflowsResolver,
  OrganizationWorkflowResolver,
  ControlResolver,
  ControlEvidenceSourceResolver,
  listOfOrganization('workflows', OrganizationWorkflow, {
    description: 'The workflows that are associated with it, by id.',
    authorize: ({ workflows }, caller, id) => workflows.authorizeList(caller, id),
    load: ({ workflows }, ids, { page }, selection) => workflows.ofOrganizations(ids, page, selection),
  }),
  listOfOrganization('workflowImports', WorkflowImport, {
    description: 'What it has imported, by id.',
    authorize: ({ workflowImports }, caller, id) => workflowImports.authorizeList(caller, id),
    load: ({ workflowImports }, ids, { page }, selection) => workflowImports.ofOrganizations(ids, page, selection),
  }),
];
