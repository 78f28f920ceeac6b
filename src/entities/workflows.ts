import type { Opt, Rel } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { ControlStatus, ImportMode } from '../values/enums.js';
import { User } from './members.js';
import { Organization, OrganizationRow } from './organizations.js';

/** A row of an organization about one of its workflows. */
abstract class WorkflowRow extends OrganizationRow {
  @Property({ type: 'text' })
  workflowId!: string;
}

/** A workflow of the catalogue that is associated with an organization. */
@Entity({ tableName: 'organization_workflow' })
@Unique({ properties: ['organization', 'workflowId'] })
export class OrganizationWorkflow extends WorkflowRow {
  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();
}

/** How far an organization is with one control. A control without a row is TO_DO. */
@Entity({ tableName: 'control_state' })
// Answers to search (docs/adr/0015); made by hand, where pg_trgm is there.
@Index({
  name: 'control_state_search_index',
  expression: `create index "control_state_search_index" on "control_state" using gin (searchable gin_trgm_ops)`,
})
@Unique({ properties: ['organization', 'workflowId', 'controlId'] })
@Index({
  name: 'control_state_due_index',
  expression: `create index "control_state_due_index" on "control_state" ("due_date", "id") where owner_id is not null and status in ('TO_DO', 'IN_PROGRESS')`,
})
@Index({
  name: 'control_state_review_index',
  expression: `create index "control_state_review_index" on "control_state" ("id") where owner_id is not null and review_interval_months is not null`,
})
@Index({
  name: 'control_state_interval_index',
  expression: `create index "control_state_interval_index" on "control_state" (organization_id, workflow_id, control_id) where review_interval_months is not null`,
})
export class ControlState {
  @PrimaryKey({ type: 'bigint' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  workflowId!: string;

  @Property({ type: 'text' })
  controlId!: string;

  @Property({ type: 'text' })
  status!: ControlStatus;

  /** Why the control does not apply; set with NOT_APPLICABLE only. */
  @Property({ type: 'text' })
  justification: Opt<string> = '';

  /** Why the control was chosen, such as a risk or a law, for the statement of applicability. */
  @Property({ type: 'text', default: '' })
  inclusionReason: Opt<string> = '';

  @ManyToOne(() => User, { nullable: true, deleteRule: 'set null' })
  owner?: Rel<User> | null;

  @Property({ type: 'date', nullable: true })
  dueDate?: string | null;

  @Property({ type: 'text', default: '' })
  note: Opt<string> = '';

  /** How long evidence without a last day of its own shows that the control is met. */
  @Property({ type: 'integer', nullable: true })
  reviewIntervalMonths?: number | null;

  /** What search compares (docs/adr/0015). */
  @Property({ type: 'text', generated: `(search_text(justification || chr(10) || note)) stored`, lazy: true })
  searchable!: Opt<string>;

  /** The due date that the owner was reminded of when it had passed: another one deserves another reminder. */
  @Property({ type: 'date', nullable: true })
  remindedDueDate?: string | null;

  /** The last day of its evidence that the owner was reminded of. */
  @Property({ type: 'date', nullable: true })
  remindedLastDay?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Opt<Date> = new Date();
}

/** How far an organization was with a workflow at the end of a day on which that changed, in UTC. */
@Entity({ tableName: 'workflow_progress' })
@Unique({ properties: ['organization', 'workflowId', 'day'] })
export class WorkflowProgress extends WorkflowRow {
  @Property({ type: 'date' })
  day!: string;

  @Property({ type: 'integer' })
  total!: number;

  @Property({ type: 'integer' })
  toDo!: number;

  @Property({ type: 'integer' })
  inProgress!: number;

  @Property({ type: 'integer' })
  done!: number;

  @Property({ type: 'integer' })
  notApplicable!: number;
}

/**
 * What an organization has imported: a workflow of its own, official titles for a shipped one, or a mapping between two
 * workflows. Private to the organization; two of them may use one id.
 */
@Entity({ tableName: 'workflow_import' })
@Unique({ properties: ['organization', 'workflowId'] })
@Check({ expression: `mode in ('WORKFLOW','TITLES','MAPPING')` })
export class WorkflowImport extends WorkflowRow {
  @Property({ type: 'text' })
  mode!: ImportMode;

  /** The file as it was checked (catalog/workflow.schema.json, catalog/mappings/mapping.schema.json). */
  @Property({ type: 'json' })
  content!: Record<string, unknown>;

  @Property({ type: 'text' })
  importedBy!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  importedAt: Opt<Date> = new Date();
}
