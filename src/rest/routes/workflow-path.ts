import { pathId, pathText } from '../parameters.js';

export const WORKFLOWS_PATH = '/api/v1/v-ciso/organizations/{organizationid}/workflows';
export const WORKFLOW_PATH = `${WORKFLOWS_PATH}/{workflowid}`;
export const CONTROLS_PATH = `${WORKFLOW_PATH}/controls`;
export const CONTROL_PATH = `${CONTROLS_PATH}/{controlid}`;

export const ORGANIZATION = pathId('organizationid', 'Which organization.');
export const WORKFLOW = pathText('workflowid', 'A workflow that it has taken up.', 'iso-27001-2022');
export const CONTROL = pathText('controlid', 'A control of that workflow.', 'A.5.1');

export const ORGANIZATION_WORKFLOW_EXAMPLE = {
  id: 'iso-27001-2022',
  name: 'ISO/IEC 27001:2022',
  associated_at: '2026-03-04T09:30:00.000Z',
  progress: { total: 118, to_do: 90, in_progress: 16, done: 10, not_applicable: 2 },
};

export const CONTROL_EXAMPLE = {
  id: 'A.5.1',
  label: 'Set, approve and publish the security policies',
  parent_id: 'A.5',
  kind: 'CONTROL',
  position: 54,
  status: 'IN_PROGRESS',
  justification: '',
  owner: {
    user_id: '0b8f2c6e-7d0a-4d44-9a53-5a1a4d6a2f10',
    username: 'elena.santoro',
    first_name: 'Elena',
    last_name: 'Santoro',
  },
  due_date: '2026-12-31',
  overdue: false,
  note: '',
  evidence: {
    own: 1,
    mapped: 2,
    total: 3,
    sources: [
      {
        workflow_id: 'nis2-directive',
        control_id: '21.2.a',
        label: 'Policies for analysing risk and securing information systems',
        documents: 2,
      },
    ],
  },
  updated_at: '2026-11-20T08:15:30.000Z',
};
