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

/** The status of a control in an organization. A control without a row is TO_DO. */
export const ControlState = defineEntity({
  name: 'ControlState',
  properties: {
    ...workflowRow(),
    controlId: p.text(),
    status: p.text().$type<ControlStatus>(),
    /** Why the control does not apply; only with NOT_APPLICABLE. */
    justification: p.text().default(''),
    /** Why the control was chosen, such as a risk or a legal requirement, for the statement of applicability. */
    inclusionReason: p.text().default(''),
    owner: p.manyToOne(User).nullable().deleteRule('set null'),
    dueDate: p.date().nullable(),
    note: p.text().default(''),
    /** Months for which evidence without a last day of its own is fresh. */
    reviewIntervalMonths: p.integer().nullable(),
    searchable: searchable(`justification || chr(10) || note`),
    /** The overdue date that the owner was reminded of: another date is another reminder. */
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

/** Progress of an organization in a workflow at the end of a day (UTC) on which it changed. */
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
    /** The validated file (catalog/workflow.schema.json, catalog/mappings/mapping.schema.json). */
    content: p.json<Record<string, unknown>>(),
    importedBy: p.text(),
    importedAt: creationTime(),
    version: version(),
  },
  uniques: [{ properties: ['organization', 'workflowId'] }],
  checks: [{ expression: `mode in ('WORKFLOW','TITLES','MAPPING')` }],
});

/** A statement of a control's owner, bound to the evidence at that moment. It can end, never change. */
export const ControlAttestation = defineEntity({
  name: 'ControlAttestation',
  properties: {
    ...workflowRow(),
    controlId: p.text(),
    statement: p.text(),
    /** The attested evidence, for comparison. */
    evidence: p.json<AttestedEvidence>(),
    /** Position of its entry in the audit trail. */
    position: p.bigint('number'),
    /** User names at the time, so that a statement has authors after they have left. */
    attestedBy: p.text(),
    /** No reference: it outlives the user, and ids of users are not reused. */
    attestedById: p.uuid(),
    attestedAt: instant(),
    countersignedBy: p.text().nullable(),
    countersignedById: p.uuid().nullable(),
    countersignedAt: instant().nullable(),
    withdrawnBy: p.text().nullable(),
    withdrawnAt: instant().nullable(),
    withdrawalReason: p.text().default(''),
    supersededAt: instant().nullable(),
    /** When a change of the evidence was detected, and the differences. */
    staleAt: instant().nullable(),
    changes: p.json<readonly AttestationChange[]>().nullable(),
    /** The last entry of the audit trail that was compared. */
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
