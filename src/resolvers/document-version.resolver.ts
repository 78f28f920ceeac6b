import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { selectionOf } from '../engine/selection.js';
import { PageArgs } from '../schema/connection.js';
import { DocumentVersionFilter, UploadDocumentVersionInput } from '../schema/document-version.input.js';
import {
  DocumentVersion,
  DocumentVersionConnection,
  UploadDocumentVersionPayload,
} from '../schema/document-version.type.js';
import { incomingDocumentOf } from '../schema/incoming-document.js';
import { Organization } from '../schema/organization.type.js';
import type { Plain } from '../schema/plain.js';
import type { DocumentVersionService } from '../services/document-versions.js';
import { nestedList } from './nested-list.js';

@Resolver(() => Organization)
export class DocumentVersionResolver {
  constructor(private readonly documents: DocumentVersionService) {}

  @Query(() => DocumentVersion, { description: 'One document version (specification 2.3).' })
  documentVersion(
    @Arg('id', () => Int, { description: 'Its id.' }) id: number,
    @Ctx() { caller }: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.documents.read(caller, id, selectionOf(info));
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
    const { id, created } = await this.documents.upload(caller, { ...input, ...incomingDocumentOf(input) });
    return { created, version: await this.documents.byId(id, selectionOf(info).of('version')) };
  }

  @FieldResolver(() => DocumentVersionConnection, {
    description: 'Document versions, newest first (specification 2.3).',
  })
  async documentVersions(
    @Root() organization: Plain<Organization>,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => DocumentVersionFilter, { nullable: true, description: 'Which versions.' })
    filter: DocumentVersionFilter | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const query = { page, ...filter };
    return nestedList(context, info, query, organization.id, {
      authorize: (id) => this.documents.authorizeList(context.caller, id),
      load: (ids, asked, total) => this.documents.ofOrganizations(ids, query, asked, total),
    });
  }
}
