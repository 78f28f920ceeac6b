import { Kind, type GraphQLResolveInfo } from 'graphql';
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
import { selectionOf } from '../graphql/selection.js';
import { OrderBy } from '../schema/shared/order.js';
import { PageArgs } from '../schema/shared/connection.js';
import { incomingDocumentOf } from '../schema/documents/incoming-document.js';
import {
  DeleteDocumentVersionInput,
  DocumentVersionFilter,
  DocumentVersionOrder,
  UpdateDocumentVersionInput,
  UploadDocumentVersionInput,
} from '../schema/documents/inputs.js';
import {
  DeleteDocumentVersionPayload,
  DocumentVersion,
  DocumentVersionConnection,
  UpdateDocumentVersionPayload,
  ReuseSuggestionConnection,
  UploadDocumentVersionPayload,
} from '../schema/documents/types.js';
import { Organization } from '../schema/organizations/types.js';
import type { Plain } from '../schema/shared/plain.js';
import { DateTimeScalar, JsonScalar } from '../schema/shared/scalars.js';
import { OrganizationWorkflow } from '../schema/workflows/types.js';
import type { Services } from '../services/index.js';
import type { OrganizationWorkflowKey } from '../services/workflows/progress.js';
import { COSTS } from '../values/limits.js';
import { connectionFrom, listSelectionOf, nestedList } from './shared/connection.js';

@Resolver(() => Organization)
export class DocumentVersionResolver {
  constructor(private readonly services: Services) {}

  @Query(() => DocumentVersion, { description: 'One document version (specification 2.3).' })
  documentVersion(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only where it belongs to this organization.' })
    organizationId: number | null,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.documents.read(caller, { id, organizationId }, selectionOf(info));
  }

  @Query(() => DocumentVersionConnection, {
    description:
      'Versions of one artifact, newest first: of a control that the organization has, or had, documents for.',
  })
  async artifactVersions(
    @Arg('organizationId', () => Int, { description: 'The organization that has the documents.' })
    organizationId: number,
    @Arg('workflowId', () => ID, { description: 'A workflow of the organization.' }) workflowId: string,
    @Arg('artifactId', () => ID, { description: 'A control of that workflow.' }) artifactId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const key = { organizationId, workflowId, artifactId };
    return connectionFrom(await this.services.documents.ofArtifact(caller, key, page, listSelectionOf(info)));
  }

  @Extensions({ cost: COSTS.workflowControls })
  @Query(() => ReuseSuggestionConnection, {
    description:
      'The open controls of a workflow that documents of other workflows of the organization cover, in reading order. The workflow need not be associated yet.',
  })
  async reuseSuggestions(
    @Arg('organizationId', () => Int, { description: 'Which organization.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'Which workflow, of those that it has or may associate.' })
    workflowId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const selection = listSelectionOf(info).items.of('documents').of('version');
    return connectionFrom(
      await this.services.reuseSuggestions.ofWorkflow(caller, { organizationId, workflowId }, page, selection),
    );
  }

  @Mutation(() => UploadDocumentVersionPayload, {
    description:
      'Uploads a version of a document. The same content again is the version that is there (specification 4.2); the ten newest are kept.',
  })
  async uploadDocumentVersion(
    @Arg('input', () => UploadDocumentVersionInput, { description: 'The document.' }) input: UploadDocumentVersionInput,
    @Ctx() { caller, received }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const document = { ...input, ...incomingDocumentOf(input, received), isShared: !isOnlyField(info) };
    return this.services.documentChanges.upload(caller, document, selectionOf(info).of('version'));
  }

  @Mutation(() => UpdateDocumentVersionPayload, {
    description:
      'Says of a document version when it was true, and what a reader should know. Its content never changes.',
  })
  async updateDocumentVersion(
    @Arg('input', () => UpdateDocumentVersionInput, { description: 'What to change.' })
    { documentVersionId: id, ...input }: UpdateDocumentVersionInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return {
      version: await this.services.documentChanges.update(caller, { id, ...input }, selectionOf(info).of('version')),
    };
  }

  @Mutation(() => DeleteDocumentVersionPayload, {
    description: 'Deletes a document version. Versions of other users require SECURITY_OFFICER.',
  })
  async deleteDocumentVersion(
    @Arg('input', () => DeleteDocumentVersionInput, { description: 'Which version.' })
    { organizationId, documentVersionId: id }: DeleteDocumentVersionInput,
    @Ctx() { caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return {
      version: await this.services.documentChanges.delete(
        caller,
        { organizationId, id },
        selectionOf(info).of('version'),
      ),
    };
  }

  @FieldResolver(() => DocumentVersionConnection, {
    description: 'Document versions, newest first unless ordered otherwise (specification 2.3).',
  })
  async documentVersions(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => DocumentVersionFilter, { nullable: true, description: 'Which versions.' })
    filter: DocumentVersionFilter | null,
    @OrderBy(() => DocumentVersionOrder, { field: 'CREATED_AT', direction: 'DESC' }, 'Newest first when absent.')
    orderBy: DocumentVersionOrder | null,
    @Ctx() context: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter, orderBy };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.services.documents.authorizeList(context.caller, id),
      load: (ids, selection) => this.services.documents.ofOrganizations(context.caller, ids, query, selection),
    });
  }
}

/** Whether no other field of the operation can use the same variables. */
function isOnlyField({ operation }: GraphQLResolveInfo): boolean {
  const [first, ...others] = operation.selectionSet.selections;
  return first?.kind === Kind.FIELD && others.length === 0;
}

@Resolver(() => OrganizationWorkflow)
export class EvidencePackResolver {
  constructor(private readonly services: Services) {}

  @FieldResolver(() => String, {
    description:
      'Full address of the evidence pack: one ZIP with documents, the statement of applicability, the history of statuses and incidents as CSV, and a signed manifest to verify it by. It is signed, needs no token and expires soon.',
  })
  evidencePackUrl(
    @Root() { organizationId, workflowId }: OrganizationWorkflowKey,
    @Arg('from', () => DateTimeScalar, { nullable: true, description: 'Only what happened then or later.' })
    from: Date | null,
    @Arg('to', () => DateTimeScalar, { nullable: true, description: 'Only what happened before.' })
    to: Date | null,
    @Ctx() { caller }: GraphQLContext,
  ) {
    return this.services.evidencePacks.address(caller, { organizationId, workflowId }, { from, to });
  }

  @Extensions({ cost: COSTS.oscalExport })
  @FieldResolver(() => JsonScalar, {
    description:
      'OSCAL assessment results (JSON): a finding for each control with its status, and an observation for each document that counts for it.',
  })
  async oscalAssessmentResults(@Root() row: OrganizationWorkflowKey, @Ctx() { caller }: GraphQLContext) {
    return (await this.services.oscalExports.prepare(caller, row, 'assessment-results')).open();
  }

  @Extensions({ cost: COSTS.oscalExport })
  @FieldResolver(() => JsonScalar, {
    description:
      'An OSCAL component definition (JSON): an implemented requirement for each control, with its implementation status and its documents.',
  })
  async oscalComponentDefinition(@Root() row: OrganizationWorkflowKey, @Ctx() { caller }: GraphQLContext) {
    return (await this.services.oscalExports.prepare(caller, row, 'component-definition')).open();
  }
}
