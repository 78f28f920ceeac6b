import { defineEntity } from '@mikro-orm/core';
import { changeTime, creationTime, instant, p, searchIndex, searchable, version } from './columns.js';
import type { AttestationChange, AttestedEvidence } from '../values/attestations.js';
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

/** A statement of the owner of a control about it, bound to the evidence of that moment. It is ended, never changed. */
export const ControlAttestation = defineEntity({
  name: 'ControlAttestation',
  properties: {
    ...workflowRow(),
    controlId: p.text(),
    statement: p.text(),
    /** The evidence that it was made about, and is compared with. */
    evidence: p.json<AttestedEvidence>(),
    /** Position of its entry in the audit trail. */
    position: p.bigint('number'),
    /** User names as they were then: a statement keeps its authors when they go. */
    attestedBy: p.text(),
    /** No reference: it outlives the user, and a user's id is never given again. */
    attestedById: p.uuid(),
    attestedAt: instant(),
    countersignedBy: p.text().nullable(),
    countersignedById: p.uuid().nullable(),
    countersignedAt: instant().nullable(),
    withdrawnBy: p.text().nullable(),
    withdrawnAt: instant().nullable(),
    withdrawalReason: p.text().default(''),
    supersededAt: instant().nullable(),
    /** When it was noticed that the evidence is another one, and in what it differs. */
    staleAt: instant().nullable(),
    changes: p.json<readonly AttestationChange[]>().nullable(),
    /** Up to which entry of the audit trail it was compared with the evidence. */
    comparedUpTo: p.bigint('number'),
    version: version(),
  },
  indexes: [
    { properties: ['organization', 'workflowId', 'controlId', 'id'] },
    {
      name: 'control_attestation_open_index',
      properties: ['organization', 'id'],
      where: 'withdrawn_at is null and superseded_at is null and stale_at is null',
    },
  ],
  uniques: [
    {
      name: 'control_attestation_current_unique',
      properties: ['organization', 'workflowId', 'controlId'],
      where: 'withdrawn_at is null and superseded_at is null',
    },
  ],
});
