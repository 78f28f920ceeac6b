import { defineEntity } from '@mikro-orm/core';
import { creationTime, instant, p, version } from './columns.js';
import { User } from './members.js';
import { Organization, organizationRow } from './organizations.js';

/** A scope that auditors may read of an organization, and until when. They are no members of it. */
export const Engagement = defineEntity({
  name: 'Engagement',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    name: p.text(),
    /** Ids of the workflows in its scope. */
    workflows: p.array(),
    /** The period in its scope: from this instant on, and before that one. */
    periodFrom: instant(),
    periodTo: instant(),
    /** From this instant on nothing of it can be read by its auditors. */
    until: instant(),
    createdBy: p.manyToOne(User).nullable().deleteRule('set null'),
    createdAt: creationTime(),
    version: version(),
  },
  indexes: [{ properties: ['organization', 'id'] }],
});

/** An auditor of an engagement. */
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
    /** User name of the auditor, as it was then. */
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

/** Statement of an auditor about a workflow or a control. It is not changed any more. */
export const SignOff = defineEntity({
  name: 'SignOff',
  properties: {
    ...organizationRow(),
    engagement: p.manyToOne(Engagement).deleteRule('cascade'),
    workflowId: p.text(),
    controlId: p.text().nullable(),
    statement: p.text(),
    /** User name of the auditor, as it was then. */
    createdBy: p.text(),
    createdAt: creationTime(),
  },
  indexes: [{ properties: ['engagement', 'id'] }, { properties: ['organization', 'id'] }],
});
