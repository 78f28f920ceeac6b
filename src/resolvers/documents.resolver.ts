import { type GraphQLResolveInfo, Kind } from 'graphql';
import { Args, Ctx, Extensions, ID, Info, Int, Resolver, Root } from 'type-graphql';
import type { GraphQLContext } from '../http/context.js';
import { ofMade, selectionOf } from '../graphql/selection.js';
import {
  DeleteDocumentVersionInput,
  DocumentVersion,
  DocumentVersionFilter,
  DocumentVersionOrder,
  ImportDocumentsInput,
  ImportedDocumentRow,
  incomingDocumentOf,
  UpdateDocumentVersionInput,
  UploadDocumentVersionInput,
  ReuseSuggestion,
} from '../schema/documents.js';
import { Organization } from '../schema/organizations/types.js';
import { connectionOf, PageArgs } from '../schema/shared/connection.js';
import { DateTimeScalar, JsonScalar, SafeIntScalar } from '../schema/shared/scalars.js';
import { OrganizationControl, OrganizationWorkflow } from '../schema/workflows/types.js';
import type { OrganizationWorkflowKey } from '../services/workflows/progress.js';
import { COSTS } from '../values/costs.js';
import { Arg, Call, FieldResolver, Input, ListCall, Mutation, OrderBy, Query } from './shared/decorators.js';
import { connectionFrom, listOf, listOfOrganization } from './shared/lists.js';
import { nodeOf } from './shared/nodes.js';
import { rowChecks } from './shared/row-checks.js';
import { OF_ARCHIVE } from './shared/rows.js';

@Resolver(() => Organization)
class DocumentVersionResolver {
  // Specification 2.3.
  @Query(() => DocumentVersion, 'One document version.')
  documentVersion(
    @Arg('id', () => SafeIntScalar, 'Its id.') id: number,
    @Arg('organizationId', () => SafeIntScalar, 'Only where it belongs to this organization.', { nullable: true })
    organizationId: number | null,
    @Call() { services, caller, selection }: Call,
  ) {
    return services.documents.read(caller, { id, organizationId }, selection);
  }

  @Query(
    connectionOf(DocumentVersion),
    'Versions of one artifact, newest first: of a control that the organization has, or had, documents for.',
  )
  async artifactVersions(
    @Arg('organizationId', () => SafeIntScalar, 'The organization that has the documents.') organizationId: number,
    @Arg('workflowId', () => ID, 'A workflow of the organization.') workflowId: string,
    @Arg('artifactId', () => ID, 'A control of that workflow.') artifactId: string,
    @Args(() => PageArgs) page: PageArgs,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const key = { organizationId, workflowId, artifactId };
    return connectionFrom(await services.documents.ofArtifact(caller, key, page, selection));
  }

  @Extensions({ cost: COSTS.workflowControls })
  @Query(
    connectionOf(ReuseSuggestion),
    'The open controls of a workflow that documents of other workflows of the organization cover, in reading order. The workflow need not be associated yet.',
  )
  async reuseSuggestions(
    @Arg('organizationId', () => SafeIntScalar, 'Which organization.') organizationId: number,
    @Arg('workflowId', () => ID, 'Which workflow, of those that it has or may associate.') workflowId: string,
    @Args(() => PageArgs) page: PageArgs,
    @ListCall() { services, caller, selection }: ListCall,
  ) {
    const selected = selection.items.of('documents').of('documentVersion');
    return connectionFrom(
      await services.reuseSuggestions.ofWorkflow(caller, { organizationId, workflowId }, page, selected),
    );
  }

  // Specification 4.2.
  @Mutation(
    'Uploads a version of a document. The same content again is the version that is there; the ten newest are kept. Requires SECURITY_ANALYST.',
    {
      created: [() => Boolean, 'False when the artifact already had this content: then `documentVersion` is that one.'],
      documentVersion: [() => DocumentVersion, 'The new version, or the existing one of the same content.'],
    },
    { adds: 'documentVersion' },
  )
  async uploadDocumentVersion(
    @Input('The document.') input: UploadDocumentVersionInput,
    @Ctx() { services, caller, received }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const document = { ...input, ...incomingDocumentOf(input, received), isShared: !isOnlyField(info) };
    return services.documentUpdates.upload(caller, document, ofMade(selectionOf(info), 'documentVersion'));
  }

  @Extensions({ cost: COSTS.documentImport })
  @Mutation(
    'Uploads the documents of an archive that names them in `manifest.json`, such as an evidence pack: each by itself, as `uploadDocumentVersion` does. What is there already stays, so that the same archive may be sent again. Requires SECURITY_ANALYST.',
    {
      rows: [() => [ImportedDocumentRow], 'What has become of each document, in the order of the manifest.'],
      totalCount: [() => Int, 'How many they are.'],
      ...OF_ARCHIVE,
    },
  )
  async importDocuments(
    @Input('The archive.') input: ImportDocumentsInput,
    @Call('rows') { services, caller, selection }: Call,
    @Info() { schema }: GraphQLResolveInfo,
  ) {
    const check = rowChecks(schema).DOCUMENTS;
    const { rows, ignoredColumns } = await services.documentImports.import(caller, { ...input, check }, selection);
    return { rows, totalCount: rows.length, ignoredColumns };
  }

  @Mutation(
    'Says of a document version when it was true, and what a reader should know. Its content never changes. Requires SECURITY_ANALYST.',
    {
      documentVersion: [() => DocumentVersion, 'The version as it is now.'],
    },
  )
  async updateDocumentVersion(
    @Input('What to change.') { documentVersionId: id, ...input }: UpdateDocumentVersionInput,
    @Call('documentVersion') { services, caller, selection }: Call,
  ) {
    return { documentVersion: await services.documentUpdates.update(caller, { id, ...input }, selection) };
  }

  @Mutation('Deletes a document version. Requires SECURITY_ANALYST, and SECURITY_OFFICER for those of other users.', {
    documentVersion: [() => DocumentVersion, 'The version as it was.'],
  })
  async deleteDocumentVersion(
    @Input('Which version.') { documentVersionId: id, ...input }: DeleteDocumentVersionInput,
    @Call('documentVersion') { services, caller, selection }: Call,
  ) {
    return { documentVersion: await services.documentUpdates.delete(caller, { id, ...input }, selection) };
  }
}

/** Whether no other field of the operation can use the same variables. */
function isOnlyField({ operation }: GraphQLResolveInfo): boolean {
  const [first, ...others] = operation.selectionSet.selections;
  return first?.kind === Kind.FIELD && others.length === 0;
}

const OF_PERIOD = 'The statement of applicability and attestations are as of now, whatever the period.';

@Resolver(() => OrganizationWorkflow)
class EvidencePackResolver {
  @FieldResolver(
    () => String,
    'Full address of the evidence pack: one ZIP with documents, the statement of applicability, the history of statuses and incidents as CSV, and a signed manifest to verify it by. It is signed, needs no token and expires soon, or as soon as you may not have the pack any more.',
  )
  evidencePackUrl(
    @Root() { organizationId, workflowId }: OrganizationWorkflowKey,
    @Arg('from', () => DateTimeScalar, `Start of a period. ${OF_PERIOD}`, { nullable: true }) from: Date | null,
    @Arg('to', () => DateTimeScalar, `End of a period, which does not belong to it. ${OF_PERIOD}`, { nullable: true })
    to: Date | null,
    @Ctx() { services, caller }: GraphQLContext,
  ) {
    return services.evidencePacks.address(caller, { organizationId, workflowId }, { from, to });
  }

  @Extensions({ cost: COSTS.oscalExport })
  @FieldResolver(
    () => JsonScalar,
    'OSCAL assessment results (JSON): a finding for each control that has none below it, with its status, and an observation for each document that counts for it, and for its attestation.',
  )
  async oscalAssessmentResults(@Root() row: OrganizationWorkflowKey, @Ctx() { services, caller }: GraphQLContext) {
    return (await services.oscalExports.prepare(caller, row, 'assessment-results')).open();
  }

  @Extensions({ cost: COSTS.oscalExport })
  @FieldResolver(
    () => JsonScalar,
    'An OSCAL component definition (JSON): an implemented requirement for each control that has none below it, with its implementation status and its documents.',
  )
  async oscalComponentDefinition(@Root() row: OrganizationWorkflowKey, @Ctx() { services, caller }: GraphQLContext) {
    return (await services.oscalExports.prepare(caller, row, 'component-definition')).open();
  }
}

// Specification 2.3.
/** Of a control; documents have it as `1/iso-27001-2022/A.5.1`. */
const keyOf = ({ id }: { id: string }) => id;

const NEWEST_FIRST: Parameters<typeof OrderBy<DocumentVersionOrder['field']>> = [
  () => DocumentVersionOrder,
  { field: 'CREATED_AT', direction: 'DESC' },
  'Newest first when absent.',
];

nodeOf(DocumentVersion, ['documentVersionId'], ({ documents }, caller, { documentVersionId: id }, selection) =>
  documents.read(caller, { id }, selection),
);

export const DOCUMENT_RESOLVERS = [
  DocumentVersionResolver,
  EvidencePackResolver,
  listOfOrganization('documentVersions', DocumentVersion, {
    description: 'Document versions, newest first unless ordered otherwise.',
    filter: [() => DocumentVersionFilter, 'Which versions.'],
    orderBy: NEWEST_FIRST,
    authorize: ({ documents }, caller, id) => documents.authorizeList(caller, id),
    load: ({ documents }, ids, query, selection, caller) => documents.ofOrganizations(caller, ids, query, selection),
  }),
  listOf(OrganizationControl, keyOf, 'documentVersions', DocumentVersion, {
    description: 'Its own document versions, newest first unless ordered otherwise.',
    orderBy: NEWEST_FIRST,
    authorize: ({ documents }, caller, key) => documents.authorizeList(caller, Number.parseInt(key)),
    load: ({ documents }, keys, query, selection) => documents.ofControls(keys, query, selection),
  }),
];
