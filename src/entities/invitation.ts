import type { Rel } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Role } from '../vocabulary/roles.js';
import { Organization } from './organization.js';
import { User } from './user.js';

/**
 * An offer to join an organization, sent to one mailbox. Only the SHA-256 of its secret is here: the secret itself is
 * in the mail and nowhere else (decisions §1).
 */
@Entity({ tableName: 'invitation' })
@Index({ properties: ['organization', 'id'] })
@Index({
  name: 'invitation_open_unique',
  expression: `create unique index "invitation_open_unique" on "invitation" ("organization_id", "email") where accepted_at is null and closed_at is null`,
})
@Index({ properties: ['email', 'expiresAt'] })
@Index({ properties: ['invitedBy', 'expiresAt'] })
@Check({
  expression: `role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER')`,
})
export class Invitation {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  /** Stored in lower case, as the addresses of users are. */
  @Property({ type: 'text' })
  email!: string;

  @Property({ type: 'text' })
  role!: Role;

  /** Who answers for it: whoever sent its last mail. It can be accepted while that member could still make it. */
  @ManyToOne(() => User, { deleteRule: 'set null', nullable: true })
  invitedBy?: Rel<User> | null;

  /** Lower-case hexadecimal SHA-256 of the newest secret; older ones open nothing. */
  @Property({ type: 'text', unique: true })
  digest!: string;

  /** When each of its mails went, in ISO 8601, oldest first: how many an address gets is bounded in time. */
  @Property({ type: 'timestamptz[]', columnType: 'timestamptz[]' })
  sentAt!: string[];

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Date = new Date();

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  acceptedAt?: Date | null;

  /** When it was cancelled, or made way for a newer one after it had expired. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  closedAt?: Date | null;
}
