import { toSnakeCase } from '../../common/naming.js';

/** Fields whose REST name is not the snake_case of the core's: of one type, or of every one. */
export const REST_NAMES: Readonly<Record<string, string>> = {
  'AssociateWorkflowInput.workflowId': 'id',
  notificationIds: 'ids',
  totalCount: 'total',
  'OrganizationUser.userId': 'id',
  'OrganizationApiToken.tokenId': 'id',
  'ServiceAccountToken.tokenId': 'id',
  'EvidenceRequest.evidenceRequestId': 'id',
  'SignOff.signOffId': 'id',
  'UserWebhookEndpoint.webhookEndpointId': 'id',
  'Engagement.organizationName': 'organization',
  'InvitationPreview.organizationName': 'organization',
  'AcceptInvitationPayload.organizationName': 'organization',
  'Engagement.workflowIds': 'workflows',
  workflowIds: 'workflows',
  'EngagementDocument.documentVersionId': 'id',
  'EngagementDocument.filename': 'original_name',
  'EngagementIncident.incidentId': 'id',
  'Workflow.workflowId': 'id',
  'Workflow.edition': 'version',
  'WorkflowImport.edition': 'version',
  'WorkflowImportPreview.edition': 'version',
  'ReusableDocument.documentVersion': 'version',
  'OrganizationWorkflow.workflowId': 'id',
  'WorkflowImport.workflowId': 'id',
  'WorkflowImport.controlCount': 'controls',
  'WorkflowImportPreview.workflowId': 'id',
  'WorkflowControlChange.controlId': 'id',
  'WorkflowControl.controlId': 'id',
  'OrganizationControl.controlId': 'id',
  'ReuseSuggestion.controlId': 'id',
  'DocumentVersion.filename': 'original_name',
  'IncidentAttachment.filename': 'original_name',
  'SearchResult.recordId': 'id',
  'Organization.viewerRole': 'role',
  'Organization.viewerPrivileges': 'privileges',
  'Viewer.organizationRoles': 'organizations',
  'FrameworkOption.label': 'value',
};

/** The REST name of a field of the core; an error that the core has found does not say of which type the field is. */
export function restName(name: string, type?: string): string {
  return REST_NAMES[`${type}.${name}`] ?? REST_NAMES[name] ?? toSnakeCase(name);
}

/** Lists that begin with the empty text, which means none. */
export const EMPTY_FIRST: ReadonlySet<string> = new Set(['FormOptions.nis2Sectors']);
