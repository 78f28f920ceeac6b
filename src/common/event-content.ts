import type { AuditSubjectType } from '../values/audit.js';

/** What an event is about. */
export interface EventSubject {
  type: AuditSubjectType;
  id: string;
  parent?: { type: AuditSubjectType; id: string };
}

/** What an event says of its entry of the audit trail. */
export function eventContent(organizationId: number, entry: string, publicUrl: string) {
  const { at, subject, changes = {} } = JSON.parse(entry) as { at: string; subject: EventSubject; changes?: object };
  const path = pathOfSubject(organizationId, subject);
  const url = path === undefined ? null : `${publicUrl}/api/v1/${path}`;
  return { at, subject, changedFields: Object.keys(changes), url };
}

/** The path below the API at which REST reads what an event is about; undefined where it reads no such thing. */
export function pathOfSubject(organizationId: number, { type, id, parent }: EventSubject): string | undefined {
  const organization = `organizations/${organizationId}`;
  const compliance = `v-ciso/${organization}`;
  const incidents = `v-ciso/incidents/${organizationId}`;
  switch (type) {
    case 'ORGANIZATION':
      return organization;
    case 'MEMBER':
      return `${organization}/users/${id}`;
    case 'SERVICE_ACCOUNT':
      return `${organization}/service-accounts/${id}`;
    case 'IDENTITY_PROVIDER':
      return `${organization}/identity-providers/${id}`;
    case 'SCIM_TOKEN':
      return `${organization}/scim/tokens/${id}`;
    case 'WEBHOOK_ENDPOINT':
      return `${organization}/webhooks/${id}`;
    case 'ENGAGEMENT':
      return `${organization}/engagements/${id}`;
    case 'INVITATION':
      return `${organization}/invitations/${id}`;
    case 'TOKEN':
      return parent?.type === 'SERVICE_ACCOUNT'
        ? `${organization}/service-accounts/${parent.id}/tokens/${id}`
        : undefined;
    case 'WORKFLOW':
      return `${compliance}/workflows/${encodeURIComponent(id)}`;
    case 'CONTROL': {
      const slash = id.indexOf('/');
      const [workflow, control] = [id.slice(0, slash), id.slice(slash + 1)].map(encodeURIComponent);
      return `${compliance}/workflows/${workflow}/controls/${control}`;
    }
    case 'DOCUMENT_VERSION':
      return `${compliance}/documents/${id}`;
    case 'INCIDENT':
      return `${incidents}/${id}`;
    case 'INCIDENT_ATTACHMENT':
      return parent && `${incidents}/${parent.id}/attachments/${id}`;
    case 'CLOUD_DEFENDER':
      return `cloud-defender/${id}`;
    case 'THREAT_BLOCKER':
      return `atb/${id}`;
    case 'USER':
    // SCIM alone reads groups.
    case 'SCIM_GROUP':
      return undefined;
  }
}
