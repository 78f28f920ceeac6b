import { ORGANIZATION, allows, toAuditors } from './domain.js';

export const ENGAGEMENTS = {
  privileges: {
    ...allows('SECURITY_ANALYST', 'read', {
      READ_ENGAGEMENTS: 'Read the engagements of auditors, their requests and their sign-offs.',
    }),
    ...allows('SECURITY_ANALYST', 'write', {
      ANSWER_REQUESTS: 'Answer and close requests of auditors.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_ENGAGEMENTS: 'Create, change and end engagements of auditors.',
    }),
  },
  subjects: {
    ENGAGEMENT: { text: 'An engagement of auditors; its number.', path: `${ORGANIZATION}/engagements/{id}` },
  },
  actions: {
    ENGAGEMENT_CREATED: toAuditors('engagement.created', 'An engagement of auditors was created.'),
    ENGAGEMENT_UPDATED: toAuditors('engagement.updated', 'The name or the end of an engagement was changed.'),
    ENGAGEMENT_READ: toAuditors('engagement.read', 'An auditor read something in the scope of an engagement.'),
    AUDITOR_JOINED: toAuditors('engagement.auditor_joined', 'A person accepted an invitation to an engagement.'),
    AUDITOR_REMOVED: toAuditors('engagement.auditor_removed', 'An auditor was removed from an engagement, or erased.'),
    EVIDENCE_REQUESTED: toAuditors('engagement.evidence_requested', 'An auditor requested evidence of a control.'),
    EVIDENCE_REQUEST_ANSWERED: toAuditors(
      'engagement.request_answered',
      'A request of an auditor was answered or closed.',
    ),
    SIGNED_OFF: toAuditors('engagement.signed_off', 'An auditor signed a workflow or a control off.'),
  },
} as const;
