import type { Queryable } from '../database/database.js';
import type { CustomColors } from '../entities/organization.js';
import type {
  DeviceFacts,
  OpenIncident,
  OverdueControl,
  Shortened,
  WeeklyReportFacts,
  WorkflowFact,
} from '../mail/weekly-report/weekly-report.js';
import { BRANDING_DEFAULTS } from '../vocabulary/branding-defaults.js';
import { incidentClock, type IncidentClockFacts } from './incident-clock.js';
import { organizationColumns } from './organization-columns.js';
import type { OrganizationCatalogs } from './organization-catalogs.js';
import { reportedWorkflows, type ReportedWorkflow } from './reported-workflows.js';
import { controlOf } from './workflow-catalog.js';
import type { CatalogWorkflow } from './workflow-file.js';
import { dayOf, type WorkflowProgress } from './workflow-progress.js';

/** Items of one list that are shown. */
const SHOWN = 10;
/** Open incidents that are looked at; whose deadline is next is known only when their clocks are read. */
const LOOKED_AT = 500;
const DAY = 24 * 60 * 60 * 1000;

export interface ReportedOrganization {
  id: number;
  name: string;
  logo: string;
  customColors: CustomColors | null;
  timeZone: string;
}

const OVERDUE = `
  select s.workflow_id as "workflowId", s.control_id as "controlId", s.due_date as "dueDate", count(*) over () as total
    from unnest($3::text[], $4::text[]) as seen(workflow_id, control_id)
    join control_state s on s.workflow_id = seen.workflow_id and s.control_id = seen.control_id
   where s.organization_id = $1 and s.due_date < $2::date and s.status in ('TO_DO', 'IN_PROGRESS')
   order by s.due_date, s.workflow_id, s.control_id limit ${SHOWN}`;

const INCIDENTS = `
  select id, title, severity, status, significant, aware_at as "awareAt",
         early_warning_sent_at as "earlyWarningSentAt", early_warning_sent_by as "earlyWarningSentBy",
         notification_sent_at as "notificationSentAt", notification_sent_by as "notificationSentBy",
         final_report_sent_at as "finalReportSentAt", final_report_sent_by as "finalReportSentBy",
         count(*) over () as total
    from incident where organization_id = $1 and status <> 'CLOSED'
   order by significant desc, id desc limit ${LOOKED_AT}`;

/** The table and the name of each kind are ours. */
const devicesOf = (table: string, name: string) => `
  select count(*) filter (where status = 1) as healthy, count(*) filter (where status = 2) as degraded,
         count(*) filter (where status = 3) as down, count(*) filter (where status not in (1, 2, 3)) as unknown,
         coalesce((array_agg(${name} order by status desc, id) filter (where status in (2, 3)))[1:${SHOWN}], '{}') as troubled
    from ${table} where organization_id = $1 and deleted_at is null`;

const DEVICES = [
  { kind: 'Edge protection', sql: devicesOf('cloud_defender', 'fqdn') },
  { kind: 'Threat blockers', sql: devicesOf('threat_blocker', "coalesce(nullif(device_id, ''), endpoint)") },
];

/** Gathers what a weekly report tells; asks nobody for leave, because it is asked by jobs and after it was given. */
export class WeeklyReportFactsService {
  constructor(
    private readonly database: Queryable,
    private readonly catalogs: OrganizationCatalogs,
    private readonly publicUrl: string,
  ) {}

  /** Undefined when there is no such organization, or it was deleted. */
  async organization(id: number): Promise<ReportedOrganization | undefined> {
    const { logo } = organizationColumns('o', this.publicUrl);
    const [found] = await this.database.rows<ReportedOrganization>(
      `select o.id, o.name, ${logo} as logo, o.custom_colors as "customColors", o.time_zone as "timeZone"
         from organization o where o.id = $1 and o.deleted_at is null`,
      [id],
    );
    return found;
  }

  /**
   * All that a report tells, as of `now`; `week` is an ISO week such as `2026-W47`. Decides nothing about who may read
   * it.
   */
  async gather(organization: ReportedOrganization, week: string, now: Date): Promise<WeeklyReportFacts> {
    const { id, name, logo, customColors, timeZone } = organization;
    // The last word of the day before the last report: what was done after it, on its own day, is told by this one.
    const dayBefore = dayOf(new Date(now.getTime() - 8 * DAY));
    const workflows = await reportedWorkflows(this.database, this.catalogs, id, dayBefore);
    return {
      brand: { name, logo, primary: customColors?.primary ?? BRANDING_DEFAULTS.customColors.primary },
      timeZone,
      week,
      asOf: now.toISOString(),
      workflows: workflows.map(workflowFact),
      overdue: await this.overdue(id, workflows, dayOf(now)),
      incidents: await this.incidents(id, now),
      devices: await Promise.all(DEVICES.map(async ({ kind, sql }) => ({ kind, ...(await this.devices(sql, id)) }))),
    };
  }

  private async overdue(
    organizationId: number,
    workflows: readonly ReportedWorkflow[],
    today: string,
  ): Promise<Shortened<OverdueControl>> {
    const known = new Map(workflows.map(({ seen }) => [seen.key.workflowId, seen.workflow]));
    // What an organization does not see, because it binds others only, cannot be overdue for it.
    const controls = [...known].flatMap(([id, workflow]) => workflow.controls.map((control) => [id, control.id]));
    const rows = await this.database.rows<OverdueRow>(OVERDUE, [
      organizationId,
      today,
      controls.map(([workflowId]) => workflowId),
      controls.map(([, controlId]) => controlId),
    ]);
    const items = rows.map(({ workflowId, controlId, dueDate }) => {
      const workflow = known.get(workflowId) as CatalogWorkflow;
      return { controlId, label: controlOf(workflow, controlId)?.label ?? '', workflow: workflow.name, dueDate };
    });
    return { total: rows[0]?.total ?? 0, items };
  }

  private async incidents(organizationId: number, now: Date): Promise<Shortened<OpenIncident>> {
    const rows = await this.database.rows<IncidentRow>(INCIDENTS, [organizationId]);
    const items = rows.map((row) => ({
      id: row.id,
      title: row.title,
      severity: row.severity,
      status: row.status,
      deadline: nextDeadline(row, now),
    }));
    return { total: rows[0]?.total ?? 0, items: items.toSorted(byDeadline).slice(0, SHOWN) };
  }

  private async devices(sql: string, organizationId: number): Promise<Omit<DeviceFacts, 'kind'>> {
    const [counts] = await this.database.rows<Omit<DeviceFacts, 'kind'>>(sql, [organizationId]);
    return counts as Omit<DeviceFacts, 'kind'>;
  }
}

interface OverdueRow {
  workflowId: string;
  controlId: string;
  dueDate: string;
  total: number;
}

interface IncidentRow extends IncidentClockFacts {
  id: number;
  title: string;
  severity: string;
  status: string;
  total: number;
}

function workflowFact({ seen, progress, before }: ReportedWorkflow): WorkflowFact {
  const { total, notApplicable, done, inProgress } = progress;
  const percent = percentOf(progress);
  return {
    name: seen.workflow.name,
    applicable: total - notApplicable,
    done,
    inProgress,
    percent,
    change: before === undefined ? null : percent - percentOf(before),
  };
}

/** Of what applies; where nothing does, nothing is left to be done. */
function percentOf({ total, notApplicable, done }: WorkflowProgress): number {
  const applicable = total - notApplicable;
  return applicable === 0 ? 100 : Math.floor((100 * done) / applicable);
}

function nextDeadline(facts: IncidentClockFacts, now: Date): OpenIncident['deadline'] {
  const { earlyWarning, notification, finalReport } = incidentClock(facts, now);
  const stages = [
    { stage: 'early warning', ...earlyWarning },
    { stage: 'notification', ...notification },
    { stage: 'final report', ...finalReport },
  ] as const;
  for (const { stage, state, dueAt } of stages)
    if (state !== 'SENT' && dueAt !== null) return { stage, dueAt, overdue: state === 'OVERDUE' };
  return null;
}

/** Instants in one spelling sort as texts; who owes nothing comes last. */
function byDeadline(a: OpenIncident, b: OpenIncident): number {
  const [first, second] = [a, b].map(({ deadline }) => deadline?.dueAt ?? '9999');
  if (first === second) return a.id - b.id;
  return first! < second! ? -1 : 1;
}
