import type { Opt, Rel } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, OneToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export interface ComplianceFramework {
  value: string;
  /** Metadata of the framework, kept as the customer sent it. */
  fields: Record<string, unknown>;
}

export interface Contact {
  name: string;
  role: string;
  email: string;
  phone: string;
  emailReport: boolean;
}

export interface CustomColors {
  primary: string;
  primaryHover: string;
  primaryDark: string;
}

/** A tenant (specification 2.2). Deletion is soft: the row stays, and looks absent. */
@Entity({ tableName: 'organization' })
@Check({ name: 'organization_report_weekday_check', expression: 'report_weekday >= 1 and report_weekday <= 7' })
@Check({ name: 'organization_audit_retention_check', expression: 'audit_retention_days >= 365' })
@Index({
  name: 'organization_deleted_at_index',
  expression: `create index "organization_deleted_at_index" on "organization" ("deleted_at") where deleted_at is not null`,
})
@Index({
  name: 'organization_logo_content_index',
  expression: `create index "organization_logo_content_index" on "organization" (substring(logo from '^/logos/([0-9a-f]{64})[.]'))`,
})
@Index({
  name: 'organization_report_due_index',
  expression: `create index "organization_report_due_index" on "organization" ("report_due_at") where deleted_at is null and contacts @> '[{"emailReport": true}]'`,
})
export class Organization {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'text' })
  name!: string;

  @Property({ type: 'text' })
  description: Opt<string> = '';

  /** What search compares: the title on the first line, then further texts (docs/adr/0015). */
  @Property({ type: 'text', generated: `(search_text(name || chr(10) || description)) stored`, lazy: true })
  searchable!: Opt<string>;

  @Property({ type: 'integer', nullable: true })
  numberEmployees?: number | null;

  @Property({ type: 'text' })
  website: Opt<string> = '';

  /** A full URL as sent, or the path of a logo that we store ("/logos/…"), to which the public address is prefixed. */
  @Property({ type: 'text' })
  logo: Opt<string> = '';

  /** Of a logo that we store; 0 for one elsewhere. */
  @Property({ type: 'integer', default: 0 })
  logoBytes: Opt<number> = 0;

  @Property({ type: 'text[]', columnType: 'text[]' })
  sectors: string[] = [];

  @Property({ type: 'text[]', columnType: 'text[]' })
  industries: string[] = [];

  @Property({ type: 'text', fieldName: 'nis2_sector' })
  nis2Sector: Opt<string> = '';

  @Property({ type: 'json' })
  complianceFrameworks: ComplianceFramework[] = [];

  @Property({ type: 'text' })
  infrastructure: Opt<string> = '';

  @Property({ type: 'json' })
  contacts: Contact[] = [];

  @Property({ type: 'text[]', columnType: 'text[]' })
  domains: string[] = [];

  @Property({ type: 'text[]', columnType: 'text[]' })
  ips: string[] = [];

  @Property({ type: 'text', nullable: true })
  palette?: string | null;

  @Property({ type: 'json', nullable: true })
  customColors?: CustomColors | null;

  /** IANA name of the zone in which the organization's days and weeks begin. */
  @Property({ type: 'text', default: 'UTC' })
  timeZone: Opt<string> = 'UTC';

  /** ISO 3166-1 alpha-2 code of the country whose law it reports incidents under. */
  @Property({ type: 'text', nullable: true })
  country?: string | null;

  /** Whether it provides trust services (Regulation (EU) 910/2014). */
  @Property({ type: 'boolean', default: false })
  trustServiceProvider: Opt<boolean> = false;

  /** ISO weekday on which the weekly report goes out: 1 is Monday, 7 is Sunday. */
  @Property({ type: 'smallint', default: 1 })
  reportWeekday: Opt<number> = 1;

  /** Before this its weekly report is not due; null until that is worked out, and again when its calendar changes. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  reportDueAt?: Date | null;

  /** Whether a token may come as a query parameter to what belongs to this organization. */
  @Property({ type: 'boolean', default: true })
  queryTokenAllowed: Opt<boolean> = true;

  /** After how many days entries of the audit trail go; null keeps them. */
  @Property({ type: 'integer', nullable: true })
  auditRetentionDays?: number | null;

  /** Grows with each change; what an optimistic lock compares. */
  @Property({ type: 'integer', version: true })
  version!: Opt<number>;

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()' })
  createdAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3, defaultRaw: 'now()', onUpdate: () => new Date() })
  updatedAt: Opt<Date> = new Date();

  @Property({ type: 'datetime', length: 3, nullable: true })
  deletedAt?: Date | null;

  /** When it was last restored: no notification was due before. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  restoredAt?: Date | null;
}

/** A row of one organization, which goes with it. */
export abstract class OrganizationRow {
  @PrimaryKey({ type: 'bigint' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;
}

/** How many bytes an organization's documents, attachments and logo have: kept by triggers. */
@Entity({ tableName: 'organization_storage' })
export class OrganizationStorage {
  @OneToOne(() => Organization, { primary: true, owner: true, updateRule: 'no action', deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  @Property({ type: 'bigint' })
  bytes!: number;
}
