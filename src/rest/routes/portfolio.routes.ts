import { LIMITS } from '../../values/limits.js';
import { exampleOrganization } from '../openapi/examples.js';
import { routesAbout } from '../route.js';

const { maxPageSize } = LIMITS.portfolio;
const pageSize = `must be from ${LIMITS.page.minSize} to ${maxPageSize}`;

const DEADLINE_EXAMPLE = {
  incident: { id: 12, title: 'Phishing wave in Città di Castello' },
  regime_id: 'nis2-it',
  regime_name: 'NIS 2 in Italy (D.Lgs. 138/2024)',
  stage: 'NOTIFICATION',
  number: 1,
  due_at: '2026-11-23T08:15:30.000Z',
  state: 'DUE_SOON',
};

export const PORTFOLIO_ROUTES = routesAbout({ tag: 'Organizations' }, [
  {
    method: 'GET',
    path: '/api/v1/v-ciso/overview',
    operationId: 'getOverview',
    summary: 'List the organizations of the caller with the figures that matter first',
    description:
      'Progress of all workflows together, overdue controls, incidents by status, the earliest deadline of a report that is owed, and devices that are down, which is null where the caller is not an Organization Manager. Of each organization 50 open incidents are looked at for deadlines: significant ones first, then the newest. Sorted by `next_deadline`, organizations that owe no report come last either way.',
    data: 'portfolio.nodes',
    view: 'OrganizationOverview',
    parameters: 'limit offset sort',
    acrossOrganizations: true,
    constraints: {
      limit: { maximum: maxPageSize, sentences: { type: pageSize, minimum: pageSize, maximum: pageSize } },
    },
    sort: 'name',
    sortNames: { CREATED: 'created_at' },
    example: {
      organization: exampleOrganization,
      role: 'SECURITY_OFFICER',
      progress: { total: 93, to_do: 60, in_progress: 12, done: 20, not_applicable: 1 },
      overdue_controls: 3,
      incidents: { open: 2, contained: 1, resolved: 0, closed: 7, overdue: 1 },
      next_deadline: DEADLINE_EXAMPLE,
      devices_down: null,
    },
  },
  {
    method: 'GET',
    path: '/api/v1/v-ciso/work',
    operationId: 'listWork',
    summary: 'List what is to be done in all organizations of the caller',
    description:
      'Controls with a due date, controls whose newest document is stale or expires soon (`REVIEW`), and reports that are owed, the earliest first. The 1,000 earliest controls and reviews are among it, and the reports of 50 open incidents of each organization.',
    data: 'work.nodes',
    view: 'WorkItem',
    parameters: 'limit offset assignee assignee_id due_before',
    acrossOrganizations: true,
    errors: ['NOT_FOUND'],
    example: {
      kind: 'REPORT',
      title: 'Phishing wave in Città di Castello',
      due_at: '2026-11-23T08:15:30.000Z',
      overdue: false,
      organization: exampleOrganization,
      control: null,
      report: DEADLINE_EXAMPLE,
    },
  },
]);
