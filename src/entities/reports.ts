import type { Rel } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Organization, OrganizationRow } from './organizations.js';
import { OutgoingMail } from './shared.js';

/** That an organization's reports of a week were posted: all of them, or it would not be here (docs/adr/0014). */
@Entity({ tableName: 'weekly_report_run' })
@Unique({ properties: ['organization', 'week'] })
export class WeeklyReportRun extends OrganizationRow {
  /** ISO 8601 week, such as `2026-W47`. */
  @Property({ type: 'text' })
  week!: string;

  @Property({ type: 'datetime', length: 3 })
  postedAt!: Date;
}

/** One weekly report to one contact (specification 2.2 `email_report`). */
@Entity({ tableName: 'weekly_report' })
@Unique({ properties: ['organization', 'week', 'email'] })
@Index({ properties: ['organization', 'id'] })
export class WeeklyReport {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Organization, { deleteRule: 'cascade' })
  organization!: Rel<Organization>;

  /** ISO 8601 week, such as `2026-W47`. */
  @Property({ type: 'text' })
  week!: string;

  @Property({ type: 'text' })
  email!: string;

  /** What became of it. */
  @ManyToOne(() => OutgoingMail, { deleteRule: 'cascade', index: true })
  mail!: Rel<OutgoingMail>;
}
