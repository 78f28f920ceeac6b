import { defineEntity } from '@mikro-orm/core';
import { creationTime, instant, p, version } from './columns.js';
import { User } from './members.js';
import { Organization, organizationRow } from './organizations.js';

/** A scope of an organization that auditors may read, and until when. Auditors are not members. */
export const Engagement = defineEntity({
  name: 'Engagement',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    name: p.text(),
    /** Ids of the workflows in its scope. */
    workflows: p.array(),
    /** The period in its scope: from this instant on, and before `periodTo`. */
    periodFrom: instant(),
    periodTo: instant(),
    /** From this instant on, its auditors cannot read it. */
    until: instant(),
    createdBy: p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: creationTime(),
    version: version(),
  },
  indexes: [{ properties: ['organization', 'id'] }],
});

export const EngagementAuditor = defineEntity({
  name: 'EngagementAuditor',
  properties: {
    engagement: p.manyToOne(Engagement).primary().deleteRule('cascade'),
    user: p.manyToOne(User).primary().deleteRule('cascade'),
    createdAt: creationTime(),
  },
  indexes: [{ properties: ['user', 'engagement'] }],
});

/** A request of an auditor, and its answer. */
export const EvidenceRequest = defineEntity({
  name: 'EvidenceRequest',
  properties: {
    ...organizationRow(),
    engagement: p.manyToOne(Engagement).deleteRule('cascade'),
    workflowId: p.text(),
    controlId: p.text(),
    text: p.text(),
    /** User name of the auditor at the time. */
    createdBy: p.text(),
    createdAt: creationTime(),
    answer: p.text().default(''),
    answeredBy: p.text().nullable(),
    answeredAt: instant().nullable(),
    closedAt: instant().nullable(),
    version: version(),
  },
  indexes: [{ properties: ['engagement', 'id'] }, { properties: ['organization', 'id'] }],
});

/** An immutable statement of an auditor about a workflow or a control. */
export const SignOff = defineEntity({
  name: 'SignOff',
  properties: {
    ...organizationRow(),
    engagement: p.manyToOne(Engagement).deleteRule('cascade'),
    workflowId: p.text(),
    controlId: p.text().nullable(),
    statement: p.text(),
    /** User name of the auditor at the time. */
    createdBy: p.text(),
    createdAt: creationTime(),
  },
  indexes: [{ properties: ['engagement', 'id'] }, { properties: ['organization', 'id'] }],
});
