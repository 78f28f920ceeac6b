import type { Opt, Rel } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Check, ManyToOne, Unique } from '@mikro-orm/decorators/legacy';
import { randomUUID } from 'node:crypto';
import type { MailDelivery, NotificationType, Role } from '../values/enums.js';
import { Organization, OrganizationRow } from './organizations.js';

/** As PostgreSQL prints it, so that the schema compares equal. */
const PERSONAL_KEY = `decode(replace(((gen_random_uuid())::text || (gen_random_uuid())::text), '-'::text, ''::text), 'hex'::text)`;

/** A person. Its id is the UUID that integrators know (specification 2.8). */
@Entity({ tableName: 'app_user' })
// Answers to search (docs/adr/0015); made by hand, where pg_trgm is there.
@Index({
  name: 'app_user_search_index',
  expression: `create index "app_user_search_index" on "app_user" using gin (searchable gin_trgm_ops)`,
})
export class User {
  @PrimaryKey({ type: 'uuid' })
  id: string = randomUUID();

  @Property({ type: 'text', unique: true })
  username!: string;

  /** Stored in lower case, so that one mailbox is one user. */
  @Property({ type: 'text', unique: true })
  email!: string;

  /** Since when it is known that the user reads this mailbox: by an invitation that was sent there and accepted. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  emailVerifiedAt?: Date | null;

  @Property({ type: 'text' })
  firstName: Opt<string> = '';

  @Property({ type: 'text' })
  lastName: Opt<string> = '';

  /** What search compares: the title on the first line, then further texts (docs/adr/0015). */
  @Property({
    type: 'text',
    generated: `(search_text(btrim(first_name || ' ' || last_name) || chr(10) || username || chr(10) || email)) stored`,
    lazy: true,
  })
  searchable!: Opt<string>;

  @Property({ type: 'datetime', length: 3, nullable: true })
  deactivatedAt?: Date | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  /**
   * What personal values in audit trails are encrypted under; gone when the user was erased. 244 random bits and the
   * fixed ones of two UUIDs.
   */
  @Property({ type: 'blob', nullable: true, lazy: true, defaultRaw: PERSONAL_KEY })
  personalKey?: Opt<Buffer> | null;
}

/** By category of notifications. */
export type MailPreferences = Record<Lowercase<NotificationType>, MailDelivery>;

/** What one user is in one organization, with its alert preferences (specification 2.8). */
@Entity({ tableName: 'membership' })
@Unique({ properties: ['organization', 'user'] })
@Index({ properties: ['user', 'organization'] })
@Index({
  name: 'membership_daily_mail_index',
  expression: `create index "membership_daily_mail_index" on "membership" ("organization_id") where mail_preferences @@ '$.* == "DAILY"'`,
})
@Check({
  expression: `role in ('VIEWER','SECURITY_ANALYST','SECURITY_OFFICER','ORGANIZATION_MANAGER','ORGANIZATION_OWNER')`,
})
export class Membership extends OrganizationRow {
  @ManyToOne(() => User, { deleteRule: 'cascade' })
  user!: Rel<User>;

  @Property({ type: 'text' })
  role!: Role;

  @Property({ type: 'boolean', default: true })
  alertAtb: Opt<boolean> = true;

  @Property({ type: 'boolean', default: true })
  alertCloudDefender: Opt<boolean> = true;

  @Property({ type: 'boolean', fieldName: 'alert_v_ciso', default: true })
  alertVCiso: Opt<boolean> = true;

  /** What was chosen; the default is in values/enums.ts. */
  @Property({ type: 'json', nullable: true })
  mailPreferences?: Partial<MailPreferences> | null;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  /** Since when the member is deactivated; null while it is active. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  deactivatedAt?: Date | null;
}

/**
 * An offer to join an organization, sent to one mailbox. Only the SHA-256 of its secret is here: the secret itself is
 * in the mail and nowhere else.
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

  /** The member who sent its last mail. It can be accepted while that member could still make it. */
  @ManyToOne(() => User, { deleteRule: 'set null', nullable: true })
  invitedBy?: Rel<User> | null;

  /** Lower-case hexadecimal SHA-256 of the newest secret; older ones open nothing. */
  @Property({ type: 'text', unique: true })
  digest!: string;

  /** When each of its mails went, in ISO 8601, oldest first: how many an address gets is bounded in time. */
  @Property({ type: 'timestamptz[]', columnType: 'timestamptz[]' })
  sentAt!: string[];

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  @Property({ type: 'datetime', length: 3, nullable: true })
  acceptedAt?: Date | null;

  /** When it was cancelled, or made way for a newer one after it had expired. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  closedAt?: Date | null;
}
