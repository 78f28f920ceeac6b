import { pathOfSubject, type EventSubject } from '../../common/event-content.js';
import type { Json } from '../../common/input-schema.js';
import type { AuditSubjectType } from '../../values/audit.js';
import { EVENT_ACTIONS, EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType } from '../../values/events.js';
import { EXAMPLES } from '../routes.js';
import { ref } from '../../common/published-schema.js';

/**
 * Subjects of events in examples, by the beginning of their types; the longest one counts. Of other types it is the subject that
 * they begin with, and the example of the type that is called as it.
 */
const SUBJECTS: Readonly<Record<string, EventSubject>> = {
  'organization.': { type: 'ORGANIZATION', id: '1' },
  'audit_trail.': { type: 'ORGANIZATION', id: '1' },
  'access.': { type: 'MEMBER', id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37' },
  'member.': { type: 'MEMBER', id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37' },
  'organization.ownership_transferred': { type: 'MEMBER', id: '8f14e45f-ceea-467f-a0e6-2b2d1c4f9a37' },
  'token.': {
    ...{ type: 'TOKEN', id: '31' },
    parent: { type: 'SERVICE_ACCOUNT', id: '5b1d6a90-3f0e-4c55-9f0b-0f6d6f6d1c11' },
  },
  'scim.': { type: 'ORGANIZATION', id: '1' },
  'scim_group.': { type: 'SCIM_GROUP', id: '0e21684b-f2c4-4f96-be16-b4ac33f61f72' },
  'workflow.': { type: 'WORKFLOW', id: 'nis2-directive' },
  'control.': { type: 'CONTROL', id: 'nis2-directive/21.2.a' },
  'control.assigned': { type: 'WORKFLOW', id: 'nis2-directive' },
  'document.': { type: 'DOCUMENT_VERSION', id: '77' },
  'incident.': { type: 'INCIDENT', id: '12' },
  'incident.attachment_': { type: 'INCIDENT_ATTACHMENT', id: '5', parent: { type: 'INCIDENT', id: '12' } },
  'device.': { type: 'CLOUD_DEFENDER', id: '2' },
};

const CHANGED: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  'organization.updated': ['website'],
  'member.updated': ['role'],
  'control.updated': ['status'],
  'incident.updated': ['severity'],
};

/** Properties that the events of a type have besides. */
const MORE: Readonly<Partial<Record<EventType, { properties: Json; example: Json }>>> = {
  'audit_trail.checkpoint_signed': {
    properties: { checkpoint: ref('schemas', 'AuditCheckpoint') },
    example: { checkpoint: EXAMPLES['AuditCheckpoint'] },
  },
};

const HEADERS: readonly Json[] = [
  ['webhook-id', 'string', 'The id of the event: the same in every attempt.', '1/42'],
  ['webhook-timestamp', 'integer', 'When it is sent: seconds since 1970.', 1_795_162_531],
  [
    'webhook-signature',
    'string',
    'Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA256, under the secret, of the id, the timestamp and the body with a full stop in between.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name, type, description, example]) => ({
  ...{ name, in: 'header', required: true, description },
  ...{ schema: { type, ...(type === 'integer' && { format: 'int64' }) }, example },
}));

/** By the names of parameters that each webhook refers to. */
export const WEBHOOK_PARAMETERS: Readonly<Record<string, Json>> = Object.fromEntries(
  HEADERS.map((header) => [header['name'] as string, header]),
);

const ANSWERS: Json = {
  '2XX': { description: 'It is accepted. The body of the answer is kept for those who manage webhooks, 4 KB of it.' },
  '410': { description: 'The endpoint is disabled.' },
  '4XX': {
    description: 'It is sent again later, as after every other answer and after none. `Retry-After` is obeyed.',
  },
};

/** Webhooks of the format `EVENT`, one for each type of event. */
export function webhooks(): Json {
  return Object.fromEntries(
    EVENT_ACTIONS.map((action) => {
      const type = EVENT_TYPES[action];
      const post = {
        operationId: `receive_${type.replace('.', '_')}`,
        tags: ['Events'],
        summary: type,
        description: EVENT_DESCRIPTIONS[action],
        security: [],
        parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                allOf: [ref('schemas', 'Event'), { properties: { type: { const: type }, ...MORE[type]?.properties } }],
              },
              example: { ...exampleOf(type), ...MORE[type]?.example },
            },
          },
        },
        responses: ANSWERS,
      };
      return [type, { post }];
    }),
  );
}

function exampleOf(type: EventType): Json {
  const [beginning = ''] = Object.keys(SUBJECTS)
    .filter((each) => type.startsWith(each))
    .toSorted((one, other) => other.length - one.length);
  const subject = SUBJECTS[beginning] ?? subjectOf(type);
  const path = pathOfSubject(1, subject);
  return {
    ...EXAMPLES['Event'],
    type,
    subject: { type: subject.type, id: subject.id },
    changed_fields: CHANGED[type] ?? [],
    url: path === undefined ? null : `https://gateway.example/api/v1/${path}`,
  };
}

function subjectOf(type: EventType): EventSubject {
  const [noun = ''] = type.split('.');
  const name = noun.replaceAll(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase());
  const { id } = EXAMPLES[name] as { id: number | string };
  return { type: noun.toUpperCase() as AuditSubjectType, id: String(id) };
}
