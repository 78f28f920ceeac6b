import type { RouteGroup } from '../route.js';

const ENGAGEMENT = {
  id: 1,
  organization_id: 1,
  organization: 'Valdoria Energia',
  time_zone: 'Europe/Rome',
  name: 'ISO 27001 surveillance audit',
  workflows: ['iso-27001-2022'],
  from: '2026-01-01T00:00:00.000Z',
  to: '2027-01-01T00:00:00.000Z',
  until: '2026-12-31T23:00:00.000Z',
  as_of: null,
  auditors: [{ user_id: 'b1a7c9de-6a0e-4f0c-8a55-1f0f4a1c9d21', username: 'f.ricci' }],
  created_by: 'marco.deluca',
  created_at: '2026-11-20T08:15:30.500Z',
};

const ALL = '/api/v1/organizations/{organizationid}/engagements';
const ONE = `${ALL}/{engagementid}`;
const CONTROL = { workflow_id: 'iso-27001-2022', control_id: 'A.5.1' };

export const ENGAGEMENTS: RouteGroup = {
  tag: 'Organizations',
  examples: {
    Engagement: ENGAGEMENT,
    EngagementAuditor: ENGAGEMENT.auditors[0]!,
    EngagementControl: {
      ...{ ...CONTROL, label: 'Policies', status: 'DONE', justification: '', owner: 'elena.santoro' },
      updated_at: '2026-11-20T08:15:30.500Z',
    },
    EngagementDocument: {
      ...{ ...CONTROL, id: 12, original_name: 'policy.pdf', size: 48213, content_type: 'application/pdf' },
      ...{ sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', created_by: 'a.rossi' },
      ...{ created_at: '2026-11-20T08:15:30.500Z', effective_at: null },
      download_url: 'https://gateway.example.com/api/v1/downloads/documents/12?expires=1795000000&signature=x',
    },
    EngagementIncident: {
      ...{
        id: 2,
        title: 'Phishing wave',
        description: '',
        severity: 'HIGH',
        status: 'OPEN',
        significant: true,
      },
      ...{ aware_at: '2026-11-20T08:15:30.500Z', closed_at: null, opened_by: 'a.rossi' },
    },
    EngagementEntry: {
      ...{
        position: 7,
        at: '2026-11-20T08:15:30.500Z',
        action: 'CONTROL_UPDATED',
        actor_type: 'USER',
        actor: 'a.rossi',
      },
      subject: {
        type: 'CONTROL',
        id: 'iso-27001-2022/A.5.1',
        name: 'Policies',
        parent: { type: 'WORKFLOW', id: 'iso-27001-2022' },
      },
      changes: [{ field: 'status', before: 'TO_DO', after: 'DONE' }],
      ...{ reason: null, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
    },
    EvidenceRequest: {
      ...{ ...CONTROL, id: 1, text: 'The last restore test.', created_by: 'f.ricci' },
      ...{ created_at: '2026-11-20T08:15:30.500Z', answer: '' },
    },
    SignOff: {
      ...{ ...CONTROL, id: 1, statement: 'Policies were read and are in force.', created_by: 'f.ricci' },
      created_at: '2026-11-20T08:15:30.500Z',
    },
  },
  views: {
    Engagement: [
      'id organizationId organizationName timeZone name workflowIds from to until asOf',
      { auditors: 'EngagementAuditor' },
      'createdBy.username createdAt',
    ],
    EngagementAuditor: ['userId username'],
    EngagementControl: ['workflowId controlId label status justification owner.username updatedAt'],
    EngagementDocument: [
      'documentVersionId workflowId controlId filename size contentType sha256 createdBy.username createdAt effectiveAt downloadUrl',
    ],
    EngagementIncident: ['incidentId title description severity status significant awareAt closedAt openedBy.username'],
    EngagementEntry: [
      'position at action actorType actor',
      { subject: ['type id name', { parent: ['type id'] }], changes: ['field before after'] },
      'reason hash',
    ],
    EvidenceRequest: [
      'evidenceRequestId workflowId controlId text createdBy.username createdAt answer answeredBy.username answeredAt closedAt',
    ],
    SignOff: ['signOffId workflowId controlId statement createdBy.username createdAt'],
  },
  routes: {
    'GET /api/v1/engagements': { operationId: 'listOwnEngagements', data: 'engagements.nodes' },
    [`GET ${ALL}`]: { past: true, operationId: 'listEngagements', data: 'organization.engagements.nodes' },
    [`POST ${ALL}`]: {
      operationId: 'createEngagement',
      data: 'createEngagement.engagement',
      body: {
        example: {
          ...{ name: ENGAGEMENT.name, workflows: ENGAGEMENT.workflows },
          ...{ from: ENGAGEMENT.from, to: ENGAGEMENT.to, until: '2027-06-30T00:00:00.000Z' },
        },
      },
      created: `${ALL}/{id}`,
      errors: ['CONFLICT'],
      example: { until: '2027-06-30T00:00:00.000Z', auditors: [] },
    },
    [`GET ${ONE}`]: { past: true, operationId: 'getEngagement', data: 'engagement' },
    [`PATCH ${ONE}`]: {
      operationId: 'updateEngagement',
      remarks: 'What is absent stays as it is. The scope never changes.',
      data: 'updateEngagement.engagement',
      body: { example: { name: ENGAGEMENT.name } },
      errors: ['CONFLICT'],
    },
    [`POST ${ONE}/invitations`]: {
      operationId: 'inviteAuditor',
      etag: 'none',
      remarks: 'The invitation is listed, resent and cancelled like those of members.',
      data: 'inviteAuditor.invitation',
      body: { example: { email: 'f.ricci@audit.example.com' } },
      created: '/api/v1/organizations/{organizationid}/invitations/{id}',
      errors: ['CONFLICT'],
      example: { email: 'f.ricci@audit.example.com', role: 'AUDITOR', engagement_id: 1 },
    },
    [`DELETE ${ONE}/auditors/{userid}`]: {
      operationId: 'removeAuditor',
      data: 'removeAuditor.auditor',
      examples: { userid: 'b1a7c9de-6a0e-4f0c-8a55-1f0f4a1c9d21' },
    },
    [`GET ${ONE}/controls`]: { past: true, operationId: 'listEngagementControls', data: 'engagement.controls.nodes' },
    [`GET ${ONE}/documents`]: {
      past: true,
      operationId: 'listEngagementDocuments',
      data: 'engagement.documents.nodes',
    },
    [`GET ${ONE}/incidents`]: {
      past: true,
      operationId: 'listEngagementIncidents',
      data: 'engagement.incidents.nodes',
    },
    [`GET ${ONE}/audit-trail`]: {
      past: true,
      operationId: 'listEngagementEntries',
      data: 'engagement.auditTrail.nodes',
    },
    [`GET ${ONE}/requests`]: { past: true, operationId: 'listEvidenceRequests', data: 'engagement.requests.nodes' },
    [`POST ${ONE}/requests`]: {
      operationId: 'requestEvidence',
      data: 'requestEvidence.request',
      body: { example: { ...CONTROL, text: 'The last restore test.' } },
      created: `${ONE}/requests/{id}`,
      errors: ['CONFLICT'],
    },
    [`GET ${ONE}/requests/{id}`]: {
      past: true,
      operationId: 'getEvidenceRequest',
      data: 'evidenceRequest',
    },
    [`PATCH ${ONE}/requests/{id}`]: {
      operationId: 'answerEvidenceRequest',
      arguments: { id: 'evidenceRequestId' },
      remarks: 'What is absent stays as it is. A request that was closed cannot be opened again.',
      data: 'answerEvidenceRequest.request',
      body: { example: { answer: 'Uploaded today.' } },
      errors: ['CONFLICT'],
      example: { answer: 'Uploaded today.', answered_by: 'elena.santoro', answered_at: '2026-11-21T10:00:00.000Z' },
    },
    [`GET ${ONE}/sign-offs`]: { past: true, operationId: 'listSignOffs', data: 'engagement.signOffs.nodes' },
    [`POST ${ONE}/sign-offs`]: {
      operationId: 'signOff',
      data: 'signOff.signOff',
      body: { example: { ...CONTROL, statement: 'Policies were read and are in force.' } },
      created: true,
      errors: ['CONFLICT'],
    },
  },
};
