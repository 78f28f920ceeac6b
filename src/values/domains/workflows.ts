import { ORGANIZATION, allows, toAuditors, toMembers } from './domain.js';

export const WORKFLOWS = {
  privileges: {
    ...allows('VIEWER', 'read', {
      READ_WORKFLOWS: 'Read the workflows of the organization and how far their controls are.',
    }),
    ...allows('SECURITY_ANALYST', 'write', {
      SET_CONTROL_STATUS: 'Set status, owner and due date of controls.',
    }),
    ...allows('ORGANIZATION_MANAGER', 'write', {
      MANAGE_WORKFLOWS: 'Associate workflows with the organization, take them away, and import them.',
    }),
  },
  subjects: {
    WORKFLOW: {
      text: 'A workflow; its id in the catalogue or the import.',
      path: `v-ciso/${ORGANIZATION}/workflows/{id}`,
    },
    CONTROL: {
      text: 'A control; the workflow and the control, such as `nis2-directive/21.2.a`.',
      path: `v-ciso/${ORGANIZATION}/workflows/{workflow}/controls/{control}`,
    },
  },
  actions: {
    WORKFLOW_ASSOCIATED: toMembers('workflow.associated', 'A workflow was associated with the organization.'),
    WORKFLOW_DISSOCIATED: toMembers('workflow.dissociated', 'A workflow was dissociated.'),
    WORKFLOW_EXPORTED: toAuditors('workflow.exported', 'A workflow was exported as OSCAL.'),
    WORKFLOW_IMPORTED: toMembers('workflow.imported', 'A workflow, titles of one or a mapping were imported.'),
    WORKFLOW_IMPORT_DELETED: toMembers('workflow.import_deleted', 'An import was deleted.'),
    CONTROL_UPDATED: toMembers('control.updated', 'A control was changed.'),
    CONTROLS_ASSIGNED: toMembers('control.assigned', 'A member became the owner of controls.'),
    CONTROL_OVERDUE: toMembers('control.overdue', 'The due date of a control passed.'),
    CONTROL_EVIDENCE_EXPIRING: toMembers(
      'control.evidence_expiring',
      'The newest document of a control is about to expire, or is stale.',
    ),
  },
} as const;
