import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, ID, Info, Resolver } from 'type-graphql';
import type { Caller } from '../auth/caller.js';
import type { Selection } from '../common/selection.js';
import type { GraphQLContext } from '../http/context.js';
import { invalidInput, notFound } from '../errors.js';
import { selectionFor } from '../graphql/selection.js';
import { asNode, Node, type NodeKey, type NodeType, parseNodeId } from '../schema/shared/node.js';
import type { Services } from '../services/index.js';
import type { CatalogWorkflow } from '../services/workflows/catalog-file.js';
import { COSTS } from '../values/costs.js';
import { LIMITS } from '../values/limits.js';
import { Arg, Query } from './shared/decorators.js';
import { associatedWith, controlsOf } from './workflows.resolver.js';

const { maxSize } = LIMITS.page;

@Resolver()
export class NodeResolver {
  @Query(
    () => Node,
    'An object by its `id`; what it requires of the caller, and what it costs, is what its own query does.',
  )
  node(
    @Arg('id', () => ID, 'The `id` of the object.') id: string,
    @Ctx() { services, caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readNode(services, id, caller, info);
  }

  @Extensions({ cost: COSTS.nodes, items: maxSize })
  @Query(
    () => [Node],
    `Objects by their ids, in their order; null with an error for one that cannot be read. ${maxSize} at most.`,
    { nullable: 'items' },
  )
  async nodes(
    @Arg('ids', () => [ID], 'The ids of the objects.') ids: string[],
    @Ctx() { services, caller }: GraphQLContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    if (ids.length > maxSize)
      throw invalidInput([{ path: ['ids'], sentence: `must not have more than ${maxSize} items` }]);
    const read = await Promise.allSettled(ids.map((id) => readNode(services, id, caller, info)));
    return read.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error)));
  }
}

/** Reads a node by its id for a field of type Node. Throws NOT_FOUND, and what its reader throws. */
export async function readNode(
  services: Services,
  id: string,
  caller: Caller,
  info: GraphQLResolveInfo,
): Promise<object> {
  const { type, key } = parseNodeId(id) ?? absent();
  const read = READERS[type] as NodeReader<NodeType>;
  return asNode(type, await read(services, caller, key as NodeKey<NodeType>, selectionFor(info, type)));
}

type NodeReader<Type extends NodeType> = (
  services: Services,
  caller: Caller,
  key: NodeKey<Type>,
  selection: Selection,
) => object | Promise<object>;

/** How each node is read: as its own query reads it, with the same authorization. */
const READERS: { readonly [Type in NodeType]: NodeReader<Type> } = {
  ApiToken: (services, caller, { tokenId }, selection) => services.tokens.read(caller, tokenId, selection),
  AuditEntry: (services, caller, key, selection) => services.auditTrails.read(caller, key, selection),
  CloudDefender: (services, caller, { cloudDefenderId: id }, selection) =>
    services.cloudDefenders.read(caller, { id }, selection),
  DocumentVersion: (services, caller, { documentVersionId: id }, selection) =>
    services.documents.read(caller, { id }, selection),
  IdentityProvider: (services, caller, { providerId }, selection) =>
    services.identityProviders.find(caller, providerId, selection),
  Engagement: (services, caller, key, selection) => services.engagements.read(caller, key, selection),
  EvidenceRequest: (services, caller, key, selection) => services.auditorStatements.readRequest(caller, key, selection),
  Incident: (services, caller, { incidentId }, selection) =>
    services.incidents.read(caller, { id: incidentId }, selection),
  IncidentAttachment: (services, caller, { attachmentId: id }, selection) =>
    services.attachments.read(caller, { id }, selection),
  IncidentNote: (services, caller, { noteId }, selection) =>
    services.incidentNotes.read(caller, { id: noteId }, selection),
  IncidentReport: (services, caller, { reportId }, selection) =>
    services.incidentReports.read(caller, { id: reportId }, selection),
  Invitation: (services, caller, { invitationId }, selection) =>
    services.invitations.find(caller, invitationId, selection),
  Notification: (services, caller, { notificationId: id }, selection) =>
    services.notifications.read(caller, id, selection),
  Organization: (services, caller, { organizationId: id }, selection) =>
    services.organizations.read(caller, id, selection),
  OrganizationApiToken: (services, caller, { organizationId, tokenId: id }, selection) =>
    services.organizationTokens.read(caller, { organizationId, id }, selection),
  OrganizationControl: (services, caller, { controlId, ...key }) => services.controls.read(caller, key, controlId),
  OrganizationUser: (services, caller, key, selection) => services.members.read(caller, key, selection),
  OrganizationWorkflow: (services, caller, { organizationId, workflowId }, selection) =>
    services.workflows.read(caller, organizationId, workflowId, selection),
  ScimToken: (services, caller, { scimTokenId }, selection) => services.scimTokens.find(caller, scimTokenId, selection),
  ServiceAccount: (services, caller, key, selection) => services.serviceAccounts.read(caller, key, selection),
  ServiceAccountToken: (services, caller, key, selection) => services.serviceAccountTokens.read(caller, key, selection),
  ThreatBlocker: (services, caller, { threatBlockerId: id }, selection) =>
    services.threatBlockers.read(caller, { id }, selection),
  User: (services, caller, { userId }, selection) => services.profiles.own(caller, userId, selection),
  WebhookDelivery: (services, caller, key, selection) => services.webhookDeliveries.read(caller, key, selection),
  WebhookEndpoint: (services, caller, key, selection) => services.webhookEndpoints.read(caller, key, selection),
  WeeklyReportDelivery: (services, caller, { deliveryId: id }, selection) =>
    services.weeklyReports.delivery(caller, id, selection),
  Workflow: workflowOf,
  WorkflowControl: async (services, caller, { controlId, ...key }) =>
    controlsOf(await workflowOf(services, caller, key)).find((control) => control.controlId === controlId) ?? absent(),
  WorkflowImport: (services, caller, key, selection) => services.workflowImports.read(caller, key, selection),
};

async function workflowOf(
  { workflows }: Services,
  caller: Caller,
  { organizationId, workflowId }: NodeKey<'Workflow'>,
): Promise<CatalogWorkflow> {
  if (organizationId === undefined) return workflows.fromCatalog(caller, workflowId);
  return associatedWith({ organizationId }, await workflows.ofOrganization(caller, { organizationId, workflowId }));
}

function absent(): never {
  throw notFound();
}
