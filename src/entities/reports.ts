import { defineEntity } from '@mikro-orm/core';
import { instant, p } from './columns.js';
import { Organization, organizationRow } from './organizations.js';
import { OutgoingMail } from './shared.js';

/** Marks that all reports of an organization's week were posted (docs/adr/0014). */
export const WeeklyReportRun = defineEntity({
  name: 'WeeklyReportRun',
  properties: {
    ...organizationRow(),
    /** ISO 8601 week, such as `2026-W47`. */
    week: p.text(),
    postedAt: instant(),
  },
  uniques: [{ properties: ['organization', 'week'] }],
});

/** One weekly report to one contact (specification 2.2 `email_report`). */
export const WeeklyReport = defineEntity({
  name: 'WeeklyReport',
  properties: {
    id: p.bigint('number').primary(),
    organization: p.manyToOne(Organization).deleteRule('cascade'),
    /** ISO 8601 week, such as `2026-W47`. */
    week: p.text(),
    email: p.text(),
    /** The mail with its delivery status. */
    mail: p.manyToOne(OutgoingMail).index().deleteRule('cascade'),
  },
  uniques: [{ properties: ['organization', 'week', 'email'] }],
  indexes: [{ properties: ['organization', 'id'] }],
});
