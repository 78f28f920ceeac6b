import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { bytes, changeTime, creationTime, instant, p, searchable } from './columns.js';

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

/** Facts that reporting regimes need about an organization: each by its name in `catalog/regimes`, with its values. */
export interface RegimeFacts {
  /** From 2 on, regimes are only for organizations in their scope; regimes and stages say since which they are applied. */
  version: 1 | 2 | 3;
  values: Readonly<Record<string, readonly string[]>>;
}

/** A tenant (specification 2.2). Deletion is soft: the row stays, and looks absent. */
export const Organization = defineEntity({
  name: 'Organization',
  properties: {
    id: p.bigint('number').primary(),
    name: p.text(),
    description: p.text().default(''),
    searchable: searchable(`name || chr(10) || description`),
    numberEmployees: p.integer().nullable(),
    website: p.text().default(''),
    /** A full URL as sent, or the path of a logo that we store ("/logos/…"), to which the public address is prefixed. */
    logo: p.text().default(''),
    /** Of a logo that we store; 0 for one elsewhere. */
    logoBytes: p.integer().default(0),
    sectors: p.array(),
    industries: p.array(),
    nis2Sector: p.text().default('').fieldName('nis2_sector'),
    complianceFrameworks: p.json<ComplianceFramework[]>(),
    infrastructure: p.text().default(''),
    contacts: p.json<Contact[]>(),
    domains: p.array(),
    ips: p.array(),
    palette: p.text().nullable(),
    customColors: p.json<CustomColors>().nullable(),
    /** IANA name of the zone in which the organization's days and weeks begin. */
    timeZone: p.text().default('UTC'),
    /** Tag of the language in which it is written to, and to people who have chosen none. */
    language: p.text().default('en'),
    /** ISO 3166-1 alpha-2 code of the country whose law it reports incidents under. */
    country: p.text().nullable(),
    /** Whether it provides trust services (Regulation (EU) 910/2014). */
    trustServiceProvider: p.boolean().default(false),
    /** Whether it is a qualified one, which has qualified trust services. Never without the one above. */
    qualifiedTrustServiceProvider: p.boolean().default(false),
    /** First day on which it has to report under NIS 2, where its law gives it one of its own. */
    nis2ReportingFrom: p.date().nullable().fieldName('nis2_reporting_from'),
    /** ISO weekday on which the weekly report goes out: 1 is Monday, 7 is Sunday. */
    reportWeekday: p.smallint().default(1),
    /** Before this its weekly report is not due; null until that is worked out, and again when its calendar changes. */
    reportDueAt: instant().nullable(),
    /** Whether a token may come as a query parameter to what belongs to this organization. */
    queryTokenAllowed: p.boolean().default(true),
    /** Whether its events are sent to webhook endpoints of the users who manage it. */
    userWebhooksAllowed: p.boolean().default(true),
    /**
     * The identity provider whose tokens alone reach it; null where any does. No foreign key: the provider refers to the
     * organization.
     */
    requiredProviderId: p.bigint('number').nullable(),
    /** Whether it is for trying things out: fixed when it is made. It is in no figure over organizations (docs/sandboxes.md). */
    sandbox: p.boolean().default(false),
    /** After how many days entries of the audit trail go; null keeps them. */
    auditRetentionDays: p.integer().nullable(),
    /** Who is mailed a checkpoint of its audit trail each day; null for no one. */
    auditWitnessEmail: p.text().nullable(),
    /** Grows with each change; what an optimistic lock compares. */
    version: p.integer().version(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    deletedAt: instant().nullable(),
    /** When it was last restored: no notification was due before. */
    restoredAt: instant().nullable(),
  },
  indexes: [
    { properties: ['deletedAt'], where: 'deleted_at is not null' },
    {
      name: 'organization_logo_content_index',
      expression: `create index "organization_logo_content_index" on "organization" (substring(logo from '^/logos/([0-9a-f]{64})[.]'))`,
    },
    {
      name: 'organization_report_due_index',
      properties: ['reportDueAt'],
      where: `deleted_at is null and contacts @> '[{"emailReport": true}]'`,
    },
  ],
  checks: [
    { name: 'organization_report_weekday_check', expression: 'report_weekday >= 1 and report_weekday <= 7' },
    { name: 'organization_audit_retention_check', expression: 'audit_retention_days >= 365' },
  ],
});
export type Organization = InferEntity<typeof Organization>;

/** A row of one organization, which goes with it. */
export const organizationRow = () => ({
  id: p.bigint('number').primary(),
  organization: p.manyToOne(Organization).deleteRule('cascade'),
});

/** The facts of an organization from an instant on, until those of a later one; triggers write them. */
export const OrganizationFacts = defineEntity({
  name: 'OrganizationFacts',
  properties: { ...organizationRow(), since: instant(), facts: p.json<RegimeFacts>() },
  uniques: [{ properties: ['organization', 'since'] }],
});

/**
 * The state of an organization after an entry of its audit trail: from it on, entries are applied. It follows from the
 * trail, but for the first one of an organization that is older than trails that tell everything (docs/adr/0037).
 */
export const RecordedState = defineEntity({
  name: 'RecordedState',
  properties: {
    organization: p.manyToOne(Organization).primary().deleteRule('cascade'),
    position: p.bigint('number').primary(),
    /** JSON of the rows; values about persons are sealed under their keys. */
    rows: p.text(),
    /** HMAC-SHA-256 of it, its position and the trail, under a key that the database does not have. */
    mac: bytes(),
    createdAt: creationTime(),
  },
});

/** How many bytes an organization's documents, attachments and logo have: kept by triggers. */
export const OrganizationStorage = defineEntity({
  name: 'OrganizationStorage',
  properties: {
    organization: p.oneToOne(Organization).primary().owner().updateRule('no action').deleteRule('cascade'),
    bytes: p.bigint('number'),
  },
});
