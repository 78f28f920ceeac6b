import type { RouteGroup } from '../route.js';

export const EVENTS: RouteGroup = {
  tag: 'Events',
  examples: {
    Event: {
      id: '1/42',
      type: 'incident.updated',
      organization_id: 1,
      subject: { type: 'INCIDENT', id: '12' },
      position: 42,
      changed_fields: ['severity'],
      at: '2026-11-20T08:15:30.500Z',
      url: 'https://gateway.example/api/v1/v-ciso/incidents/1/12',
    },
  },
  views: {
    Event: ['id type organizationId sandbox', { subject: ['type id'] }, 'position changedFields at url'],
  },
  routes: {
    'GET /api/v1/events': {
      operationId: 'listEvents',
      description:
        'What has happened in all organizations of the caller, oldest first, in one order that does not change. `Link` always has the address at which to go on (`rel="next"`), also when there are no events: follow it at once while there are some, and later, or at once with `wait`, when there are none. Without `after` it begins with the oldest event that is kept. Members get what each of them may read; who may read an audit trail gets all of it.',
      data: 'events.nodes',
      follows: 'next',
      waits: true,
      etag: 'hash',
      parameters: 'after limit types organization_id',
      acrossOrganizations: true,
      errors: ['GONE', 'NOT_FOUND'],
      examples: { after: 'latest', types: 'incident.opened,incident.report_overdue' },
    },
  },
};
