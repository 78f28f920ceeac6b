import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import { DeleteWorkflowImportInput, ImportWorkflowInput } from '../schema/workflow-import.input.js';
import {
  DeleteWorkflowImportPayload,
  ImportWorkflowPayload,
  WorkflowImport,
  WorkflowImportConnection,
} from '../schema/workflow-import.type.js';
import type { WorkflowImportService } from '../services/workflow-imports.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class WorkflowImportResolver {
  constructor(private readonly imports: WorkflowImportService) {}

  @Query(() => WorkflowImport, { description: 'What an organization has imported under an id.' })
  workflowImport(
    @Arg('organizationId', () => Int, { description: 'Which organization.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'Which id.' }) workflowId: string,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.imports.read(caller, { organizationId, workflowId }, selectionOf(info));
  }

  @Mutation(() => ImportWorkflowPayload, {
    description:
      'Imports a workflow of the organization’s own, or official titles for one that is there for everybody. It replaces what was imported under that id before; not while the organization has taken that workflow up, except for titles.',
  })
  async importWorkflow(
    @Arg('input', () => ImportWorkflowInput, { description: 'The import.' }) input: ImportWorkflowInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { organizationId, mode, text, file, ...fields } = input;
    const form = { ...(text != null && { text }), ...(file != null && { file }), fields: { ...fields } };
    const sent = { organizationId, mode: mode ?? 'WORKFLOW', ...form };
    return this.imports.import(caller, sent, selectionOf(info).of('workflowImport'));
  }

  @Mutation(() => DeleteWorkflowImportPayload, {
    description: 'Removes an import; not while the organization has taken that workflow up, except for titles.',
  })
  async deleteWorkflowImport(
    @Arg('input', () => DeleteWorkflowImportInput, { description: 'The import.' }) input: DeleteWorkflowImportInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const asked = selectionOf(info).of('workflowImport');
    return { workflowImport: await this.imports.remove(caller, { ...input }, asked) };
  }

  @FieldResolver(() => WorkflowImportConnection, { description: 'What it has imported, by id.' })
  async workflowImports(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return nestedList(context, info, page, organization.id, {
      authorize: (id) => this.imports.authorizeList(context.caller, id),
      load: (ids, asked) => this.imports.ofOrganizations(ids, page, asked),
    });
  }
}
