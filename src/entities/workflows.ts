import { defineEntity } from '@mikro-orm/core';
import { changeTime, creationTime, p, searchIndex, searchable, version } from './columns.js';
import type { ControlStatus, ImportMode } from '../values/enums.js';
import { User } from './members.js';
import { organizationRow } from './organizations.js';

/** A row of an organization about one of its workflows. */
const workflowRow = () => ({
  ...organizationRow(),
  workflowId: p.text(),
});

/** A workflow of the catalogue that is associated with an organization. */
export const OrganizationWorkflow = defineEntity({
  name: 'OrganizationWorkflow',
  properties: {
    ...workflowRow(),
    createdAt: creationTime(),
  },
  uniques: [{ properties: ['organization', 'workflowId'] }],
});

/** How far an organization is with one control. A control without a row is TO_DO. */
export const ControlState = defineEntity({
  name: 'ControlState',
  properties: {
    ...workflowRow(),
    controlId: p.text(),
    status: p.text().$type<ControlStatus>(),
    /** Why the control does not apply; set with NOT_APPLICABLE only. */
    justification: p.text().default(''),
    /** Why the control was chosen, such as a risk or a law, for the statement of applicability. */
    inclusionReason: p.text().default(''),
    owner: p.manyToOne(User).nullable().deleteRule('set null'),
    dueDate: p.date().nullable(),
    note: p.text().default(''),
    /** How long evidence without a last day of its own shows that the control is met. */
    reviewIntervalMonths: p.integer().nullable(),
    searchable: searchable(`justification || chr(10) || note`),
    /** The due date that the owner was reminded of when it had passed: another one deserves another reminder. */
    remindedDueDate: p.date().nullable(),
    /** The last day of its evidence that the owner was reminded of. */
    remindedLastDay: p.date().nullable(),
    updatedAt: changeTime(),
    /** A control without a row has version 1: storing the first change is one. */
    version: p.integer().default(2),
  },
  uniques: [{ properties: ['organization', 'workflowId', 'controlId'] }],
  indexes: [
    searchIndex('control_state'),
    {
      name: 'control_state_due_index',
      properties: ['dueDate', 'id'],
      where: `owner_id is not null and status in ('TO_DO', 'IN_PROGRESS')`,
    },
    {
      name: 'control_state_review_index',
      properties: ['id'],
      where: 'owner_id is not null and review_interval_months is not null',
    },
    {
      name: 'control_state_interval_index',
      properties: ['organization', 'workflowId', 'controlId'],
      where: 'review_interval_months is not null',
    },
  ],
});

/** How far an organization was with a workflow at the end of a day on which that changed, in UTC. */
export const WorkflowProgress = defineEntity({
  name: 'WorkflowProgress',
  properties: {
    ...workflowRow(),
    day: p.date(),
    total: p.integer(),
    toDo: p.integer(),
    inProgress: p.integer(),
    done: p.integer(),
    notApplicable: p.integer(),
  },
  uniques: [{ properties: ['organization', 'workflowId', 'day'] }],
});

/**
 * An import of an organization: a workflow of its own, official titles for a shipped one, or a mapping between two
 * workflows. Private to the organization; two of them may use one id.
 */
export const WorkflowImport = defineEntity({
  name: 'WorkflowImport',
  properties: {
    ...workflowRow(),
    mode: p.text().$type<ImportMode>(),
    /** The file as it was checked (catalog/workflow.schema.json, catalog/mappings/mapping.schema.json). */
    content: p.json<Record<string, unknown>>(),
    importedBy: p.text(),
    importedAt: creationTime(),
    version: version(),
  },
  uniques: [{ properties: ['organization', 'workflowId'] }],
  checks: [{ expression: `mode in ('WORKFLOW','TITLES','MAPPING')` }],
});
