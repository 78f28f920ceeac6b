import type { SeededOrganization } from './seeded-organization.js';

/** Fills the paths of REST with the ids of a seeded organization. */
export function seededAddresses(organizationId: number, seeded: SeededOrganization): (path: string) => string {
  const values: Readonly<Record<string, object>> = {
    '': {
      organizationid: organizationId,
      userid: seeded.memberId,
      serviceaccountid: seeded.serviceAccountId,
      engagementid: seeded.engagementId,
      webhookendpointid: seeded.webhookEndpointId,
      workflowid: 'nis2-directive',
      controlid: '21.2.a',
      incidentid: seeded.incidentId,
    },
    organizations: { id: organizationId },
    'identity-providers': { id: seeded.identityProviderId },
    'webhook-endpoints': { webhookendpointid: seeded.ownWebhookEndpointId },
    documents: { id: seeded.documentVersionId },
    requests: { id: seeded.evidenceRequestId },
    'cloud-defender': { id: seeded.cloudDefenderId },
    atb: { id: seeded.threatBlockerId },
    notifications: { id: seeded.notificationId },
    'import-jobs': { id: seeded.importJobId },
  };
  const valueOf = (noun: string, name: string) =>
    (values[noun] as Record<string, unknown> | undefined)?.[name] ?? (values[''] as Record<string, unknown>)[name];
  return (path) =>
    path
      .replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_all, noun: string, name: string) => {
        return `${noun}/${encodeURIComponent(String(valueOf(noun, name)))}`;
      })
      .replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(valueOf('', name)));
}
