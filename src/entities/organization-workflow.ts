import type { Rel } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { ControlStatus } from '../vocabulary/control-statuses.js';
import { Organization } from './organization.js';
import { User } from './user.js';

/** A workflow of the catalogue that an organization has taken on (decisions §9). */
@Entity({ tableName: 'organization_workflow' })
@Unique({ properties: ['organization', 'workflowId'] })
export class OrganizationWorkflow {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  workflowId!: string;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();
}

/** How far an organization is with one control. A control without a row is TO_DO. */
@Entity({ tableName: 'control_state' })
@Unique({ properties: ['organization', 'workflowId', 'controlId'] })
export class ControlState {
  @PrimaryKey({ type: 'integer' })
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
  justification: string = '';

  @ManyToOne(() => User, { nullable: true, deleteRule: 'set null' })
  owner?: Rel<User> | null;

  @Property({ type: 'date', nullable: true })
  dueDate?: string | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Date = new Date();
}
