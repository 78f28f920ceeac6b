import type { Rel } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import type { Role } from '../vocabulary/roles.js';
import { Organization } from './organization.js';
import { User } from './user.js';

/** What one user is in one organization (decisions §2), with its alert preferences (specification 2.8). */
@Entity({ tableName: 'membership' })
@Unique({ properties: ['organization', 'user'] })
@Index({ properties: ['user', 'organization'] })
@Check({
  expression: `role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER')`,
})
export class Membership {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => User, { deleteRule: 'cascade' })
  user!: Rel<User>;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'text' })
  role!: Role;

  @Property({ type: 'boolean', default: true })
  alertAtb: boolean = true;

  @Property({ type: 'boolean', default: true })
  alertCloudDefender: boolean = true;

  @Property({ type: 'boolean', fieldName: 'alert_v_ciso', default: true })
  alertVCiso: boolean = true;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  /** Since when the member has no access here, though it keeps its place; null while it has. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  deactivatedAt?: Date | null;
}
