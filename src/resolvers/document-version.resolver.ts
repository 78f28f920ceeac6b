import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, ID, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import {
  DeleteDocumentVersionInput,
  DocumentVersionFilter,
  DocumentVersionOrder,
  UpdateDocumentVersionInput,
  UploadDocumentVersionInput,
} from '../schema/document-version.input.js';
import {
  DeleteDocumentVersionPayload,
  DocumentVersion,
  DocumentVersionConnection,
  UpdateDocumentVersionPayload,
  UploadDocumentVersionPayload,
} from '../schema/document-version.type.js';
import { incomingDocumentOf } from '../schema/incoming-document.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import type { DocumentVersionChangeService } from '../services/document-version-changes.js';
import type { DocumentVersionUploadService } from '../services/document-version-uploads.js';
import type { DocumentVersionService } from '../services/document-versions.js';
import { askedOf, connectionFrom } from './connection.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class DocumentVersionResolver {
  constructor(
    private readonly documents: DocumentVersionService,
    private readonly uploads: DocumentVersionUploadService,
    private readonly changes: DocumentVersionChangeService,
  ) {}

  @Query(() => DocumentVersion, { description: 'One document version (specification 2.3).' })
  documentVersion(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Arg('organizationId', () => Int, { nullable: true, description: 'Only where it belongs to this organization.' })
    organizationId: number | null,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.documents.read(caller, id, selectionOf(info), organizationId);
  }

  @Query(() => DocumentVersionConnection, {
    description:
      'Versions of one artifact, newest first: of a control that the organization has, or had, documents for.',
  })
  async artifactVersions(
    @Arg('organizationId', () => Int, { description: 'Whose documents.' }) organizationId: number,
    @Arg('workflowId', () => ID, { description: 'A workflow of the organization.' }) workflowId: string,
    @Arg('artifactId', () => ID, { description: 'A control of that workflow.' }) artifactId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const key = { organizationId, workflowId, artifactId };
    return connectionFrom(await this.documents.ofArtifact(caller, key, page, askedOf(info)));
  }

  @Mutation(() => UploadDocumentVersionPayload, {
    description:
      'Uploads a version of a document. The same content again is the version that is there (specification 4.2); the ten newest are kept.',
  })
  async uploadDocumentVersion(
    @Arg('input', () => UploadDocumentVersionInput, { description: 'The document.' }) input: UploadDocumentVersionInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const document = { ...input, ...incomingDocumentOf(input) };
    return this.uploads.upload(caller, document, selectionOf(info).of('version'));
  }

  @Mutation(() => UpdateDocumentVersionPayload, {
    description:
      'Says of a document version when it was true, and what a reader should know. Its content never changes.',
  })
  async updateDocumentVersion(
    @Arg('input', () => UpdateDocumentVersionInput, { description: 'What to change.' })
    input: UpdateDocumentVersionInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { version: await this.changes.update(caller, input, selectionOf(info).of('version')) };
  }

  @Mutation(() => DeleteDocumentVersionPayload, {
    description: 'Deletes a document version. Whoever may upload may delete their own; those of others take rank 3.',
  })
  async deleteDocumentVersion(
    @Arg('input', () => DeleteDocumentVersionInput, { description: 'Which version.' })
    input: DeleteDocumentVersionInput,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return { version: await this.changes.delete(caller, input, selectionOf(info).of('version')) };
  }

  @FieldResolver(() => DocumentVersionConnection, {
    description: 'Document versions, newest first unless ordered otherwise (specification 2.3).',
  })
  async documentVersions(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => DocumentVersionFilter, { nullable: true, description: 'Which versions.' })
    filter: DocumentVersionFilter | null,
    @Arg('orderBy', () => DocumentVersionOrder, { nullable: true, description: 'Newest first when absent.' })
    orderBy: DocumentVersionOrder | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const order = orderBy && { order: { field: orderBy.field, descending: orderBy.direction === 'DESC' } };
    const query = { page, ...filter, ...order };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.documents.authorizeList(context.caller, id),
      load: (ids, asked) => this.documents.ofOrganizations(ids, query, asked),
    });
  }
}
