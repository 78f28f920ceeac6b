import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { bytes, changeTime, creationTime, instant, p, searchable } from './columns.js';

export interface ComplianceFramework {
  value: string;
  /** Metadata of the framework, stored as the customer sent it. */
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
  /** From version 2 on, regimes apply only to organizations in their scope; regimes and stages name their first version. */
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
    /** A full URL as sent, or the path of a stored logo ("/logos/…"), to which the public address is prefixed. */
    logo: p.text().default(''),
    /** Bytes of a stored logo; 0 for an external one. */
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
    /** Language tag of texts for it and for members without a language of their own. */
    language: p.text().default('en'),
    /** ISO 3166-1 alpha-2 code of the country whose law it reports incidents under. */
    country: p.text().nullable(),
    /** Whether it provides trust services (Regulation (EU) 910/2014). */
    trustServiceProvider: p.boolean().default(false),
    /** Whether it is a qualified trust service provider; implies the one above. */
    qualifiedTrustServiceProvider: p.boolean().default(false),
    /** First day of its duty to report under NIS 2, where national law defines one. */
    nis2ReportingFrom: p.date().nullable().fieldName('nis2_reporting_from'),
    /** ISO weekday of the weekly report: 1 is Monday, 7 is Sunday. */
    reportWeekday: p.smallint().default(1),
    /** Earliest time of its weekly report; null until computed, and again when its calendar changes. */
    reportDueAt: instant().nullable(),
    /** Whether its resources accept a token as a query parameter. */
    queryTokenAllowed: p.boolean().default(true),
    /** Whether its events are sent to webhook endpoints of the users who manage it. */
    userWebhooksAllowed: p.boolean().default(true),
    /**
     * The identity provider whose tokens alone have access; null for any. No foreign key: the provider refers to the
     * organization.
     */
    requiredProviderId: p.bigint('number').nullable(),
    /** Whether it is a sandbox, fixed at creation. Figures over organizations exclude it (docs/sandboxes.md). */
    sandbox: p.boolean().default(false),
    /** Days after which entries of the audit trail are removed; null for never. */
    auditRetentionDays: p.integer().nullable(),
    /** Recipient of the daily checkpoint of its audit trail; null for none. */
    auditWitnessEmail: p.text().nullable(),
    /** Version for optimistic locking, incremented by each change. */
    version: p.integer().version(),
    createdAt: creationTime(),
    updatedAt: changeTime(),
    deletedAt: instant().nullable(),
    /** When it was last restored: notifications from before are not due. */
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

/** A row of one organization, deleted with it. */
export const organizationRow = () => ({
  id: p.bigint('number').primary(),
  organization: p.manyToOne(Organization).deleteRule('cascade'),
});

/** The facts of an organization from an instant until those of a later one; written by triggers. */
export const OrganizationFacts = defineEntity({
  name: 'OrganizationFacts',
  properties: { ...organizationRow(), since: instant(), facts: p.json<RegimeFacts>() },
  uniques: [{ properties: ['organization', 'since'] }],
});

/**
 * The state of an organization after an entry of its audit trail, to which later entries are applied. It follows from the
 * trail, except for the first one of an organization that is older than complete trails (docs/adr/0037).
 */
export const RecordedState = defineEntity({
  name: 'RecordedState',
  properties: {
    organization: p.manyToOne(Organization).primary().deleteRule('cascade'),
    position: p.bigint('number').primary(),
    /** JSON of the rows; personal values are encrypted under the keys of their users. */
    rows: p.text(),
    /** HMAC-SHA-256 of state, position and trail, under a key outside the database. */
    mac: bytes(),
    createdAt: creationTime(),
  },
});

/** Bytes of an organization's documents, attachments and logo, maintained by triggers. */
export const OrganizationStorage = defineEntity({
  name: 'OrganizationStorage',
  properties: {
    organization: p.oneToOne(Organization).primary().owner().updateRule('no action').deleteRule('cascade'),
    bytes: p.bigint('number'),
  },
});
